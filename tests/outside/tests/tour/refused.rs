//! Requests that start no run.

use agui_tests::http::Request;
use agui_tests::wire::schema::validate;
use serde_json::json;

use crate::{address, demo, lab, tour};

#[tokio::test]
async fn malformed_inputs_are_refused() {
    let server = tour();
    let malformed = [
        "{".to_owned(),
        "[]".to_owned(),
        "{}".to_owned(),
        "null".to_owned(),
        json!({ "threadId": 1, "runId": "r", "messages": [] }).to_string(),
        json!({ "threadId": "t", "runId": "r", "messages": {} }).to_string(),
        json!({ "threadId": "t", "runId": "r", "messages": [{ "id": "1", "role": "user" }] }).to_string(),
        json!({ "threadId": "t", "runId": "r", "messages": [], "tools": "none" }).to_string(),
        json!({ "threadId": "t", "runId": "r", "messages": [], "resume": {} }).to_string(),
    ];
    for body in malformed {
        let answer = Request::run("/lab/text", body.clone()).send(address(&server)).await;
        assert!((400..500).contains(&answer.status), "{body}: {}", answer.status);
        assert!(answer.json()["error"]["message"].is_string(), "{body}");
    }
    let more = json!({ "threadId": "t", "runId": "r", "messages": [], "unknown": { "deep": [1] } });
    let events = Request::run("/lab/text", more.to_string()).send(address(&server)).await.events();
    assert_eq!(events.last().unwrap()["type"], "RUN_FINISHED");
}

#[tokio::test]
async fn pages_of_other_origins_may_read_every_route() {
    let server = tour();
    let cases = lab::cases().into_iter().chain(demo::cases()).filter(|case| case.name.is_empty());
    for route in cases.map(|case| case.route).chain(["/lab/echo_input"]) {
        let asked = Request::new("OPTIONS", route)
            .header("origin", "https://page.example")
            .header("access-control-request-method", "POST")
            .header("access-control-request-headers", "content-type")
            .send(address(&server))
            .await;
        assert!((200..300).contains(&asked.status), "{route}: {}", asked.status);
        assert_eq!(asked.header("access-control-allow-origin"), Some("*"), "{route}");
    }
    let body = json!({ "threadId": "t", "runId": "r", "messages": [] }).to_string();
    let answer =
        Request::run("/", body).header("origin", "https://page.example").send(address(&server)).await;
    assert_eq!(answer.header("access-control-allow-origin"), Some("*"));
}

#[tokio::test]
async fn agents_say_what_they_can_do() {
    let server = tour();
    for path in ["/lab/text/capabilities", "/lab/state/capabilities", "/capabilities"] {
        let declared = Request::new("GET", path).send(address(&server)).await.json();
        validate("AgentCapabilities", &declared).unwrap();
        assert_eq!(declared["transport"]["streaming"], true, "{path}");
    }
}

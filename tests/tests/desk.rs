//! The agent of the README: a model with a tool that asks first, and clients that answer, from `examples/desk`.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use agui_tests::http::Request;
use agui_tests::model_server::{Answer, Server as Provider};
use agui_tests::need;
use agui_tests::outside::{ClientPrograms, Conversation, ExampleServer, Generation, Node, Python, Turn};
use serde_json::json;

const DESK: ClientPrograms = ClientPrograms("desk");

const TALK: [&str; 3] = ["kettle 0", "refund 5900 cents of order 8?", "kettle 5900"];

#[test]
fn the_typescript_program_runs_on_both_clients() {
    let node = need!(Node::ready());
    for generation in Generation::ALL {
        let server = ExampleServer::start("desk");
        let finished = DESK.run_typescript(&node, generation, &server);
        assert_eq!(finished.stdout.lines().collect::<Vec<_>>(), TALK, "{finished}");
        assert_eq!(finished.stderr, "");
    }
}

#[test]
fn the_python_program_runs() {
    let python = need!(Python::ready());
    let finished = DESK.run_python(&python, &ExampleServer::start("desk"));
    assert_eq!(finished.stdout.lines().collect::<Vec<_>>(), TALK, "{finished}");
    assert_eq!(finished.stderr, "");
}

#[test]
fn both_generations_of_the_official_client_approve_and_refuse() {
    let node = need!(Node::ready());
    for generation in Generation::ALL {
        for (approved, refunded) in [(true, 850), (false, 0)] {
            let server = ExampleServer::start("desk");
            let talk = Conversation::new(server.url(), generation)
                .then(Turn::say("Please take order 9 back."))
                .then(Turn::resume("resolved", Some(json!({ "approved": approved }))))
                .then(Turn::say("And where is order 9?"));
            let report = node.converse(&talk);
            report.assert_clean();
            assert_eq!(report.turns[2].state["order"]["refunded"], refunded, "{}", report.turns[2].body);
        }
    }
}

/// The run that the README describes.
#[tokio::test]
async fn a_change_of_a_short_state_is_a_snapshot() {
    let server = ExampleServer::start("desk");
    let events = Request::run("/", said("Order 8 is broken. I want my money back."))
        .send(address(&server))
        .await
        .events();
    let states: Vec<_> =
        events.iter().filter(|event| event["type"].as_str().unwrap().starts_with("STATE")).collect();
    assert_eq!(states.len(), 2, "{events:#?}");
    assert_eq!(
        (&states[0]["type"], &states[0]["snapshot"]),
        (&json!("STATE_SNAPSHOT"), &json!({ "order": null }))
    );
    assert_eq!(
        (&states[1]["type"], &states[1]["snapshot"]["order"]["number"]),
        (&json!("STATE_SNAPSHOT"), &json!(8))
    );
}

fn address(server: &ExampleServer) -> SocketAddr {
    server.url().strip_prefix("http://").unwrap().parse().unwrap()
}

fn said(text: &str) -> String {
    let messages = json!([{ "id": "1", "role": "user", "content": text }]);
    json!({ "threadId": "t-1", "runId": "r-1", "protocolVersion": "1.0", "messages": messages }).to_string()
}

#[tokio::test]
async fn a_wrong_key_says_so_in_the_terminal() {
    let refusal = json!({ "error": { "message": "Incorrect API key provided: wr*ng" } }).to_string();
    let provider = Provider::start([Answer::status(401, "", &refusal)]);
    let server = ExampleServer::start_with(
        "desk",
        &[("AGUI_MODEL", &provider.address()), ("AGUI_MODEL_KEY", "wrong")],
    );
    let events = Request::run("/", said("Order 8?")).send(address(&server)).await.events();
    let end = events.last().unwrap();
    assert_eq!((end["type"].as_str(), end["code"].as_str()), (Some("RUN_ERROR"), Some("model_failed")));
    assert_eq!(provider.header("authorization"), ["Bearer wrong"]);
    let is_said = |line: &str| line.starts_with("err: ") && line.contains("ERROR") && line.contains("key");
    let begin = Instant::now();
    while !server.output().lines().any(is_said) {
        assert!(begin.elapsed() < Duration::from_secs(20), "{}", server.output());
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

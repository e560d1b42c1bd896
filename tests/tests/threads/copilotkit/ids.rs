//! Threads whose ids are special in a path: created, opened, listed, renamed, stopped, archived and deleted by the routes.

use serde_json::{Value, json};

use super::{BASE, as_ada, get, post, send, server, single};
use crate::thread_server::{Bells, ThreadServer, asking, events, is_legal, is_refused, types};
use agui_tests::http::Request;

/// The most bytes in the id of a stored thread.
const LONGEST: usize = 1024;

/// Ids, and each as one segment of a path.
fn odd_ids() -> Vec<(String, String)> {
    let known = [
        ("a/../b", "a%2F..%2Fb"),
        ("..", "%2E%2E"),
        (".", "%2E"),
        ("...", "..."),
        ("../../agent/default/run", "..%2F..%2Fagent%2Fdefault%2Frun"),
        ("//evil.example", "%2F%2Fevil.example"),
        ("100%", "100%25"),
        ("%2F", "%252F"),
        ("%", "%25"),
        ("a?limit=1#b&c=d e+f", "a%3Flimit%3D1%23b%26c%3Dd%20e%2Bf"),
        ("käse 🦀", "k%C3%A4se%20%F0%9F%A6%80"),
        // The last segments of routes.
        ("clear", "clear"),
        ("subscribe", "subscribe"),
        ("messages", "messages"),
        ("{thread}", "%7Bthread%7D"),
    ];
    let mut ids: Vec<_> = known.map(|(id, path)| (id.to_owned(), path.to_owned())).into();
    ids.push(("x".repeat(LONGEST), "x".repeat(LONGEST)));
    ids.push(("/".repeat(LONGEST), "%2F".repeat(LONGEST)));
    ids
}

fn on(thread: &str, run: &str, text: &str) -> Value {
    let mut input = asking(run, text);
    input["threadId"] = json!(thread);
    input
}

fn clerk(more: Value) -> Value {
    let mut body = json!({ "agentId": "kitchen.clerk" });
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    body
}

async fn listed(server: &ThreadServer) -> Vec<Value> {
    let list = get(server, "/threads?agentId=kitchen.clerk&includeArchived=true&limit=100").await.json();
    list["threads"].as_array().unwrap().clone()
}

/// Starts a run that waits for ever.
async fn waiting(server: &ThreadServer, id: &str) -> agui_tests::http::Answer {
    let input = on(id, "2", "wait for ever").to_string();
    let run = as_ada(Request::run(&format!("{BASE}/agent/kitchen.clerk/run"), input));
    let mut run = run.open(server.address).await;
    run.until("waiting").await;
    run
}

#[tokio::test]
async fn threads_with_odd_ids_are_created_opened_listed_changed_and_deleted() {
    let server = server(&Bells::default()).await;
    let ids = odd_ids();
    for (id, path) in &ids {
        let run = post(&server, "/agent/kitchen.clerk/run", &on(id, "1", "count")).await;
        assert!(run.text().contains("One more."), "{id}: {} {}", run.status, run.text());
        is_legal(run.text());
        let opened = post(&server, "/agent/kitchen.clerk/connect", &on(id, "c", "")).await;
        assert_eq!(types(opened.text()), "RUN_STARTED MESSAGES_SNAPSHOT STATE_SNAPSHOT RUN_FINISHED", "{id}");
        is_legal(opened.text());
        assert_eq!(events(opened.text())[0]["threadId"], *id);
        let messages = get(&server, &format!("/threads/{path}/messages")).await;
        assert_eq!(messages.status, 200, "{id}: {}", messages.text());
        assert_eq!(messages.json()["messages"][1]["content"], "One more.");
        let state = get(&server, &format!("/threads/{path}/state")).await;
        assert_eq!(state.json(), json!({ "state": { "count": 1 } }), "{id}");
        let stored = get(&server, &format!("/threads/{path}/events")).await.json();
        assert_eq!(stored["events"][0]["threadId"], *id);

        let name = format!("Thread {}", &path[..path.len().min(100)]);
        let body = clerk(json!({ "name": name })).to_string();
        let renamed = send(&server, "PATCH", &format!("/threads/{path}"), &body).await;
        assert_eq!(renamed.status, 200, "{id}: {}", renamed.text());
        let newest = &listed(&server).await[0];
        assert_eq!((&newest["id"], &newest["name"]), (&json!(id), &json!(name)));
        assert_eq!(*newest, renamed.json());

        let run = waiting(&server, id).await;
        let stop = format!("/agent/kitchen.clerk/stop/{path}");
        assert_eq!(post(&server, &stop, &json!({})).await.json()["stopped"], true, "{id}");
        assert!(run.whole().await.text().contains(r#""type":"cancelled""#), "{id}");
        let stopped = post(&server, &stop, &json!({})).await.json();
        assert_eq!(stopped["message"], format!("No active run for thread '{id}'."));

        let body = clerk(json!({})).to_string();
        let archived = send(&server, "POST", &format!("/threads/{path}/archive"), &body).await;
        assert_eq!(archived.json(), json!({ "threadId": id, "archived": true }));
    }
    let all = listed(&server).await;
    assert_eq!(all.len(), ids.len(), "no id stands for another");
    for (id, path) in &ids {
        let body = clerk(json!({})).to_string();
        let deleted = send(&server, "DELETE", &format!("/threads/{path}"), &body).await;
        assert_eq!(deleted.json(), json!({ "threadId": id, "deleted": true }));
    }
    assert_eq!(listed(&server).await, [] as [Value; 0]);
}

#[tokio::test]
async fn threads_with_odd_ids_do_the_same_over_one_address() {
    let server = server(&Bells::default()).await;
    let resource = async |path: &str, method: &str, body: Value| {
        single(&server, "resource/request", json!({ "path": path, "httpMethod": method }), body).await
    };
    for (id, path) in &odd_ids() {
        let run = single(&server, "agent/run", clerk(json!({})), on(id, "1", "count")).await;
        assert!(run.text().contains("One more."), "{id}: {} {}", run.status, run.text());
        is_legal(single(&server, "agent/connect", clerk(json!({})), on(id, "c", "")).await.text());
        let state = resource(&format!("/threads/{path}/state"), "GET", Value::Null).await;
        assert_eq!(state.json(), json!({ "state": { "count": 1 } }), "{id}");
        let list = "/threads?agentId=kitchen.clerk";
        let listed = resource(list, "GET", Value::Null).await.json();
        assert_eq!((&listed["threads"][0]["id"], listed["threads"][1].get("id")), (&json!(id), None));
        let renamed = resource(&format!("/threads/{path}"), "PATCH", clerk(json!({ "name": "Odd" }))).await;
        assert_eq!((&renamed.json()["id"], &renamed.json()["name"]), (&json!(id), &json!("Odd")));

        let run = waiting(&server, id).await;
        let stop = single(&server, "agent/stop", clerk(json!({ "threadId": id })), Value::Null).await;
        assert_eq!(stop.json()["stopped"], true, "{id}: {}", stop.text());
        drop(run.whole().await);

        let archived = resource(&format!("/threads/{path}/archive"), "POST", clerk(json!({}))).await;
        assert_eq!(archived.json(), json!({ "threadId": id, "archived": true }));
        assert_eq!(resource(list, "GET", Value::Null).await.json()["threads"], json!([]));
        let deleted = resource(&format!("/threads/{path}"), "DELETE", clerk(json!({}))).await;
        assert_eq!(deleted.json(), json!({ "threadId": id, "deleted": true }));
    }
}

#[tokio::test]
async fn ids_that_are_too_long_are_refused_as_at_the_agents_own_route() {
    let server = server(&Bells::default()).await;
    let agent = clerk(json!({}));
    for id in ["x".repeat(LONGEST + 1), "x".repeat(10_000), "/%".repeat(5_000), String::new()] {
        let input = on(&id, "1", "count");
        for refused in [
            post(&server, "/agent/kitchen.clerk/run", &input).await,
            single(&server, "agent/run", agent.clone(), input.clone()).await,
            as_ada(Request::run("/kitchen/clerk", input.to_string())).send(server.address).await,
        ] {
            is_refused(&refused, 400, "invalid_thread_id");
        }
        let own =
            as_ada(Request::run("/kitchen/clerk/connect", input.to_string())).send(server.address).await;
        for opened in [
            post(&server, "/agent/kitchen.clerk/connect", &input).await,
            single(&server, "agent/connect", agent.clone(), input.clone()).await,
        ] {
            // There is no such thread: 204, and a stream without events for CopilotKit's pages.
            assert_eq!((own.status, opened.status), (204, 200), "{}", opened.text());
            assert_eq!(opened.text(), "");
        }
    }
    assert_eq!(listed(&server).await, [] as [Value; 0]);
}

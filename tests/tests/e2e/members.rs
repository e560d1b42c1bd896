//! An agent behind bearer tokens.

use std::net::SocketAddr;

use agui_tests::http::Request;
use agui_tests::need;
use agui_tests::outside::{Conversation, ExampleServer, Generation, Node, Turn};
use serde_json::json;

const TOKENS: &[(&str, &str)] = &[("MEMBERS", "secret-1=Ada secret-2=Grace")];

fn address(server: &ExampleServer) -> SocketAddr {
    server.url().trim_start_matches("http://").trim_end_matches('/').parse().unwrap()
}

fn asking(token: Option<&str>) -> Request {
    let input = json!({
        "threadId": "t", "runId": "r", "protocolVersion": "1.0",
        "messages": [{ "id": "1", "role": "user", "content": "What did I order? I am Grace." }],
    });
    // A loopback name: the server answers no other while it listens there.
    let request = Request::run("/", input.to_string()).header("host", "127.0.0.1");
    match token {
        Some(token) => request.header("authorization", token),
        None => request,
    }
}

#[tokio::test]
async fn members_only() {
    let server = ExampleServer::start_with("members", TOKENS);
    let wrong = [None, Some("secret-1"), Some("Bearer "), Some("Bearer Ada"), Some("Bearer secret-1=Ada")];
    for token in wrong {
        let answer = asking(token).send(address(&server)).await;
        assert_eq!((answer.status, answer.header("www-authenticate")), (401, Some("Bearer")), "{token:?}");
        assert_eq!(answer.json()["error"]["code"], "unauthenticated");
    }
    for (token, name) in [("Bearer secret-1", "Ada"), ("Bearer secret-2", "Grace")] {
        let events = asking(Some(token)).send(address(&server)).await.events();
        let result = events.iter().find(|event| event["type"] == "TOOL_CALL_RESULT").unwrap();
        assert_eq!(result["content"], format!(r#"["a risotto for {name}"]"#), "the tool knows its customer");
    }
    let closed = ExampleServer::start("members");
    for token in [None, Some("Bearer "), Some("Bearer secret-1")] {
        assert_eq!(asking(token).send(address(&closed)).await.status, 401, "nobody is a member");
    }
}

#[test]
fn official_clients_are_members() {
    let node = need!(Node::ready());
    let server = ExampleServer::start_with("members", TOKENS);
    for generation in Generation::ALL {
        let conversation =
            Conversation::new(server.url(), generation).header("authorization", "Bearer secret-2");
        let report = node.converse(&conversation.then(Turn::say("What did I order?")));
        report.assert_clean();
        assert_eq!(report.turns[0].said(), "Grace, you ordered a risotto for Grace.", "{generation:?}");
    }
}

//! The card of an agent, and the places where clients look for it.

use std::sync::Arc;

use agui_runtime::a2a::{A2aServer, AgentSkill};
use agui_runtime::{Error, Server};
use agui_tests::http::Request;
use axum::Router;
use axum::routing::post;
use serde_json::{Value, json};

use crate::desk::{Bells, Desk};
use crate::talk::{TestServer, block_on};

async fn card(server: &TestServer, path: &str) -> Value {
    let whole = Request::new("GET", path).header("host", "localhost:7000").send(server.address).await;
    assert_eq!(
        (whole.status, whole.header("content-type")),
        (200, Some("application/json")),
        "{}",
        whole.text()
    );
    whole.json()
}

#[test]
fn it_comes_from_the_manifest() {
    block_on(async {
        let server = TestServer::open().await;
        let interfaces = ["JSONRPC", "HTTP+JSON"].map(|binding| {
            json!({
                "url": "http://localhost:7000/a2a",
                "protocolBinding": binding,
                "protocolVersion": "1.0",
            })
        });
        let expected = json!({
            "name": "desk",
            "description": "Does what the last message says.",
            "supportedInterfaces": interfaces,
            "version": env!("CARGO_PKG_VERSION"),
            "capabilities": { "streaming": true, "pushNotifications": false, "extendedAgentCard": false },
            "defaultInputModes": ["text/plain", "application/json", "image/*"],
            "defaultOutputModes": ["text/plain", "application/json"],
            "skills": [{
                "id": "desk",
                "name": "desk",
                "description": "Does what the last message says.",
                "tags": ["desk"],
            }],
        });
        for path in ["/a2a/.well-known/agent-card.json", "/.well-known/agent-card.json"] {
            assert_eq!(card(&server, path).await, expected, "{path}");
        }
    });
}

#[test]
fn the_program_changes_it() {
    block_on(async {
        let bells = Bells::default();
        let served = |name: &str| {
            let skill = AgentSkill::new("letters", "Letters", "Sends letters.");
            let desk = A2aServer::new(Desk::new(bells.clone())).url(format!("https://{name}.example/rpc"));
            desk.card(|card| card.skills.push(skill))
        };
        let server = Server::new().a2a("/one", served("one")).a2a("/two", served("two"));
        let server = TestServer::serve(server, bells.clone()).await;
        for name in ["one", "two"] {
            let card = card(&server, &format!("/{name}/.well-known/agent-card.json")).await;
            for interface in card["supportedInterfaces"].as_array().unwrap() {
                assert_eq!(interface["url"], format!("https://{name}.example/rpc"));
            }
            assert_eq!(card["skills"][1]["id"], "letters");
        }
        // There is no agent that it could be the card of.
        let root = Request::new("GET", "/.well-known/agent-card.json").send(server.address).await;
        assert_eq!(root.status, 404);
    });
}

#[test]
fn a_path_has_one_protocol() {
    let desk = || Arc::new(Desk::new(Bells::default()));
    let twice = Server::new().a2a("/", A2aServer::new(desk())).dyn_agent("/", desk());
    assert!(matches!(twice.router(), Err(Error::DuplicatePath { method: "POST", .. })));
    // The paths of HTTP+JSON are below.
    let below = Server::new().a2a("/", A2aServer::new(desk()));
    let below = below.routes(Router::new().route("/message:send", post(|| async {})));
    assert!(matches!(below.router(), Err(Error::DuplicatePath { method: "POST", .. })));
    let beside = Server::new().a2a("/a2a", A2aServer::new(desk())).dyn_agent("/", desk());
    assert!(beside.router().is_ok());
}

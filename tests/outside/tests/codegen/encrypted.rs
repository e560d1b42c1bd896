//! Generated clients speak AG-UI 1.0, as the official packages below them do: they get no `encryptedValueType`, and return each encrypted
//! value unchanged.

use std::fs;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use agui_runtime::Server;
use agui_runtime::http::{AgUiInput, AgUiResponse};
use agui_runtime::protocol::{
    AssistantMessage, EncryptedValue, Event, FunctionCall, MessagesSnapshotEvent,
    ReasoningEncryptedValueEvent, ReasoningEncryptedValueSubtype, ReasoningMessage, RunFinishedEvent,
    RunStartedEvent, ToolCall, ToolMessage, UserMessage,
};
use agui_tests::http::Request;
use agui_tests::need;
use agui_tests::outside::{Generation, Node, Python, finish};
use axum::Router;
use axum::routing::post;
use futures::stream;
use serde_json::{Value, json};
use tokio::net::TcpListener;

use super::{cases, folder, generate, typescript::run};

const TYPE: &str = "acme.signature";

/// The inputs that the server has read.
type Inputs = Arc<Mutex<Vec<Value>>>;

/// Restates a conversation with an encrypted value and a type at each place that a client returns.
fn answer(inputs: &Inputs, input: AgUiInput) -> AgUiResponse {
    let (input, _, reply) = input.into_parts();
    inputs.lock().unwrap().push(json!(input));
    let signed = |value: &str| EncryptedValue::new(value).with_type(TYPE);
    let call = ToolCall::new("c", FunctionCall::new("price", "{}")).with_encrypted(signed("of the call"));
    let messages = vec![
        UserMessage::new("u", "Hi").with_encrypted(signed("of the user")).into(),
        ReasoningMessage::new("r", "Hm.").with_encrypted(signed("replaced")).into(),
        AssistantMessage::new("a").with_tool_calls([call]).with_encrypted(signed("of the reply")).into(),
        ToolMessage::new("t", "7", "c").with_encrypted(signed("of the result")).into(),
    ];
    let subtype = ReasoningEncryptedValueSubtype::Message;
    let value = ReasoningEncryptedValueEvent::new(subtype, "r", "of the thought");
    let started = RunStartedEvent::new(input.thread_id.clone(), input.run_id.clone());
    let events: Vec<Event> = vec![
        started.with_protocol_version("1.1").into(),
        MessagesSnapshotEvent::new(messages).into(),
        value.with_encrypted_value_type(TYPE).into(),
        RunFinishedEvent::new(input.thread_id, input.run_id).into(),
    ];
    reply.stream(stream::iter(events))
}

/// Serves on another thread, until the test program ends.
fn serving(inputs: &Inputs) -> SocketAddr {
    let inputs = Arc::clone(inputs);
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            sender.send(listener.local_addr().unwrap()).unwrap();
            let handler = move |input: AgUiInput| {
                let inputs = Arc::clone(&inputs);
                async move { answer(&inputs, input) }
            };
            let routes = Router::new().route("/", post(handler));
            Server::new().routes(routes).serve_on(listener, std::future::pending()).await.unwrap();
        });
    });
    receiver.recv().unwrap()
}

/// Checks the messages that a client has, or the messages that a client sent.
#[track_caller]
fn has_all_values_without_types(messages: &Value) {
    let text = messages.to_string();
    assert!(!text.contains(TYPE) && !text.contains("ncryptedValueType"), "{messages:#}");
    for value in ["of the call", "of the user", "of the thought", "of the reply", "of the result"] {
        let [camel, snake] =
            ["encryptedValue", "encrypted_value"].map(|name| format!("\"{name}\":\"{value}\""));
        assert!(text.contains(&camel) || text.contains(&snake), "{value}: {messages:#}");
    }
}

#[tokio::test]
async fn a_client_of_a_later_version_gets_the_types() {
    let address = serving(&Inputs::default());
    for (version, types) in [("1.1", 6), ("1.0", 0)] {
        let input = json!({ "threadId": "t", "runId": "r", "protocolVersion": version, "messages": [] });
        let events = Request::run("/", input.to_string()).send(address).await.events();
        assert_eq!(json!(events).to_string().matches(TYPE).count(), types, "{version} {events:#?}");
    }
}

const TYPESCRIPT: &str = r#"
import { readFileSync } from "node:fs";
import { KeeperAgent } from "./keeper/client.js";

const agent = new KeeperAgent({ url: JSON.parse(readFileSync(0, "utf8")), threadId: "t" });
await agent.runAgent({ runId: "r1" });
await agent.runAgent({ runId: "r2" });
console.log(JSON.stringify(agent.messages));
"#;

#[test]
fn the_client_in_typescript_returns_values_unchanged() {
    let node = need!(Node::ready());
    let folder = folder("encrypted-ts");
    let keeper = cases::all().into_iter().find(|case| case.name == "keeper").unwrap();
    drop(generate(&keeper, "ts", &folder));
    fs::write(folder.join("main.ts"), TYPESCRIPT).unwrap();
    let inputs = Inputs::default();
    let address = serving(&inputs);
    let url = json!(format!("http://{address}/"));
    has_all_values_without_types(&run(&node, &folder, "main.ts", Generation::V1, &url));
    let inputs = inputs.lock().unwrap().clone();
    let versions: Vec<_> = inputs.iter().map(|input| &input["protocolVersion"]).collect();
    assert_eq!(versions, ["1.0", "1.0"]);
    has_all_values_without_types(&inputs[1]["messages"]);
}

const PYTHON: &str = r#"
import asyncio, json, sys
from api.kitchen import KitchenClient


async def main():
    client = KitchenClient(json.load(sys.stdin))
    messages = []
    async for event in client.events(client.input(messages, thread_id="t", run_id="r1")):
        if event.type == "MESSAGES_SNAPSHOT":
            messages = event.messages
        elif event.type == "REASONING_ENCRYPTED_VALUE":
            [thought] = [message for message in messages if message.id == event.entity_id]
            thought.encrypted_value = event.encrypted_value
    async for event in client.events(client.input(messages, thread_id="t", run_id="r2")):
        pass
    print(json.dumps([message.model_dump(by_alias=True, mode="json") for message in messages]))


asyncio.run(main())
"#;

#[test]
fn the_client_in_python_returns_values_unchanged() {
    let python = need!(Python::ready());
    let folder = folder("encrypted-python");
    let kitchen = cases::all().into_iter().find(|case| case.name == "kitchen").unwrap();
    drop(generate(&kitchen, "python", &folder.join("api")));
    let script = folder.join("main.py");
    fs::write(&script, PYTHON).unwrap();
    let inputs = Inputs::default();
    let url = json!(format!("http://{}/", serving(&inputs)));
    let finished =
        finish(python.command(&script), &url.to_string(), Duration::from_secs(60)).assert_success();
    has_all_values_without_types(&finished.json::<Value>());
    let inputs = inputs.lock().unwrap().clone();
    let versions: Vec<_> = inputs.iter().map(|input| &input["protocolVersion"]).collect();
    assert_eq!(versions, ["1.0", "1.0"]);
    has_all_values_without_types(&inputs[1]["messages"]);
}

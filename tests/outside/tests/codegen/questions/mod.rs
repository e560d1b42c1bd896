//! Agents with interrupts: the generated clients' view of them, and the answers that they send.

mod python;
mod react;
mod typescript;

use std::time::Duration;

use serde_json::{Value, json};

use super::{cases, folder, generate, generate_with};

const LIMIT: Duration = Duration::from_secs(120);

fn keeper() -> cases::Case {
    cases::all().into_iter().find(|case| case.name == "keeper").unwrap()
}

const DELETE: &str = "confirm_delete#c-1";
const DESTINATION: &str = "acme.destination#r-interrupt-1";
const STRANGE: &str = "confirm_delete#c-2";
const FOREIGN: &str = "somebody-elses";

fn question(id: &str, reason: &str, payload: &Value) -> Value {
    json!({"id": id, "reason": reason, "metadata": {"agui-rust/payload": payload}})
}

/// A run that ends with questions.
fn interrupted(asked: &[Value]) -> Value {
    json!([
        {"type": "RUN_STARTED"},
        {"type": "RUN_FINISHED", "outcome": {"type": "interrupt", "interrupts": asked}},
    ])
}

/// A run with declared questions, one of them with a wrong payload, and with an undeclared one.
fn asking() -> Value {
    let entries = json!([{"name": "a.txt", "tags": ["old"]}]);
    let mut delete = question(DELETE, "confirm_delete", &json!({"path": "/tmp", "entries": entries}));
    delete["message"] = json!("Delete it for good?");
    delete["toolCallId"] = json!("c-1");
    delete["expiresAt"] = json!("2999-01-01T00:00:00Z");
    delete["subagentRunId"] = json!("s-1");
    let asked = [
        delete,
        question(DESTINATION, "acme.destination", &json!({"kind": "oneof", "names": ["attic"]})),
        question(STRANGE, "confirm_delete", &json!({"path": 7})),
        json!({"id": FOREIGN, "reason": "constructor"}),
    ];
    interrupted(&asked)
}

fn done() -> Value {
    json!([{"type": "RUN_STARTED"}, {"type": "RUN_FINISHED", "result": "done"}])
}

/// A run that calls a tool of the page twice and asks: about something else, and about the second call.
fn both() -> Value {
    let call = |id: &str| {
        [
            json!({"type": "TOOL_CALL_START", "toolCallId": id, "toolCallName": "look"}),
            json!({"type": "TOOL_CALL_END", "toolCallId": id}),
        ]
    };
    let mut about = question("about", "acme.destination", &json!({"kind": "any"}));
    about["toolCallId"] = json!("asked");
    let delete = question(DELETE, "confirm_delete", &json!({"path": "/tmp", "entries": []}));
    let [started, finished]: [Value; 2] = serde_json::from_value(interrupted(&[delete, about])).unwrap();
    let [start, end] = call("free");
    let [start_asked, end_asked] = call("asked");
    json!([started, start, end, start_asked, end_asked, finished])
}

/// The ids that the tool messages of an input answer, in their order.
fn answered(input: &Value) -> Vec<&str> {
    let messages = input["messages"].as_array().unwrap().iter();
    messages.filter_map(|message| message.get("toolCallId")?.as_str()).collect()
}

//! The conversation of the front page is what the desk says today: it is recorded again, and compared without ids and times. With
//! `AGUI_UPDATE=1` it is written.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use agui_tests::need;
use agui_tests::outside::{ExampleServer, Node, built, finish, workspace_dir};
use serde_json::{Value, json};

use crate::LIMIT;

/// Members whose values differ from run to run.
const VARYING: [&str; 8] =
    ["at", "bytes", "expiresAt", "id", "interruptId", "messageId", "parentMessageId", "toolCallId"];

fn file() -> PathBuf {
    workspace_dir().join(".github/site/inspector/desk.json")
}

fn stored() -> Value {
    serde_json::from_str(&fs::read_to_string(file()).unwrap()).unwrap()
}

/// The events of a recorded run.
pub fn lines(run: &str) -> Vec<Value> {
    let stored = stored();
    let lines = stored["runs"][run].as_array().unwrap_or_else(|| panic!("no run {run}"));
    lines
        .iter()
        .filter(|line| line["kind"] == "event")
        .map(|line| serde_json::from_str(line["text"].as_str().unwrap()).unwrap())
        .collect()
}

/// A recording without what varies. The texts of JSON in it are read too.
fn lasting(value: Value) -> Value {
    match value {
        Value::Object(members) => {
            let kept = members.into_iter().filter(|(name, _)| !VARYING.contains(&name.as_str()));
            Value::Object(kept.map(|(name, value)| (name, lasting(value))).collect())
        }
        Value::Array(items) => items.into_iter().map(lasting).collect(),
        Value::String(text) => match serde_json::from_str(&text) {
            Ok(inner @ (Value::Object(_) | Value::Array(_))) => json!({ "text": lasting(inner) }),
            _ => Value::String(text),
        },
        other => other,
    }
}

#[test]
fn the_front_page_plays_what_the_desk_says() {
    let node = need!(Node::ready());
    let desk = ExampleServer::start_with("desk", &[]);
    let mut inspect = Command::new(built("agui-cli"));
    inspect.args(["inspect", &format!("{}/", desk.url())]);
    let page = ExampleServer::spawn("agui-cli inspect", inspect, LIMIT).unwrap();
    let job = json!({ "url": page.url() }).to_string();
    let recorded = finish(node.command("clients/site-recording.mjs"), &job, LIMIT).assert_success();
    if std::env::var_os("AGUI_UPDATE").is_some() {
        fs::write(file(), &recorded.stdout).unwrap();
    }
    let recorded: Value = serde_json::from_str(&recorded.stdout).unwrap();
    for run in ["asked", "approved", "refused", "cancelled"] {
        assert!(recorded["runs"][run].as_array().is_some_and(|lines| lines.len() > 5), "{run}: {recorded}");
    }
    assert_eq!(lasting(stored()), lasting(recorded), "`AGUI_UPDATE=1` records it again");
}

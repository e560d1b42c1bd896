//! The model behind the agents of all pages: it speaks Chat Completions, and its stories wait in their middle.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use agui_tests::model_server::Answer;
use serde_json::{Value, json};
use tokio::sync::watch;

/// The words of a story before its middle, and in all.
const HALF: usize = 20;
const WHOLE: usize = 40;

/// The stories that may go on.
#[derive(Default)]
pub struct Gates(Mutex<HashMap<String, watch::Sender<bool>>>);

impl Gates {
    /// Lets the second half of a story come.
    pub fn open(&self, story: &str) {
        self.with(story, |gate| gate.send_replace(true));
    }

    /// Waits until the second half may come.
    pub async fn pass(&self, story: &str) {
        let mut gate = self.with(story, watch::Sender::subscribe);
        // The sender lives as long as `self`.
        drop(gate.wait_for(|is_open| *is_open).await);
    }

    fn with<T>(&self, story: &str, act: impl FnOnce(&watch::Sender<bool>) -> T) -> T {
        let mut gates = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        act(gates.entry(story.to_owned()).or_insert_with(|| watch::channel(false).0))
    }
}

/// The answer to a request: its pieces, and the place of the one that waits, with the name of the story.
pub struct Reply {
    pub pieces: Vec<String>,
    pub waits: Option<(usize, String)>,
}

/// The time before each piece of a story.
pub const PACE: Duration = Duration::from_millis(10);

/// Answers the last message: `Tell KEY` is a story that waits in its middle for the gate `KEY`, `Ask` a call about which the
/// user is asked.
pub fn reply(request: &Value) -> Reply {
    let said =
        request["messages"].as_array().and_then(|messages| messages.last()).cloned().unwrap_or_default();
    let whole = |text: String, calls: &[(&str, Value)]| Reply {
        pieces: Answer::turn(&[&text], calls).pieces,
        waits: None,
    };
    if said["role"] == "tool" {
        return whole("That is settled.".to_owned(), &[]);
    }
    let text = text_of(&said["content"]);
    if let Some(key) = text.strip_prefix("Tell ") {
        let words: Vec<String> =
            (1..=WHOLE).map(|word| format!("w{word} ")).chain(["end.".to_owned()]).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        return Reply { pieces: Answer::turn(&words, &[]).pieces, waits: Some((HALF, key.to_owned())) };
    }
    if text.starts_with("Ask") {
        return whole("Let me see. ".to_owned(), &[question(request)]);
    }
    whole(format!("You said: {text}"), &[])
}

/// The call that asks the user, of the tools that the agent has.
fn question(request: &Value) -> (&'static str, Value) {
    let questions = [
        ("refund", json!({ "number": 8, "cents": 1 })),
        ("remove", json!({ "task": "Buy rice" })),
        ("confirm_order", json!({ "total": 190, "items": ["rice"] })),
    ];
    let tools = request["tools"].as_array().cloned().unwrap_or_default();
    let has = |name: &str| tools.iter().any(|tool| tool["function"]["name"] == name);
    questions.into_iter().find(|(name, _)| has(name)).unwrap_or_else(|| panic!("no tool asks: {tools:?}"))
}

/// The text of a message; messages that follow each other come as the parts of one, of which the last is new.
fn text_of(content: &Value) -> &str {
    let last = content.as_array().and_then(|parts| parts.last()).map_or(content, |part| &part["text"]);
    last.as_str().unwrap_or_default()
}

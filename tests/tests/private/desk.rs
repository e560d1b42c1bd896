//! An agent that reads a customer's file in private, and a model that notes its prompts.

use std::sync::{Arc, Mutex};

use agui_runtime::model::{AssistantPart, Model, Prompt, PromptMessage, Reply, ScriptedModel};
use agui_runtime::prelude::*;
use agui_runtime::protocol::{Content, Message, RunAgentInput, UserMessage};
use agui_runtime::testing::{assert_private, assert_private_text};
use agui_runtime::{Stop, protocol::Event};
use serde_json::{Value, json};

/// The name that the model passes, and the parts of the file.
pub(crate) const NAME: &str = "Augusta Byron-Lovelace";
pub(crate) const IBAN: &str = "DE02-1203-0000-9876";
pub(crate) const NOTE: &str = "pays late since the divorce";
pub(crate) const FAILURE: &str = "postgres://desk:hunter2-secret@crm.internal";
pub(crate) const PANIC: &str = "the panic names Charles Babbage";

/// Everything that no client may see.
pub(crate) const VALUES: [&str; 5] = [NAME, IBAN, NOTE, FAILURE, PANIC];

/// The names that no client may see.
pub(crate) const NAMES: [&str; 3] = ["customer_file", "CustomerFile", "customerFile"];

/// Reads a customer's file, `CUSTOMER-DOCS`.
#[tool(private)]
pub(crate) async fn customer_file(name: String) -> Result<Value, std::io::Error> {
    match name.as_str() {
        "fail" => Err(std::io::Error::other(FAILURE)),
        "panic" => panic!("{PANIC}"),
        _ => Ok(json!({ "name": name, "iban": IBAN, "note": NOTE })),
    }
}

/// Ends the run with a secret in its words.
#[tool(private)]
pub(crate) async fn fatal_file() -> Result<u32, Stop> {
    Err(Stop::error(FAILURE).with_code(FAILURE).fatal())
}

/// Looks up what something costs.
#[tool]
pub(crate) async fn price(item: String) -> usize {
    item.len()
}

/// Asks whether that is all.
#[tool(frontend)]
pub(crate) async fn checkout(total: u32) -> bool;

/// Helps customers.
#[agent(tools = [customer_file, price, checkout, fatal_file])]
pub(crate) async fn desk(run: &mut Run<Desk>, _: Input<Desk>, model: &Model) -> Result<(), Stop> {
    run.chat(model).instructions("Help.").await
}

/// A model that does what the last message says, and the prompts that it read.
#[derive(Clone, Default)]
pub(crate) struct Seen(Arc<Mutex<Vec<Prompt>>>);

impl Seen {
    pub(crate) fn desk(&self) -> Desk {
        Desk::new(self.model())
    }

    pub(crate) fn model(&self) -> Model {
        let seen = self.clone();
        let model = ScriptedModel::from_fn(move |prompt| {
            seen.0.lock().unwrap().push(prompt.clone());
            reply(prompt)
        });
        model.pieces(7).into()
    }

    /// Returns the number of prompts.
    pub(crate) fn count(&self) -> usize {
        self.0.lock().unwrap().len()
    }

    /// Returns the id of the first call in the last prompt.
    pub(crate) fn call_id(&self) -> String {
        let prompts = self.0.lock().unwrap();
        let of = |message: &PromptMessage| match message {
            PromptMessage::Tools(results) => results.first().map(|result| result.id.to_string()),
            _ => None,
        };
        prompts.last().unwrap().messages.iter().find_map(of).unwrap()
    }

    /// Returns the private calls and results of the last prompt, as `tool(arguments) -> result`.
    pub(crate) fn private(&self) -> Vec<String> {
        self.calls().into_iter().filter(|call| call.starts_with("customer_file")).collect()
    }

    /// Returns the calls and results of the last prompt.
    pub(crate) fn calls(&self) -> Vec<String> {
        let prompts = self.0.lock().unwrap();
        let mut calls = Vec::new();
        let Some(prompt) = prompts.last() else { return calls };
        let results: Vec<_> = prompt
            .messages
            .iter()
            .flat_map(|message| match message {
                PromptMessage::Tools(results) => results.clone(),
                _ => Vec::new(),
            })
            .collect();
        for message in &prompt.messages {
            let PromptMessage::Assistant(parts) = message else { continue };
            for part in parts {
                let AssistantPart::Call(call) = part else { continue };
                let result = results.iter().find(|result| result.id == call.id).unwrap();
                calls.push(format!("{}({}) -> {}", call.tool, call.arguments, result.content.text()));
            }
        }
        calls
    }

    /// Returns the roles of the last prompt.
    pub(crate) fn roles(&self) -> Vec<&'static str> {
        let prompts = self.0.lock().unwrap();
        let role = |message: &PromptMessage| match message {
            PromptMessage::System(_) => "system",
            PromptMessage::User(_) => "user",
            PromptMessage::Assistant(_) => "assistant",
            PromptMessage::Tools(_) => "tools",
        };
        prompts.last().unwrap().messages.iter().map(role).collect()
    }
}

/// The file as the model reads it.
pub(crate) fn file() -> String {
    let (arguments, file) = (json!({ "name": NAME }), json!({ "name": NAME, "iban": IBAN, "note": NOTE }));
    format!("customer_file({arguments}) -> {file}")
}

fn reply(prompt: &Prompt) -> Reply {
    let asked = prompt.messages.iter().rev().find_map(|message| match message {
        PromptMessage::User(parts) => Some(Content::Parts(parts.clone()).text().into_owned()),
        _ => None,
    });
    if !prompt.last_results().is_empty() {
        return Reply::text("I have read it.");
    }
    let read = |name: &str| Reply::call("customer_file", json!({ "name": name }));
    match asked.as_deref().unwrap_or_default() {
        "read" => read(NAME),
        "talk" => Reply::text("Let me look.").and_call("customer_file", json!({ "name": NAME })),
        "both" => {
            Reply::call("price", json!({ "item": "rice" })).and_call("customer_file", json!({ "name": NAME }))
        }
        "page" => read(NAME).and_call("checkout", json!({ "total": 3 })),
        "fail" => read("fail"),
        "panic" => read("panic"),
        "wrong" => Reply::call("customer_file", json!({ "name": [NAME] })),
        "fatal" => Reply::call("fatal_file", json!({})),
        _ => Reply::text("Good day."),
    }
}

/// Returns a model with a script.
pub(crate) fn script(replies: impl Into<Vec<Reply>>) -> Model {
    ScriptedModel::new(replies).pieces(7).into()
}

/// The wishes for which the model calls a private tool.
pub(crate) const WISHES: [&str; 8] = ["read", "talk", "both", "page", "fail", "panic", "wrong", "fatal"];

/// Returns an input of a current client.
pub(crate) fn input(run: &str, messages: Vec<Message>) -> RunAgentInput {
    RunAgentInput::new("t", run, messages).with_protocol_version("1.1")
}

pub(crate) fn said(id: &str, text: &str) -> Message {
    UserMessage::new(id, text).into()
}

/// Fails if a client could have learned something from these events.
#[track_caller]
pub(crate) fn assert_shut(events: &[Event]) {
    assert_private(events, VALUES.iter().chain(&NAMES).chain(&["CUSTOMER-DOCS", "fatal_file"]));
}

/// Fails if a client could have learned something from this text.
#[track_caller]
pub(crate) fn assert_text_shut(text: impl AsRef<[u8]>) {
    assert_private_text(text, VALUES.iter().chain(&NAMES).chain(&["CUSTOMER-DOCS", "fatal_file"]));
}

//! An agent that does what its user says, for tests that serve it over A2A.
#![allow(
    clippy::panic,
    clippy::unwrap_used,
    missing_docs,
    reason = "test support: what goes wrong here fails the test, and tools have their own docs"
)]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use agui_runtime::prelude::*;
use agui_runtime::protocol::{Interrupt as Question, Message};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::sync::Notify;

/// The state of the conversation.
#[derive(State, Serialize, Deserialize, JsonSchema, Clone, Default)]
pub struct Tally {
    count: u32,
}

/// The dishes of the day.
#[derive(Activity, Serialize, Deserialize, JsonSchema, Clone)]
#[activity(type = "MENU")]
pub struct Menu {
    dishes: Vec<String>,
}

/// Asks before something is sent.
#[derive(Interrupt, Serialize, JsonSchema)]
#[interrupt(reason = "confirm_send", message = "Send it?", response = Approval)]
pub struct ConfirmSend {
    text: String,
}

#[derive(Deserialize, JsonSchema)]
pub struct Approval {
    approved: bool,
}

/// Asks for a name.
#[derive(Interrupt, Serialize, JsonSchema)]
#[interrupt(reason = "name", message = "What is your name?", response = String)]
pub struct AskName {}

/// Shows a page, and returns what the user chose there.
#[tool(frontend)]
pub async fn choose(title: String) -> String;

/// The things that the agent shares with its test.
#[derive(Clone, Default)]
pub struct Bells {
    /// Lets waiting runs go on.
    pub go_on: Arc<Notify>,
    /// The number of runs that began, and of those that were dropped while they waited.
    pub began: Arc<AtomicUsize>,
    pub dropped: Arc<AtomicUsize>,
}

impl Bells {
    async fn wait(&self) {
        let mut guard = Guard(Some(self));
        self.go_on.notified().await;
        guard.0 = None;
    }
}

struct Guard<'b>(Option<&'b Bells>);

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        if let Some(bells) = self.0 {
            bells.dropped.fetch_add(1, Ordering::SeqCst);
        }
    }
}

/// Does what the last message says.
#[agent(state = Tally, tools = [choose], interrupts = [ConfirmSend, AskName], activities = [Menu])]
pub async fn desk(run: &mut Run<Desk>, input: Input<Desk>, bells: &Bells) -> Result<Value, Stop> {
    bells.began.fetch_add(1, Ordering::SeqCst);
    let tally = run.state().adopt_or_snapshot(&input).await?;
    if let Some(asked) = input.resumed::<ConfirmSend>()? {
        let is_sent = asked.response.is_some_and(|answer| answer.approved);
        run.say(if is_sent { "Sent." } else { "Not sent." }).await;
        return Ok(json!(is_sent));
    }
    if let Some(named) = input.resumed::<AskName>()? {
        let name = named.response.unwrap_or_default();
        if name == "wait" {
            bells.wait().await;
        }
        run.say(format!("Hello, {name}.")).await;
        return Ok(json!({ "messages": input.messages.len() }));
    }
    if input.resume().iter().any(|answer| answer.interrupt_id.as_str() == "sign-in") {
        return Ok(json!("signed in"));
    }
    if let Some(Message::Tool(chosen)) = input.messages.last() {
        return Ok(json!({ "chosen": chosen.content.text() }));
    }
    let said = input.user_text().unwrap_or_default();
    let (word, rest) = said.split_once(' ').unwrap_or((&*said, ""));
    match word {
        "hello" => {
            let mut text = run.message().await;
            text.push("Good ").await;
            text.push("day.").await;
            text.end();
        }
        "count" => {
            tally.update(|tally| tally.count += 1).await?;
            run.say("One more.").await;
        }
        "menu" => {
            let mut menu = run.activity(Menu { dishes: vec!["soup".to_owned()] }).await?;
            menu.update(|menu| menu.dishes.push("rice".to_owned())).await?;
        }
        "send" => return Err(run.ask(ConfirmSend { text: rest.to_owned() })),
        "draft" => {
            run.say("Here is a draft.").await;
            return Err(run.ask(ConfirmSend { text: rest.to_owned() }));
        }
        "name" => return Err(run.ask(AskName {})),
        "secret" => {
            let question =
                Question::new("sign-in", "auth_required").with_message("Sign in at https://login.example.");
            return Err(Stop::interrupt(question));
        }
        "choose" => {
            let call = run.call(choose { title: rest.to_owned() }).await?;
            return Err(Stop::await_frontend(call));
        }
        "wait" => {
            let mut text = run.message().await;
            text.push("waiting").await;
            bells.wait().await;
            text.push(" is over").await;
            text.end();
        }
        "fail" => return Err(Stop::error("no ink").with_code("ink")),
        "roar" => drop(run.say("a".repeat(rest.parse().unwrap())).await),
        _ => {}
    }
    let last = input.messages.last().unwrap();
    Ok(json!({
        "messages": input.messages.len(),
        "count": tally.read(|tally| tally.count)?,
        "last": serde_json::to_value(last).unwrap(),
        "forwarded": input.forwarded_props.clone().map(Value::from),
    }))
}

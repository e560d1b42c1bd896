//! An agent that does what its user says, and a server that stores its threads.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use agui_runtime::Server;
use agui_runtime::http::ThreadOptions;
use agui_runtime::order::OrderVerifier;
use agui_runtime::prelude::*;
use agui_runtime::protocol::Event;
use agui_runtime::thread::{LARGEST_RECORD, Memory, ThreadLog};
use agui_tests::http::{Answer, Request, Whole};
pub(crate) use agui_tests::identified::{Person, identified};
use agui_tests::stored::Served;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::sync::Notify;

/// The state of the conversation.
#[derive(State, Serialize, Deserialize, JsonSchema, Clone, Default)]
pub(crate) struct Tally {
    count: u32,
}

/// Asks before something is sent.
#[derive(Interrupt, Serialize, JsonSchema)]
#[interrupt(reason = "confirm_send", message = "Send it?", response = bool)]
pub(crate) struct ConfirmSend {
    text: String,
}

/// The things that the agent shares with its test.
#[derive(Clone, Default)]
pub(crate) struct Bells {
    /// Lets waiting runs go on.
    pub(crate) go_on: Arc<Notify>,
    /// The number of letters that were sent.
    pub(crate) sent: Arc<AtomicUsize>,
    /// The questions whose answers the agent has acted upon.
    pub(crate) answered: Arc<Mutex<Vec<String>>>,
    /// The number of runs that were dropped while they waited.
    pub(crate) dropped: Arc<AtomicUsize>,
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
#[agent(state = Tally, interrupts = [ConfirmSend])]
pub(crate) async fn clerk(run: &mut Run<Clerk>, input: Input<Clerk>, bells: &Bells) -> Result<Value, Stop> {
    let tally = run.state().adopt_or_snapshot(&input).await?;
    if let Some(asked) = input.resumed::<ConfirmSend>()? {
        let is_sent = asked.response == Some(true);
        bells.answered.lock().unwrap().push(asked.interrupt_id.to_string());
        bells.sent.fetch_add(usize::from(is_sent), Ordering::SeqCst);
        run.say(if is_sent { "Sent." } else { "Not sent." }).await;
        return Ok(json!(is_sent));
    }
    let said = input.user_text().unwrap_or_default();
    match said.split_once(' ').map_or(&*said, |(first, _)| first) {
        "hello" => drop(run.say("Good day.").await),
        "count" => {
            tally.update(|tally| tally.count += 1).await?;
            run.say("One more.").await;
        }
        "wait" => {
            let mut text = run.message().await;
            text.push("waiting").await;
            let mut guard = Guard(Some(bells));
            if said == "wait for ever" {
                std::future::pending::<()>().await;
            }
            bells.go_on.notified().await;
            guard.0 = None;
            text.push(" is over").await;
            text.end();
        }
        "many" => {
            let mut text = run.message().await;
            for number in 0..100 {
                text.push(format!("{number} ")).await;
                if number % 7 == 0 {
                    tokio::time::sleep(Duration::from_millis(1)).await;
                }
            }
            text.end();
        }
        "chatter" => {
            let mut text = run.message().await;
            for number in 0..2_000 {
                text.push(format!("{number} ")).await;
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
            text.end();
        }
        "roar" => drop(run.say("a".repeat(LARGEST_RECORD)).await),
        "send" => return Err(run.ask(ConfirmSend { text: said.clone() })),
        "fail" => return Err(Stop::error("no ink")),
        _ => {}
    }
    let ids: Vec<_> = input.messages.iter().map(|message| message.id().to_string()).collect();
    Ok(json!({ "messages": ids, "count": tally.read(|tally| tally.count)? }))
}

/// A server on a port of its own.
pub(crate) struct ThreadServer {
    pub(crate) address: SocketAddr,
    served: Served,
}

impl ThreadServer {
    /// Serves a clerk at `/` and stores its threads in a log.
    pub(crate) async fn open(log: impl ThreadLog, bells: &Bells) -> Self {
        Self::serve(Server::new().threads(log).agent("/", Clerk::new(bells.clone()))).await
    }

    pub(crate) async fn with(options: ThreadOptions, bells: &Bells) -> Self {
        let server = Server::new().threads(Memory::new()).thread_options(options);
        Self::serve(server.agent("/", Clerk::new(bells.clone()))).await
    }

    pub(crate) async fn serve(server: Server) -> Self {
        let served = Served::start(server).await;
        Self { address: served.address, served }
    }

    /// Asks the server to end, and waits until it has.
    pub(crate) async fn close(self) {
        self.served.close().await;
    }

    pub(crate) async fn run(&self, input: &Value) -> Whole {
        request(input).send(self.address).await
    }

    /// Starts a run that waits, and reads until it does.
    pub(crate) async fn waiting(&self, run: &str) -> Answer {
        let mut answer = request(&asking(run, "wait")).open(self.address).await;
        answer.until("waiting").await;
        answer
    }

    pub(crate) async fn connect(&self, cursor: Option<&str>) -> Whole {
        connecting(cursor).send(self.address).await
    }
}

/// An input of thread `t` with one message, whose id is that of the run.
pub(crate) fn asking(run: &str, text: &str) -> Value {
    json!({
        "threadId": "t",
        "runId": run,
        "protocolVersion": "1.0",
        "messages": [{ "id": format!("u-{run}"), "role": "user", "content": text }],
    })
}

pub(crate) fn request(input: &Value) -> Request {
    Request::run("/", input.to_string())
}

/// A request to connect to thread `t`.
pub(crate) fn connecting(cursor: Option<&str>) -> Request {
    let mut input = json!({ "threadId": "t", "runId": "connect", "protocolVersion": "1.0", "messages": [] });
    if let Some(cursor) = cursor {
        input["lastSeenEventId"] = json!(cursor);
    }
    Request::run("/connect", input.to_string())
}

/// A frame: its id, if it has one, and its event.
pub(crate) type Frame = (Option<String>, Value);

/// Returns the frames of a stream.
pub(crate) fn frames(text: &str) -> Vec<Frame> {
    text.split("\n\n")
        .filter(|frame| !frame.is_empty() && !frame.starts_with(':'))
        .map(|frame| {
            let member = |name: &str| frame.lines().find_map(|line| line.strip_prefix(name));
            let id = member("id: ").map(str::to_owned);
            (id, serde_json::from_str(member("data: ").unwrap()).unwrap())
        })
        .collect()
}

/// Returns the events of a stream, without ids.
pub(crate) fn events(text: &str) -> Vec<Value> {
    frames(text).into_iter().map(|(_, event)| event).collect()
}

/// Returns the types of the events, in order.
pub(crate) fn types(text: &str) -> String {
    let types = events(text).into_iter().map(|event| event["type"].as_str().unwrap().to_owned());
    types.collect::<Vec<_>>().join(" ")
}

/// Checks that a stream is legal from its beginning to its end.
#[track_caller]
pub(crate) fn is_legal(text: &str) {
    let mut verifier = OrderVerifier::new();
    for event in events(text) {
        let event: Event = serde_json::from_value(event).unwrap();
        verifier.check(&event).unwrap_or_else(|error| panic!("{error} in\n{text}"));
    }
    verifier.end().unwrap_or_else(|error| panic!("{error} in\n{text}"));
    let last = events(text).pop().unwrap();
    assert!(last["type"] == "RUN_FINISHED" || last["type"] == "RUN_ERROR", "the run does not end in\n{text}");
}

/// Returns the result of the run that a stream ends.
pub(crate) fn result(whole: &Whole) -> Value {
    assert_eq!(whole.status, 200, "{}", whole.text());
    let last = events(whole.text()).pop().unwrap();
    assert_eq!(last["type"], "RUN_FINISHED", "{last}");
    last["result"].clone()
}

#[track_caller]
pub(crate) fn is_refused(answer: &Whole, status: u16, code: &str) {
    assert_eq!((answer.status, &answer.json()["error"]["code"]), (status, &json!(code)), "{}", answer.text());
}

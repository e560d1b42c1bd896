//! Runs that were answered and fail: what their end says of the questions and of the calls, whatever engine has the thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use agui_runtime::http::ThreadOptions;
use agui_runtime::manifest::AgentSource;
use agui_runtime::prelude::*;
use agui_runtime::protocol::{Interrupt, ToolCallId};
use agui_runtime::thread::{ThreadKey, ThreadLog};
use agui_runtime::tools::{InjectScope, InjectValue, ToolOf};
use agui_runtime::{Agent, FinishedRun, Limits, Server};
use bytes::Bytes;
use serde_json::{Value, json};
use tokio::runtime::Runtime;
use tokio::time::sleep;

use super::{Conversation, Seen, Served, ask};
use crate::http::{Request, Whole};
use crate::judge;

/// The end of the approved call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fate {
    /// The agent panics before it resumes the call.
    PanicsBefore,
    /// The tool panics.
    Panics,
    /// The tool does not end.
    Hangs,
}

/// A bank, which all servers of a test share.
#[derive(Clone)]
pub struct Vault {
    pub fate: Fate,
    pub is_inside: Arc<AtomicBool>,
    /// The number of answers upon which the agent acted.
    pub opened: Arc<AtomicUsize>,
}

impl Vault {
    /// A bank whose box has never been opened.
    #[must_use]
    pub fn of(fate: Fate) -> Self {
        Self { fate, is_inside: Arc::default(), opened: Arc::default() }
    }

    async fn has_entered(&self) {
        while !self.is_inside.load(Ordering::SeqCst) {
            sleep(Duration::from_millis(5)).await;
        }
    }
}

/// Opens a box.
#[tool]
async fn unlock(vault: &Vault, number: u32) -> u32 {
    vault.is_inside.store(true, Ordering::SeqCst);
    match vault.fate {
        Fate::Hangs => std::future::pending().await,
        _ => panic!("box {number} is jammed"),
    }
}

/// Opens boxes, and asks before. It is written without `#[agent]`, which would put it into the manifest of every test.
pub struct Guard(pub Vault);

impl Agent for Guard {
    type State = ();
    type Request = ();
    type Output = ();

    async fn run<'r>(&self, run: &'r mut Run<Self>, input: Input<Self>) -> Result<FinishedRun<'r, ()>, Stop> {
        if let Some(answer) = input.resume().first() {
            self.0.opened.fetch_add(1, Ordering::SeqCst);
            assert!(self.0.fate != Fate::PanicsBefore, "no key");
            let id = answer.metadata.as_ref().and_then(|it| it["call"].as_str()).unwrap_or("c");
            run.resume_call::<unlock>(&input, &ToolCallId::from(id))?.run().await;
            return Ok(run.finish(()));
        }
        match input.user_text().as_deref() {
            Some("open") => {
                let call = run.call(unlock { number: 7 }).await?;
                return Err(call.interrupt(Interrupt::new("may", "tool_call").with_message("Open it?")));
            }
            Some("break in") => drop(run.call(unlock { number: 7 }).await?.run().await),
            _ => {}
        }
        run.say(format!("{} messages", input.messages.len())).await;
        Ok(run.finish(()))
    }

    fn source() -> AgentSource {
        let tools = vec![unlock::source()];
        AgentSource { rust_path: std::any::type_name::<Self>(), tools, ..AgentSource::new("guard") }
    }
}

impl InjectValue<Vault> for Guard {
    fn inject<'a>(scope: &'a InjectScope<'_, Self>) -> &'a Vault {
        &scope.agent().0
    }
}

impl ToolOf<Guard> for unlock {}

/// A server of the bank.
pub fn server(log: impl ThreadLog, vault: &Vault) -> Server {
    let options = ThreadOptions::default().lease(Duration::from_secs(1));
    let limits = Limits::default().shutdown_grace(Duration::from_millis(50));
    Server::new().threads(log).thread_options(options).limits(limits).agent("/", Guard(vault.clone()))
}

/// A question, and the call that it is about.
pub type Asked = (Value, Value);

fn events(whole: &Whole) -> Vec<Value> {
    let seen = Seen { text: whole.text().to_owned(), ..Seen::default() };
    seen.events().map(|event| serde_json::from_str(event).unwrap()).collect()
}

/// Checks that a stream is legal from its beginning to its end.
#[track_caller]
fn is_legal(all: &[Value]) {
    let all: Vec<_> = all.iter().map(|event| serde_json::from_value(event.clone()).unwrap()).collect();
    judge::client(&all).unwrap();
}

async fn send(server: &Served, input: &Value) -> Whole {
    Request::run("/", input.to_string()).send(server.address).await
}

/// Has the agent ask.
pub async fn asked(server: &Served) -> Asked {
    let asked = send(server, &ask::run("t", "1", "open")).await;
    let last = events(&asked).pop().unwrap();
    let question = &last["outcome"]["interrupts"][0];
    assert_eq!(last["outcome"]["type"], "interrupt", "{last}");
    (question["id"].clone(), question["toolCallId"].clone())
}

/// A run that approves the call.
#[must_use]
pub fn approving(run: &str, (question, call): &Asked) -> Value {
    let mut input = ask::run("t", run, "");
    input["messages"] = json!([]);
    input["resume"] =
        json!([{ "interruptId": question, "status": "resolved", "metadata": { "call": call } }]);
    input
}

/// Says something else, and cancels the question, as clients do that hold it.
#[must_use]
pub fn going_on(run: &str, (question, _): &Asked) -> Value {
    let mut input = ask::run("t", run, "hello");
    input["resume"] = json!([{ "interruptId": question, "status": "cancelled" }]);
    input
}

/// Checks what a run says that was answered and failed, that every client goes on, and that the log says the same.
async fn goes_on(
    server: &Served,
    log: &dyn ThreadLog,
    asked: &Asked,
    failed: &Whole,
    code: &str,
    vault: &Vault,
) {
    let all = events(failed);
    is_legal(&all);
    let end = all.last().unwrap();
    if code == "cancelled" {
        // For a client RUN_FINISHED closes the questions that it does not have.
        assert_eq!(end["outcome"], json!({ "type": code }), "{end}");
    } else {
        assert_eq!((&end["type"], &end["code"]), (&json!("RUN_ERROR"), &json!(code)), "{}", failed.text());
        assert_eq!(end["metadata"]["agui-rust/openInterrupts"], json!([]), "{end}");
    }
    let results = all.iter().filter(|event| event["type"] == "TOOL_CALL_RESULT");
    assert_eq!(
        results.map(|event| &event["toolCallId"]).collect::<Vec<_>>(),
        [&asked.1],
        "{}",
        failed.text()
    );
    let again = send(server, &approving("3", asked)).await;
    assert_eq!((again.status, &again.json()["error"]["code"]), (409, &json!("interrupt_not_open")));
    let next = events(&send(server, &going_on("4", asked)).await);
    assert_eq!(next.last().unwrap()["type"], "RUN_FINISHED", "{next:?}");
    assert_eq!(vault.opened.load(Ordering::SeqCst), 1, "no answer counts twice");

    // A page that reloads.
    let loaded = Request::run("/connect", ask::connect("t").to_string()).send(server.address).await;
    let loaded = events(&loaded);
    is_legal(&loaded);
    let messages = &loaded[1]["messages"];
    let result = messages.as_array().unwrap().iter().find(|message| message["role"] == "tool").unwrap();
    assert_eq!(result["toolCallId"], asked.1, "{messages}");

    let records = log.read(&ThreadKey::new("", "/", "t"), 0, usize::MAX).await.unwrap().records;
    Conversation::read(&records).unwrap().has_ended().unwrap();
    is_refused_without_result(&records, &asked.1);
}

/// Checks the judge itself: it refuses the same run without the result of its call.
fn is_refused_without_result(records: &[(u64, Bytes)], call: &Value) {
    let is_result = |record: &Bytes| record.starts_with(br#"{"type":"TOOL_CALL_RESULT""#);
    let rest: Vec<_> = records.iter().filter(|(_, record)| !is_result(record)).cloned().collect();
    assert_eq!(rest.len() + 1, records.len());
    let error = Conversation::read(&rest).unwrap_err();
    assert!(
        error.contains(&format!("the answered call {} has no result", call.as_str().unwrap())),
        "{error}"
    );
}

/// The run panics, before it resumes its call or within.
pub async fn of_a_run_that_panics(fate: Fate, log: impl ThreadLog + Clone) {
    let vault = Vault::of(fate);
    let server = Served::start(server(log.clone(), &vault)).await;
    let asked = asked(&server).await;
    let failed = send(&server, &approving("2", &asked)).await;
    goes_on(&server, &log, &asked, &failed, "panic", &vault).await;
}

/// The run is stopped, or takes too long.
pub async fn of_a_run_that_hangs(is_stopped: bool, log: impl ThreadLog + Clone) {
    let vault = Vault::of(Fate::Hangs);
    let most = if is_stopped { Duration::from_secs(60) } else { Duration::from_millis(300) };
    let server = server(log.clone(), &vault).limits(Limits::default().run_timeout(most));
    let server = Served::start(server).await;
    let asked = asked(&server).await;
    let (address, approval) = (server.address, approving("2", &asked));
    let failed = tokio::spawn(async move { Request::run("/", approval.to_string()).send(address).await });
    vault.has_entered().await;
    if is_stopped {
        let stopped = Request::new("POST", "/stop/t").send(address).await;
        assert_eq!(stopped.json(), json!({ "stopped": true }));
    }
    let code = if is_stopped { "cancelled" } else { "run_timeout" };
    goes_on(&server, &log, &asked, &failed.await.unwrap(), code, &vault).await;
}

/// The server is asked to end meanwhile. Another one has its thread then.
pub async fn of_a_server_that_ends(log: impl ThreadLog + Clone) {
    let vault = Vault::of(Fate::Hangs);
    let first = Served::start(server(log.clone(), &vault)).await;
    let asked = asked(&first).await;
    let (address, approval) = (first.address, approving("2", &asked));
    let failed = tokio::spawn(async move { Request::run("/", approval.to_string()).send(address).await });
    vault.has_entered().await;
    first.close().await;
    let failed = failed.await.unwrap();
    let second = Served::start(server(log.clone(), &vault)).await;
    goes_on(&second, &log, &asked, &failed, "shutdown", &vault).await;
}

/// The server is lost without a trace. Another one ends its run.
pub fn of_a_server_that_is_lost(log: &(impl ThreadLog + Clone)) {
    let vault = Vault::of(Fate::Hangs);
    let doomed = Runtime::new().unwrap();
    let asked = doomed.block_on(async {
        let server = Served::start(server(log.clone(), &vault)).await;
        let asked = asked(&server).await;
        let approval = Request::run("/", approving("2", &asked).to_string());
        let _answer = approval.open(server.address).await;
        vault.has_entered().await;
        asked
    });
    doomed.shutdown_background();
    Runtime::new().unwrap().block_on(async {
        let server = Served::start(server(log.clone(), &vault)).await;
        let failed = send(&server, &approving("2", &asked)).await;
        goes_on(&server, log, &asked, &failed, "node_lost", &vault).await;
    });
}

/// A tool runs without a question, and its server is lost.
pub fn of_a_call_whose_server_is_lost(log: &(impl ThreadLog + Clone)) {
    let vault = Vault::of(Fate::Hangs);
    let breaking_in = ask::run("broken", "1", "break in");
    let doomed = Runtime::new().unwrap();
    doomed.block_on(async {
        let server = Served::start(server(log.clone(), &vault)).await;
        let mut answer = Request::run("/", breaking_in.to_string()).open(server.address).await;
        // The client sees it when it is stored.
        answer.until("TOOL_CALL_END").await;
    });
    doomed.shutdown_background();
    Runtime::new().unwrap().block_on(async {
        let server = Served::start(server(log.clone(), &vault)).await;
        let all = events(&send(&server, &breaking_in).await);
        is_legal(&all);
        let result = all.iter().find(|event| event["type"] == "TOOL_CALL_RESULT").unwrap();
        assert_eq!(result["content"], "{\"error\":\"abandoned\"}", "{result}");
        assert_eq!(all.last().unwrap()["code"], "node_lost", "{all:?}");
        let records = log.read(&ThreadKey::new("", "/", "broken"), 0, usize::MAX).await.unwrap().records;
        Conversation::read(&records).unwrap().has_ended().unwrap();
    });
}

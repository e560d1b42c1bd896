//! Runs that were answered and fail: their questions are closed, and their clients go on.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use agui_runtime::client::{Answer, HttpAgent, Outcome, Session};
use agui_runtime::http::ThreadOptions;
use agui_runtime::prelude::*;
use agui_runtime::protocol::{Interrupt, NonNull, ToolCallId};
use agui_runtime::thread::{Memory, Sqlite, ThreadLog};
use agui_runtime::{Limits, Server};
use agui_tests::folder::Folder;
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use crate::thread_server::{Bells, ThreadServer, asking, events, is_legal, is_refused, result, types};

/// The end of the approved call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fate {
    /// The agent panics before it resumes the call.
    PanicsBefore,
    /// The tool panics.
    Panics,
    /// The tool does not end.
    Hangs,
}

/// A bank, which all servers of a test share.
#[derive(Clone)]
struct Vault {
    fate: Fate,
    is_inside: Arc<AtomicBool>,
    opened: Arc<AtomicUsize>,
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

/// Opens boxes, and asks before.
#[agent(tools = [unlock])]
async fn guard(run: &mut Run<Guard>, input: Input<Guard>, vault: &Vault) -> Result<(), Stop> {
    if let Some(answer) = input.resume().first() {
        vault.opened.fetch_add(1, Ordering::SeqCst);
        assert!(vault.fate != Fate::PanicsBefore, "no key");
        let id = ToolCallId::from(answer.metadata.as_ref().and_then(|it| it["call"].as_str()).unwrap_or("c"));
        run.resume_call::<unlock>(&input, &id)?.run().await;
        return Ok(());
    }
    if input.user_text().as_deref() == Some("open") {
        let call = run.call(unlock { number: 7 }).await?;
        return Err(call.interrupt(Interrupt::new("may", "tool_call").with_message("Open it?")));
    }
    if input.user_text().as_deref() == Some("break in") {
        run.call(unlock { number: 7 }).await?.run().await;
    }
    run.say(format!("{} messages", input.messages.len())).await;
    Ok(())
}

fn server(log: impl ThreadLog, vault: &Vault) -> Server {
    let options = ThreadOptions::default().lease(Duration::from_secs(1));
    let limits = Limits::default().shutdown_grace(Duration::from_millis(50));
    Server::new().threads(log).thread_options(options).limits(limits).agent("/", Guard::new(vault.clone()))
}

/// Returns the question and the call that it is about.
async fn asked(server: &ThreadServer) -> (Value, Value) {
    let asked = server.run(&asking("1", "open")).await;
    let last = events(asked.text()).pop().unwrap();
    let question = &last["outcome"]["interrupts"][0];
    assert_eq!(last["outcome"]["type"], "interrupt", "{last}");
    (question["id"].clone(), question["toolCallId"].clone())
}

fn approving(run: &str, (question, call): &(Value, Value)) -> Value {
    let mut input = asking(run, "");
    input["messages"] = json!([]);
    input["resume"] =
        json!([{ "interruptId": question, "status": "resolved", "metadata": { "call": call } }]);
    input
}

/// Says something else, and cancels the question, as clients do that hold it.
fn going_on(run: &str, (question, _): &(Value, Value)) -> Value {
    let mut input = asking(run, "hello");
    input["resume"] = json!([{ "interruptId": question, "status": "cancelled" }]);
    input
}

/// Checks what a run says that was answered and failed, and that every client goes on.
async fn goes_on(server: &ThreadServer, asked: &(Value, Value), failed: &str, code: &str, vault: &Vault) {
    let all = events(failed);
    let end = all.last().unwrap();
    assert_eq!((&end["type"], &end["code"]), (&json!("RUN_ERROR"), &json!(code)), "{failed}");
    assert_eq!(end["metadata"]["agui-rust/openInterrupts"], json!([]), "{end}");
    let results = all.iter().filter(|event| event["type"] == "TOOL_CALL_RESULT");
    assert_eq!(results.map(|event| &event["toolCallId"]).collect::<Vec<_>>(), [&asked.1], "{failed}");
    is_refused(&server.run(&approving("3", asked)).await, 409, "interrupt_not_open");
    let next = server.run(&going_on("4", asked)).await;
    assert_eq!(types(next.text()).split(' ').next_back(), Some("RUN_FINISHED"), "{}", next.text());
    assert_eq!(vault.opened.load(Ordering::SeqCst), 1, "no answer counts twice");

    // A page that reloads.
    let loaded = server.connect(None).await;
    is_legal(loaded.text());
    let messages = &events(loaded.text())[1]["messages"];
    let result = messages.as_array().unwrap().iter().find(|message| message["role"] == "tool").unwrap();
    assert_eq!(result["toolCallId"], asked.1, "{messages}");
}

fn vault(fate: Fate) -> Vault {
    Vault { fate, is_inside: Arc::default(), opened: Arc::default() }
}

async fn fails_in(fate: Fate, log: impl ThreadLog) {
    let vault = vault(fate);
    let server = ThreadServer::serve(server(log, &vault)).await;
    let asked = asked(&server).await;
    let failed = server.run(&approving("2", &asked)).await;
    is_legal(failed.text());
    goes_on(&server, &asked, failed.text(), "panic", &vault).await;
}

#[tokio::test]
async fn an_answered_run_that_panics_says_what_became_of_its_call() {
    fails_in(Fate::PanicsBefore, Memory::new()).await;
    fails_in(Fate::Panics, Memory::new()).await;
    let folder = Folder::new("failed-answers");
    fails_in(Fate::PanicsBefore, Sqlite::open(folder.0.join("threads.db")).unwrap()).await;
}

#[tokio::test]
async fn an_answered_run_of_a_server_that_ends_says_what_became_of_its_call() {
    let (vault, log) = (vault(Fate::Hangs), Memory::new());
    let first = ThreadServer::serve(server(log.clone(), &vault)).await;
    let asked = asked(&first).await;
    let address = first.address;
    let approval = approving("2", &asked);
    let failed = tokio::spawn(async move { crate::thread_server::request(&approval).send(address).await });
    while !vault.is_inside.load(Ordering::SeqCst) {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    first.close().await;
    let failed = failed.await.unwrap();
    let second = ThreadServer::serve(server(log, &vault)).await;
    goes_on(&second, &asked, failed.text(), "shutdown", &vault).await;
}

#[test]
fn an_answered_run_whose_server_is_lost_says_what_became_of_its_call() {
    let (vault, log) = (vault(Fate::Hangs), Memory::new());
    let doomed = Runtime::new().unwrap();
    let asked = doomed.block_on(async {
        let server = ThreadServer::serve(server(log.clone(), &vault)).await;
        let asked = asked(&server).await;
        let approval = approving("2", &asked);
        let _answer = crate::thread_server::request(&approval).open(server.address).await;
        while !vault.is_inside.load(Ordering::SeqCst) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        asked
    });
    doomed.shutdown_background();
    Runtime::new().unwrap().block_on(async {
        let server = ThreadServer::serve(server(log, &vault)).await;
        let failed = server.run(&approving("2", &asked)).await;
        is_legal(failed.text());
        goes_on(&server, &asked, failed.text(), "node_lost", &vault).await;
    });
}

#[test]
fn a_call_whose_server_is_lost_has_a_result() {
    let (vault, log) = (vault(Fate::Hangs), Memory::new());
    let doomed = Runtime::new().unwrap();
    doomed.block_on(async {
        let server = ThreadServer::serve(server(log.clone(), &vault)).await;
        let mut answer = crate::thread_server::request(&asking("1", "break in")).open(server.address).await;
        // The client sees it when it is stored.
        answer.until("TOOL_CALL_END").await;
    });
    doomed.shutdown_background();
    Runtime::new().unwrap().block_on(async {
        let server = ThreadServer::serve(server(log, &vault)).await;
        let lost = server.run(&asking("1", "break in")).await;
        is_legal(lost.text());
        let all = events(lost.text());
        let result = all.iter().find(|event| event["type"] == "TOOL_CALL_RESULT").unwrap();
        assert_eq!(result["content"], "{\"error\":\"abandoned\"}", "{result}");
        assert_eq!(all.last().unwrap()["code"], "node_lost", "{}", lost.text());
    });
}

/// The client of the crate: with what the end of the run says, with what a refusal says, and with neither.
#[tokio::test(flavor = "multi_thread")]
async fn a_session_goes_on_after_its_answered_run_has_failed() {
    let vault = vault(Fate::PanicsBefore);
    let server = ThreadServer::serve(server(Memory::new(), &vault)).await;
    let session = || {
        let agent = HttpAgent::new(format!("http://{}/", server.address)).unwrap();
        Session::<()>::new(agent).with_thread_id("t")
    };
    let mut first = session();
    first.say("open");
    assert!(matches!(first.run().await.unwrap().outcome, Outcome::Interrupted { .. }));
    let question = first.pending_interrupts()[0].id.clone();
    let mut other = session();
    other.connect().await.unwrap().unwrap().finish().await.unwrap();
    let yes = || Answer::resolved(NonNull::new(json!(true)));
    first.resume([(question.clone(), yes())]).unwrap();
    let failed = first.run().await.unwrap();
    assert!(matches!(failed.outcome, Outcome::Failed { .. }), "{failed:?}");
    assert!(first.pending_interrupts().is_empty(), "the end of the run says that nothing is open");
    first.say("hello");
    assert!(first.run().await.unwrap().text().ends_with(" messages"));

    other.resume([(question.clone(), yes())]).unwrap();
    assert_eq!(other.run().await.unwrap_err().code(), Some("interrupt_not_open"));
    assert!(other.pending_interrupts().is_empty(), "the refusal says that it is not open");
    other.say("hello");
    assert!(other.run().await.unwrap().text().ends_with(" messages"));
}

fn answering(run: &str, question: &Value, payload: Value) -> Value {
    let mut input = asking(run, "");
    input["messages"] = json!([]);
    input["resume"] = json!([{ "interruptId": question, "status": "resolved", "payload": payload }]);
    input
}

async fn clerk() -> (ThreadServer, Bells, Value) {
    let bells = Bells::default();
    let server = ThreadServer::open(Memory::new(), &bells).await;
    let asked = server.run(&asking("1", "send a letter")).await;
    let last = events(asked.text()).pop().unwrap();
    (server, bells, last["outcome"]["interrupts"][0]["id"].clone())
}

#[tokio::test]
async fn an_answer_that_is_not_valid_does_not_use_its_question_up() {
    let (server, bells, question) = clerk().await;
    let refused = server.run(&answering("2", &question, json!("maybe"))).await;
    let end = events(refused.text()).pop().unwrap();
    assert_eq!(end["code"], "resume_invalid_response");
    assert_eq!(end["metadata"]["agui-rust/openInterrupts"][0]["id"], question, "the client may answer again");
    let loaded = events(server.connect(None).await.text()).pop().unwrap();
    assert_eq!(loaded["metadata"]["agui-rust/openInterrupts"][0]["id"], question, "so may one that reloads");
    let answer = server.run(&answering("3", &question, json!(true))).await;
    assert!(answer.text().contains("Sent."), "{}", answer.text());
    assert_eq!(bells.sent.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_history_that_is_cut_before_the_call_does_not_use_its_question_up() {
    let vault = vault(Fate::PanicsBefore);
    let server = ThreadServer::serve(server(Memory::new(), &vault)).await;
    server.run(&asking("0", "hello")).await;
    let asked = asked(&server).await;
    let mut cut = approving("2", &asked);
    cut["messages"] = json!([{ "id": "u-0", "role": "user", "content": "hello" }]);
    let refused = server.run(&cut).await;
    let end = events(refused.text()).pop().unwrap();
    assert_eq!(end["code"], "interrupt_call_changed", "{end}");
    assert_eq!(end["metadata"]["agui-rust/openInterrupts"][0]["id"], asked.0);
    assert_eq!(vault.opened.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn a_cancellation_of_a_question_that_is_not_open_is_ignored() {
    let (server, bells, question) = clerk().await;
    server.run(&answering("2", &question, json!(true))).await;
    for (run, id) in [("3", question), ("4", json!("made-up"))] {
        let next = server.run(&going_on(run, &(id, Value::Null))).await;
        assert!(result(&next)["messages"].is_array(), "the agent sees no answer: {}", next.text());
    }
    assert_eq!(bells.answered.lock().unwrap().len(), 1);
}

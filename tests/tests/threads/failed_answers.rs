//! Runs that were answered and fail: their questions are closed, and their clients go on.

use std::sync::atomic::Ordering;

use agui_runtime::client::{HttpAgent, ResumeValue, RunOutcome, Session};
use agui_runtime::protocol::NonNull;
use agui_runtime::thread::{Memory, Sqlite};
use agui_tests::folder::Folder;
use agui_tests::stored::Served;
use agui_tests::stored::failed_answers::{self, Fate, Vault, approving, asked, going_on};
use serde_json::{Value, json};

use crate::thread_server::{Bells, ThreadServer, asking, events, request, result};

/// A file of one test.
fn file() -> (Folder, Sqlite) {
    let folder = Folder::new("failed-answers");
    let log = Sqlite::open(folder.0.join("threads.db")).unwrap();
    (folder, log)
}

#[tokio::test]
async fn an_answered_run_that_panics_says_what_became_of_its_call() {
    for fate in [Fate::PanicsBefore, Fate::Panics] {
        failed_answers::of_a_run_that_panics(fate, Memory::new()).await;
        let (_folder, log) = file();
        failed_answers::of_a_run_that_panics(fate, log).await;
    }
}

#[tokio::test]
async fn an_answered_run_that_is_stopped_or_takes_too_long_says_what_became_of_its_call() {
    for is_stopped in [true, false] {
        failed_answers::of_a_run_that_hangs(is_stopped, Memory::new()).await;
        let (_folder, log) = file();
        failed_answers::of_a_run_that_hangs(is_stopped, log).await;
    }
}

#[tokio::test]
async fn an_answered_run_of_a_server_that_ends_says_what_became_of_its_call() {
    failed_answers::of_a_server_that_ends(Memory::new()).await;
    let (_folder, log) = file();
    failed_answers::of_a_server_that_ends(log).await;
}

#[test]
fn an_answered_run_whose_server_is_lost_says_what_became_of_its_call() {
    failed_answers::of_a_server_that_is_lost(&Memory::new());
    let (_folder, log) = file();
    failed_answers::of_a_server_that_is_lost(&log);
}

#[test]
fn a_call_whose_server_is_lost_has_a_result() {
    failed_answers::of_a_call_whose_server_is_lost(&Memory::new());
    let (_folder, log) = file();
    failed_answers::of_a_call_whose_server_is_lost(&log);
}

/// The client of the crate: with what the end of the run says, with what a refusal says, and with neither.
#[tokio::test(flavor = "multi_thread")]
async fn a_session_goes_on_after_its_answered_run_has_failed() {
    let vault = Vault::of(Fate::PanicsBefore);
    let server = Served::start(failed_answers::server(Memory::new(), &vault)).await;
    let session = || {
        let agent = HttpAgent::new(format!("http://{}/", server.address)).unwrap();
        Session::<()>::new(agent).with_thread_id("t")
    };
    let mut first = session();
    first.say("open");
    assert!(matches!(first.run().await.unwrap().outcome, RunOutcome::Interrupted { .. }));
    let question = first.pending_interrupts()[0].id.clone();
    let mut other = session();
    other.connect().await.unwrap().unwrap().finish().await.unwrap();
    let yes = || ResumeValue::resolved(NonNull::new(json!(true)));
    first.resume([(question.clone(), yes())]).unwrap();
    let failed = first.run().await.unwrap();
    assert!(matches!(failed.outcome, RunOutcome::Failed { .. }), "{failed:?}");
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
    let vault = Vault::of(Fate::PanicsBefore);
    let server = Served::start(failed_answers::server(Memory::new(), &vault)).await;
    request(&asking("0", "hello")).send(server.address).await;
    let asked = asked(&server).await;
    let mut cut = approving("2", &asked);
    cut["messages"] = json!([{ "id": "u-0", "role": "user", "content": "hello" }]);
    let refused = request(&cut).send(server.address).await;
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

//! Questions survive reloads and restarts, and each is answered once.

use std::sync::atomic::Ordering;

use agui_runtime::thread::Memory;
use serde_json::{Value, json};

use crate::thread_server::{Bells, ThreadServer, asking, events, frames, is_legal, is_refused, request};

/// Asks, and returns the id of the question as a page that reloads sees it.
async fn asked(server: &ThreadServer) -> Value {
    server.run(&asking("1", "send a letter")).await;
    let loaded = server.connect(None).await;
    is_legal(loaded.text());
    let last = events(loaded.text()).pop().unwrap();
    assert_eq!(last["outcome"]["type"], "interrupt", "{last}");
    last["outcome"]["interrupts"][0]["id"].clone()
}

fn answering(run: &str, question: &Value) -> Value {
    let mut input = asking(run, "");
    input["messages"] = json!([]);
    input["resume"] = json!([{ "interruptId": question, "status": "resolved", "payload": true }]);
    input
}

#[tokio::test]
async fn a_question_is_answered_once() {
    let bells = Bells::default();
    let server = ThreadServer::open(Memory::new(), &bells).await;
    let question = asked(&server).await;
    let answer = server.run(&answering("2", &question)).await;
    assert!(answer.text().contains("Sent."), "{}", answer.text());
    let refused = server.run(&answering("3", &question)).await;
    is_refused(&refused, 409, "interrupt_not_open");
    assert_eq!(refused.json()["error"]["path"], "resume[0].interruptId");
    assert_eq!(bells.sent.load(Ordering::SeqCst), 1);
}

/// CopilotKit's `useInterrupt` answers under the id of the run that asked.
#[tokio::test]
async fn an_answer_under_the_id_of_the_run_that_asked_starts_a_run_of_its_own() {
    let bells = Bells::default();
    let server = ThreadServer::open(Memory::new(), &bells).await;
    let question = asked(&server).await;
    let answer = server.run(&answering("1", &question)).await;
    assert!(answer.text().contains("Sent."), "{}", answer.text());
    let started = events(answer.text()).remove(0);
    assert!(started["runId"].as_str().unwrap().starts_with("1-"), "{started}");

    // The same request, sent again, reads that run, also after one of its events.
    assert_eq!(server.run(&answering("1", &question)).await.text(), answer.text());
    let frames = frames(answer.text());
    let (id, _) = &frames[1];
    let again = request(&answering("1", &question)).header("last-event-id", id.as_deref().unwrap());
    assert_eq!(events(again.send(server.address).await.text()), events(answer.text())[2..]);
    let last = frames.last().unwrap().0.as_deref().unwrap();

    // The run that asked is read as ever, and another answer comes too late.
    let first = server.run(&asking("1", "send a letter")).await;
    assert_eq!(events(first.text()).pop().unwrap()["outcome"]["type"], "interrupt");
    let mut other = answering("1", &question);
    other["resume"][0]["payload"] = json!(false);
    is_refused(&server.run(&other).await, 409, "interrupt_not_open");
    let foreign = request(&other).header("last-event-id", last).send(server.address).await;
    is_refused(&foreign, 404, "run_not_found");
    assert_eq!(bells.sent.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn of_two_answers_at_once_on_two_servers_one_counts() {
    for _ in 0..20 {
        let (bells, log) = (Bells::default(), Memory::new());
        let [one, other] =
            [ThreadServer::open(log.clone(), &bells).await, ThreadServer::open(log, &bells).await];
        let question = asked(&one).await;
        let [first, second] = ["2", "3"].map(|run| request(&answering(run, &question)));
        let (first, second) = tokio::join!(first.send(one.address), second.send(other.address));
        let mut statuses = [first.status, second.status];
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 409], "{}\n{}", first.text(), second.text());
        assert_eq!(bells.sent.load(Ordering::SeqCst), 1);
    }
}

#[tokio::test]
async fn a_question_survives_its_server() {
    let (bells, log) = (Bells::default(), Memory::new());
    let first = ThreadServer::open(log.clone(), &bells).await;
    let question = asked(&first).await;
    first.close().await;
    let second = ThreadServer::open(log, &bells).await;
    let answer = second.run(&answering("2", &question)).await;
    assert!(answer.text().contains("Sent."), "{}", answer.text());
}

#[tokio::test]
async fn a_question_that_was_never_asked_is_refused() {
    let server = ThreadServer::open(Memory::new(), &Bells::default()).await;
    is_refused(&server.run(&answering("1", &json!("made-up"))).await, 409, "interrupt_not_open");
    assert_eq!(server.connect(None).await.status, 204, "and leaves no trace");
}

#[tokio::test]
async fn a_question_stays_open_while_other_runs_fail() {
    let bells = Bells::default();
    let server = ThreadServer::open(Memory::new(), &bells).await;
    let question = asked(&server).await;
    server.run(&asking("2", "fail")).await;
    let answer = server.run(&answering("3", &question)).await;
    assert!(answer.text().contains("Sent."), "{}", answer.text());
    assert_eq!(bells.sent.load(Ordering::SeqCst), 1);
}

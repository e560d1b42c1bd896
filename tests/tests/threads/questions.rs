//! Questions survive reloads and restarts, and each is answered once.

use std::sync::atomic::Ordering;

use agui_runtime::thread::Memory;
use serde_json::{Value, json};

use crate::house::{Bells, House, asking, events, is_legal, is_refused, request};

/// Asks, and returns the id of the question as a page that reloads sees it.
async fn asked(house: &House) -> Value {
    house.run(&asking("1", "send a letter")).await;
    let loaded = house.connect(None).await;
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
    let house = House::open(Memory::new(), &bells).await;
    let question = asked(&house).await;
    let answer = house.run(&answering("2", &question)).await;
    assert!(answer.text().contains("Sent."), "{}", answer.text());
    let refused = house.run(&answering("3", &question)).await;
    is_refused(&refused, 409, "interrupt_not_open");
    assert_eq!(refused.json()["error"]["path"], "resume[0].interruptId");
    assert_eq!(bells.sent.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn of_two_answers_at_once_on_two_servers_one_counts() {
    for _ in 0..20 {
        let (bells, log) = (Bells::default(), Memory::new());
        let [one, other] = [House::open(log.clone(), &bells).await, House::open(log, &bells).await];
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
    let first = House::open(log.clone(), &bells).await;
    let question = asked(&first).await;
    first.close().await;
    let second = House::open(log, &bells).await;
    let answer = second.run(&answering("2", &question)).await;
    assert!(answer.text().contains("Sent."), "{}", answer.text());
}

#[tokio::test]
async fn a_question_that_was_never_asked_is_refused() {
    let house = House::open(Memory::new(), &Bells::default()).await;
    is_refused(&house.run(&answering("1", &json!("made-up"))).await, 409, "interrupt_not_open");
    assert_eq!(house.connect(None).await.status, 204, "and leaves no trace");
}

#[tokio::test]
async fn a_question_stays_open_while_other_runs_fail() {
    let bells = Bells::default();
    let house = House::open(Memory::new(), &bells).await;
    let question = asked(&house).await;
    house.run(&asking("2", "fail")).await;
    let answer = house.run(&answering("3", &question)).await;
    assert!(answer.text().contains("Sent."), "{}", answer.text());
    assert_eq!(bells.sent.load(Ordering::SeqCst), 1);
}

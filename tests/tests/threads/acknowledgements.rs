//! Appends whose acknowledgement is lost.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use agui_runtime::thread::{LogError, Memory};
use agui_tests::kept::{Gate, Gated, Op, Way};
use futures::FutureExt;
use futures::future::BoxFuture;
use serde_json::json;

use crate::house::{Bells, House, asking, events, is_legal, types};

/// A store that loses what it is told to.
#[derive(Debug, Default)]
struct Trouble {
    /// The number of appends that arrive while their sender hears nothing.
    lost: AtomicUsize,
    /// The same, and they arrive late.
    late: AtomicUsize,
    /// The number of requests after a lost acknowledgement that do not arrive.
    away: AtomicUsize,
}

fn take(count: &AtomicUsize) -> bool {
    count.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |count| count.checked_sub(1)).is_ok()
}

impl Gate for Trouble {
    fn enter<'a>(&'a self, op: Op<'a>) -> BoxFuture<'a, Result<Way, LogError>> {
        async move {
            let is_append = matches!(op, Op::Append(..));
            if is_append && take(&self.late) {
                return Ok(Way::Late(Duration::from_millis(30)));
            }
            let is_lost = self.lost.load(Ordering::SeqCst) > 0 || self.late.load(Ordering::SeqCst) > 0;
            if !is_lost && take(&self.away) { Err(LogError::new("away")) } else { Ok(Way::Through) }
        }
        .boxed()
    }

    fn leave<'a>(&'a self, op: Op<'a>) -> BoxFuture<'a, Result<(), LogError>> {
        async move {
            let is_append = matches!(op, Op::Append(..));
            if is_append && take(&self.lost) { Err(LogError::new("lost")) } else { Ok(()) }
        }
        .boxed()
    }
}

/// Answers a question while the store has trouble with the claim: the answer counts, once.
async fn answered_in(trouble: Trouble) {
    let (bells, log) = (Bells::default(), Memory::new());
    let calm = House::open(log.clone(), &bells).await;
    let asked = calm.run(&asking("1", "send a letter")).await;
    let question = events(asked.text()).pop().unwrap()["outcome"]["interrupts"][0]["id"].clone();
    let house = House::open(Gated::new(Arc::new(log), Arc::new(trouble)), &bells).await;
    let mut input = asking("2", "");
    input["messages"] = json!([]);
    input["resume"] = json!([{ "interruptId": question, "status": "resolved", "payload": true }]);
    let answer = house.run(&input).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    is_legal(answer.text());
    assert!(types(answer.text()).ends_with("RUN_FINISHED"), "{}", answer.text());
    assert_eq!(bells.sent.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn an_answer_counts_whose_claim_was_not_acknowledged() {
    answered_in(Trouble { lost: 1.into(), ..Trouble::default() }).await;
}

#[tokio::test]
async fn an_answer_counts_though_the_store_is_away_after_its_claim() {
    answered_in(Trouble { lost: 1.into(), away: 4.into(), ..Trouble::default() }).await;
}

#[tokio::test]
async fn an_answer_counts_whose_claim_arrives_late() {
    answered_in(Trouble { late: 1.into(), ..Trouble::default() }).await;
}

#[tokio::test]
async fn an_answer_counts_whose_claim_is_not_acknowledged_again_and_again() {
    answered_in(Trouble { lost: 3.into(), ..Trouble::default() }).await;
}

//! Appends whose acknowledgement is lost.

use std::future::ready;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use agui_runtime::thread::{LogAppend, LogError, Memory, ThreadKey, ThreadLog};
use agui_tests::stored::{Conversation, Gate, Gated, Op, Seen, Way};
use futures::FutureExt;
use futures::future::BoxFuture;
use serde_json::{Value, json};

use crate::thread_server::{Bells, ThreadServer, asking, events, is_legal, types};

/// A store that loses a number of messages.
#[derive(Debug, Default)]
struct Trouble {
    /// The number of appends that arrive while their sender hears nothing.
    lost: AtomicUsize,
    /// The same, and they arrive late.
    late: AtomicUsize,
    /// The number of appends so far.
    appends: AtomicUsize,
    /// The number of requests after a lost acknowledgement that do not arrive.
    away: AtomicUsize,
}

impl Trouble {
    /// Returns the number of messages that are still to be lost.
    fn left(&self) -> usize {
        let all = [&self.lost, &self.late, &self.away];
        all.map(|count| count.load(Ordering::SeqCst)).iter().sum()
    }
}

fn take(count: &AtomicUsize) -> bool {
    count.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |count| count.checked_sub(1)).is_ok()
}

impl Gate for Trouble {
    fn enter<'a>(&'a self, op: Op<'a>) -> BoxFuture<'a, Result<Way, LogError>> {
        async move {
            let is_append = matches!(op, Op::Append(..));
            self.appends.fetch_add(usize::from(is_append), Ordering::SeqCst);
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

/// Reads the thread of the tests, which is a legal conversation that has ended.
async fn whole(log: &Memory) -> Conversation {
    let page = log.read(&ThreadKey::new("", "/", "t"), 0, usize::MAX).await.unwrap();
    let whole = Conversation::read(&page.records).unwrap();
    whole.has_ended().unwrap();
    whole
}

/// Checks that a client saw each event of its run, once and in order.
fn is_whole(answer: &str, whole: &Conversation, events_before: usize) {
    let seen = Seen { has_prelude: false, text: answer.to_owned() };
    seen.is_part_of(whole).unwrap();
    assert_eq!(events_before + seen.events().count(), whole.events().count());
}

/// Answers a question while the store has trouble with the claim: the answer counts, once.
async fn answered_in(trouble: Trouble) {
    let (bells, log, trouble) = (Bells::default(), Memory::new(), Arc::new(trouble));
    let calm = ThreadServer::open(log.clone(), &bells).await;
    let asked = calm.run(&asking("1", "send a letter")).await;
    let before = events(asked.text());
    let question = before.last().unwrap()["outcome"]["interrupts"][0]["id"].clone();
    let gated = Gated::new(Arc::new(log.clone()), Arc::clone(&trouble));
    let server = ThreadServer::open(gated, &bells).await;
    let mut input = asking("2", "");
    input["messages"] = json!([]);
    input["resume"] = json!([{ "interruptId": question, "status": "resolved", "payload": true }]);
    let answer = server.run(&input).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    is_legal(answer.text());
    assert!(types(answer.text()).ends_with("RUN_FINISHED"), "{}", answer.text());
    assert_eq!(bells.sent.load(Ordering::SeqCst), 1);
    let question = question.as_str().unwrap();
    let acted = bells.answered.lock().unwrap().clone();
    assert!(acted.len() == 1 && question.starts_with(&acted[0]), "{acted:?}");
    assert_eq!(trouble.left(), 0, "the store had less trouble");
    let whole = whole(&log).await;
    let used_up: Vec<_> = whole.consumed.iter().map(|(question, run)| (&**question, &**run)).collect();
    assert_eq!(used_up, [(question, "2")]);
    is_whole(answer.text(), &whole, before.len());
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

#[tokio::test]
async fn many_events_share_an_append() {
    let (memory, trouble) = (Memory::new(), Arc::new(Trouble::default()));
    let log = Gated::new(Arc::new(memory.clone()), Arc::clone(&trouble));
    let server = ThreadServer::open(log, &Bells::default()).await;
    let began = std::time::Instant::now();
    let answer = server.run(&asking("1", "many")).await;
    let events = events(answer.text()).len();
    // At most one in 10 ms, and those of the claim, the end and the secret.
    let most = began.elapsed().as_millis() as usize / 10 + 4;
    let appends = trouble.appends.load(Ordering::SeqCst);
    assert!(events > 100 && appends <= most, "{events} events in {appends} appends, at most {most}");
    is_whole(answer.text(), &whole(&memory).await, 0);
}

#[tokio::test]
async fn the_size_of_a_run_is_known_though_acknowledgements_are_lost() {
    for lost in [0, 1, 2, 9] {
        let (log, trouble) = (Memory::new(), Arc::new(Trouble::default()));
        let server =
            ThreadServer::open(Gated::new(Arc::new(log.clone()), Arc::clone(&trouble)), &Bells::default())
                .await;
        let mut answer = crate::thread_server::request(&asking("1", "many")).open(server.address).await;
        let start = answer.until("TEXT_MESSAGE_START").await;
        trouble.lost.store(lost, Ordering::SeqCst);
        let rest = answer.whole().await;
        assert!(rest.text().contains("RUN_FINISHED"), "{}", rest.text());
        let key = ThreadKey::new("", "/", "t");
        let note: Value = serde_json::from_slice(&log.head(&key).await.unwrap().note).unwrap();
        let records = log.read(&key, 0, usize::MAX).await.unwrap().records;
        let bytes: usize = records.iter().map(|(_, record)| record.len()).sum();
        assert_eq!(note["runs"][0]["bytes"], bytes, "{lost} acknowledgements were lost");
        assert!(lost == 0 || trouble.left() < lost, "no acknowledgement was lost");
        is_whole(&(start + rest.text()), &whole(&log).await, 0);
    }
}

/// A store that keeps the first append of a thread.
#[derive(Debug, Default)]
struct First(Mutex<Option<LogAppend>>);

impl Gate for First {
    fn enter<'a>(&'a self, _op: Op<'a>) -> BoxFuture<'a, Result<Way, LogError>> {
        ready(Ok(Way::Through)).boxed()
    }

    fn appended(&self, key: &ThreadKey, append: &LogAppend) {
        if !key.agent().is_empty() {
            self.0.lock().unwrap().get_or_insert_with(|| append.clone());
        }
    }
}

#[tokio::test]
async fn a_run_ends_whose_claim_begins_its_deleted_thread_anew() {
    let (memory, first) = (Memory::new(), Arc::new(First::default()));
    let log = Gated::new(Arc::new(memory.clone()), Arc::clone(&first));
    let server = ThreadServer::open(log, &Bells::default()).await;
    let run = server.waiting("1").await;
    let key = ThreadKey::new("", "/", "t");
    let claim = first.0.lock().unwrap().take().unwrap();
    assert!(memory.head(&key).await.unwrap().at.seq > claim.records.len() as u64);
    // A second copy of the claim was on its way for long. No await stands between: the run sees both at once.
    let (deleted, claimed) = (memory.delete(&key, None), memory.append(&key, claim));
    assert!(deleted.now_or_never().unwrap().unwrap());
    claimed.now_or_never().unwrap().unwrap();
    let run = run.whole().await;
    assert!(run.cut && !types(run.text()).contains("RUN_"), "{}", run.text());
}

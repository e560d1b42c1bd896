//! The task of a server that deletes old threads and recovers lost runs. Time is virtual.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use agui_runtime::Server;
use agui_runtime::http::ThreadOptions;
use agui_runtime::thread::{LogAppend, LogError, LogPosition, Memory, ThreadKey, ThreadLog};
use agui_tests::stored::scribe::Steady;
use agui_tests::stored::{ENDS, Gate, Gated, Ledger, Op, Scribe, Seen, Way, ask};
use axum::Router;
use axum::body::Body;
use futures::future::{BoxFuture, join_all};
use futures::{FutureExt, StreamExt};
use http::{Request, StatusCode};
use serde_json::Value;
use tokio::sync::Notify;
use tokio::time::{Instant, sleep};
use tower_service::Service;

use crate::away::{make_unreadable, memory};
use crate::lost::make_lost;

const LEASE: Duration = Duration::from_secs(2);

const AGE: Duration = Duration::from_secs(60);

fn server(log: impl ThreadLog, options: ThreadOptions) -> Router {
    let scribe = Scribe::<false>::new(Arc::new(Ledger::default()), Arc::new(Steady));
    Server::new().threads(log).thread_options(options.lease(LEASE)).agent(ENDS, scribe).router().unwrap()
}

/// A server that deletes threads after a minute.
fn forgetful(log: &Memory) -> Router {
    server(log.clone(), ThreadOptions::default().delete_after(AGE))
}

async fn send(router: &Router, request: Request<Body>) -> (StatusCode, Seen) {
    let answer = router.clone().call(request).await.unwrap();
    let (status, mut seen) = (answer.status(), Seen::default());
    let mut body = answer.into_body().into_data_stream();
    while let Some(bytes) = body.next().await {
        seen.text.push_str(std::str::from_utf8(&bytes.unwrap()).unwrap());
    }
    (status, seen)
}

/// Has a run, and returns what its client saw.
async fn run(router: &Router, input: &Value) -> Seen {
    let (status, seen) = send(router, ask::post(ENDS, input, None)).await;
    assert!(status == StatusCode::OK && seen.has_end(), "{status}: {}", seen.text);
    seen
}

/// Returns the text of a thread as a page loads it, or nothing if there is no such thread.
async fn loaded(router: &Router, thread: &str) -> Option<String> {
    match send(router, ask::post("/connect", &ask::connect(thread), None)).await {
        (StatusCode::OK, seen) => Some(seen.text),
        (status, _) => {
            assert_eq!(status, StatusCode::NO_CONTENT);
            None
        }
    }
}

/// Waits until so much time has passed since the beginning.
async fn until(began: Instant, seconds: u64) {
    tokio::time::sleep_until(began + Duration::from_secs(seconds)).await;
}

#[tokio::test(start_paused = true)]
async fn a_thread_is_deleted_when_its_last_event_is_too_old() {
    let (log, began) = (memory(), Instant::now());
    let router = forgetful(&log);
    let old = run(&router, &ask::run("old", "r1", "t1")).await;
    run(&router, &ask::run("used", "r1", "t1")).await;
    until(began, 40).await;
    run(&router, &ask::run("used", "r2", "t1")).await;
    until(began, 55).await;
    assert!(loaded(&router, "old").await.is_some(), "it is deleted too early");
    until(began, 65).await;
    assert_eq!(loaded(&router, "old").await, None);
    let cursor = old.last_id().unwrap();
    let (status, _) = send(&router, ask::follow("/threads/old/events", cursor)).await;
    assert_eq!(status, StatusCode::BAD_REQUEST, "its events are gone");
    let used = loaded(&router, "used").await.expect("it was used meanwhile");
    assert!(used.contains("u-r1") && used.contains("u-r2"), "it is whole: {used}");
    // A thread of the same name is a new one.
    run(&router, &ask::run("old", "r2", "t1")).await;
    assert!(!loaded(&router, "old").await.unwrap().contains("u-r1"));
    until(began, 105).await;
    assert_eq!(loaded(&router, "used").await, None);
}

#[tokio::test(start_paused = true)]
async fn a_run_that_takes_longer_keeps_its_thread() {
    let (log, began) = (memory(), Instant::now());
    let router = forgetful(&log);
    let input = ask::run("long", "r1", "t1 w150000 t1");
    let (long, ()) = futures::join!(run(&router, &input), async {
        until(began, 140).await;
        assert!(loaded_so_far(&router, "long").await.contains("Wait: "));
    });
    assert!(long.text.contains("over.") && long.text.contains("RUN_FINISHED"), "{}", long.text);
}

/// Reads what a thread has at once; its run goes on.
async fn loaded_so_far(router: &Router, thread: &str) -> String {
    let request = ask::post("/connect", &ask::connect(thread), None);
    let mut body = router.clone().call(request).await.unwrap().into_body().into_data_stream();
    let mut text = String::new();
    while let Some(Some(bytes)) = body.next().now_or_never() {
        text.push_str(std::str::from_utf8(&bytes.unwrap()).unwrap());
    }
    text
}

#[tokio::test(start_paused = true)]
async fn the_secret_of_the_store_has_no_age() {
    let (log, began) = (memory(), Instant::now());
    let router = forgetful(&log);
    run(&router, &ask::run("first", "r1", "t1")).await;
    until(began, 50).await;
    let asked = run(&router, &ask::run("asked", "r1", "q")).await;
    let question = asked.question().unwrap();
    // The secret is older than a minute, the question is not; another server has to read it.
    until(began, 90).await;
    let other = forgetful(&log);
    let answered = run(&other, &ask::answer("asked", "r2", &question)).await;
    assert!(answered.text.contains("Done."), "{}", answered.text);
}

#[tokio::test(start_paused = true)]
async fn many_old_threads_are_deleted_by_two_servers_at_once() {
    let (log, began) = (memory(), Instant::now());
    let routers = [forgetful(&log), forgetful(&log)];
    let names: Vec<_> = (0..150).map(|number| format!("thread {number}")).collect();
    for name in &names {
        run(&routers[0], &ask::run(name, "r1", "t1")).await;
    }
    run(&routers[1], &ask::run("last", "r1", "t1")).await;
    let last = began.elapsed();
    sleep(AGE / 2).await;
    run(&routers[0], &ask::run("young", "r1", "t1")).await;
    sleep(AGE / 2 - Duration::from_millis(500)).await;
    assert!(loaded(&routers[1], "last").await.is_some());
    sleep(LEASE * 3).await;
    assert!(last < Duration::from_secs(50), "they are of one age");
    let left = join_all(names.iter().map(|name| loaded(&routers[0], name))).await;
    assert_eq!(left.iter().flatten().count(), 0);
    assert_eq!(loaded(&routers[0], "last").await, None);
    let young = loaded(&routers[0], "young").await.expect("it is not old");
    assert!(young.contains("u-r1"), "{young}");
}

/// Holds a deletion.
#[derive(Debug, Default)]
struct Hold {
    is_held: Notify,
    go_on: Notify,
}

impl Gate for Hold {
    fn enter<'a>(&'a self, op: Op<'a>) -> BoxFuture<'a, Result<Way, LogError>> {
        async move {
            if matches!(op, Op::Delete(_)) {
                self.is_held.notify_one();
                self.go_on.notified().await;
            }
            Ok(Way::Through)
        }
        .boxed()
    }
}

#[tokio::test(start_paused = true)]
async fn old_threads_are_deleted_behind_webhooks_that_wait() {
    let (log, began) = (memory(), Instant::now());
    for id in ["msg_1", "msg_2", "msg_3"] {
        let records = vec!["{}".into()];
        let entry = LogAppend { at: LogPosition::default(), epoch: 1, records, note: None, lease: None };
        log.append(&ThreadKey::new("", "", format!("webhook {id}")), entry).await.unwrap();
    }
    let router = forgetful(&log);
    run(&router, &ask::run("old", "r1", "t1")).await;
    until(began, 55).await;
    assert!(loaded(&router, "old").await.is_some(), "it is deleted too early");
    until(began, 70).await;
    assert_eq!(loaded(&router, "old").await, None);
}

#[tokio::test(start_paused = true)]
async fn a_thread_that_is_used_at_the_last_moment_is_kept() {
    let (log, hold) = (memory(), Arc::new(Hold::default()));
    let options = || ThreadOptions::default().delete_after(AGE);
    let deletes = server(Gated::new(Arc::new(log.clone()), Arc::clone(&hold)), options());
    let router = server(log.clone(), ThreadOptions::default());
    run(&router, &ask::run("old", "r1", "t1")).await;
    // Its first request begins the work of the maintenance.
    assert_eq!(loaded(&deletes, "another").await, None);
    hold.is_held.notified().await;
    run(&router, &ask::run("old", "r2", "t1")).await;
    hold.go_on.notify_one();
    sleep(LEASE).await;
    let kept = loaded(&router, "old").await.expect("a thread is deleted that is in use");
    assert!(kept.contains("u-r1") && kept.contains("u-r2"), "{kept}");
}

/// Keeps the lengths of the lists of lost runs that were asked for.
#[derive(Debug, Default)]
struct Listed(Mutex<Vec<usize>>);

impl Gate for Listed {
    fn enter<'a>(&'a self, op: Op<'a>) -> BoxFuture<'a, Result<Way, LogError>> {
        if let Op::Expired(most) = op {
            self.0.lock().unwrap().push(most);
        }
        async { Ok(Way::Through) }.boxed()
    }
}

/// Returns the lengths of the lists of one look at `unreadable` lost runs that cannot be ended, and whether it ended one behind them.
async fn one_look(unreadable: u64) -> (Vec<usize>, bool) {
    let (log, listed) = (memory(), Arc::new(Listed::default()));
    for number in 0..unreadable {
        make_unreadable(&log, number).await;
    }
    sleep(LEASE).await;
    let lost = make_lost(&log, "lost", []).await;
    sleep(LEASE * 4).await;
    let router = server(Gated::new(Arc::new(log.clone()), Arc::clone(&listed)), ThreadOptions::default());
    let (status, _) = send(&router, ask::post("/connect", &ask::connect("another"), None)).await;
    assert_eq!(status, StatusCode::NO_CONTENT);
    sleep(LEASE / 6).await;
    let left = log.expired(usize::MAX).await.unwrap().len() as u64;
    let is_ended = log.head(&lost).await.unwrap().lease.is_none();
    assert_eq!(left, unreadable + u64::from(!is_ended), "the others are as they were");
    let lists = listed.0.lock().unwrap().clone();
    (lists, is_ended)
}

#[tokio::test(start_paused = true)]
async fn lost_runs_that_cannot_be_ended_are_not_listed_again_and_again() {
    let (lists, is_ended) = one_look(2_000).await;
    assert_eq!(lists, [64, 128, 256, 512, 1_024, 2_048]);
    assert!(is_ended, "the others hide it");
}

#[tokio::test(start_paused = true)]
async fn a_list_of_lost_runs_has_a_limit() {
    let (lists, is_ended) = one_look(17_000).await;
    assert_eq!(lists, [64, 128, 256, 512, 1_024, 2_048, 4_096, 8_192, 16_384]);
    assert!(!is_ended, "it is behind the longest list");
}

/// A store that gives no clear answer about one thread.
#[derive(Debug)]
struct Unclear(ThreadKey);

impl Gate for Unclear {
    fn enter<'a>(&'a self, op: Op<'a>) -> BoxFuture<'a, Result<Way, LogError>> {
        let is_unclear = matches!(op, Op::Append(key, _) if *key == self.0);
        async move {
            if is_unclear {
                sleep(LEASE).await;
                return Err(LogError::new("deliberate"));
            }
            Ok(Way::Through)
        }
        .boxed()
    }
}

#[tokio::test(start_paused = true)]
async fn a_lost_run_that_keeps_the_store_busy_holds_up_the_others_once() {
    let log = memory();
    let slow = make_lost(&log, "slow", []).await;
    sleep(LEASE).await;
    let lost = make_lost(&log, "lost", []).await;
    let gate = Arc::new(Unclear(slow.clone()));
    let router = server(Gated::new(Arc::new(log.clone()), gate), ThreadOptions::default());
    assert_eq!(loaded(&router, "another").await, None);
    sleep(LEASE * 3).await;
    assert_eq!(log.head(&lost).await.unwrap().lease, None, "it waits for the other one");
    assert!(log.head(&slow).await.unwrap().lease.is_some());
}

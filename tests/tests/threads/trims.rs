//! Threads that are trimmed while they are read.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use agui_runtime::thread::{LogError, Memory, ThreadKey, ThreadLog};
use agui_tests::http::Request;
use agui_tests::stored::{Gate, Gated, Op, Way};
use futures::FutureExt;
use futures::future::BoxFuture;
use serde_json::json;
use tokio::runtime::Runtime;
use tokio::sync::Notify;
use tokio::time::timeout;

use crate::thread_server::{Bells, ThreadServer, asking, is_legal};

/// Holds the answer of one request for a head, or one notice.
#[derive(Debug, Default)]
struct Hold {
    heads: AtomicBool,
    notices: AtomicBool,
    held: Notify,
    go_on: Notify,
}

impl Gate for Hold {
    fn enter<'a>(&'a self, _: Op<'a>) -> BoxFuture<'a, Result<Way, LogError>> {
        async { Ok(Way::Through) }.boxed()
    }

    fn leave<'a>(&'a self, op: Op<'a>) -> BoxFuture<'a, Result<(), LogError>> {
        async move {
            let holds = match op {
                Op::Head => self.heads.swap(false, Ordering::SeqCst),
                Op::Changed => self.notices.swap(false, Ordering::SeqCst),
                _ => false,
            };
            if holds {
                self.held.notify_one();
                self.go_on.notified().await;
            }
            Ok(())
        }
        .boxed()
    }
}

/// Replaces all records of the thread by one, as the end of a run does with a long thread.
async fn trim(log: &Memory) {
    let key = ThreadKey::new("", "/", "t");
    let at = log.head(&key).await.unwrap().at;
    let events = json!([
        { "type": "RUN_STARTED", "threadId": "t", "runId": "3", "protocolVersion": "1.0" },
        { "type": "MESSAGES_SNAPSHOT", "messages": [{ "id": "u", "role": "user", "content": "hello" }] },
        { "type": "RUN_FINISHED", "threadId": "t", "runId": "3", "outcome": { "type": "success" } },
    ]);
    let snapshot = json!({ "control": "snapshot", "events": events }).to_string();
    log.trim(&key, at, snapshot.into()).await.unwrap();
}

#[test]
fn a_thread_that_is_trimmed_beyond_a_head_that_was_read_is_read_again() {
    let runtime = Runtime::new().unwrap();
    let loaded = runtime.block_on(async {
        let (log, bells, hold) = (Memory::new(), Bells::default(), Arc::new(Hold::default()));
        let other = ThreadServer::open(log.clone(), &bells).await;
        other.run(&asking("1", "hello")).await;
        let server = ThreadServer::open(Gated::new(Arc::new(log.clone()), Arc::clone(&hold)), &bells).await;
        hold.heads.store(true, Ordering::SeqCst);
        let load = async {
            let loaded = timeout(Duration::from_secs(5), server.connect(None)).await;
            loaded.ok().map(|loaded| loaded.text().to_owned())
        };
        let trim = async {
            hold.held.notified().await;
            other.run(&asking("2", "hello")).await;
            other.run(&asking("3", "hello")).await;
            trim(&log).await;
            hold.go_on.notify_one();
        };
        futures::join!(load, trim).0
    });
    // A server that reads for ever would keep the executor from ending.
    runtime.shutdown_background();
    let loaded = loaded.expect("the thread is read for ever");
    is_legal(&loaded);
    assert!(loaded.contains(r#""runId":"3""#), "{loaded}");
}

#[tokio::test]
async fn a_reader_that_is_slower_than_the_trim_is_cut_off_and_comes_back() {
    let (log, bells, hold) = (Memory::new(), Bells::default(), Arc::new(Hold::default()));
    let other = ThreadServer::open(log.clone(), &bells).await;
    let server = ThreadServer::open(Gated::new(Arc::new(log.clone()), Arc::clone(&hold)), &bells).await;
    hold.notices.store(true, Ordering::SeqCst);
    // It begins before the thread does, so nothing stands for the past.
    let following = Request::new("GET", "/threads/t/events").open(server.address).await;
    let trim = async {
        for run in 1..4 {
            other.run(&asking(&run.to_string(), "hello")).await;
        }
        trim(&log).await;
        hold.held.notified().await;
        hold.go_on.notify_one();
    };
    let (seen, ()) = futures::join!(timeout(Duration::from_secs(10), following.whole()), trim);
    let seen = seen.expect("the reader goes on without the beginning of the conversation");
    assert!(seen.cut && !seen.text().contains("RUN_STARTED"), "{}", seen.text());
    let loaded = server.connect(None).await;
    is_legal(loaded.text());
    assert!(loaded.text().contains(r#""content":"hello""#), "{}", loaded.text());
}

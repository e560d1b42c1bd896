//! Threads that are trimmed while they are read.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use agui_runtime::Server;
use agui_runtime::http::ThreadOptions;
use agui_runtime::thread::{LogError, Memory};
use agui_tests::kept::{Gate, Gated, Op, Way};
use futures::FutureExt;
use futures::future::BoxFuture;
use tokio::runtime::Runtime;
use tokio::sync::Notify;
use tokio::time::timeout;

use crate::house::{Bells, Clerk, House, asking, is_legal};

/// Holds the answer of one request for a head.
#[derive(Debug, Default)]
struct Hold {
    holds: AtomicBool,
    held: Notify,
    go_on: Notify,
}

impl Gate for Hold {
    fn enter<'a>(&'a self, _: Op<'a>) -> BoxFuture<'a, Result<Way, LogError>> {
        async { Ok(Way::Through) }.boxed()
    }

    fn leave<'a>(&'a self, op: Op<'a>) -> BoxFuture<'a, Result<(), LogError>> {
        async move {
            if matches!(op, Op::Head) && self.holds.swap(false, Ordering::SeqCst) {
                self.held.notify_one();
                self.go_on.notified().await;
            }
            Ok(())
        }
        .boxed()
    }
}

#[test]
fn a_thread_that_is_trimmed_beyond_a_head_that_was_read_is_read_again() {
    let runtime = Runtime::new().unwrap();
    let loaded = runtime.block_on(async {
        let (log, bells, hold) = (Memory::new(), Bells::default(), Arc::new(Hold::default()));
        let options = ThreadOptions::default().keep_records(2);
        let server = Server::new().threads(log.clone()).thread_options(options);
        let other = House::serve(server.agent("/", Clerk::new(bells.clone()))).await;
        other.run(&asking("1", "hello")).await;
        let house = House::open(Gated::new(Arc::new(log), Arc::clone(&hold)), &bells).await;
        hold.holds.store(true, Ordering::SeqCst);
        let load = async {
            let loaded = timeout(Duration::from_secs(5), house.connect(None)).await;
            loaded.ok().map(|loaded| loaded.text().to_owned())
        };
        let trim = async {
            hold.held.notified().await;
            for run in 2..6 {
                other.run(&asking(&run.to_string(), "hello")).await;
            }
            hold.go_on.notify_one();
        };
        futures::join!(load, trim).0
    });
    // A server that reads for ever would keep the executor from ending.
    runtime.shutdown_background();
    let loaded = loaded.expect("the thread is read for ever");
    is_legal(&loaded);
    assert!(loaded.contains(r#""runId":"5""#), "{loaded}");
}

//! Clients that leave before their message is acknowledged.

use std::sync::Arc;
use std::time::Duration;

use agui_runtime::thread::{LogError, Memory};
use agui_tests::gated::{Gate, Gated, Op, Way};
use agui_tests::http::Request;
use futures::FutureExt;
use futures::future::BoxFuture;
use tokio::sync::Notify;
use tokio::time::{sleep, timeout};

use super::{Desk, pairs, serve, stored, working};
use crate::thread_server::asking;

/// Holds the store's answer to the append of a message.
#[derive(Debug, Default)]
struct HeldAnswer {
    is_written: Notify,
    answers: Notify,
}

impl Gate for HeldAnswer {
    fn enter<'a>(&'a self, _: Op<'a>) -> BoxFuture<'a, Result<Way, LogError>> {
        async { Ok(Way::Through) }.boxed()
    }

    fn leave<'a>(&'a self, op: Op<'a>) -> BoxFuture<'a, Result<(), LogError>> {
        async move {
            let is_message =
                |record: &[u8]| String::from_utf8_lossy(record).contains(r#""control":"steered""#);
            if let Op::Append(_, append) = op
                && append.records.iter().any(|record| is_message(record))
            {
                self.is_written.notify_one();
                self.answers.notified().await;
            }
            Ok(())
        }
        .boxed()
    }
}

#[tokio::test]
async fn a_message_whose_client_leaves_while_the_store_writes_starts_the_next_run() {
    let (gate, desk) = (Arc::<HeldAnswer>::default(), Desk::default());
    let server = serve(Gated::new(Arc::new(Memory::new()), Arc::clone(&gate)), &desk).await;
    let first = working(&server, "/deaf", &desk, "wait").await;
    let (address, request) = (server.address, Request::run("/deaf", asking("2", "and then?").to_string()));
    let second = tokio::spawn(async move { request.send(address).await });
    gate.is_written.notified().await;
    second.abort();
    assert!(second.await.is_err_and(|left| left.is_cancelled()));
    // The server sees that the client has left.
    sleep(Duration::from_millis(200)).await;
    gate.answers.notify_one();
    desk.go_on.notify_one();
    first.whole().await;
    let expected = pairs(&[
        ("u-1", "wait"),
        ("assistant", "I hear: wait"),
        ("u-2", "and then?"),
        ("assistant", "I hear: and then?"),
    ]);
    let all = async {
        while stored(&server, "/deaf").await != expected {
            sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(Duration::from_secs(20), all).await.expect("no run takes the message");
}

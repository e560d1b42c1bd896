//! Cancelling reaches the provider.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use agui_runtime::model::{ChatModel as _, ReplyDelta};
use futures::StreamExt as _;

use crate::frames::{Said, opened};
use crate::server::{Answer, DIALECTS, Server, prompt};

/// The time from the drop of an answer to the end of its connection, as the provider sees it.
const AT_ONCE: Duration = Duration::from_millis(250);

#[test]
fn dropping_an_answer_closes_the_connection() {
    for dialect in DIALECTS {
        let answer = Answer::frames(opened(dialect, &[Said::Text("Once".into())])).hanging();
        let server = Server::start([answer]);
        let model = server.model(dialect);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let prompt = prompt();
            let mut stream = model.respond(&prompt);
            let first = stream.next().await;
            assert!(matches!(first, Some(Ok(ReplyDelta::Text(_)))), "{dialect}: {first:?}");
            assert_eq!(server.closed.load(Ordering::SeqCst), 0);
            let began = Instant::now();
            drop(stream);
            while server.closed.load(Ordering::SeqCst) == 0 {
                assert!(began.elapsed() < AT_ONCE, "{dialect}: the connection stays open");
                tokio::task::yield_now().await;
            }
        });
    }
}

#[test]
fn dropping_an_answer_that_has_not_begun_closes_the_connection() {
    for dialect in DIALECTS {
        let server = Server::start([Answer::bytes(vec![]).hanging()]);
        let model = server.model(dialect);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let prompt = prompt();
            let mut stream = model.respond(&prompt);
            while server.requests().is_empty() {
                assert!(futures::poll!(stream.next()).is_pending(), "{dialect}");
                tokio::task::yield_now().await;
            }
            let began = Instant::now();
            drop(stream);
            while server.closed.load(Ordering::SeqCst) == 0 {
                assert!(began.elapsed() < AT_ONCE, "{dialect}: the connection stays open");
                tokio::task::yield_now().await;
            }
        });
    }
}

/// Some providers keep the connection open behind the end.
#[test]
fn the_end_of_an_answer_closes_the_connection() {
    for dialect in DIALECTS {
        let answer = Answer::frames(crate::frames::turn(dialect, &[Said::Text("Once".into())])).hanging();
        let server = Server::start([answer]);
        let began = Instant::now();
        let read = crate::server::read(&server.model(dialect), &prompt());
        assert!(read.end().is_some() && began.elapsed() < Duration::from_secs(20), "{dialect}: {read:?}");
    }
}

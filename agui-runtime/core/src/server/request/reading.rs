//! Body parsing: small bodies at once, large ones on threads of their own.

use std::sync::Arc;

use bytes::Bytes;
use http::StatusCode;
use tokio::sync::Semaphore;
use tokio::task;

#[cfg(any(feature = "a2a", feature = "tool-servers"))]
use super::census;
use super::input::ParsedInput;
use super::input_limits::InputLimits;
use crate::quoted::quoted;
use crate::server::response::rejection::Rejection;

/// A protocol's body parser.
pub(in crate::server) type BodyParser = fn(Bytes, &InputLimits) -> Result<ParsedInput, Rejection>;

/// Parses one server's bodies.
#[derive(Clone, Debug)]
pub(in crate::server) struct BodyReader {
    limits: InputLimits,
    /// One permit for each large body that may be parsed concurrently, because parsing takes several body lengths.
    turns: Arc<Semaphore>,
}

impl BodyReader {
    pub(in crate::server) fn new(limits: InputLimits) -> Self {
        Self { limits, turns: Arc::new(Semaphore::new(limits.at_once.min(Semaphore::MAX_PERMITS))) }
    }

    /// Checks a body that another parser reads: JSON, within the limits.
    #[cfg(any(feature = "a2a", feature = "tool-servers"))]
    pub(in crate::server) async fn check(&self, body: Bytes) -> Result<(), Rejection> {
        let limits = self.limits;
        let len = body.len();
        self.work(len, move || census::take(&body, &limits, None).map(drop).map_err(Rejection::from)).await?
    }

    pub(in crate::server) async fn read(
        &self,
        body: Bytes,
        read: BodyParser,
    ) -> Result<ParsedInput, Rejection> {
        let limits = self.limits;
        self.work(body.len(), move || read(body, &limits)).await?
    }

    /// Runs work for a body with this length.
    pub(in crate::server) async fn work<T: Send + 'static>(
        &self,
        len: usize,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Rejection> {
        if len <= self.limits.inline {
            return Ok(work());
        }
        // The semaphore is never closed.
        let turn = Arc::clone(&self.turns).acquire_owned().await.map_err(|_| unavailable())?;
        let span = tracing::Span::current();
        let reading = task::spawn_blocking(move || {
            let _turn = turn;
            span.in_scope(work)
        });
        reading.await.map_err(|error| {
            tracing::error!(error = %quoted(error), "a body could not be read");
            unavailable()
        })
    }
}

/// Returns the rejection for a panicked thread, or a program that is ending.
fn unavailable() -> Rejection {
    Rejection::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", "the input cannot be read: see the log")
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;
    use std::time::Duration;

    use super::*;
    use crate::protocol::RunAgentInput;

    fn input() -> Result<ParsedInput, Rejection> {
        let input = RunAgentInput::new("thread", format!("{:?}", thread::current().id()), []);
        Ok(ParsedInput { input, trees: 0 })
    }

    async fn thread_of(reading: &BodyReader, len: usize) -> String {
        let parsed = reading.read(vec![b' '; len].into(), |_, _| input()).await.unwrap();
        parsed.input.run_id.as_str().to_owned()
    }

    #[tokio::test]
    async fn a_large_body_is_read_on_another_thread() {
        let reading = BodyReader::new(InputLimits::default().inline(100));
        let here = format!("{:?}", thread::current().id());
        assert_eq!(thread_of(&reading, 100).await, here);
        assert_ne!(thread_of(&reading, 101).await, here);
    }

    #[tokio::test]
    async fn the_number_of_large_bodies_read_at_once_is_limited() {
        static NOW: AtomicUsize = AtomicUsize::new(0);
        static MOST: AtomicUsize = AtomicUsize::new(0);
        let read: BodyParser = |_, _| {
            MOST.fetch_max(NOW.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            thread::sleep(Duration::from_millis(5));
            NOW.fetch_sub(1, Ordering::SeqCst);
            input()
        };
        let reading = BodyReader::new(InputLimits::default().inline(0).at_once(3));
        let all = (0..20).map(|_| reading.read(Bytes::from_static(b"{}"), read));
        assert!(futures_util::future::join_all(all).await.into_iter().all(|input| input.is_ok()));
        assert_eq!(NOW.load(Ordering::SeqCst), 0);
        assert!((1..=3).contains(&MOST.load(Ordering::SeqCst)), "{MOST:?}");
    }

    #[tokio::test]
    async fn a_panic_of_the_reader_is_answered() {
        let reading = BodyReader::new(InputLimits::default().inline(0).at_once(1));
        for _ in 0..2 {
            let read = reading.read(Bytes::from_static(b"{}"), |_, _| panic!("deliberate")).await;
            assert!(read.is_err(), "and its turn is free again");
        }
    }
}

//! Where bodies become inputs: small ones at once, large ones on threads of their own.

use std::sync::Arc;

use bytes::Bytes;
use http::StatusCode;
use tokio::sync::Semaphore;
use tokio::task;

use super::input_limits::InputLimits;
use super::rejection::Rejection;
use crate::protocol::RunAgentInput;

/// What makes an input of a body, for one of the contracts.
pub(super) type Read = fn(Bytes, &InputLimits) -> Result<RunAgentInput, Rejection>;

/// Reads the bodies of one server.
#[derive(Clone, Debug)]
pub(super) struct Reading {
    limits: InputLimits,
    /// One for each large body that may be read now: what it takes while it is read is several times its length.
    turns: Arc<Semaphore>,
}

impl Reading {
    pub(super) fn new(limits: InputLimits) -> Self {
        Self { limits, turns: Arc::new(Semaphore::new(limits.at_once.min(Semaphore::MAX_PERMITS))) }
    }

    pub(super) async fn read(&self, body: Bytes, read: Read) -> Result<RunAgentInput, Rejection> {
        let limits = self.limits;
        if body.len() <= limits.inline {
            return read(body, &limits);
        }
        // The semaphore is never closed.
        let turn = Arc::clone(&self.turns).acquire_owned().await.map_err(|_| unavailable())?;
        let span = tracing::Span::current();
        let reading = task::spawn_blocking(move || {
            let _turn = turn;
            span.in_scope(|| read(body, &limits))
        });
        reading.await.unwrap_or_else(|error| {
            tracing::error!(%error, "a body could not be read");
            Err(unavailable())
        })
    }
}

/// The thread panicked, or the program is ending.
fn unavailable() -> Rejection {
    Rejection::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", "the input cannot be read: see the log")
}

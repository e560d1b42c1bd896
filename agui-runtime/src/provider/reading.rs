//! The thread on which the answers of providers are read.
//!
//! As long as bytes are there, genai looks for the end of an event again, and copies what it has of it. Where the connection is driven by
//! another thread, bytes may always be there: an event without end would keep the thread of the run, and grow. On one thread
//! for both, each look ends, and the looks for one event can be bounded.

use std::pin::Pin;
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};
use std::{future, io, thread};

use futures::Stream as _;
use genai::chat::ChatStream;
use tokio::runtime::{Builder, Handle};
use tokio::sync::mpsc;
use tokio::task::AbortHandle;

use super::frames::Frames;
use crate::model::ModelError;

/// The longest time to look for the end of one event; waiting for bytes does not count.
const LONGEST_LOOK: Duration = Duration::from_secs(2);
/// The frames that go to the run together, if they are there.
const TOGETHER: usize = 64;
/// The inputs that may wait for the run.
const WAITING: usize = 4;

/// The next input from the provider.
pub(super) enum Came {
    Frames(Vec<String>),
    /// The connection has ended, with the error that ended it, if it was one.
    End(Option<genai::Error>),
    /// An event does not end.
    Endless,
}

/// An answer that is being read; dropping it closes its connection.
pub(super) struct Reading {
    came: mpsc::Receiver<Came>,
    task: AbortHandle,
}

impl Drop for Reading {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Reading {
    /// Begins to read. The request is sent when the stream is polled first, so that its connection belongs to the thread, too.
    pub(super) fn begin(stream: ChatStream, frames: Arc<Frames>) -> Result<Self, ModelError> {
        let thread = reading_thread()
            .map_err(|error| ModelError::Failed(format!("answers cannot be read: {error}")))?;
        let (out, came) = mpsc::channel(WAITING);
        let source = Source { stream, frames, looked: Duration::ZERO };
        let task = thread.spawn(source.read(out)).abort_handle();
        Ok(Self { came, task })
    }

    /// Waits for the next input.
    pub(super) async fn next(&mut self) -> Came {
        self.came.recv().await.unwrap_or(Came::End(None))
    }
}

/// Returns the thread, which all models of the program share, and which ends with it.
fn reading_thread() -> io::Result<&'static Handle> {
    static THREAD: OnceLock<Handle> = OnceLock::new();
    if let Some(handle) = THREAD.get() {
        return Ok(handle);
    }
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let handle = runtime.handle().clone();
    let drive = move || runtime.block_on(future::pending::<()>());
    thread::Builder::new().name("agui-models".to_owned()).spawn(drive)?;
    // A thread that was started at the same time is not used.
    Ok(THREAD.get_or_init(|| handle))
}

struct Source {
    stream: ChatStream,
    frames: Arc<Frames>,
    /// The time that was spent on the event that has not ended.
    looked: Duration,
}

impl Source {
    async fn read(mut self, out: mpsc::Sender<Came>) {
        loop {
            let (frames, end) = future::poll_fn(|context| self.poll(context)).await;
            let is_over = end.is_some();
            let frames = (!frames.is_empty()).then_some(Came::Frames(frames));
            for came in frames.into_iter().chain(end) {
                if out.send(came).await.is_err() {
                    return;
                }
            }
            if is_over {
                return;
            }
        }
    }

    /// Returns all frames that are there, and the end behind them.
    fn poll(&mut self, context: &mut Context<'_>) -> Poll<(Vec<String>, Option<Came>)> {
        let mut frames = Vec::new();
        let end = loop {
            let began = Instant::now();
            let polled = Pin::new(&mut self.stream).poll_next(context);
            let more = self.frames.take();
            self.looked = if more.is_empty() { self.looked + began.elapsed() } else { Duration::ZERO };
            frames.extend(more);
            match polled {
                Poll::Ready(None) => break Some(Came::End(None)),
                Poll::Ready(Some(Err(error))) => break Some(Came::End(Some(error))),
                _ if self.looked > LONGEST_LOOK => break Some(Came::Endless),
                // Genai's own reading of a frame.
                Poll::Ready(Some(Ok(_))) if frames.len() < TOGETHER => {}
                Poll::Pending if frames.is_empty() => return Poll::Pending,
                Poll::Ready(Some(Ok(_))) | Poll::Pending => break None,
            }
        };
        Poll::Ready((frames, end))
    }
}

//! The task of one run: it runs the agent, and appends its events to the thread.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures::{FutureExt, StreamExt};
use tokio::sync::watch;
use tokio::time::{Instant, sleep, sleep_until};

use super::options::ClientLeaves;
use super::store::Threads;
use crate::agent::EventStream;
use crate::protocol::Event;
use crate::quoted::quoted;
use crate::receive::Chunks;
use crate::server::bounded::Bounded;
use crate::thread::{Claim, WriteError, of_event};

/// The least time between two appends of a run: events that come faster share one.
const PACE: Duration = Duration::from_millis(10);

/// The bytes that wait for an append before the agent waits too.
const ROOM: usize = 256 * 1024;

/// The time after the first attempt of an append that failed; it doubles with each.
const PAUSE: Duration = Duration::from_millis(50);

/// A run with its thread.
pub(super) struct Pump {
    pub(super) events: Bounded<EventStream>,
    pub(super) claim: Claim,
    pub(super) threads: Arc<Threads>,
    pub(super) readers: watch::Receiver<usize>,
}

/// The events that wait for an append.
#[derive(Default)]
struct Waiting {
    records: Vec<Bytes>,
    bytes: usize,
    /// The event that ends the run; nothing follows it.
    end: Option<Event>,
    chunks: Chunks,
    is_started: bool,
}

impl Waiting {
    fn has_room(&self) -> bool {
        self.end.is_none() && self.bytes < ROOM
    }

    /// Adds an event of the agent.
    fn add(&mut self, event: Event) {
        // The claim has written the start of the run.
        if !std::mem::replace(&mut self.is_started, true) {
            return;
        }
        // A client that joins in the middle of a chunk could not continue it, so the thread has no chunks.
        match self.chunks.expand(event) {
            Ok(expanded) => expanded.for_each(|event| {
                let record = of_event(&event);
                self.bytes += record.len();
                self.records.push(record);
                if let Event::RunFinished(_) | Event::RunError(_) = event {
                    self.end = Some(event);
                }
            }),
            Err(error) => tracing::error!(%error, "an event of a run is left out"),
        }
    }
}

impl Pump {
    /// Runs the agent to its end.
    pub(super) async fn run(mut self) {
        match self.pump().await {
            Ok(()) => {
                tracing::debug!("run ended");
                if let Err(error) = self.claim.trim(self.threads.options.keep_records).await {
                    tracing::warn!(error = %quoted(&error), "a long thread could not be shortened");
                }
            }
            // The agent is dropped, and its thread says how the run ended.
            Err(WriteError::Fenced) => tracing::warn!("run dropped: another one has its thread"),
            Err(error) => {
                tracing::error!(error = %quoted(error), "run dropped: its events cannot be written");
            }
        }
    }

    async fn pump(&mut self) -> Result<(), WriteError> {
        let mut waiting = Waiting::default();
        let mut next_append = Instant::now();
        let lease = self.threads.options.lease;
        let mut renewal = Instant::now() + lease / 3;
        let mut left = None;
        loop {
            if waiting.end.is_some() || (!waiting.records.is_empty() && next_append <= Instant::now()) {
                next_append = Instant::now() + PACE;
                renewal = Instant::now() + lease / 3;
                if self.append(&mut waiting).await? {
                    return Ok(());
                }
            }
            if self.claim.is_stop_asked() {
                self.events.cancel();
            }
            tokio::select! {
                biased;
                event = self.events.next(), if waiting.has_room() => match event {
                    Some(event) => waiting.add(event),
                    // A run ends with its last event; it can only have been dropped.
                    None if waiting.end.is_none() => return Ok(()),
                    None => {}
                },
                () = sleep_until(next_append), if !waiting.records.is_empty() => {}
                () = self.claim.changed(), if !self.claim.is_stop_asked() => {
                    self.claim.catch_up().await.or_else(later)?;
                }
                () = sleep_until(renewal) => {
                    renewal = Instant::now() + lease / 3;
                    self.claim.renew().await.or_else(later)?;
                }
                () = gone(&mut self.readers, self.threads.options.client_leaves), if left.is_none() => {
                    left = Some(());
                    tracing::debug!("run cancelled: its clients left");
                    self.events.cancel();
                }
            }
        }
    }

    /// Appends what waits, while the agent goes on. Returns true after the end of the run.
    async fn append(&mut self, waiting: &mut Waiting) -> Result<bool, WriteError> {
        let records = std::mem::take(&mut waiting.records);
        waiting.bytes = 0;
        let end = waiting.end.take();
        let is_end = end.is_some();
        let (claim, lease) = (&mut self.claim, self.threads.options.lease);
        let mut write = pin!(write(claim, records, end, lease));
        loop {
            tokio::select! {
                biased;
                written = &mut write => match written {
                    Ok(()) => return Ok(is_end),
                    Err(WriteError::TooLarge { bytes, most }) if !is_end => {
                        let message = format!("an event of {bytes} bytes is larger than {most}, the limit of the store");
                        self.events.fail_run(message, "event_too_large");
                        // The waiting events come after the lost event.
                        *waiting = Waiting { is_started: true, ..Waiting::default() };
                        return Ok(false);
                    }
                    Err(error) => return Err(error),
                },
                event = self.events.next(), if !is_end && waiting.has_room() => match event {
                    Some(event) => waiting.add(event),
                    None => return write.await.map(|()| is_end),
                },
            }
        }
    }
}

/// Appends records, again and again while the store is away, until the lease is over.
async fn write(
    claim: &mut Claim,
    records: Vec<Bytes>,
    end: Option<Event>,
    lease: Duration,
) -> Result<(), WriteError> {
    let deadline = Instant::now() + lease;
    let mut pause = PAUSE;
    loop {
        let written = match &end {
            Some(end) => claim.finish(records.clone(), end).await,
            None => claim.append(records.clone()).await,
        };
        match written {
            Err(WriteError::Unavailable(error)) if Instant::now() + pause < deadline => {
                tracing::warn!(error = %quoted(&error), "the thread log is away: the run waits");
                sleep(pause).await;
                pause *= 2;
            }
            written => return written,
        }
    }
}

/// A store that is away is noticed at the next append.
fn later(error: WriteError) -> Result<(), WriteError> {
    match error {
        WriteError::Unavailable(_) => Ok(()),
        error => Err(error),
    }
}

/// Resolves when no client has read the run for the time that the policy gives.
async fn gone(readers: &mut watch::Receiver<usize>, policy: ClientLeaves) {
    let ClientLeaves::CancelAfter(grace) = policy else { return std::future::pending().await };
    loop {
        let _ = readers.wait_for(|readers| *readers == 0).await;
        let came_back = readers.wait_for(|readers| *readers > 0).map(drop);
        if tokio::time::timeout(grace, came_back).await.is_err() {
            return;
        }
    }
}

//! One run's task: runs the agent, and appends the events to the thread.

mod client_presence;
mod lease_renewals;
mod steering_records;
mod waiting_events;

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::{FutureExt, StreamExt};
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};
use tracing::Instrument;

use super::backoff::StoreBackoff;
use super::conversation::claim::{RunClaim, WriteError};
use super::conversation::last_message::LastMessageTracker;
use super::conversation::resumed::ResumedInterrupts;
use super::local_runs::LocalRun;
use super::options::ClientLeaves;
use super::store::ServerThreads;
use crate::agent::{DynAgent, EventStream, RunOptions};
use crate::emit::{PlacedPrivateTurn, PrivateTurnLog, SteeringInbox, StoreProgress};
use crate::kernel::Peer;
use crate::protocol::{Event, RunAgentInput, UserMessage};
use crate::quoted::quoted;
use crate::server::limits::bounded::{BoundedRun, RunBounds};
use crate::server::limits::run_slots::RunSlot;
use crate::thread::ThreadKey;
use client_presence::{reader_response, until_clients_leave};
use lease_renewals::LeaseRenewals;
use waiting_events::{TOO_LARGE, WaitingEvents};

/// The interval between two appends in a run: events that come faster share one append. All runs append in the same beat, so that
/// the store commits their appends together.
const PACE: Duration = Duration::from_millis(10);

/// The time after an event, or after a look, in which the pump does not read other writers' records.
pub(super) const LOOK: Duration = Duration::from_millis(100);

/// The maximum number of ready events stored in a row before anything else can happen.
const AT_ONCE: usize = 64;

/// A run with the claimed thread.
pub(super) struct RunPump {
    events: BoundedRun<EventStream>,
    claim: RunClaim,
    threads: Arc<ServerThreads>,
    readers: watch::Receiver<usize>,
    leaves: ClientLeaves,
    /// The time in which a lost server's clients come back.
    patience: Duration,
    /// Set if the calls of the agent wait for the store.
    written: Option<Arc<StoreProgress>>,
    running: LocalRun,
    /// The webhook entry.
    end_entry: Option<ThreadKey>,
    /// The interrupts that the run resumes, until the run begins.
    resumed: ResumedInterrupts,
    /// User messages that join the run.
    inbox: Arc<SteeringInbox>,
    /// The turns that the run adds for the model alone.
    private: Arc<PrivateTurnLog>,
    span: tracing::Span,
}

/// A run with an acknowledged claim.
pub(super) struct ClaimedRun {
    pub(super) key: ThreadKey,
    pub(super) agent: Arc<dyn DynAgent>,
    pub(super) input: RunAgentInput,
    pub(super) resumed: ResumedInterrupts,
    /// User messages that waited before this server claimed the run.
    pub(super) steered: Vec<UserMessage>,
    /// The thread's turns that the model reads, and no client.
    pub(super) private: Vec<PlacedPrivateTurn>,
    pub(super) options: RunOptions,
    pub(super) bounds: RunBounds,
    pub(super) slot: RunSlot,
    /// The webhook entry that sends the run's end.
    pub(super) end_entry: Option<ThreadKey>,
}

impl RunPump {
    /// Creates the pump, whose agent does nothing before [`spawn`](Self::spawn); from here on the run has readers.
    pub(super) fn new(threads: &Arc<ServerThreads>, claim: RunClaim, begun: ClaimedRun) -> Self {
        let ClaimedRun { key, agent, input, resumed, steered, private, options, bounds, slot, end_entry } =
            begun;
        let inbox = Arc::<SteeringInbox>::default();
        steered.into_iter().for_each(|message| inbox.push(message));
        let run = input.run_id.clone();
        // The span of the request, if there is one.
        let span = tracing::Span::current();
        // The claim has used the answers up. The thread is stored in the newest form, and each reader gets it as its client can
        // read it.
        let private = Arc::new(PrivateTurnLog::new(private));
        let options = options.repeatable_entries().peer(Peer::CURRENT).steering(Arc::clone(&inbox));
        let mut options = options.private_turns(Arc::clone(&private));
        let written = agent.restarts().then(Arc::default);
        if let Some(written) = &written {
            options = options.written(Arc::clone(written));
        }
        let events = agent.start(input, options);
        let events = BoundedRun::new(events, bounds, slot);
        let leaves = threads.options.client_leaves_at(key.agent());
        let (running, readers) = threads.local_runs.begin(key, run, Arc::clone(&inbox));
        let threads = Arc::clone(threads);
        let patience = Duration::ZERO;
        Self {
            events,
            claim,
            threads,
            readers,
            leaves,
            patience,
            written,
            running,
            end_entry,
            resumed,
            inbox,
            private,
            span,
        }
    }

    /// Returns the run's tracing span.
    pub(super) fn span(&self) -> &tracing::Span {
        &self.span
    }

    /// Gives a lost server's clients time to come back.
    pub(super) fn with_patience(mut self, patience: Duration) -> Self {
        if let ClientLeaves::CancelAfter(grace) = &mut self.leaves {
            *grace = patience.max(*grace);
        }
        self.patience = patience;
        self
    }

    /// Runs the agent in a separate task.
    pub(super) fn spawn(self) {
        let span = self.span.clone();
        tokio::spawn(self.run().instrument(span));
    }

    /// Runs the agent to the end.
    async fn run(mut self) {
        let pumped = self.pump().await;
        // The run goes on until its thread is trimmed.
        let Self { events, claim, threads, running: _running, end_entry, .. } = self;
        // Its slot is free for the next run.
        drop(events);
        match pumped {
            Ok(()) => {
                tracing::debug!("run ended");
                if let Some(entry) = end_entry {
                    threads.send_end(entry, true);
                }
                if let Err(error) = claim.trim(threads.options.keep).await {
                    tracing::warn!(error = %quoted(&error), "a long thread could not be shortened");
                }
                // After the trim, which the title's change would prevent.
                threads.write_title(&claim.key, &claim.note);
            }
            // The agent is dropped, and its thread says how the run ended.
            Err(WriteError::Fenced) => tracing::warn!("run dropped: another one has its thread"),
            Err(error) => {
                tracing::error!(error = %quoted(error), "run dropped: its thread cannot be written");
            }
        }
    }

    async fn pump(&mut self) -> Result<(), WriteError> {
        let last_message = LastMessageTracker::new(self.claim.note.last_message.clone());
        let mut waiting = WaitingEvents::new(
            std::mem::take(&mut self.resumed),
            last_message,
            Arc::clone(&self.inbox),
            Arc::clone(&self.private),
        );
        let (mut next_append, mut is_due) = (Instant::now(), false);
        let lease = self.threads.options.lease;
        let mut renewals = LeaseRenewals::new(lease);
        let clients_back = Instant::now() + self.patience;
        let mut next_look = Instant::now();
        let mut is_left = false;
        let mut left = pin!(until_clients_leave(self.readers.clone(), self.leaves));
        loop {
            if is_due || waiting.is_due() {
                is_due = false;
                next_append = self.next_append();
                if self.append(&mut waiting).await? {
                    return Ok(());
                }
                renewals.extended();
            }
            // Before a stop: the run takes them, or they stand before the run's end.
            self.claim.take_steered().into_iter().for_each(|message| self.inbox.push(message));
            if self.claim.is_stop_requested() {
                self.events.cancel();
            }
            if let Some(written) = self.written.as_ref().filter(|_| waiting.records.is_empty()) {
                // Also an event that makes no record.
                written.reach(waiting.sent);
            }
            let is_read =
                reader_response(self.readers.clone(), self.claim.readers_requested_at(), clients_back);
            tokio::select! {
                biased;
                // Before all work: other servers end a run whose server does not renew its lease, however busy that is.
                () = sleep_until(renewals.next) => renewals.record_renewal(self.claim.renew().await)?,
                event = self.events.next(), if waiting.has_room() => match event {
                    Some(event) => {
                        store_ready(event, &mut self.events, &mut waiting);
                        // The append will tell of a stop.
                        next_look = Instant::now() + LOOK;
                    }
                    // A run ends with its last event; it can only have been dropped.
                    None if waiting.end.is_none() => return Ok(()),
                    None => {}
                },
                // After all events that are ready.
                () = until_beat(next_append), if !waiting.records.is_empty() => is_due = true,
                () = &mut left, if !is_left => {
                    is_left = true;
                    tracing::debug!("run cancelled: its clients left");
                    self.events.cancel();
                }
                is_read = is_read, if !is_left => {
                    self.claim.record_reader();
                    if !is_read {
                        is_left = true;
                        tracing::debug!("run cancelled: no client reads it, and another run waits");
                        self.events.cancel();
                    }
                }
                () = until_thread_changed(&self.claim, next_look), if !self.claim.is_stop_requested() => {
                    // A store that is away says at once that something may have changed.
                    next_look = Instant::now() + LOOK;
                    self.claim.catch_up().await.or_else(ignore_unavailable)?;
                }
            }
        }
    }

    /// Returns the next beat at which runs append.
    fn next_append(&self) -> Instant {
        let begun = self.threads.begun;
        let past = begun.elapsed().as_nanos() % PACE.as_nanos();
        Instant::now() + PACE - Duration::from_nanos(past as u64)
    }

    /// Appends the waiting records while the agent goes on. Returns true after the run's end.
    async fn append(&mut self, waiting: &mut WaitingEvents) -> Result<bool, WriteError> {
        let records = waiting.take_records();
        let end = waiting.end.take();
        let (is_end, sent) = (end.is_some(), waiting.sent);
        if is_end {
            self.claim.set_last_message(waiting.last_message.last());
        }
        let mut write = pin!(write(&mut self.claim, records, end, self.threads.backoff()));
        loop {
            tokio::select! {
                biased;
                written = &mut write => {
                    written?;
                    break;
                }
                event = self.events.next(), if !is_end && waiting.has_room() => match event {
                    Some(event) => store_ready(event, &mut self.events, waiting),
                    None => {
                        write.await?;
                        break;
                    }
                },
            }
        }
        if let Some(written) = &self.written {
            written.reach(sent);
        }
        Ok(is_end)
    }
}

/// Stores an event of the agent, and some that are ready after it.
fn store_ready(event: Event, events: &mut BoundedRun<EventStream>, waiting: &mut WaitingEvents) {
    store(event, events, waiting);
    for _ in 0..AT_ONCE {
        // The main loop waits for events that are not ready, beside all else that can happen.
        let Some(Some(event)) = waiting.has_room().then(|| events.next().now_or_never().flatten()) else {
            return;
        };
        store(event, events, waiting);
    }
}

/// Stores an event of the agent, or ends the run if it cannot be stored.
fn store(event: Event, events: &mut BoundedRun<EventStream>, waiting: &mut WaitingEvents) {
    if let Some(left_out) = waiting.add(event) {
        events.fail_run(left_out.to_string(), TOO_LARGE);
    }
}

/// Waits for a beat. A timer for a time that is over would still wait for the next millisecond.
async fn until_beat(beat: Instant) {
    if beat > Instant::now() {
        sleep_until(beat).await;
    }
}

/// Waits until others may have written to the thread, but not before `not_before`.
async fn until_thread_changed(claim: &RunClaim, not_before: Instant) {
    sleep_until(not_before).await;
    claim.changed().await;
}

/// Appends records, with retries while the store is away, until the lease is over.
async fn write(
    claim: &mut RunClaim,
    records: Vec<Bytes>,
    end: Option<Event>,
    mut backoff: StoreBackoff,
) -> Result<(), WriteError> {
    loop {
        let written = match &end {
            Some(end) => claim.finish(&records, end).await,
            None => claim.append(&records).await,
        };
        match written {
            Err(WriteError::Unavailable(error)) => {
                tracing::warn!(error = %quoted(&error), "the thread log is unavailable: the run waits");
                if !backoff.wait().await {
                    return Err(WriteError::Unavailable(error));
                }
            }
            written => return written,
        }
    }
}

/// Ignores an unavailable store: the next append notices.
fn ignore_unavailable(error: WriteError) -> Result<(), WriteError> {
    match error {
        WriteError::Unavailable(_) => Ok(()),
        error => Err(error),
    }
}

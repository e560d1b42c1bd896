//! A run's events that wait for an append.

use std::sync::Arc;

use bytes::Bytes;
use tokio::time::Instant;

use super::PACE;
use super::steering_records::SteeringRecords;
use crate::emit::{PrivateTurn, PrivateTurnLog, SteeringInbox};
use crate::protocol::{Event, RunErrorEvent};
use crate::receive::ChunkExpander;
use crate::server::threads::conversation::last_message::LastMessageTracker;
use crate::server::threads::conversation::record::{ControlRecord, control_record, event_record};
use crate::server::threads::conversation::resumed::ResumedInterrupts;
use crate::server::threads::epoch::nonce;
use crate::thread::LARGEST_RECORD;

/// The bytes that may wait for an append before the agent waits too.
const ROOM: usize = 256 * 1024;

/// Events that wait for an append.
#[derive(Default)]
pub(super) struct WaitingEvents {
    /// The number of events that the agent has sent.
    pub(super) sent: u64,
    pub(super) records: Vec<Bytes>,
    /// When the first waiting event came.
    since: Option<Instant>,
    bytes: usize,
    /// The event that ends the run; nothing follows.
    pub(super) end: Option<Event>,
    chunks: ChunkExpander,
    /// The interrupts that the run resumes.
    resumed: ResumedInterrupts,
    is_started: bool,
    /// The first event or private call that was too large.
    left_out: Option<LeftOut>,
    pub(super) last_message: LastMessageTracker,
    steering: SteeringRecords,
    /// The turns that the run adds for the model alone.
    private: Arc<PrivateTurnLog>,
}

impl WaitingEvents {
    pub(super) fn new(
        resumed: ResumedInterrupts,
        last_message: LastMessageTracker,
        inbox: Arc<SteeringInbox>,
        private: Arc<PrivateTurnLog>,
    ) -> Self {
        Self { resumed, last_message, private, steering: SteeringRecords::new(inbox), ..Self::default() }
    }

    /// Takes the records for an append.
    pub(super) fn take_records(&mut self) -> Vec<Bytes> {
        (self.bytes, self.since) = (0, None);
        std::mem::take(&mut self.records)
    }

    pub(super) fn has_room(&self) -> bool {
        self.end.is_none() && self.bytes < ROOM
    }

    /// True if an append must not wait for more events, which an agent that never pauses always has.
    pub(super) fn is_due(&self) -> bool {
        self.end.is_some() || self.since.is_some_and(|begin| begin.elapsed() >= PACE)
    }

    /// Adds an agent event. Returns what is too large for the store, and was left out.
    pub(super) fn add(&mut self, event: Event) -> Option<LeftOut> {
        let turns = self.private.take_until(self.sent);
        let private = turns.into_iter().filter_map(|turn| self.push_private(turn)).last();
        self.add_event(event).or(private)
    }

    /// Adds a private turn, as one record or as one for each call.
    fn push_private(&mut self, turn: PrivateTurn) -> Option<LeftOut> {
        let mut left_out = None;
        let whole = private_record(turn.clone());
        let records = match whole {
            Some(record) => vec![Some(record)],
            None => turn.into_calls().map(private_record).collect(),
        };
        for record in records {
            match record {
                Some(record) => {
                    self.bytes += record.len();
                    self.records.push(record);
                }
                None => left_out = Some(LeftOut::PrivateCall),
            }
        }
        self.left_out = self.left_out.or(left_out);
        left_out
    }

    fn add_event(&mut self, event: Event) -> Option<LeftOut> {
        self.sent += 1;
        // The claim has written the start of the run.
        if !std::mem::replace(&mut self.is_started, true) {
            return None;
        }
        // A client that joins in the middle of a chunk could not continue it, so the thread has no chunks.
        match self.chunks.expand(event) {
            Ok(expanded) => {
                let whole: Vec<_> = expanded.flat_map(|event| self.steering.hold(event)).collect();
                whole.into_iter().filter_map(|event| self.push(event)).last()
            }
            Err(error) => {
                tracing::error!(%error, "an event of a run is left out");
                None
            }
        }
    }

    fn push(&mut self, mut event: Event) -> Option<LeftOut> {
        let is_end = matches!(event, Event::RunFinished(_) | Event::RunError(_));
        self.resumed.observe(&event);
        self.steering.observe(&event);
        self.last_message.observe(&event);
        let mut record = event_record(&event);
        if record.len() > LARGEST_RECORD {
            self.left_out = Some(LeftOut::Event(record.len()));
            if !is_end {
                return self.left_out;
            }
        }
        // The agent may have ended before the run could be failed.
        if let (Some(left_out), true) = (self.left_out, is_end) {
            event = RunErrorEvent::new(left_out.to_string()).with_code(TOO_LARGE).into();
            record = event_record(&event);
        }
        if is_end {
            let before = self.resumed.close(&mut event, &nonce());
            self.records.extend(before.iter().map(event_record));
            for joined in self.steering.close(&event) {
                self.last_message.observe(&joined);
                self.records.push(event_record(&joined));
            }
            record = event_record(&event);
        }
        self.bytes += record.len();
        self.since.get_or_insert_with(Instant::now);
        self.records.push(record);
        self.end = self.end.take().or_else(|| is_end.then_some(event));
        None
    }
}

/// The error code for a run with an event that is too large for the store.
pub(super) const TOO_LARGE: &str = "event_too_large";

/// A part of a run that is too large for the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum LeftOut {
    /// An event with this many bytes.
    #[error("an event of {0} bytes is larger than {LARGEST_RECORD}, the limit of the store")]
    Event(usize),
    /// A private call with its result. Clients read the error, so the text says nothing of the call.
    #[error("a part of the run is larger than {LARGEST_RECORD} bytes, the limit of the store")]
    PrivateCall,
}

/// Returns a private turn's record, if the store can take the record.
fn private_record(turn: PrivateTurn) -> Option<Bytes> {
    let record = control_record(&ControlRecord::Private { turn }).ok()?;
    (record.len() <= LARGEST_RECORD).then_some(record)
}

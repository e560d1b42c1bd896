//! A thread's past for clients that join: made once, and shared by all readers at the same point.

use std::sync::Arc;

use bytes::Bytes;
use tokio::sync::{OnceCell, Semaphore, SemaphorePermit};

use super::copies::HeldCopy;
use super::record_converter::redeclared;
use super::shared_cells::SharedCells;
use crate::protocol::{Event, EventType, ProtocolVersion, RunId};
use crate::server::limits::held_text::held_text;
use crate::server::response::body::StoredEvent;
use crate::server::response::rejection::Rejection;
use crate::server::threads::conversation::note::ThreadNote;
use crate::server::threads::store::ServerThreads;
use crate::thread::{LogHead, ThreadCursor, ThreadKey};
use crate::wire::sse;

/// The pasts that this server's readers hold.
#[derive(Debug)]
pub(in crate::server::threads) struct PastCache {
    made: SharedCells<PastKey, ThreadPast>,
    /// Limits concurrent folds of long threads: each fold takes a multiple of the thread's bytes meanwhile.
    folding: Semaphore,
    /// The same limit for runs, which wait for no reader.
    folding_for_runs: Semaphore,
}

/// A point in a thread.
#[derive(Clone, PartialEq, Eq, Hash)]
struct PastKey {
    key: ThreadKey,
    born: u64,
    epoch: u64,
    seq: u64,
    /// Clients of different versions read different bytes.
    version: ProtocolVersion,
}

/// The end of a thread, as a reader finds it.
#[derive(Clone, Copy)]
pub(in crate::server::threads) struct ThreadPoint<'t> {
    pub(in crate::server::threads) key: &'t ThreadKey,
    pub(in crate::server::threads) head: &'t LogHead,
    pub(in crate::server::threads) note: &'t ThreadNote,
    /// The last run.
    pub(in crate::server::threads) run: &'t RunId,
}

/// The events that give a client the thread at a point.
pub(in crate::server::threads) struct ThreadPast {
    /// True if an earlier version has not all of it.
    has_later_members: bool,
    /// The number of members that were left out, for the clients of this past.
    pub(in crate::server::threads) left_out: usize,
    /// RUN_STARTED, which declares another version to each client; `None` for a thread without runs.
    start: Option<Bytes>,
    /// The server-sent events after the start.
    pub(in crate::server::threads) text: Bytes,
    pub(in crate::server::threads) types: Arc<[EventType]>,
}

/// A folded thread's memory, as a multiple of the record bytes: messages, events for a client, and their text.
const FOLDED: usize = 3;

/// Threads up to this length in bytes do not wait for other folds.
const SHORT: usize = 256 * 1024;

/// The number of long threads folded at once.
const AT_ONCE: usize = 2;

impl Default for PastCache {
    fn default() -> Self {
        let made = SharedCells::default();
        Self { made, folding: Semaphore::new(AT_ONCE), folding_for_runs: Semaphore::new(AT_ONCE) }
    }
}

impl ServerThreads {
    /// Returns the thread's past up to the end, for clients of this version that read server-sent events; `None` if the thread was
    /// trimmed meanwhile. One request folds the thread for all that wait for the same point.
    pub(in crate::server::threads) async fn past(
        self: &Arc<Self>,
        point: ThreadPoint<'_>,
        version: ProtocolVersion,
    ) -> Result<Option<Arc<OnceCell<ThreadPast>>>, Rejection> {
        let newest = self.past_for(point, ProtocolVersion::LATEST).await?;
        // Most threads have nothing that earlier versions do not have, and clients of all versions share one copy.
        let differs = |past: &ThreadPast| version < ProtocolVersion::LATEST && past.has_later_members;
        match &newest {
            Some(cell) if cell.get().is_some_and(differs) => self.past_for(point, version).await,
            _ => Ok(newest),
        }
    }

    async fn past_for(
        self: &Arc<Self>,
        ThreadPoint { key, head, note, run }: ThreadPoint<'_>,
        version: ProtocolVersion,
    ) -> Result<Option<Arc<OnceCell<ThreadPast>>>, Rejection> {
        let (born, epoch, seq) = (note.born, head.at.epoch, head.at.seq);
        let place = PastKey { key: key.clone(), born, epoch, seq, version };
        let cell = self.pasts.made.cell(&place);
        let make = async || {
            let mut fold = self.fold_for_reader(note).await?;
            let thread = self.folded(key, head.clone(), note.clone()).await?.ok_or(PastFailure::Trimmed)?;
            let mut events = thread.prelude();
            let mut left_out = 0;
            events.retain_mut(|event| match event.restrict(version) {
                Some(members) => {
                    left_out += members;
                    true
                }
                None => false,
            });
            let past = ThreadPast::new(
                events,
                left_out,
                &ThreadCursor::new(run.clone(), seq).to_string(),
                &mut fold,
            );
            Ok::<_, PastFailure>(past)
        };
        match cell.get_or_try_init(make).await {
            Ok(_) => Ok(Some(cell)),
            Err(PastFailure::Trimmed) => Ok(None),
            Err(PastFailure::Refused(rejection)) => Err(rejection),
        }
    }

    /// Waits until a thread may be folded for a run. The run limits bound the memory.
    pub(in crate::server::threads) async fn fold_for_run(
        &self,
        note: &ThreadNote,
    ) -> Option<SemaphorePermit<'_>> {
        if length(note) <= SHORT {
            return None;
        }
        // The semaphore is never closed.
        self.pasts.folding_for_runs.acquire().await.ok()
    }

    /// Waits until a thread may be folded for a reader, and takes the memory.
    pub(in crate::server::threads) async fn fold_for_reader(
        &self,
        note: &ThreadNote,
    ) -> Result<FoldPermit<'_>, Rejection> {
        let bytes = length(note);
        // The semaphore is never closed.
        let turn = if bytes <= SHORT { None } else { self.pasts.folding.acquire().await.ok() };
        let held = self.readers.hold(bytes.saturating_mul(FOLDED))?;
        Ok(FoldPermit { held: Some(held), _turn: turn })
    }
}

/// Returns the bytes of a thread's records.
fn length(note: &ThreadNote) -> usize {
    let bytes = note.runs.iter().map(|run| run.bytes).sum::<u64>();
    usize::try_from(bytes).unwrap_or(usize::MAX)
}

/// A thread that is being folded.
pub(in crate::server::threads) struct FoldPermit<'t> {
    held: Option<HeldCopy>,
    _turn: Option<SemaphorePermit<'t>>,
}

impl FoldPermit<'_> {
    /// Returns the budget share left for a copy with `bytes` bytes; `None` for a copy that takes no share.
    pub(in crate::server::threads) fn keep(&mut self, bytes: usize) -> Option<HeldCopy> {
        let mut held = self.held.take()?;
        held.shrink(bytes);
        Some(held)
    }
}

/// A past that was not made.
enum PastFailure {
    Trimmed,
    Refused(Rejection),
}

impl From<Rejection> for PastFailure {
    fn from(rejection: Rejection) -> Self {
        Self::Refused(rejection)
    }
}

impl ThreadPast {
    /// `id` is the last event's cursor: a client that is cut off earlier must not continue after the last event.
    fn new(mut events: Vec<Event>, left_out: usize, id: &str, fold: &mut FoldPermit<'_>) -> Self {
        let is_later = |event: &mut Event| event.restrict(ProtocolVersion::FIRST) != Some(0);
        let mut text = Vec::new();
        let start = (!events.is_empty()).then(|| events.remove(0));
        if let Some(start) = &start {
            sse::encode(start, &mut text);
        }
        let begun = text.len();
        for (left, event) in (0..events.len()).rev().zip(&events) {
            if left == 0 {
                sse::encode_id(id, &mut text);
            }
            sse::encode(event, &mut text);
        }
        text.shrink_to_fit();
        let types = events.iter().map(Event::event_type).collect();
        let has_later_members = start.into_iter().chain(events).any(|mut event| is_later(&mut event));
        let text = match fold.keep(text.len()) {
            Some(held) => held_text(text, held),
            None => Bytes::from(text),
        };
        let start = (begun > 0).then(|| text.slice(..begun));
        Self { has_later_members, left_out, start, text: text.slice(begun..), types }
    }

    /// Returns the first event, for a client of this version.
    pub(in crate::server::threads) fn start(&self, version: ProtocolVersion) -> Option<StoredEvent> {
        let start = self.start.as_ref()?;
        Some(match redeclared(start, version) {
            Some((begin, rest)) => StoredEvent::Begun(begin, [rest, Bytes::new()], EventType::RunStarted),
            None => StoredEvent::Shared(start.clone(), [EventType::RunStarted].into()),
        })
    }
}

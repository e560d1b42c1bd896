//! A part of a thread for one client, and the format of the events.

use std::sync::Arc;

use tokio::sync::OnceCell;

use super::copies::HeldCopy;
use super::legacy::LegacyStart;
use super::past::ThreadPast;
use super::tail::ThreadEpochs;
use crate::kernel::Peer;
use crate::protocol::{Event, RunId};
use crate::server::limits::readers::ReaderSlot;
use crate::server::response::encoding::StreamEncoding;
use crate::thread::ThreadKey;

/// A thread slice that a response sends.
pub(in crate::server::threads) struct ThreadSlice {
    pub(in crate::server::threads) key: ThreadKey,
    /// Events that stand for the records up to `after`: a valid stream by themselves.
    pub(in crate::server::threads) prelude: ThreadPrelude,
    pub(in crate::server::threads) after: u64,
    pub(in crate::server::threads) until: ResponseEnd,
    /// The run of the record `after`, whose id is in the first cursors.
    pub(in crate::server::threads) run: RunId,
    /// The thread's newest run, whose readers include this client.
    pub(in crate::server::threads) read_run: RunId,
    pub(in crate::server::threads) epochs: ThreadEpochs,
    /// For legacy clients.
    pub(in crate::server::threads) legacy_start: LegacyStart,
    /// `None` for the client that began the run, which counts against the limits of runs.
    pub(in crate::server::threads) reader: Option<ReaderSlot>,
}

impl ThreadPrelude {
    pub(in crate::server::threads) fn none() -> Self {
        Self::Events(Vec::new(), None)
    }
}

/// The end of a response.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::server::threads) enum ResponseEnd {
    /// At the first run end at or after this record.
    RunEnd(u64),
    /// At this record.
    Record(u64),
    Never,
}

/// The event format that a client reads.
#[derive(Clone, Copy)]
pub(in crate::server::threads) struct EventFormat {
    pub(in crate::server::threads) peer: Peer,
    pub(in crate::server::threads) encoding: StreamEncoding,
    /// True if legacy clients get one message or call at a time.
    pub(in crate::server::threads) serial: bool,
}

impl EventFormat {
    /// True if the client reads the events as stored, but for members that its version does not have.
    pub(in crate::server::threads) fn as_stored(self) -> bool {
        self.peer != Peer::Legacy && self.encoding == StreamEncoding::Sse
    }
}

/// The events before a thread's own.
pub(in crate::server::threads) enum ThreadPrelude {
    /// Events for one client, with a budget share.
    Events(Vec<Event>, Option<HeldCopy>),
    /// A past that readers share.
    Past(Arc<OnceCell<ThreadPast>>),
}

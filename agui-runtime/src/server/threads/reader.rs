//! The events of a thread as the body of a response.

use std::future::ready;
use std::sync::Arc;

use bytes::Bytes;
use futures::StreamExt;
use futures::stream::{self, BoxStream};

use super::store::{Reading, Threads};
use crate::emit::Serial;
use crate::kernel::Peer;
use crate::protocol::{Event, RunId};
use crate::receive::Intake;
use crate::server::body::{Interrupted, Kept, Source};
use crate::server::encoding::Encoding;
use crate::server::unended::ended;
use crate::thread::{Cursor, Record, ThreadKey, is_event, read_record, tail};

/// The part of a thread that a response gives.
pub(super) struct Part {
    pub(super) key: ThreadKey,
    /// The events that come before those of the thread: legal by themselves, up to `after`.
    pub(super) prelude: Vec<Event>,
    pub(super) after: u64,
    pub(super) until: Until,
    /// The run that goes on at `after`, or the last one.
    pub(super) run: RunId,
    /// The run that goes on now, or the last one: the client counts as its reader.
    pub(super) reads: RunId,
}

/// The end of a response.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Until {
    /// The first end of a run at or after this record.
    RunEnd(u64),
    /// This record.
    Record(u64),
    Never,
}

/// The kind of events that a client reads.
#[derive(Clone, Copy)]
pub(super) struct Reads {
    pub(super) peer: Peer,
    pub(super) encoding: Encoding,
    /// True if clients from before 1.0 get one message or call at a time.
    pub(super) serial: bool,
}

impl Reads {
    /// Returns true if the client reads the events exactly as they are kept.
    fn as_kept(self) -> bool {
        self.peer == Peer::Current && self.encoding == Encoding::Sse
    }
}

/// Returns a part of a thread, for a client.
pub(super) fn read(threads: &Arc<Threads>, part: Part, reads: Reads) -> Source {
    let Part { key, prelude, after, until, run, reads: read } = part;
    let reading = threads.reads(&key, &read);
    let last = prelude.len().saturating_sub(1);
    let ids = Ids::of(&run);
    let id = ids.at(after);
    // A client that is cut off in the prelude must not continue after it.
    let prelude = prelude.into_iter().enumerate().filter_map(move |(at, event)| {
        let id = (at == last).then(|| id.clone());
        readable(event, reads.peer).map(|event| Ok(Kept::Event(event, id)))
    });
    let records = if until == Until::Record(after) {
        stream::empty().boxed()
    } else {
        let sender = Sender {
            threads: Arc::clone(threads),
            key: key.clone(),
            ids,
            reads,
            intake: Intake::new(),
            reading,
        };
        records(threads, key, after, until, sender)
    };
    let events = stream::iter(prelude).chain(records).boxed();
    if reads.serial && reads.peer == Peer::Legacy {
        // These clients use no ids.
        let events = events.filter_map(|kept| ready(kept.ok().and_then(Kept::into_event)));
        return Source::Run(Serial::new(ended(events, reads.peer).boxed()).boxed());
    }
    Source::Thread(events)
}

fn records(
    threads: &Arc<Threads>,
    key: ThreadKey,
    after: u64,
    until: Until,
    sender: Sender,
) -> BoxStream<'static, Result<Kept, Interrupted>> {
    let records = tail(Arc::clone(&threads.log), Arc::clone(&threads.live), key, after);
    let pages = stream::unfold(Some((records.boxed(), sender)), move |state| async move {
        let (mut records, mut sender) = state?;
        let page = match records.next().await? {
            Ok(page) => page,
            Err(error) => return Some((vec![Err(Interrupted(error.to_string()))], None)),
        };
        let mut sent = Vec::with_capacity(page.len());
        for (seq, record) in page {
            let is_last = match until {
                Until::RunEnd(from) => seq >= from && is_run_end(&record),
                Until::Record(last) => seq >= last,
                Until::Never => false,
            };
            sent.extend(sender.send(seq, record));
            if is_last || sent.last().is_some_and(Result::is_err) {
                return Some((sent, None));
            }
        }
        Some((sent, Some((records, sender))))
    });
    pages.map(stream::iter).flatten().boxed()
}

/// Turns records into what one client reads.
struct Sender {
    threads: Arc<Threads>,
    key: ThreadKey,
    ids: Ids,
    reads: Reads,
    intake: Intake,
    /// Counts the client while it reads.
    reading: Reading,
}

impl Sender {
    /// Returns `None` for a record that the client does not see.
    fn send(&mut self, seq: u64, record: Bytes) -> Option<Result<Kept, Interrupted>> {
        if self.reads.as_kept() && is_event(&record) && !starts_run(&record) {
            return Some(Ok(Kept::Text(record, self.id(seq))));
        }
        match self.learn(seq, &record)? {
            Ok(event) => {
                readable(event, self.reads.peer).map(|event| Ok(Kept::Event(event, Some(self.id(seq)))))
            }
            Err(error) => Some(Err(error)),
        }
    }

    /// Reads an event, and the id of a run that it starts.
    fn learn(&mut self, seq: u64, record: &[u8]) -> Option<Result<Event, Interrupted>> {
        match read_record(seq, record, &mut self.intake) {
            Ok(Some(Record::Event(event))) => {
                if let Event::RunStarted(started) = &event {
                    self.ids = Ids::of(&started.run_id);
                    self.reading = self.threads.reads(&self.key, &started.run_id);
                }
                Some(Ok(event))
            }
            Ok(_) => None,
            Err(error) => Some(Err(Interrupted(error.to_string()))),
        }
    }

    fn id(&self, seq: u64) -> String {
        self.ids.at(seq)
    }
}

/// Returns the event as the client can read it. Clients from before 1.0 know no echo of an input.
fn readable(mut event: Event, peer: Peer) -> Option<Event> {
    if peer == Peer::Legacy
        && let Event::RunStarted(started) = &mut event
    {
        started.input = None;
    }
    peer.readable(event)
}

/// The ids of the events of one run, which begin alike.
struct Ids(String);

impl Ids {
    fn of(run: &RunId) -> Self {
        let mut first = Cursor::new(run.clone(), 0).to_string();
        first.pop();
        Self(first)
    }

    fn at(&self, seq: u64) -> String {
        format!("{}{seq}", self.0)
    }
}

fn starts_run(record: &[u8]) -> bool {
    record.starts_with(br#"{"type":"RUN_STARTED""#)
}

fn is_run_end(record: &[u8]) -> bool {
    record.starts_with(br#"{"type":"RUN_FINISHED""#) || record.starts_with(br#"{"type":"RUN_ERROR""#)
}

//! The events of a thread as the body of a response.

use std::collections::VecDeque;
use std::future::{pending, ready};
use std::sync::Arc;

use bytes::Bytes;
use futures_util::StreamExt;
use futures_util::stream::{self, BoxStream};

use super::legacy::{LegacyEvents, Since};
use super::store::{Reading, Threads};
use crate::emit::Serial;
use crate::kernel::Peer;
use crate::protocol::{Event, RunId};
use crate::receive::Intake;
use crate::server::body::{Interrupted, Source, StoredEvent};
use crate::server::encoding::Encoding;
use crate::server::unended::ended;
use crate::thread::{Cursor, Known, ReadError, Record, Records, ThreadKey, is_event, read_record, tail};

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
    pub(super) known: Known,
    /// For legacy clients.
    pub(super) since: Since,
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
    /// True if legacy clients get one message or call at a time.
    pub(super) serial: bool,
}

impl Reads {
    /// Returns true if the client reads the events exactly as they are stored.
    fn as_stored(self) -> bool {
        self.peer == Peer::Current && self.encoding == Encoding::Sse
    }
}

/// Returns a part of a thread, for a client.
pub(super) fn read(threads: &Arc<Threads>, part: Part, reads: Reads) -> Source {
    let Part { key, prelude, after, until, run, reads: read, known, since } = part;
    let reading = threads.reads(&key, &read);
    let last = prelude.len().saturating_sub(1);
    let ids = Ids::of(&run);
    let id = ids.at(after);
    let is_legacy = reads.peer == Peer::Legacy;
    let from = if is_legacy { since.after } else { after };
    let mut legacy = is_legacy.then(|| LegacyEvents::new(since.state, since.allowance));
    // A client that is cut off in the prelude must not continue after it.
    let mut converted = Vec::with_capacity(prelude.len());
    for (at, event) in prelude.into_iter().enumerate() {
        let id = (at == last).then(|| id.clone());
        converted.extend(self::converted(&mut legacy, event, id).into_iter().flatten().map(Ok));
    }
    let records = if until == Until::Record(after) {
        stream::empty().boxed()
    } else {
        let sender = Sender {
            threads: Arc::clone(threads),
            key: key.clone(),
            ids,
            reads,
            intake: Intake::new(),
            legacy,
            after,
            run: read,
            reading,
        };
        records(threads, key, from, until, known, sender)
    };
    let events = stream::iter(converted).chain(records).boxed();
    if reads.serial && reads.peer == Peer::Legacy {
        // These clients use no ids.
        let events = events.filter_map(|event| ready(event.ok().and_then(StoredEvent::into_event)));
        return Source::Run(Serial::new(ended(events, reads.peer).boxed()).boxed());
    }
    Source::Thread(events)
}

fn records(
    threads: &Arc<Threads>,
    key: ThreadKey,
    after: u64,
    until: Until,
    known: Known,
    sender: Sender,
) -> BoxStream<'static, Result<StoredEvent, Interrupted>> {
    let records = tail(Arc::clone(&threads.log), Arc::clone(&threads.live), key, after, known);
    let reader = Reader { records: Some(records.boxed()), sender, until };
    let pages = stream::unfold(reader, |mut reader| async move { Some((reader.next().await?, reader)) });
    pages.map(stream::iter).flatten().boxed()
}

/// The records of a part, and the events that are made of them.
struct Reader {
    /// `None` after the last one.
    records: Option<BoxStream<'static, Result<Records, ReadError>>>,
    sender: Sender,
    until: Until,
}

impl Reader {
    /// Returns the events of the next records; `None` at the end.
    async fn next(&mut self) -> Option<VecDeque<Result<StoredEvent, Interrupted>>> {
        let next = tokio::select! {
            biased;
            next = self.records.as_mut()?.next() => next?,
            () = self.sender.is_left(self.until) => return None,
        };
        let records = match next {
            Ok(records) => records,
            Err(error) => {
                self.records = None;
                return Some(VecDeque::from([Err(Interrupted(error.to_string()))]));
            }
        };
        let mut ready = VecDeque::with_capacity(records.len());
        for (seq, record) in records {
            let is_last = match self.until {
                Until::RunEnd(from) => seq >= from && is_run_end(&record),
                Until::Record(last) => seq >= last,
                Until::Never => false,
            };
            self.sender.send(seq, record, &mut ready);
            if is_last || ready.back().is_some_and(Result::is_err) {
                self.records = None;
                break;
            }
        }
        Some(ready)
    }
}

/// Turns records into what one client reads.
struct Sender {
    threads: Arc<Threads>,
    key: ThreadKey,
    ids: Ids,
    reads: Reads,
    intake: Intake,
    /// `None` for clients of 1.0.
    legacy: Option<LegacyEvents>,
    /// The last record that the client knows.
    after: u64,
    /// The run of the records.
    run: RunId,
    /// Counts the client while it reads.
    reading: Reading,
}

impl Sender {
    /// Adds what the client sees of a record.
    fn send(&mut self, seq: u64, record: Bytes, ready: &mut VecDeque<Result<StoredEvent, Interrupted>>) {
        if is_run_end(&record) {
            self.reading = Reading::default();
        } else if !self.reading.counts() {
            // A run whose server was lost may go on here.
            self.reading = self.threads.reads(&self.key, &self.run);
        }
        if self.reads.as_stored() && is_event(&record) && !starts_run(&record) {
            ready.push_back(Ok(StoredEvent::Text(record, self.id(seq))));
            return;
        }
        match self.learn(seq, &record) {
            None => {}
            Some(Ok(event)) => {
                let id = self.id(seq);
                let events = converted(&mut self.legacy, event, Some(id));
                if seq > self.after {
                    ready.extend(events.into_iter().flatten().map(Ok));
                }
            }
            Some(Err(error)) => ready.push_back(Err(error)),
        }
    }

    /// Resolves when the server is about to end, and the client follows a thread that has no run here: another server
    /// gives it the rest.
    async fn is_left(&self, until: Until) {
        if until != Until::Never || self.reading.counts() {
            return pending().await;
        }
        self.threads.closed().await;
    }

    /// Reads an event, and the id of a run that it starts.
    fn learn(&mut self, seq: u64, record: &[u8]) -> Option<Result<Event, Interrupted>> {
        match read_record(seq, record, &mut self.intake) {
            Ok(Some(Record::Event(event))) => {
                if let Event::RunStarted(started) = &event {
                    self.ids = Ids::of(&started.run_id);
                    self.run = started.run_id.clone();
                    self.reading = self.threads.reads(&self.key, &self.run);
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

/// Returns an event as the client can read it; the last one has the id.
fn converted(
    legacy: &mut Option<LegacyEvents>,
    event: Event,
    id: Option<String>,
) -> [Option<StoredEvent>; 2] {
    let Some(legacy) = legacy else { return [None, Some(StoredEvent::Event(event, id))] };
    let [first, last] = legacy.convert(event);
    [first.map(|event| StoredEvent::Event(event, None)), last.map(|event| StoredEvent::Event(event, id))]
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

pub(super) fn is_run_end(record: &[u8]) -> bool {
    record.starts_with(br#"{"type":"RUN_FINISHED""#) || record.starts_with(br#"{"type":"RUN_ERROR""#)
}

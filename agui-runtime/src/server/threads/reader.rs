//! Thread events as a response body.

use std::borrow::Cow;
use std::fmt;
use std::future::{pending, ready};
use std::sync::Arc;

use bytes::Bytes;
use futures_util::StreamExt;
use futures_util::stream::{self, BoxStream};
use serde::Deserializer as _;
use serde::de::{IgnoredAny, MapAccess, Visitor};
use tokio::sync::OnceCell;

use super::legacy::{LegacyEvents, Since};
use super::past::Past;
use super::store::{Reading, Threads};
use crate::emit::Serial;
use crate::kernel::Peer;
use crate::protocol::{Event, RunErrorEvent, RunId};
use crate::quoted::quoted;
use crate::receive::Intake;
use crate::server::body::{Interrupted, Source, StoredEvent};
use crate::server::encoding::Encoding;
use crate::server::readers;
use crate::server::unended::ended;
use crate::thread::{
    Control, Cursor, HeldCopy, Known, NO_MEMORY, ReadError, ReaderKind, Record, Records, SMALL_COPY,
    ThreadKey, is_event, read_record, tail,
};

/// A thread slice that a response sends.
pub(super) struct Part {
    pub(super) key: ThreadKey,
    /// Events before the thread's own: a legal stream by themselves, up to `after`.
    pub(super) prelude: Prelude,
    pub(super) after: u64,
    pub(super) until: Until,
    /// The run that goes on at `after`, or the last one.
    pub(super) run: RunId,
    /// The run that goes on now, or the last one: the client counts as a reader.
    pub(super) reads: RunId,
    pub(super) known: Known,
    /// For legacy clients.
    pub(super) since: Since,
    /// `None` for the client that begins a run, which the run slot counts.
    pub(super) reader: Option<readers::Reader>,
}

impl Prelude {
    pub(super) fn none() -> Self {
        Self::Events(Vec::new(), None)
    }
}

/// The end of a response.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Until {
    /// At the first run end at or after this record.
    RunEnd(u64),
    /// At this record.
    Record(u64),
    Never,
}

/// The event format that a client reads.
#[derive(Clone, Copy)]
pub(super) struct Reads {
    pub(super) peer: Peer,
    pub(super) encoding: Encoding,
    /// True if legacy clients get one message or call at a time.
    pub(super) serial: bool,
}

impl Reads {
    /// True if the client reads the events exactly as stored.
    pub(super) fn as_stored(self) -> bool {
        self.peer == Peer::Current && self.encoding == Encoding::Sse
    }
}

/// The events before a thread's own.
pub(super) enum Prelude {
    /// Events for one client, with a budget share.
    Events(Vec<Event>, Option<HeldCopy>),
    /// A past that readers share.
    Past(Arc<OnceCell<Past>>),
}

/// Returns the response source for a client that reads from a thread.
pub(super) fn read(threads: &Arc<Threads>, part: Part, reads: Reads) -> Source {
    let Part { key, prelude, after, until, run, reads: read, known, since, reader } = part;
    let reading = threads.reads(&key, &read);
    let ids = Ids::of(&run);
    let id = ids.at(after);
    let is_legacy = reads.peer == Peer::Legacy;
    let from = if is_legacy { since.after } else { after };
    let mut legacy = is_legacy.then(|| LegacyEvents::new(since));
    let (before, held) = match prelude {
        Prelude::Past(cell) => {
            let shared = cell.get().map(|past| (past.text.clone(), Arc::clone(&past.types)));
            let before = shared.into_iter().map(|(text, types)| Ok(StoredEvent::Shared(text, types)));
            (before.collect(), (Some(cell), None))
        }
        Prelude::Events(events, held) => {
            let last = events.len().saturating_sub(1);
            // A client that is cut off in the prelude must not continue after it.
            let mut before = Vec::with_capacity(events.len());
            for (at, event) in events.into_iter().enumerate() {
                let id = (at == last).then(|| id.clone());
                before.extend(self::converted(&mut legacy, event, id).into_iter().flatten().map(Ok));
            }
            (before, (None, held))
        }
    };
    let records = if until == Until::Record(after) {
        // The client counts as a reader until it has what comes before.
        stream::once(async move { drop(reader) }).filter_map(|()| ready(None)).boxed()
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
            converted: None,
            reader,
        };
        records(threads, key, from, until, known, sender)
    };
    // The body has sent all events before when it asks for more. While one reader has them, others share them.
    let records = stream::once(async move { drop(held) }).filter_map(|()| ready(None)).chain(records);
    let events = stream::iter(before).chain(records).boxed();
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
    let near = (Arc::clone(&threads.live), Arc::clone(&threads.pages));
    let kind = if sender.reader.is_none() { ReaderKind::BeganRun } else { ReaderKind::Other };
    let records = tail(Arc::clone(&threads.log), near, key, after, known, kind);
    let reader = Reader { records: Some(records.boxed()), taken: Vec::new().into(), sender, until };
    let events = stream::unfold(reader, |mut reader| async move { Some((reader.next().await?, reader)) });
    events.map(|events| stream::iter(events.into_iter().flatten())).flatten().boxed()
}

/// A converted record's memory, as a multiple of the text: the event, and the encoded event.
const CONVERTED: usize = 2;

/// A client's events for one record.
type OfRecord = [Option<Result<StoredEvent, Interrupted>>; 2];

/// Reads records, and converts them to a client's events.
struct Reader {
    /// `None` after the last record.
    records: Option<BoxStream<'static, Result<Records, ReadError>>>,
    /// Records from the last read. Each is converted only when the client takes the record.
    taken: Records,
    sender: Sender,
    until: Until,
}

impl Reader {
    /// Returns the next record's events; `None` at the end.
    async fn next(&mut self) -> Option<OfRecord> {
        // The client has taken what was converted before.
        self.sender.converted = None;
        let records = self.records.as_mut()?;
        let (seq, record) = loop {
            if let Some(record) = self.taken.next() {
                break record;
            }
            // Others may hold what was taken.
            self.taken = Vec::new().into();
            let next = tokio::select! {
                biased;
                next = records.next() => next?,
                () = self.sender.is_left(self.until) => return None,
                () = self.sender.threads.stuck(&self.sender.key) => {
                    self.records = None;
                    return Some(self.sender.give_up());
                }
            };
            match next {
                Ok(records) => self.taken = records,
                Err(error) => {
                    self.records = None;
                    return Some([Some(Err(Interrupted(error.to_string()))), None]);
                }
            }
        };
        let is_last = match self.until {
            Until::RunEnd(from) => seq >= from && is_run_end(&record),
            Until::Record(last) => seq >= last,
            Until::Never => false,
        };
        let events = self.sender.send(seq, record);
        if is_last || events.iter().flatten().any(Result::is_err) {
            self.records = None;
            self.taken = Vec::new().into();
        }
        Some(events)
    }
}

/// Converts records to what one client reads.
struct Sender {
    threads: Arc<Threads>,
    key: ThreadKey,
    ids: Ids,
    reads: Reads,
    intake: Intake,
    /// `None` for 1.0 clients.
    legacy: Option<LegacyEvents>,
    /// The last record that the client knows.
    after: u64,
    /// The records' run.
    run: RunId,
    /// Counts the client while reading.
    reading: Reading,
    /// The budget share for a converted record, until the client has taken the record.
    converted: Option<HeldCopy>,
    /// `None` for the client that begins a run.
    reader: Option<readers::Reader>,
}

impl Sender {
    /// Returns what the client sees of a record.
    fn send(&mut self, seq: u64, record: Bytes) -> OfRecord {
        if is_run_end(&record) {
            self.reading = Reading::default();
        } else if !self.reading.counts() {
            // A run whose server was lost may go on here.
            self.reading = self.threads.reads(&self.key, &self.run);
        }
        if self.reads.as_stored() && is_event(&record) {
            let is_start = starts_run(&record);
            // The start of a run may be as long as its input, which is not read for its id.
            let run = is_start.then(|| run_of(&record)).flatten();
            if let Some(run) = &run {
                self.begin(run);
            }
            if !is_start || run.is_some() {
                return [Some(Ok(StoredEvent::Text(record, self.id(seq)))), None];
            }
        }
        // The client that begins a run has the limits of runs.
        if self.reader.is_some() && record.len() > SMALL_COPY {
            match self.threads.readers.copies().hold_own(record.len().saturating_mul(CONVERTED)) {
                None => return [Some(Err(Interrupted(NO_MEMORY.to_owned()))), None],
                held => self.converted = held,
            }
        }
        match self.learn(seq, &record) {
            None => [None, None],
            Some(Ok(event)) => {
                if self.legacy.as_mut().is_some_and(|legacy| !legacy.hold(&event, record.len())) {
                    return [Some(Err(Interrupted(NO_MEMORY.to_owned()))), None];
                }
                let id = self.id(seq);
                let events = converted(&mut self.legacy, event, Some(id));
                if seq > self.after { events.map(|event| event.map(Ok)) } else { [None, None] }
            }
            Some(Err(error)) => [Some(Err(error)), None],
        }
    }

    /// Resolves when the server closes and the client follows a thread without a local run: another server sends the rest.
    async fn is_left(&self, until: Until) {
        if until != Until::Never || self.reading.counts() {
            return pending().await;
        }
        self.threads.closed().await;
    }

    /// Ends the response for a lost run that the log cannot end. A run that another server may continue has not ended: the client
    /// comes back, and the refusal names the reason.
    fn give_up(&mut self) -> OfRecord {
        const WHY: &str = "the conversations cannot be written now: the run is lost";
        tracing::warn!(thread = %quoted(self.key.thread()), "a reader is sent away: its run is lost, and the store takes no records");
        if self.threads.restarts(&self.key) {
            return [Some(Err(Interrupted(WHY.to_owned()))), None];
        }
        let error = RunErrorEvent::new(WHY).with_code("store_unavailable");
        converted(&mut self.legacy, error.into(), None).map(|event| event.map(Ok))
    }

    /// Decodes an event, and tracks the run that the event starts.
    fn learn(&mut self, seq: u64, record: &[u8]) -> Option<Result<Event, Interrupted>> {
        match read_record(seq, record, &mut self.intake) {
            Ok(Some(Record::Event(event))) => {
                if let Event::RunStarted(started) = &event {
                    self.begin(&started.run_id);
                }
                Some(Ok(event))
            }
            Ok(Some(Record::Control(Control::ReadersAsked { run }))) => {
                if run == self.run && !self.reading.counts() {
                    self.threads.found_reader(self.key.clone(), run, seq);
                }
                None
            }
            Ok(_) => None,
            Err(error) => Some(Err(Interrupted(error.to_string()))),
        }
    }

    fn begin(&mut self, run: &RunId) {
        self.ids = Ids::of(run);
        self.run = run.clone();
        self.reading = self.threads.reads(&self.key, run);
    }

    fn id(&self, seq: u64) -> String {
        self.ids.at(seq)
    }
}

/// Returns an event in the client's format; the last converted event has the id.
fn converted(
    legacy: &mut Option<LegacyEvents>,
    event: Event,
    id: Option<String>,
) -> [Option<StoredEvent>; 2] {
    let Some(legacy) = legacy else { return [None, Some(StoredEvent::Event(event, id))] };
    let [first, last] = legacy.convert(event);
    [first.map(|event| StoredEvent::Event(event, None)), last.map(|event| StoredEvent::Event(event, id))]
}

/// The common prefix in a run's event ids.
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

/// Returns the id of the run that an event starts, and parses nothing further: `runId` is one of the first members.
fn run_of(record: &[u8]) -> Option<RunId> {
    let mut run = None;
    // It stops at the member, which serde_json takes for an error.
    let _ = serde_json::Deserializer::from_slice(record).deserialize_map(FirstRun(&mut run));
    run
}

/// Stops parsing at the run id.
struct FirstRun<'r>(&'r mut Option<RunId>);

impl<'de> Visitor<'de> for FirstRun<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the start of a run")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut members: M) -> Result<(), M::Error> {
        while let Some(name) = members.next_key::<Cow<'de, str>>()? {
            if name == "runId" {
                *self.0 = Some(members.next_value()?);
                return Ok(());
            }
            members.next_value::<IgnoredAny>()?;
        }
        Ok(())
    }
}

pub(super) fn is_run_end(record: &[u8]) -> bool {
    record.starts_with(br#"{"type":"RUN_FINISHED""#) || record.starts_with(br#"{"type":"RUN_ERROR""#)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::{RunAgentInput, RunStartedEvent, UserMessage};
    use crate::thread::of_event;

    #[test]
    fn the_run_of_a_start_is_found_whatever_follows() {
        let input = RunAgentInput::new("t", "another", [UserMessage::new("u", "\"runId\":\"x\"").into()]);
        let started = RunStartedEvent::new("a \"t\"", "r \"1\"").with_input(Box::new(input));
        let record = of_event(&started.into());
        assert_eq!(run_of(&record), Some("r \"1\"".into()));
        assert_eq!(run_of(br#"{"type":"RUN_STARTED","runId":7}"#), None);
        assert_eq!(run_of(br#"{"type":"RUN_STARTED""#), None);
    }
}

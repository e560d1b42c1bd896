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

use super::copies::{HeldCopy, NO_MEMORY, SMALL_COPY};
use super::legacy::{LegacyEvents, Since};
use super::pages::{ReaderKind, Records};
use super::past::Past;
use super::tail::{Known, tail};
use crate::emit::SerialStream;
use crate::kernel::Peer;
use crate::protocol::{Event, RunErrorEvent, RunId};
use crate::quoted::quoted;
use crate::receive::FrameIntake;
use crate::server::limits::readers;
use crate::server::response::body::{BodySource, StoreReadFailure, StoredEvent};
use crate::server::response::encoding::StreamEncoding;
use crate::server::response::unended::with_span_ends;
use crate::server::threads::conversation::record::{Control, Record, is_event, read as read_record};
use crate::server::threads::store::{Reading, Threads};
use crate::thread::{Cursor, ReadError, ThreadKey};

/// A thread slice that a response sends.
pub(in crate::server::threads) struct Part {
    pub(in crate::server::threads) key: ThreadKey,
    /// Events before the thread's own: a legal stream by themselves, up to `after`.
    pub(in crate::server::threads) prelude: Prelude,
    pub(in crate::server::threads) after: u64,
    pub(in crate::server::threads) until: Until,
    /// The run that goes on at `after`, or the last one.
    pub(in crate::server::threads) run: RunId,
    /// The run that goes on now, or the last one: the client counts as a reader.
    pub(in crate::server::threads) reads: RunId,
    pub(in crate::server::threads) known: Known,
    /// For legacy clients.
    pub(in crate::server::threads) since: Since,
    /// `None` for the client that begins a run: its slot counts it.
    pub(in crate::server::threads) reader: Option<readers::ReaderSlot>,
}

impl Prelude {
    pub(in crate::server::threads) fn none() -> Self {
        Self::Events(Vec::new(), None)
    }
}

/// The end of a response.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::server::threads) enum Until {
    /// At the first run end at or after this record.
    RunEnd(u64),
    /// At this record.
    Record(u64),
    Never,
}

/// The event format that a client reads.
#[derive(Clone, Copy)]
pub(in crate::server::threads) struct Reads {
    pub(in crate::server::threads) peer: Peer,
    pub(in crate::server::threads) encoding: StreamEncoding,
    /// True if legacy clients get one message or call at a time.
    pub(in crate::server::threads) serial: bool,
}

impl Reads {
    /// True if the client reads the events exactly as stored.
    pub(in crate::server::threads) fn as_stored(self) -> bool {
        self.peer == Peer::Current && self.encoding == StreamEncoding::Sse
    }
}

/// The events before a thread's own.
pub(in crate::server::threads) enum Prelude {
    /// Events for one client, with a budget share.
    Events(Vec<Event>, Option<HeldCopy>),
    /// A past that readers share.
    Past(Arc<OnceCell<Past>>),
}

/// Returns a part of a thread, for a client.
pub(in crate::server::threads) fn read(threads: &Arc<Threads>, part: Part, reads: Reads) -> BodySource {
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
            intake: FrameIntake::new(),
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
        return BodySource::Run(SerialStream::new(with_span_ends(events, reads.peer).boxed()).boxed());
    }
    BodySource::Thread(events)
}

fn records(
    threads: &Arc<Threads>,
    key: ThreadKey,
    after: u64,
    until: Until,
    known: Known,
    sender: Sender,
) -> BoxStream<'static, Result<StoredEvent, StoreReadFailure>> {
    let near = (Arc::clone(&threads.live), Arc::clone(&threads.pages));
    let kind = if sender.reader.is_none() { ReaderKind::BeganRun } else { ReaderKind::Other };
    let records = tail(Arc::clone(&threads.log), near, key, after, known, kind);
    let reader = Reader { records: Some(records.boxed()), taken: Vec::new().into(), sender, until };
    let events = stream::unfold(reader, |mut reader| async move { Some((reader.next().await?, reader)) });
    events.map(|events| stream::iter(events.into_iter().flatten())).flatten().boxed()
}

/// A converted record's memory, as a multiple of the text: the event, and the encoded event.
const CONVERTED: usize = 2;

/// The events that a client gets for one record.
type OfRecord = [Option<Result<StoredEvent, StoreReadFailure>>; 2];

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
                    return Some([Some(Err(StoreReadFailure(error.to_string()))), None]);
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
    intake: FrameIntake,
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
    reader: Option<readers::ReaderSlot>,
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
                None => return [Some(Err(StoreReadFailure(NO_MEMORY.to_owned()))), None],
                held => self.converted = held,
            }
        }
        match self.learn(seq, &record) {
            None => [None, None],
            Some(Ok(event)) => {
                if self.legacy.as_mut().is_some_and(|legacy| !legacy.hold(&event, record.len())) {
                    return [Some(Err(StoreReadFailure(NO_MEMORY.to_owned()))), None];
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
            return [Some(Err(StoreReadFailure(WHY.to_owned()))), None];
        }
        let error = RunErrorEvent::new(WHY).with_code("store_unavailable");
        converted(&mut self.legacy, error.into(), None).map(|event| event.map(Ok))
    }

    /// Reads an event, and the id of a run that it starts.
    fn learn(&mut self, seq: u64, record: &[u8]) -> Option<Result<Event, StoreReadFailure>> {
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
            Err(error) => Some(Err(StoreReadFailure(error.to_string()))),
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

pub(in crate::server::threads) fn is_run_end(record: &[u8]) -> bool {
    record.starts_with(br#"{"type":"RUN_FINISHED""#) || record.starts_with(br#"{"type":"RUN_ERROR""#)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::{RunAgentInput, RunStartedEvent, UserMessage};
    use crate::server::threads::conversation::record::of_event;

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

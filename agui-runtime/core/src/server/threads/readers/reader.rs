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
use super::legacy::{LegacyEvents, LegacyStart};
use super::pages::{ReaderKind, RecordBatch};
use super::past::ThreadPast;
use super::tail::{ThreadEpochs, tail};
use crate::emit::SerialStream;
use crate::kernel::Peer;
use crate::protocol::forms::since::{VersionedObject, has_later_members};
use crate::protocol::{Event, EventType, ProtocolVersion, RunErrorEvent, RunId};
use crate::quoted::quoted;
use crate::receive::FrameIntake;
use crate::server::limits::readers;
use crate::server::response::body::{BodySource, StoreReadFailure, StoredEvent};
use crate::server::response::encoding::StreamEncoding;
use crate::server::response::unended::with_span_ends;
use crate::server::threads::conversation::record::{
    ControlRecord, ThreadRecord, is_event, read as read_record,
};
use crate::server::threads::store::{RunReaderCount, ServerThreads};
use crate::thread::{LogReadError, ThreadCursor, ThreadKey};

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
    pub(in crate::server::threads) reads: RunId,
    pub(in crate::server::threads) known: ThreadEpochs,
    /// For legacy clients.
    pub(in crate::server::threads) since: LegacyStart,
    /// `None` for the client that began the run, which counts against the limits of runs.
    pub(in crate::server::threads) reader: Option<readers::ReaderSlot>,
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

/// Returns a part of a thread, for a client.
pub(in crate::server::threads) fn thread_body(
    threads: &Arc<ServerThreads>,
    part: ThreadSlice,
    reads: EventFormat,
) -> BodySource {
    let ThreadSlice { key, prelude, after, until, run, reads: read, known, since, reader } = part;
    let reading = threads.count_reader(&key, &read);
    let ids = CursorPrefix::from_run(&run);
    let id = ids.cursor(after);
    let is_legacy = reads.peer == Peer::Legacy;
    let from = if is_legacy { since.after } else { after };
    let mut legacy = is_legacy.then(|| LegacyEvents::new(since));
    let (before, held) = match prelude {
        ThreadPrelude::Past(cell) => {
            let shared = cell.get().map(|past| (past.text.clone(), Arc::clone(&past.types)));
            let before = shared.into_iter().map(|(text, types)| Ok(StoredEvent::Shared(text, types)));
            (before.collect(), (Some(cell), None))
        }
        ThreadPrelude::Events(events, held) => {
            let last = events.len().saturating_sub(1);
            // A client that is cut off in the prelude must not continue after it.
            let mut before = Vec::with_capacity(events.len());
            for (at, event) in events.into_iter().enumerate() {
                let id = (at == last).then(|| id.clone());
                let events = self::convert_event(&mut legacy, reads.peer.version(), event, id);
                before.extend(events.into_iter().flatten().map(Ok));
            }
            (before, (None, held))
        }
    };
    let records = if until == ResponseEnd::Record(after) {
        // The client counts as a reader until it has what comes before.
        stream::once(async move { drop(reader) }).filter_map(|()| ready(None)).boxed()
    } else {
        let sender = RecordConverter {
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
    threads: &Arc<ServerThreads>,
    key: ThreadKey,
    after: u64,
    until: ResponseEnd,
    known: ThreadEpochs,
    sender: RecordConverter,
) -> BoxStream<'static, Result<StoredEvent, StoreReadFailure>> {
    let near = (Arc::clone(&threads.live), Arc::clone(&threads.pages));
    let kind = if sender.reader.is_none() { ReaderKind::BeganRun } else { ReaderKind::Other };
    let records = tail(Arc::clone(&threads.log), near, key, after, known, kind);
    let reader =
        ThreadEventStream { records: Some(records.boxed()), taken: Vec::new().into(), sender, until };
    let events = stream::unfold(reader, |mut reader| async move { Some((reader.next().await?, reader)) });
    events.map(|events| stream::iter(events.into_iter().flatten())).flatten().boxed()
}

/// A converted record's memory, as a multiple of the text: the event, and the encoded event.
const CONVERTED: usize = 2;

/// The events that a client gets for one record.
type RecordEvents = [Option<Result<StoredEvent, StoreReadFailure>>; 2];

/// Reads records, and converts them to a client's events.
struct ThreadEventStream {
    /// `None` after the last record.
    records: Option<BoxStream<'static, Result<RecordBatch, LogReadError>>>,
    /// Records from the last read. Each is converted only when the client takes the record.
    taken: RecordBatch,
    sender: RecordConverter,
    until: ResponseEnd,
}

impl ThreadEventStream {
    /// Returns the next record's events; `None` at the end.
    async fn next(&mut self) -> Option<RecordEvents> {
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
                () = self.sender.server_closes(self.until) => return None,
                () = self.sender.threads.until_stuck(&self.sender.key) => {
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
            ResponseEnd::RunEnd(from) => seq >= from && is_run_end(&record),
            ResponseEnd::Record(last) => seq >= last,
            ResponseEnd::Never => false,
        };
        let events = self.sender.convert(seq, record);
        if is_last || events.iter().flatten().any(Result::is_err) {
            self.records = None;
            self.taken = Vec::new().into();
        }
        Some(events)
    }
}

/// Converts records to what one client reads.
struct RecordConverter {
    threads: Arc<ServerThreads>,
    key: ThreadKey,
    ids: CursorPrefix,
    reads: EventFormat,
    intake: FrameIntake,
    /// `None` for 1.0 clients.
    legacy: Option<LegacyEvents>,
    /// The last record that the client knows.
    after: u64,
    /// The records' run.
    run: RunId,
    /// Counts the client while reading.
    reading: RunReaderCount,
    /// The budget share for a converted record, until the client has taken the record.
    converted: Option<HeldCopy>,
    /// `None` for the client that began the run, which counts against the limits of runs.
    reader: Option<readers::ReaderSlot>,
}

impl RecordConverter {
    /// Returns what the client sees of a record.
    fn convert(&mut self, seq: u64, record: Bytes) -> RecordEvents {
        if is_run_end(&record) {
            self.reading = RunReaderCount::default();
        } else if !self.reading.is_counted() {
            // A run whose server was lost may go on here.
            self.reading = self.threads.count_reader(&self.key, &self.run);
        }
        let version = self.reads.peer.version();
        if self.reads.as_stored() && is_event(&record) && !is_for_later_versions(&record, version) {
            let is_start = starts_run(&record);
            // The start of a run may be as long as its input, which is not read for its id.
            let run = is_start.then(|| started_run_id(&record)).flatten();
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
        match self.decode(seq, &record) {
            None => [None, None],
            Some(Ok(event)) => {
                if self.legacy.as_mut().is_some_and(|legacy| !legacy.hold(&event, record.len())) {
                    return [Some(Err(StoreReadFailure(NO_MEMORY.to_owned()))), None];
                }
                let id = self.id(seq);
                let events = convert_event(&mut self.legacy, version, event, Some(id));
                if seq > self.after { events.map(|event| event.map(Ok)) } else { [None, None] }
            }
            Some(Err(error)) => [Some(Err(error)), None],
        }
    }

    /// Resolves when the server closes and the client follows a thread without a local run: another server sends the rest.
    async fn server_closes(&self, until: ResponseEnd) {
        if until != ResponseEnd::Never || self.reading.is_counted() {
            return pending().await;
        }
        self.threads.closed().await;
    }

    /// Ends the response for a lost run that the log cannot end. A run that another server may continue has not ended: the client
    /// comes back, and the refusal names the reason.
    fn give_up(&mut self) -> RecordEvents {
        const WHY: &str = "the conversations cannot be written now: the run is lost";
        tracing::warn!(thread = %quoted(self.key.thread()), "a reader is sent away: its run is lost, and the store takes no records");
        if self.threads.restarts(&self.key) {
            return [Some(Err(StoreReadFailure(WHY.to_owned()))), None];
        }
        let error = RunErrorEvent::new(WHY).with_code("store_unavailable");
        let version = self.reads.peer.version();
        convert_event(&mut self.legacy, version, error.into(), None).map(|event| event.map(Ok))
    }

    /// Reads an event, and the id of a run that it starts.
    fn decode(&mut self, seq: u64, record: &[u8]) -> Option<Result<Event, StoreReadFailure>> {
        match read_record(seq, record, &mut self.intake) {
            Ok(Some(ThreadRecord::Event(event))) => {
                if let Event::RunStarted(started) = &event {
                    self.begin(&started.run_id);
                }
                Some(Ok(event))
            }
            Ok(Some(ThreadRecord::Control(ControlRecord::ReadersAsked { run }))) => {
                if run == self.run && !self.reading.is_counted() {
                    self.threads.report_reader(self.key.clone(), run, seq);
                }
                None
            }
            Ok(_) => None,
            Err(error) => Some(Err(StoreReadFailure(error.to_string()))),
        }
    }

    fn begin(&mut self, run: &RunId) {
        self.ids = CursorPrefix::from_run(run);
        self.run = run.clone();
        self.reading = self.threads.count_reader(&self.key, run);
    }

    fn id(&self, seq: u64) -> String {
        self.ids.cursor(seq)
    }
}

/// Returns an event in the client's format; the last converted event has the id.
fn convert_event(
    legacy: &mut Option<LegacyEvents>,
    version: ProtocolVersion,
    mut event: Event,
    id: Option<String>,
) -> [Option<StoredEvent>; 2] {
    event.restrict(version);
    let Some(legacy) = legacy else { return [None, Some(StoredEvent::Event(event, id))] };
    let [first, last] = legacy.convert(event);
    [first.map(|event| StoredEvent::Event(event, None)), last.map(|event| StoredEvent::Event(event, id))]
}

/// The common prefix in a run's event ids.
struct CursorPrefix(String);

impl CursorPrefix {
    fn from_run(run: &RunId) -> Self {
        let mut first = ThreadCursor::new(run.clone(), 0).to_string();
        first.pop();
        Self(first)
    }

    fn cursor(&self, seq: u64) -> String {
        format!("{}{seq}", self.0)
    }
}

/// True if the record has what a client of this version does not read. Such records are rare, and all others are shared.
fn is_for_later_versions(record: &[u8], version: ProtocolVersion) -> bool {
    if version == ProtocolVersion::LATEST {
        return false;
    }
    let name = record.strip_prefix(br#"{"type":""#).and_then(|rest| rest.split(|byte| *byte == b'"').next());
    let name = name.and_then(|name| std::str::from_utf8(name).ok());
    let event_type = name.and_then(|name| name.parse::<EventType>().ok());
    event_type.is_none_or(EventType::may_have_later_members) && has_later_members(record, version)
}

fn starts_run(record: &[u8]) -> bool {
    record.starts_with(br#"{"type":"RUN_STARTED""#)
}

/// Returns the id of the run that an event starts, and parses nothing further: `runId` is one of the first members.
fn started_run_id(record: &[u8]) -> Option<RunId> {
    let mut run = None;
    // It stops at the member, which serde_json takes for an error.
    let _ = serde_json::Deserializer::from_slice(record).deserialize_map(RunIdVisitor(&mut run));
    run
}

/// Stops parsing at the run id.
struct RunIdVisitor<'r>(&'r mut Option<RunId>);

impl<'de> Visitor<'de> for RunIdVisitor<'_> {
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
    use crate::server::threads::conversation::record::event_record;

    #[test]
    fn the_run_of_a_start_is_found_whatever_follows() {
        let input = RunAgentInput::new("t", "another", [UserMessage::new("u", "\"runId\":\"x\"").into()]);
        let started = RunStartedEvent::new("a \"t\"", "r \"1\"").with_input(Box::new(input));
        let record = event_record(&started.into());
        assert_eq!(started_run_id(&record), Some("r \"1\"".into()));
        assert_eq!(started_run_id(br#"{"type":"RUN_STARTED","runId":7}"#), None);
        assert_eq!(started_run_id(br#"{"type":"RUN_STARTED""#), None);
    }
}

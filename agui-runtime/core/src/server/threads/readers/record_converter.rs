//! Records converted to the events that one client reads.

use std::future::pending;
use std::sync::Arc;

use bytes::Bytes;

use super::copies::{HeldCopy, NO_MEMORY, SMALL_COPY};
use super::legacy::LegacyEvents;
use super::run_bounds::{is_run_end, started_run_id, starts_run};
use super::slice::{EventFormat, ResponseEnd};
use crate::protocol::forms::since::{declared_version, has_later_members};
use crate::protocol::{Event, EventType, ProtocolVersion, RunErrorEvent, RunId};
use crate::quoted::quoted;
use crate::receive::FrameIntake;
use crate::server::limits::readers::ReaderSlot;
use crate::server::response::body::{StoreReadFailure, StoredEvent};
use crate::server::response::restriction::VersionRestriction;
use crate::server::threads::conversation::record::{
    ControlRecord, ThreadRecord, is_event, read as parse_record,
};
use crate::server::threads::local_runs::RunReaderCount;
use crate::server::threads::store::ServerThreads;
use crate::thread::{ThreadCursor, ThreadKey};
use crate::wire::sse;

/// A converted record's memory, as a multiple of the text: the event, and the encoded event.
const CONVERTED: usize = 2;

/// The first bytes of a run's start, which have its ids and its version.
const HEAD: usize = 8 * 1024;

/// The events that a client gets for one record.
pub(super) type RecordEvents = [Option<Result<StoredEvent, StoreReadFailure>>; 2];

/// Converts records to what one client reads.
pub(super) struct RecordConverter {
    pub(super) threads: Arc<ServerThreads>,
    pub(super) key: ThreadKey,
    pub(super) ids: CursorPrefix,
    pub(super) format: EventFormat,
    pub(super) restriction: VersionRestriction,
    pub(super) intake: FrameIntake,
    /// `None` for clients that declare a version.
    pub(super) legacy: Option<LegacyEvents>,
    /// The last record that the client knows.
    pub(super) after: u64,
    /// The records' run.
    pub(super) run: RunId,
    /// Counts the client while reading.
    pub(super) reader_count: RunReaderCount,
    /// The budget share for a converted record, until the client has taken the record.
    pub(super) converted: Option<HeldCopy>,
    /// `None` for the client that began the run, which counts against the limits of runs.
    pub(super) reader: Option<ReaderSlot>,
}

impl RecordConverter {
    /// Returns what the client sees of a record.
    pub(super) fn convert(&mut self, seq: u64, record: Bytes) -> RecordEvents {
        if is_run_end(&record) {
            self.reader_count = RunReaderCount::default();
        } else if !self.reader_count.is_counted() {
            // A run whose server was lost may go on here.
            self.reader_count = self.threads.local_runs.count_reader(&self.key, &self.run);
        }
        let version = self.restriction.version();
        if self.format.as_stored()
            && starts_run(&record)
            && let Some((head, rest)) = redeclared(&record, version)
            && !has_later_members(&record, version)
            && let Some(run) = started_run_id(&record)
        {
            self.begin(&run);
            let mut begin = Vec::new();
            sse::encode_text_start(&self.id(seq), &mut begin);
            begin.extend_from_slice(&head);
            let rest = [rest, Bytes::from_static(sse::TEXT_END)];
            return [Some(Ok(StoredEvent::Begun(begin, rest, EventType::RunStarted))), None];
        }
        if self.format.as_stored() && is_event(&record) && !is_for_other_versions(&record, version) {
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
                let events = convert_event(&mut self.legacy, &mut self.restriction, event, Some(id));
                if seq > self.after { events.map(|event| event.map(Ok)) } else { [None, None] }
            }
            Some(Err(error)) => [Some(Err(error)), None],
        }
    }

    /// Resolves when the server closes and the client follows a thread without a local run: another server sends the rest.
    pub(super) async fn server_closes(&self, until: ResponseEnd) {
        if until != ResponseEnd::Never || self.reader_count.is_counted() {
            return pending().await;
        }
        self.threads.closed().await;
    }

    /// Ends the response for a lost run that the log cannot end. A run that another server may continue has not ended: the client
    /// comes back, and the refusal names the reason.
    pub(super) fn give_up(&mut self) -> RecordEvents {
        const WHY: &str = "the conversations cannot be written now: the run is lost";
        tracing::warn!(thread = %quoted(self.key.thread()), "a reader is sent away: its run is lost, and the store takes no records");
        if self.threads.restarts(&self.key) {
            return [Some(Err(StoreReadFailure(WHY.to_owned()))), None];
        }
        let error = RunErrorEvent::new(WHY).with_code("store_unavailable");
        convert_event(&mut self.legacy, &mut self.restriction, error.into(), None).map(|event| event.map(Ok))
    }

    /// Reads an event, and the id of a run that it starts.
    fn decode(&mut self, seq: u64, record: &[u8]) -> Option<Result<Event, StoreReadFailure>> {
        match parse_record(seq, record, &mut self.intake) {
            Ok(Some(ThreadRecord::Event(event))) => {
                if let Event::RunStarted(started) = &event {
                    self.begin(&started.run_id);
                }
                Some(Ok(event))
            }
            Ok(Some(ThreadRecord::Control(ControlRecord::ReadersAsked { run }))) => {
                if run == self.run && !self.reader_count.is_counted() {
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
        self.reader_count = self.threads.local_runs.count_reader(&self.key, run);
    }

    fn id(&self, seq: u64) -> String {
        self.ids.cursor(seq)
    }
}

/// Returns the text of RUN_STARTED in two parts, with another declared version in the first; `None` if the text declares none, or
/// this one. The rest may be as long as a run's input, which all readers share.
pub(super) fn redeclared(text: &Bytes, version: ProtocolVersion) -> Option<(Vec<u8>, Bytes)> {
    let (declared, at) = declared_version(text.get(..HEAD).unwrap_or(text))?;
    if declared == version.as_str() {
        return None;
    }
    let mut begin = text.get(..at)?.to_vec();
    begin.extend_from_slice(version.as_str().as_bytes());
    Some((begin, text.slice(at + declared.len()..)))
}

/// True if the record is not what a client of this version reads. Such records are rare, and all others are shared.
fn is_for_other_versions(record: &[u8], version: ProtocolVersion) -> bool {
    let name = record.strip_prefix(br#"{"type":""#).and_then(|rest| rest.split(|byte| *byte == b'"').next());
    let name = name.and_then(|name| std::str::from_utf8(name).ok());
    let event_type = name.and_then(|name| name.parse::<EventType>().ok());
    match event_type {
        // The start of a run may be as long as its input, which has nothing later than the version that it declares.
        Some(EventType::RunStarted) => {
            let head = record.get(..HEAD).unwrap_or(record);
            let declared = declared_version(head);
            declared.map_or_else(
                || has_later_members(record, version),
                |(declared, _)| declared != version.as_str(),
            )
        }
        Some(event_type) if event_type.since() > version => true,
        Some(event_type) => event_type.may_have_later_members() && has_later_members(record, version),
        None => version < ProtocolVersion::LATEST,
    }
}

/// Returns an event in the client's format; the last converted event has the id.
pub(super) fn convert_event(
    legacy: &mut Option<LegacyEvents>,
    restriction: &mut VersionRestriction,
    mut event: Event,
    id: Option<String>,
) -> [Option<StoredEvent>; 2] {
    if !restriction.apply(&mut event) {
        return [None, None];
    }
    if let Event::RunStarted(started) = &mut event {
        started.declare(restriction.version());
    }
    let Some(legacy) = legacy else { return [None, Some(StoredEvent::Event(event, id))] };
    let [first, last] = legacy.convert(event);
    [first.map(|event| StoredEvent::Event(event, None)), last.map(|event| StoredEvent::Event(event, id))]
}

/// The common prefix in a run's event ids.
pub(super) struct CursorPrefix(String);

impl CursorPrefix {
    pub(super) fn from_run(run: &RunId) -> Self {
        let mut first = ThreadCursor::new(run.clone(), 0).to_string();
        first.pop();
        Self(first)
    }

    pub(super) fn cursor(&self, seq: u64) -> String {
        format!("{}{seq}", self.0)
    }
}

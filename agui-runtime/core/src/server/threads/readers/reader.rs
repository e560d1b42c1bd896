//! Thread events as a response body.

use std::future::ready;
use std::sync::Arc;

use futures_util::StreamExt;
use futures_util::stream::{self, BoxStream};

use super::legacy::LegacyEvents;
use super::pages::{ReaderKind, RecordBatch};
use super::record_converter::{CursorPrefix, RecordConverter, RecordEvents, convert_event};
use super::run_bounds::is_run_end;
use super::slice::{EventFormat, ResponseEnd, ThreadPrelude, ThreadSlice};
use super::tail::{ThreadEpochs, tail};
use crate::emit::SerialStream;
use crate::kernel::Peer;
use crate::receive::FrameIntake;
use crate::server::response::body::{BodySource, StoreReadFailure, StoredEvent};
use crate::server::response::restriction::VersionRestriction;
use crate::server::response::unended::with_span_ends;
use crate::server::threads::store::ServerThreads;
use crate::thread::{LogReadError, ThreadKey};

/// Returns a part of a thread, for a client.
pub(in crate::server::threads) fn thread_body(
    threads: &Arc<ServerThreads>,
    part: ThreadSlice,
    format: EventFormat,
) -> BodySource {
    let ThreadSlice { key, prelude, after, until, run, read_run, epochs, legacy_start, reader } = part;
    let reader_count = threads.local_runs.count_reader(&key, &read_run);
    let ids = CursorPrefix::from_run(&run);
    let id = ids.cursor(after);
    let is_legacy = format.peer == Peer::Legacy;
    let from = if is_legacy { legacy_start.after } else { after };
    let mut legacy = is_legacy.then(|| LegacyEvents::new(legacy_start));
    let mut restriction = VersionRestriction::new(format.peer.version());
    let (before, held) = match prelude {
        ThreadPrelude::Past(cell) => {
            let mut before = Vec::new();
            if let Some(past) = cell.get() {
                restriction.report(past.left_out);
                let start = past.start(format.peer.version());
                before.extend(start.map(Ok));
                before.push(Ok(StoredEvent::Shared(past.text.clone(), Arc::clone(&past.types))));
            }
            (before, (Some(cell), None))
        }
        ThreadPrelude::Events(events, held) => {
            let last = events.len().saturating_sub(1);
            // A client that is cut off in the prelude must not continue after it.
            let mut before = Vec::with_capacity(events.len());
            for (at, event) in events.into_iter().enumerate() {
                let id = (at == last).then(|| id.clone());
                let events = convert_event(&mut legacy, &mut restriction, event, id);
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
            format,
            restriction,
            intake: FrameIntake::new(),
            legacy,
            after,
            run: read_run,
            reader_count,
            converted: None,
            reader,
        };
        records(threads, key, from, until, epochs, sender)
    };
    // The body has sent all events before when it asks for more. While one reader has them, others share them.
    let records = stream::once(async move { drop(held) }).filter_map(|()| ready(None)).chain(records);
    let events = stream::iter(before).chain(records).boxed();
    if format.serial && format.peer == Peer::Legacy {
        // These clients use no ids.
        let events = events.filter_map(|event| ready(event.ok().and_then(StoredEvent::into_event)));
        return BodySource::Run(SerialStream::new(with_span_ends(events, format.peer).boxed()).boxed());
    }
    BodySource::Thread(events)
}

fn records(
    threads: &Arc<ServerThreads>,
    key: ThreadKey,
    after: u64,
    until: ResponseEnd,
    epochs: ThreadEpochs,
    sender: RecordConverter,
) -> BoxStream<'static, Result<StoredEvent, StoreReadFailure>> {
    let near = (Arc::clone(&threads.live), Arc::clone(&threads.pages));
    let kind = if sender.reader.is_none() { ReaderKind::BeganRun } else { ReaderKind::Other };
    let records = tail(Arc::clone(&threads.log), near, key, after, epochs, kind);
    let reader =
        ThreadEventStream { records: Some(records.boxed()), taken: Vec::new().into(), sender, until };
    let events = stream::unfold(reader, |mut reader| async move { Some((reader.next().await?, reader)) });
    events.map(|events| stream::iter(events.into_iter().flatten())).flatten().boxed()
}

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

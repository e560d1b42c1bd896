//! Reads the snake_case dialect as frames.

use std::collections::VecDeque;

use crate::client::{ClientError, Frame, Warnings};
use crate::dialect::snake_case::{self, DialectError};
use crate::protocol::{Event, RunAgentInput};
use crate::wire::sse;

/// Converts each dialect record to zero or more events.
#[derive(Debug)]
pub(super) struct Dialect {
    decoder: sse::Decoder,
    reader: snake_case::Reader,
    ready: VecDeque<Event>,
    /// An unreadable record's error, until all events before it are returned.
    failed: Option<DialectError>,
    /// The listener for the request parts that the dialect lacks.
    warnings: Warnings,
}

impl Dialect {
    pub(super) fn new(input: &RunAgentInput, max_frame: usize, warnings: Warnings) -> Self {
        Self {
            decoder: sse::Decoder::new().max_record(max_frame),
            reader: snake_case::Reader::new(&input.thread_id, &input.run_id),
            ready: VecDeque::new(),
            failed: None,
            warnings,
        }
    }

    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.decoder.push(bytes);
    }

    pub(super) fn next(&mut self, at_end: bool) -> Result<Option<Frame>, ClientError> {
        let mut events = Vec::new();
        while self.ready.is_empty() && self.failed.is_none() {
            let record = if at_end { self.decoder.finish_record()? } else { self.decoder.next_record()? };
            let Some(record) = record else {
                if at_end {
                    self.reader.finish(&mut events);
                    self.ready.extend(events);
                }
                break;
            };
            let mut lost = |lost| self.warnings.report(lost);
            let read = self.reader.read_with(record.event.as_deref(), &record.data, &mut events, &mut lost);
            self.failed = read.err();
            self.ready.extend(events.drain(..));
        }
        match (self.ready.pop_front(), &mut self.failed) {
            (Some(event), _) => Ok(Some(event.into())),
            (None, failed) => failed.take().map_or(Ok(None), |error| Err(ClientError::Dialect(error))),
        }
    }
}

//! Bytes in, frames out: the one place that knows the wire formats.

use std::collections::VecDeque;

use crate::client::{ClientError, Frame, Warnings};
use crate::protocol::{Event, RunAgentInput};
use crate::wire::snake_case::DialectError;
use crate::wire::{proto, snake_case, sse};

/// A decoder of one of the wire formats, chosen by the content type (AG-UI 1.0, section "Response handling in the client").
#[derive(Debug)]
pub(super) enum Reader {
    Sse(sse::Decoder),
    Binary(proto::Decoder),
    SnakeCase(Box<Dialect>),
}

/// Events of another contract, one record making none, one or several of ours.
#[derive(Debug)]
pub(super) struct Dialect {
    decoder: sse::Decoder,
    reader: snake_case::Reader,
    ready: VecDeque<Event>,
    /// Why a record could not be read, once everything before it is told.
    failed: Option<DialectError>,
    /// Where what the dialect cannot say goes.
    warnings: Warnings,
}

impl Dialect {
    fn next(&mut self, at_end: bool) -> Result<Option<Frame>, ClientError> {
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
            let mut lost = |lost| self.warnings.tell(lost);
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

impl Reader {
    /// For a response of this content type: whatever is not exactly binary is read as server-sent events.
    pub(super) fn of(content_type: &str, max_frame: usize) -> Self {
        match content_type {
            proto::CONTENT_TYPE => Self::Binary(proto::Decoder::new().max_frame(max_frame)),
            _ => Self::Sse(sse::Decoder::new().max_record(max_frame)),
        }
    }

    /// For a response in the dialect to this input, whatever its type is.
    pub(super) fn of_dialect(input: &RunAgentInput, max_frame: usize, warnings: Warnings) -> Self {
        Self::SnakeCase(Box::new(Dialect {
            decoder: sse::Decoder::new().max_record(max_frame),
            reader: snake_case::Reader::new(&input.thread_id, &input.run_id),
            ready: VecDeque::new(),
            failed: None,
            warnings,
        }))
    }

    pub(super) fn push(&mut self, bytes: &[u8]) {
        match self {
            Self::Sse(decoder) => decoder.push(bytes),
            Self::Binary(decoder) => decoder.push(bytes),
            Self::SnakeCase(dialect) => dialect.decoder.push(bytes),
        }
    }

    /// The next frame that is complete.
    pub(super) fn next(&mut self) -> Result<Option<Frame>, ClientError> {
        Ok(match self {
            Self::Sse(decoder) => decoder.next()?.map(|text| Frame::Text(text.into_owned())),
            Self::Binary(decoder) => decoder.next()?.map(|message| Frame::Binary(message.to_vec())),
            Self::SnakeCase(dialect) => dialect.next(false)?,
        })
    }

    /// What is left when no more bytes come: to be asked until there is nothing.
    pub(super) fn finish(&mut self) -> Result<Option<Frame>, ClientError> {
        Ok(match self {
            Self::Sse(decoder) => decoder.finish()?.map(|text| Frame::Text(text.into_owned())),
            Self::Binary(decoder) => {
                decoder.finish()?;
                None
            }
            Self::SnakeCase(dialect) => dialect.next(true)?,
        })
    }
}

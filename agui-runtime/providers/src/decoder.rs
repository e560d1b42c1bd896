//! Decodes response bytes into deltas: the part that all dialects share.

use agui_runtime_core::model::{EndReason, ModelError, ReplyDelta};

use super::dialect::{ProviderDialect, ResponseReader};
use super::failure;
use super::frame::ResponseFrame;
use super::framing::{FrameDecoder, ServerInput};
use super::reply::{ReplyBuilder, ReplyContext};

/// Progress towards the reply's end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReplyEnd {
    /// The reply continues.
    Open,
    /// The model gave a finish reason. Token counts may follow, and with some servers more content.
    Reason,
    /// The server marked the stream's end.
    Done,
}

/// Decodes one response.
pub(super) struct ResponseDecoder {
    framing: FrameDecoder,
    dialect: ProviderDialect,
    reader: Box<dyn ResponseReader>,
    reply: ReplyBuilder,
    is_done: bool,
}

impl ResponseDecoder {
    pub(super) fn new(dialect: ProviderDialect, content_type: &str, context: ReplyContext) -> Self {
        Self {
            framing: FrameDecoder::new(content_type),
            dialect,
            reader: dialect.reader(),
            reply: ReplyBuilder::new(context),
            is_done: false,
        }
    }

    /// Decodes the next bytes.
    pub(super) fn push(&mut self, bytes: &[u8]) -> Result<(), ModelError> {
        self.framing.push(bytes);
        self.read(false)
    }

    /// Checks that the stream ended at a marked end.
    pub(super) fn finish(&mut self) -> Result<(), ModelError> {
        self.read(true)?;
        self.reader.finish(&mut self.reply)?;
        self.reply.finish()
    }

    /// Returns the progress towards the end.
    pub(super) fn end(&self) -> ReplyEnd {
        match (self.is_done, &self.reply.end) {
            (true, _) => ReplyEnd::Done,
            (false, Some(_)) => ReplyEnd::Reason,
            (false, None) => ReplyEnd::Open,
        }
    }

    /// True if content may follow the finish reason.
    pub(super) fn may_go_on(&self) -> bool {
        self.dialect == ProviderDialect::Gemini
    }

    /// Returns the deltas since the last call.
    pub(super) fn take(&mut self) -> Vec<ReplyDelta> {
        self.reply.take()
    }

    /// Returns the unread members since the last call.
    pub(super) fn unread(&mut self) -> Vec<String> {
        self.reply.unread.take()
    }

    fn read(&mut self, is_over: bool) -> Result<(), ModelError> {
        let mut inputs = Vec::new();
        let read = self.framing.read(is_over, &mut self.reply.unread, &mut inputs);
        for input in inputs {
            match input {
                ServerInput::Done => {
                    self.reply.end.get_or_insert(EndReason::Stop);
                    self.is_done = true;
                }
                ServerInput::Frame(frame) => self.frame(frame)?,
            }
        }
        read
    }

    fn frame(&mut self, mut frame: ResponseFrame) -> Result<(), ModelError> {
        if let Some(error) = failure::in_frame(frame.value(), self.dialect.members()) {
            return Err(error);
        }
        self.is_done |= self.reader.read(&mut frame, &mut self.reply)?;
        self.reply.unread.left(frame.value(), self.dialect.ignored_members());
        Ok(())
    }
}

#[cfg(test)]
mod tests;

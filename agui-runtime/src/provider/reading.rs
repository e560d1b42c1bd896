//! From the bytes of an answer to its deltas: what is the same for all dialects.

use super::answer::{Answer, AnswerContext};
use super::dialect::{Dialect, Reader};
use super::failure;
use super::frame::Frame;
use super::framing::{Framing, Input};
use crate::model::{Delta, EndReason, ModelError};

/// How far the end of an answer was told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AnswerEnd {
    /// The model goes on.
    Open,
    /// The model gave a reason to end. Counts may follow, and with some servers more of the answer.
    Reason,
    /// The server said that nothing follows.
    Done,
}

/// The reading of one answer.
pub(super) struct AnswerReading {
    framing: Framing,
    dialect: Dialect,
    reader: Box<dyn Reader>,
    answer: Answer,
    is_done: bool,
}

impl AnswerReading {
    pub(super) fn new(dialect: Dialect, content_type: &str, context: AnswerContext) -> Self {
        Self {
            framing: Framing::new(content_type),
            dialect,
            reader: dialect.reader(),
            answer: Answer::new(context),
            is_done: false,
        }
    }

    /// Reads the next bytes.
    pub(super) fn push(&mut self, bytes: &[u8]) -> Result<(), ModelError> {
        self.framing.push(bytes);
        self.read(false)
    }

    /// Reads the end of the answer.
    pub(super) fn finish(&mut self) -> Result<(), ModelError> {
        self.read(true)?;
        self.reader.finish(&mut self.answer)?;
        self.answer.finish()
    }

    /// Returns how far the end was told.
    pub(super) fn end(&self) -> AnswerEnd {
        match (self.is_done, &self.answer.end) {
            (true, _) => AnswerEnd::Done,
            (false, Some(_)) => AnswerEnd::Reason,
            (false, None) => AnswerEnd::Open,
        }
    }

    /// Returns true if a reason to end says little about what follows.
    pub(super) fn may_go_on(&self) -> bool {
        self.dialect == Dialect::Gemini
    }

    /// Returns the deltas since the last time.
    pub(super) fn take(&mut self) -> Vec<Delta> {
        self.answer.take()
    }

    /// Returns what was not read since the last time.
    pub(super) fn unread(&mut self) -> Vec<String> {
        self.answer.unread.take()
    }

    fn read(&mut self, is_over: bool) -> Result<(), ModelError> {
        let mut inputs = Vec::new();
        let read = self.framing.read(is_over, &mut self.answer.unread, &mut inputs);
        for input in inputs {
            match input {
                Input::Done => {
                    self.answer.end.get_or_insert(EndReason::Stop);
                    self.is_done = true;
                }
                Input::Frame(frame) => self.frame(frame)?,
            }
        }
        read
    }

    fn frame(&mut self, mut frame: Frame) -> Result<(), ModelError> {
        if let Some(error) = failure::in_frame(frame.value(), self.dialect.members()) {
            return Err(error);
        }
        self.is_done |= self.reader.read(&mut frame, &mut self.answer)?;
        self.answer.unread.left(frame.value(), self.dialect.silent());
        Ok(())
    }
}

#[cfg(test)]
mod tests;

//! Writes a whole text message.

use super::emitter::SpanGuard;
use super::{Emit, MessageRef, RunWrite, TextMessage, TextRole, WriteFuture};
use crate::kernel::{TextStart, WriteFields, following};

/// The write behind [`Emit::say`].
#[derive(Debug)]
pub struct SendText {
    text: String,
    start: TextStart,
}

impl SendText {
    pub(super) fn new(text: String) -> Self {
        Self { text, start: TextStart::default() }
    }
}

impl WriteFuture<'_, SendText> {
    /// Sets the author's role; default: assistant.
    pub fn role<R: TextRole>(self, role: R) -> Self {
        let role = role.role();
        self.with(|say| say.start.role = Some(role))
    }

    /// Sets the author name that the user interface shows.
    pub fn name(self, name: impl Into<String>) -> Self {
        self.with(|say| say.start.name = Some(name.into()))
    }
}

impl RunWrite<'_> for SendText {
    type Output = MessageRef;

    fn act(self, emit: &Emit, fields: WriteFields) -> MessageRef {
        let later = following(&fields);
        let slot = emit.act(|kernel, author| kernel.send_text(author, self.text, self.start, fields));
        let message = TextMessage(SpanGuard::new(emit, slot));
        match later {
            Some(later) => message.end_with(*later),
            None => message.end(),
        }
    }
}

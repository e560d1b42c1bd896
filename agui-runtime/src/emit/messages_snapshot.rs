use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use super::Emit;
use super::fields::{EventFields, Fields, field_methods};
use super::hub::Turn;
use crate::protocol::Message;

/// The conversation about to be restated; awaiting it sends MESSAGES_SNAPSHOT. See
/// [`Run::messages_snapshot`](crate::Run::messages_snapshot).
#[must_use = "nothing is sent until it is awaited"]
pub struct MessagesSnapshot<'r> {
    emit: &'r Emit,
    turn: Turn<'r>,
    what: Option<(Vec<Message>, Fields)>,
}

impl<'r> MessagesSnapshot<'r> {
    pub(super) fn new(emit: &'r Emit, messages: Vec<Message>) -> Self {
        Self { emit, turn: Turn::new(emit.hub()), what: Some((messages, None)) }
    }

    field_methods!();

    fn with_fields(mut self, set: impl FnOnce(&mut EventFields)) -> Self {
        if let Some((_, fields)) = &mut self.what {
            set(fields.get_or_insert_default());
        }
        self
    }
}

impl Future for MessagesSnapshot<'_> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        ready!(self.turn.poll(cx));
        let emit = self.emit;
        emit.hub().poll_restate(emit.author(), &mut self.what, cx)
    }
}

impl fmt::Debug for MessagesSnapshot<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MessagesSnapshot").field("done", &self.what.is_none()).finish_non_exhaustive()
    }
}

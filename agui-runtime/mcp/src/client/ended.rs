//! The calls of a connection that have ended: a server's log messages may still be about them.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use super::running::GRACE;

/// A chat among all chats of this process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ChatNumber(u64);

impl ChatNumber {
    pub(super) fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// The calls that have ended, as far as log messages may be about them.
#[derive(Default)]
pub(super) struct EndedCalls {
    /// The newest end, and the chat.
    newest: Option<(Instant, Option<ChatNumber>)>,
    /// The newest end of another chat's call.
    of_others: Option<Instant>,
}

impl EndedCalls {
    pub(super) fn add(&mut self, chat: Option<ChatNumber>, end: Instant) {
        if let Some((earlier, other)) = self.newest
            && !is_same(other, chat)
        {
            self.of_others = Some(earlier);
        }
        self.newest = Some((end, chat));
    }

    /// True if a call of another chat has just ended.
    pub(super) fn has_others(&self, chat: Option<ChatNumber>) -> bool {
        let end = match self.newest {
            Some((_, newest)) if is_same(newest, chat) => self.of_others,
            newest => newest.map(|(end, _)| end),
        };
        end.is_some_and(|end| end.elapsed() < GRACE)
    }
}

/// True if both calls are known to be of one chat.
fn is_same(chat: Option<ChatNumber>, other: Option<ChatNumber>) -> bool {
    chat.is_some() && chat == other
}

//! The ids that a session creates.

use crate::protocol::{MessageId, RunId, ThreadId};
use crate::random;

/// A source for ids: unique across sessions, processes and machines, or fixed for tests and recordings.
#[derive(Debug, Clone)]
pub(super) struct Ids {
    prefix: String,
    runs: usize,
    messages: usize,
}

impl Ids {
    pub(super) fn random() -> Self {
        Self::fixed(format!("{:016x}{:016x}", random::number(()), random::number(())))
    }

    pub(super) fn fixed(prefix: String) -> Self {
        Self { prefix, runs: 0, messages: 0 }
    }

    pub(super) fn thread(&self) -> ThreadId {
        format!("thread-{}", self.prefix).into()
    }

    pub(super) fn run(&mut self) -> RunId {
        self.runs += 1;
        format!("run-{}-{}", self.prefix, self.runs).into()
    }

    pub(super) fn message(&mut self) -> MessageId {
        self.messages += 1;
        format!("message-{}-{}", self.prefix, self.messages).into()
    }
}

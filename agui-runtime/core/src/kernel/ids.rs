//! Id sources.

use std::fmt;

use crate::protocol::{InterruptId, MessageId, RunAgentInput, SubagentRunId, ToolCallId};
use crate::random;

/// Source for the ids of a run's messages, calls, interrupts and subagents.
///
/// Ids are opaque strings that must not repeat on a thread. The default is a random prefix for each run, followed by a counter.
/// Tests and recordings fix the prefix, so that two runs with the same agent compare equal.
///
/// ```
/// use agui_runtime::Ids;
///
/// let mut ids = Ids::fixed("t");
/// assert_eq!(ids.message().as_str(), "t-message-1");
/// assert_eq!(ids.tool_call().as_str(), "t-call-2");
/// ```
#[derive(Clone, Debug)]
pub struct Ids {
    prefix: IdPrefix,
    last: u64,
}

#[derive(Clone, Debug)]
enum IdPrefix {
    /// Sixteen hexadecimal digits, formatted only when an id is needed: many runs need none.
    Random(u64),
    Fixed(String),
}

impl fmt::Display for IdPrefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Random(number) => write!(f, "{number:016x}"),
            Self::Fixed(text) => f.write_str(text),
        }
    }
}

impl Ids {
    /// Returns [`Ids`] that differ between runs, processes and machines.
    #[must_use]
    pub fn random(input: &RunAgentInput) -> Self {
        Self { prefix: IdPrefix::Random(random::number((&input.thread_id, &input.run_id))), last: 0 }
    }

    /// Returns [`Ids`] that repeat in every run: the prefix, the kind and a counter.
    #[must_use]
    pub fn fixed(prefix: impl Into<String>) -> Self {
        Self { prefix: IdPrefix::Fixed(prefix.into()), last: 0 }
    }

    /// Returns the next message id.
    #[must_use]
    pub fn message(&mut self) -> MessageId {
        self.next("message").into()
    }

    /// Returns the next tool call id.
    #[must_use]
    pub fn tool_call(&mut self) -> ToolCallId {
        self.next("call").into()
    }

    /// Returns the next interrupt id. A typed interrupt's id holds this id between the reason and the call.
    #[must_use]
    pub fn interrupt(&mut self) -> InterruptId {
        self.next("interrupt").into()
    }

    /// Returns the next subagent run id.
    #[must_use]
    pub fn subagent(&mut self) -> SubagentRunId {
        self.next("subagent").into()
    }

    /// True if the source could have made the id already, or could make the id later.
    pub(super) fn could_make(&self, id: &str) -> bool {
        let rest = match &self.prefix {
            IdPrefix::Random(number) => id
                .split_at_checked(16)
                .filter(|(digits, _)| u64::from_str_radix(digits, 16) == Ok(*number))
                .map(|(_, rest)| rest),
            IdPrefix::Fixed(prefix) => id.strip_prefix(prefix.as_str()),
        };
        rest.is_some_and(|rest| rest.starts_with('-'))
    }

    fn next(&mut self, kind: &str) -> String {
        self.last += 1;
        format!("{}-{kind}-{}", self.prefix, self.last)
    }
}

//! The source of ids.

use std::fmt;

use crate::protocol::{InterruptId, MessageId, RunAgentInput, SubagentRunId, ToolCallId};
use crate::random;

/// The source of the ids of a run's messages, calls, questions and subagents.
///
/// Ids are opaque strings that must not repeat on a thread. The default is a random prefix for each run, followed by a
/// counter. Tests and recordings fix the prefix, so that two runs of the same agent compare equal.
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
    prefix: Prefix,
    last: u64,
}

#[derive(Clone, Debug)]
enum Prefix {
    /// Sixteen hexadecimal digits, formatted only when an id is needed: many runs need none.
    Random(u64),
    Fixed(String),
}

impl fmt::Display for Prefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Random(number) => write!(f, "{number:016x}"),
            Self::Fixed(text) => f.write_str(text),
        }
    }
}

impl Ids {
    /// Returns ids that differ between runs, processes and machines.
    ///
    /// ```
    /// use agui_runtime::{Ids, protocol::RunAgentInput};
    ///
    /// let input = RunAgentInput::new("thread", "run", []);
    /// let (mut one, mut other) = (Ids::random(&input), Ids::random(&input));
    /// assert_ne!(one.message(), other.message());
    /// ```
    #[must_use]
    pub fn random(input: &RunAgentInput) -> Self {
        Self { prefix: Prefix::Random(random::number((&input.thread_id, &input.run_id))), last: 0 }
    }

    /// Returns ids that are the same in every run: the prefix, the kind and a counter.
    ///
    /// ```
    /// use agui_runtime::{Ids, RunOptions};
    ///
    /// let options = RunOptions::default().ids(Ids::fixed("demo"));
    /// assert_eq!(Ids::fixed("demo").message().as_str(), "demo-message-1");
    /// ```
    #[must_use]
    pub fn fixed(prefix: impl Into<String>) -> Self {
        Self { prefix: Prefix::Fixed(prefix.into()), last: 0 }
    }

    /// Returns the next message id.
    ///
    /// ```
    /// use agui_runtime::Ids;
    ///
    /// assert_eq!(Ids::fixed("t").message().as_str(), "t-message-1");
    /// ```
    #[must_use]
    pub fn message(&mut self) -> MessageId {
        self.next("message").into()
    }

    /// Returns the next tool call id.
    ///
    /// ```
    /// use agui_runtime::Ids;
    ///
    /// assert_eq!(Ids::fixed("t").tool_call().as_str(), "t-call-1");
    /// ```
    #[must_use]
    pub fn tool_call(&mut self) -> ToolCallId {
        self.next("call").into()
    }

    /// Returns the next id of a question. In the id of a typed question it stands between the reason and the call.
    ///
    /// ```
    /// use agui_runtime::Ids;
    ///
    /// assert_eq!(Ids::fixed("t").interrupt().as_str(), "t-interrupt-1");
    /// ```
    #[must_use]
    pub fn interrupt(&mut self) -> InterruptId {
        self.next("interrupt").into()
    }

    /// Returns the next id of a subagent's invocation.
    ///
    /// ```
    /// use agui_runtime::Ids;
    ///
    /// assert_eq!(Ids::fixed("t").subagent().as_str(), "t-subagent-1");
    /// ```
    #[must_use]
    pub fn subagent(&mut self) -> SubagentRunId {
        self.next("subagent").into()
    }

    /// Returns true if the source could have made the id, or could make it later.
    pub(super) fn made(&self, id: &str) -> bool {
        let rest = match &self.prefix {
            Prefix::Random(number) => id
                .split_at_checked(16)
                .filter(|(digits, _)| u64::from_str_radix(digits, 16) == Ok(*number))
                .map(|(_, rest)| rest),
            Prefix::Fixed(prefix) => id.strip_prefix(prefix.as_str()),
        };
        rest.is_some_and(|rest| rest.starts_with('-'))
    }

    fn next(&mut self, kind: &str) -> String {
        self.last += 1;
        format!("{}-{kind}-{}", self.prefix, self.last)
    }
}

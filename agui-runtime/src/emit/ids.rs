use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::protocol::{InterruptId, MessageId, RunAgentInput, SubagentRunId, ToolCallId};

/// Where the ids of a run's messages, calls, questions and subagents come from.
///
/// Ids are opaque strings that must not repeat on a thread. The default is a random prefix for each run, followed by a
/// counter; tests and recordings fix the prefix so that two runs of the same agent compare equal.
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
    /// Sixteen hexadecimal digits, written only when there is an id to write: many runs need none.
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
    /// Ids that differ between runs, processes and machines.
    #[must_use]
    pub fn random(input: &RunAgentInput) -> Self {
        static RUNS: AtomicU64 = AtomicU64::new(0);
        // The standard library's hasher is seeded by the system; hashing what tells runs apart makes a prefix without
        // a random number generator of our own, also where the seed is constant (wasm).
        let seed = (&input.thread_id, &input.run_id, RUNS.fetch_add(1, Ordering::Relaxed));
        Self { prefix: Prefix::Random(RandomState::new().hash_one(seed)), last: 0 }
    }

    /// Ids that are the same every time: the prefix, the kind and a counter.
    #[must_use]
    pub fn fixed(prefix: impl Into<String>) -> Self {
        Self { prefix: Prefix::Fixed(prefix.into()), last: 0 }
    }

    /// The next message id.
    #[must_use]
    pub fn message(&mut self) -> MessageId {
        self.next("message").into()
    }

    /// The next tool call id.
    #[must_use]
    pub fn tool_call(&mut self) -> ToolCallId {
        self.next("call").into()
    }

    /// The next id of a question. In that of a typed one it stands between the reason and the call.
    #[must_use]
    pub fn interrupt(&mut self) -> InterruptId {
        self.next("interrupt").into()
    }

    /// The next id of a subagent's invocation.
    #[must_use]
    pub fn subagent(&mut self) -> SubagentRunId {
        self.next("subagent").into()
    }

    /// Whether an id could be one of these, given out before or later.
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

//! Limits for a model conversation, and the usage so far.

use std::fmt;
use std::future::{Future, ready};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::{BoxFuture, Either, select};

use crate::emit::{BudgetExcess, BudgetLimits, ChatBudget, Emit};
use crate::protocol::{Count, TokenUsage};

/// The limits for one [`Chat`](super::Chat).
#[derive(Clone, Debug)]
pub(super) struct ChatLimits {
    pub(super) turns: u32,
    pub(super) calls: u32,
    pub(super) bad_calls: u32,
    pub(super) repeats: u32,
    pub(super) tokens: Option<u64>,
    pub(super) time: Option<Duration>,
    pub(super) depth: u32,
    pub(super) reply: usize,
}

impl Default for ChatLimits {
    fn default() -> Self {
        Self {
            turns: 16,
            calls: 128,
            bad_calls: 3,
            repeats: 3,
            tokens: None,
            time: None,
            depth: 3,
            reply: 2 << 20,
        }
    }
}

/// The limit that ended a [`Chat`](super::Chat). The number is the limit, not the usage.
///
/// ```
/// use agui_runtime::model::ChatLimit;
///
/// assert_eq!(ChatLimit::Turns(8).code(), "max_turns");
/// assert_eq!(ChatLimit::Turns(8).to_string(), "the model took more than 8 turns");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ChatLimit {
    /// Turns; [`Chat::max_turns`](super::Chat::max_turns).
    Turns(u32),
    /// Calls in all turns; [`Chat::max_calls`](super::Chat::max_calls).
    Calls(u32),
    /// Consecutive turns with an unknown tool or invalid arguments; [`Chat::max_bad_calls`](super::Chat::max_bad_calls).
    BadCalls(u32),
    /// Consecutive turns with the same calls; [`Chat::max_repeats`](super::Chat::max_repeats).
    Repeats(u32),
    /// Tokens, input and output together; [`Chat::max_tokens`](super::Chat::max_tokens).
    Tokens(u64),
    /// Time; [`Chat::max_time`](super::Chat::max_time).
    Time(Duration),
    /// Levels of subagents below the chat; [`Chat::max_depth`](super::Chat::max_depth).
    Depth(u32),
    /// Bytes in one reply; [`Chat::max_reply`](super::Chat::max_reply).
    Reply(usize),
}

impl From<BudgetExcess> for ChatLimit {
    fn from(overspent: BudgetExcess) -> Self {
        match overspent {
            BudgetExcess::Turns(limit) => Self::Turns(limit),
            BudgetExcess::Calls(limit) => Self::Calls(limit),
            BudgetExcess::Tokens(limit) => Self::Tokens(limit),
            BudgetExcess::Levels(limit) => Self::Depth(limit),
        }
    }
}

impl ChatLimit {
    /// Returns the RUN_ERROR code for this limit.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Turns(_) => "max_turns",
            Self::Calls(_) => "max_calls",
            Self::BadCalls(_) => "max_bad_calls",
            Self::Repeats(_) => "max_repeats",
            Self::Tokens(_) => "max_tokens",
            Self::Time(_) => "max_time",
            Self::Depth(_) => "max_depth",
            Self::Reply(_) => "max_reply",
        }
    }
}

impl fmt::Display for ChatLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Turns(limit) => write!(f, "the model took more than {limit} turns"),
            Self::Calls(limit) => write!(f, "the model made more than {limit} calls"),
            Self::BadCalls(limit) => {
                write!(f, "the model made calls that cannot be made in {limit} turns in a row")
            }
            Self::Repeats(limit) => write!(f, "the model made the same calls in {limit} turns in a row"),
            Self::Tokens(limit) => write!(f, "the conversation took more than {limit} tokens"),
            Self::Time(limit) => write!(f, "the conversation took longer than {limit:?}"),
            Self::Depth(limit) => write!(f, "the model called subagents more than {limit} levels deep"),
            Self::Reply(limit) => write!(f, "the reply of the model was longer than {limit} bytes"),
        }
    }
}

/// A [`Chat`](super::Chat)'s usage: turns, calls, tokens, time.
#[derive(Default)]
pub(super) struct ChatUsage {
    turns: u32,
    /// The counts that the subagents of the chat share; made at the first turn.
    budget: Option<Arc<ChatBudget>>,
    /// Consecutive turns with a call that cannot be made.
    bad_turns: u32,
    /// Consecutive turns with the same calls as `last`.
    repeats: u32,
    last: Vec<(String, String)>,
    deadline: ChatDeadline,
}

/// The chat's deadline.
#[derive(Default)]
enum ChatDeadline {
    #[default]
    Never,
    Ahead(BoxFuture<'static, ()>),
    Passed,
}

/// The error for a time limit in a run without a timer.
#[derive(Debug)]
pub(super) struct MissingTimer;

impl fmt::Debug for ChatUsage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Spent")
            .field("turns", &self.turns)
            .field("budget", &self.budget)
            .finish_non_exhaustive()
    }
}

impl ChatUsage {
    /// Starts the deadline and the counts, at the first turn.
    pub(super) fn begin(&mut self, limits: &ChatLimits, emit: &Emit) -> Result<(), MissingTimer> {
        let timer = emit.shared().timer();
        if self.budget.is_none() {
            let &ChatLimits { turns, calls, tokens, depth, .. } = limits;
            self.budget = Some(ChatBudget::open(emit, BudgetLimits { turns, calls, tokens, levels: depth }));
        }
        if let (Some(time), 0) = (limits.time, self.turns) {
            self.deadline = ChatDeadline::Ahead(timer.ok_or(MissingTimer)?.sleep(time));
        }
        Ok(())
    }

    /// Counts a turn that is about to begin.
    pub(super) async fn begin_turn(&mut self, limits: &ChatLimits) -> Result<(), ChatLimit> {
        self.spend(ChatBudget::add_turn)?;
        self.turns += 1;
        self.within(limits, ready(())).await
    }

    /// True if another turn can begin.
    pub(super) async fn has_turn_left(&mut self, limits: &ChatLimits) -> bool {
        let is_left = self.budget.as_deref().is_none_or(ChatBudget::has_turn_left);
        is_left && self.within(limits, ready(())).await.is_ok()
    }

    /// Awaits a future until the deadline, which drops the future.
    pub(super) async fn within<F: Future>(
        &mut self,
        limits: &ChatLimits,
        future: F,
    ) -> Result<F::Output, ChatLimit> {
        match &mut self.deadline {
            ChatDeadline::Never => return Ok(future.await),
            ChatDeadline::Passed => {}
            // The deadline is checked first, so that a provider that never pauses cannot pass it.
            ChatDeadline::Ahead(deadline) => match select(deadline, pin!(future)).await {
                Either::Left(_) => self.deadline = ChatDeadline::Passed,
                Either::Right((output, _)) => return Ok(output),
            },
        }
        Err(ChatLimit::Time(limits.time.unwrap_or_default()))
    }

    /// Returns the number of turns begun.
    pub(super) fn turns(&self) -> u32 {
        self.turns
    }

    /// Counts a turn's tokens.
    pub(super) fn add_tokens(&self, usage: &TokenUsage) -> Result<(), ChatLimit> {
        let count = |tokens: Option<Count>| tokens.map_or(0, Count::get);
        let parts = count(usage.input_tokens).saturating_add(count(usage.output_tokens));
        self.spend(|budget| budget.add_tokens(count(usage.total_tokens).max(parts)))
    }

    /// Checks that the agent may call subagents.
    pub(super) fn check_depth(&self) -> Result<(), ChatLimit> {
        self.spend(ChatBudget::check_level)
    }

    fn spend(&self, spend: impl FnOnce(&ChatBudget) -> Result<(), BudgetExcess>) -> Result<(), ChatLimit> {
        self.budget.as_deref().map_or(Ok(()), spend).map_err(ChatLimit::from)
    }

    /// Counts a turn's calls, given as tool name and arguments.
    pub(super) fn add_calls(&mut self, calls: &[(&str, &str)], limits: &ChatLimits) -> Result<(), ChatLimit> {
        self.spend(|budget| budget.add_calls(u32::try_from(calls.len()).unwrap_or(u32::MAX)))?;
        let last = self.last.iter().map(|(tool, arguments)| (tool.as_str(), arguments.as_str()));
        let is_same = !calls.is_empty() && last.eq(calls.iter().copied());
        self.repeats = if is_same { self.repeats + 1 } else { 1 };
        if !is_same {
            self.last =
                calls.iter().map(|(tool, arguments)| ((*tool).to_owned(), (*arguments).to_owned())).collect();
        }
        if !calls.is_empty() && self.repeats >= limits.repeats {
            return Err(ChatLimit::Repeats(limits.repeats));
        }
        Ok(())
    }

    /// True if a call in this turn that cannot be made would end the chat.
    pub(super) fn is_last_bad_turn(&self, limits: &ChatLimits) -> bool {
        self.bad_turns + 1 >= limits.bad_calls
    }

    /// Counts a turn with a call that cannot be made; any other turn resets the count.
    pub(super) fn add_bad_turn(&mut self, is_bad: bool) {
        self.bad_turns = if is_bad { self.bad_turns + 1 } else { 0 };
    }
}

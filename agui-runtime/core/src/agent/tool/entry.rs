//! Facts about each agent tool that the tool's calls do not have.

use std::fmt;

use futures_util::future::BoxFuture;

use super::{ExecutionSide, PrivateTool, ToolOf};
use crate::agent::interrupts::call_verdict::{ResumeFn, resume_of};
use crate::agent::{Agent, Run, Stop};
use crate::manifest::AgentSource;
use crate::protocol::{Message, ToolCallId, ToolSide};

/// Facts about an agent's tool.
#[doc(hidden)]
pub struct ToolEntry<A: Agent> {
    /// Resumes the tool's pending calls.
    pub(crate) resume: Option<ResumeFn<A>>,
    pub(crate) side: ToolSide,
    /// Describes the agent that a call runs.
    pub(crate) agent: Option<fn() -> AgentSource>,
    /// Runs the agent that takes over.
    #[cfg_attr(not(feature = "model"), allow(dead_code, reason = "only the model loop reads it"))]
    pub(crate) handoff: Option<HandoffFn<A>>,
    /// Runs a private call; `None` for a tool whose calls clients see.
    pub(crate) private: Option<PrivateTool<A>>,
}

/// Returns a tool's facts.
#[doc(hidden)]
#[must_use]
pub const fn tool_entry<A: Agent, T: ToolOf<A>>() -> ToolEntry<A> {
    assert!(T::Side::PRIVATE == T::PRIVATE.is_some(), "`#[tool(private)]` writes both the side and the call");
    ToolEntry {
        resume: resume_of::<A, T>(),
        side: T::Side::SIDE,
        agent: T::AGENT,
        handoff: T::HANDOFF,
        private: T::PRIVATE,
    }
}

impl<A: Agent> fmt::Debug for ToolEntry<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolEntry").field("side", &self.side).finish_non_exhaustive()
    }
}

type RunHandoff<A> = for<'w> fn(&'w Run<A>, ToolCallId, Vec<Message>) -> BoxFuture<'w, Result<(), Stop>>;

/// Runs the agent that takes over.
#[doc(hidden)]
pub struct HandoffFn<A: Agent> {
    /// Name for the agent that takes over.
    pub(crate) agent: &'static str,
    #[cfg_attr(not(feature = "model"), allow(dead_code, reason = "only the model loop reads it"))]
    pub(crate) run: RunHandoff<A>,
}

impl<A: Agent> Clone for HandoffFn<A> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<A: Agent> Copy for HandoffFn<A> {}

impl<A: Agent> fmt::Debug for HandoffFn<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HandoffFn").field("agent", &self.agent).finish_non_exhaustive()
    }
}

/// Returns a tool's private side, if the tool is private.
pub(crate) fn private_tool_of<A: super::ToolSet>(tool: &str) -> Option<PrivateTool<A>> {
    let place = A::NAMES.iter().position(|name| *name == tool)?;
    A::ENTRIES.get(place)?.private
}

/// Returns the tool names that clients may learn.
pub(crate) fn public_names<A: super::ToolSet>() -> Vec<&'static str> {
    A::NAMES.iter().copied().filter(|name| private_tool_of::<A>(name).is_none()).collect()
}

/// Returns a tool's handoff, if the tool is one.
#[cfg(feature = "model")]
pub(crate) fn handoff_to<A: super::ToolSet>(tool: &str) -> Option<HandoffFn<A>> {
    let place = A::NAMES.iter().position(|name| *name == tool)?;
    A::ENTRIES.get(place)?.handoff
}

//! The agents that may stand in a list of tools, and the checks of such a list.

use std::sync::Arc;

use crate::agent::tool::{LONGEST_DESCRIPTION, LONGEST_NAME, is_reserved};
use crate::agent::{Agent, InjectScope, ToolOf, ToolSet};
use crate::protocol::ToolSide;

/// An agent that another one may list among its tools. `#[agent]` implements it.
#[doc(hidden)]
pub trait Subagent: Agent + ToolSet {
    /// The name of the agent.
    const NAME: &'static str;

    /// The description of the agent.
    const DESCRIPTION: &'static str;

    /// The name of the tool that hands the conversation over.
    const HANDOFF: &'static str;

    /// The description of that tool.
    const HANDOFF_DESCRIPTION: &'static str;
}

/// Finds a part of a state.
pub(crate) type PlaceFn<S, T> = fn(&mut S) -> &mut T;

/// An agent that agent `P` may list among its tools: `P` has it, and a place for its state. `#[agent]` implements it.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` is neither a tool nor an agent",
    label = "not a tool",
    note = "list a tool by the name of its function, on which you write `#[tool]`, and an agent by the type that `#[agent]` \
            makes of its function"
)]
pub trait SubagentOf<P: Agent>: Subagent {
    /// Returns the agent.
    fn shared<'a>(scope: &'a InjectScope<'_, P>) -> &'a Arc<Self>;

    /// Returns the function that finds the subagent's state in its parent's.
    fn place() -> Option<PlaceFn<P::State, Self::State>> {
        None
    }
}

/// Returns true if the tool has a description that all providers accept.
#[doc(hidden)]
#[must_use]
pub const fn has_description<A: Agent, T: ToolOf<A>>() -> bool {
    let (mut text, mut characters) = (T::DESCRIPTION.as_bytes(), 0);
    while let [byte, rest @ ..] = text {
        // The bytes of a character behind its first begin with the bits 10.
        if *byte & 0b1100_0000 != 0b1000_0000 {
            characters += 1;
        }
        text = rest;
    }
    0 < characters && characters <= LONGEST_DESCRIPTION
}

/// Returns true if the tool has a name that all providers accept and that the runtime does not reserve.
#[doc(hidden)]
#[must_use]
pub const fn has_name<A: Agent, T: ToolOf<A>>() -> bool {
    T::NAME.len() <= LONGEST_NAME && !is_reserved(T::NAME)
}

/// Returns true if the tool runs an agent that has frontend tools, and waits for its result.
#[doc(hidden)]
#[must_use]
pub const fn needs_page<A: Agent, T: ToolOf<A>>() -> bool {
    T::NEEDS_PAGE
}

/// Returns true if one of the agent's tools runs in the user interface.
pub(super) const fn has_frontend_tools<C: ToolSet>() -> bool {
    let mut tools = C::ENTRIES;
    while let [tool, rest @ ..] = tools {
        if matches!(tool.side, ToolSide::Frontend) {
            return true;
        }
        tools = rest;
    }
    false
}

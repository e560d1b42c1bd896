//! Agents in tool lists, and the checks for such lists.

use std::sync::Arc;

use crate::agent::tool::{LONGEST_DESCRIPTION, LONGEST_NAME, is_reserved};
use crate::agent::{Agent, InjectScope, ToolOf, ToolSet};
use crate::protocol::ToolSide;

/// An agent that another agent may list among its tools. `#[agent]` implements this trait.
#[doc(hidden)]
pub trait Subagent: Agent + ToolSet {
    /// Agent name.
    const NAME: &'static str;

    /// Agent description.
    const DESCRIPTION: &'static str;

    /// Handoff tool name.
    const HANDOFF: &'static str;

    /// Handoff tool description.
    const HANDOFF_DESCRIPTION: &'static str;
}

/// Projects a state onto a part.
pub(crate) type PlaceFn<S, T> = fn(&mut S) -> &mut T;

/// A subagent that agent `P` may list among its tools: `P` holds the subagent and a field for its state. `#[agent]` implements
/// this trait.
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

    /// Returns the function that projects the parent's state onto the subagent's.
    fn place() -> Option<PlaceFn<P::State, Self::State>> {
        None
    }
}

/// True if all providers accept the tool's description.
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

/// True if all providers accept the tool's name and the runtime does not reserve that name.
#[doc(hidden)]
#[must_use]
pub const fn has_name<A: Agent, T: ToolOf<A>>() -> bool {
    T::NAME.len() <= LONGEST_NAME && !is_reserved(T::NAME)
}

/// True if the tool runs an agent that has frontend tools, and waits for the agent's result.
#[doc(hidden)]
#[must_use]
pub const fn needs_page<A: Agent, T: ToolOf<A>>() -> bool {
    T::NEEDS_PAGE
}

/// True if any of the agent's tools runs in the user interface.
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

//! What generated code names. Not part of the public interface: it may change in any release.

use std::any::TypeId;
use std::future::Future;

pub use {inventory, schemars, serde, serde_json};

pub use crate::agent::{AgentReturn, StrictReturn, finished};
pub use crate::emit::DerivedActivity;
pub use crate::emit::Opening;
pub use crate::manifest::hook::AgentEntry;
pub use crate::manifest::{AgentSource, EventSource, InterruptSource, ToolSource, TypeSource};
pub use crate::protocol::ToolCallId;
#[cfg(feature = "server")]
pub use crate::server::{block_on, init};
pub use crate::state::{Node, apply, engine};
pub use crate::tool::{
    Outcome, Predictions, Probe, StateParameter, Texts, ViaError, ViaPublicError, ViaResult, ViaValue,
    answer, text_argument,
};
pub use crate::{
    Activity, Agent, Backend, CallError, CustomEvent, Do, EventFields, EventOf, Finished, Frontend, Inject,
    Input, Interrupt, InterruptOf, IntoText, Invoke, MapKey, Mut, NoCall, OpenToolCall, PushArguments,
    ReadyToolCall, Run, Scope, Settled, Side, State, Stop, Streaming, Tool, ToolCall, ToolOf, ToolSet,
    UnknownTool,
};

/// The state of an agent, unless it is `()`, which means none.
///
/// Asked of the agent, like what follows: the one impl that lists a part of it has said already when it is not one.
#[must_use]
pub fn state_source<A: Agent>() -> Option<TypeSource> {
    (TypeId::of::<A::State>() != TypeId::of::<()>()).then(TypeSource::of::<A::State>)
}

/// A tool of the agent.
#[must_use]
pub fn tool_source<A: Agent, T: ToolOf<A>>() -> ToolSource {
    T::source()
}

/// A custom event of the agent.
#[must_use]
pub fn event_source<A: Agent, E: EventOf<A>>() -> EventSource {
    E::source()
}

/// A typed question of the agent.
#[must_use]
pub fn interrupt_source<A: Agent, I: InterruptOf<A>>() -> InterruptSource {
    I::source()
}

/// A call of a tool, its arguments complete.
pub type Ready<'w, A, T> = <<T as Tool>::Side as Side>::After<'w, A, T>;

/// The id such a call has on the wire.
#[must_use]
pub fn ready_id<'c, A: Agent, T: Tool>(call: &'c Ready<'_, A, T>) -> &'c ToolCallId {
    T::Side::id(call)
}

/// Does what is to be done about it.
pub fn settle<A: Agent, T: Tool>(call: Ready<'_, A, T>) -> impl Future<Output = Settled> + Send {
    T::Side::settle(call)
}

/// The name of a tool of the agent.
#[must_use]
pub const fn tool_name<A: Agent, T: ToolOf<A>>() -> &'static str {
    T::NAME
}

/// The name of a custom event of the agent.
#[must_use]
pub const fn event_name<A: Agent, E: EventOf<A>>() -> &'static str {
    E::NAME
}

/// The reason of a typed question of the agent.
#[must_use]
pub const fn interrupt_reason<A: Agent, I: InterruptOf<A>>() -> &'static str {
    I::REASON
}

/// What a frontend tool does in the agent: nothing, ever.
pub async fn in_the_user_interface<T>() -> T {
    std::future::pending().await
}

/// Whether no name before is this one. Asked while the user's crate compiles.
#[must_use]
pub const fn is_new(name: &str, before: &[&str]) -> bool {
    let mut rest = before;
    while let [other, tail @ ..] = rest {
        if is_same(name.as_bytes(), other.as_bytes()) {
            return false;
        }
        rest = tail;
    }
    true
}

const fn is_same(mut one: &[u8], mut other: &[u8]) -> bool {
    while let ([a, a_rest @ ..], [b, b_rest @ ..]) = (one, other) {
        if *a != *b {
            return false;
        }
        one = a_rest;
        other = b_rest;
    }
    one.is_empty() && other.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_compared_whole() {
        assert!(is_new("price", &[]));
        assert!(is_new("price", &["prices", "pric", ""]));
        assert!(!is_new("price", &["order", "price"]));
    }
}

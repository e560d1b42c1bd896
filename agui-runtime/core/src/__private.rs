//! Items that expansions of the macros name. Not part of the public API: they may change in any release.

use std::any::TypeId;
use std::fmt;

pub use std::future::{Pending, pending};
pub use std::time::Duration;

pub use agui_runtime_macros::agent;
pub use {inventory, schemars, serde};

#[cfg(feature = "a2ui")]
pub use crate::a2ui::ComponentCatalog;
#[cfg(feature = "a2ui")]
pub use crate::a2ui::typed::{
    AgentFunction, Catalog, CatalogComponent, CatalogFunction, DataPath, SurfaceData, agent_function,
    catalog, component, component_source, function, function_source,
};
pub use crate::agent::tool::boxed_call;
pub use crate::agent::tool::streamed;
pub use crate::agent::tool::{
    ArgumentData, ArgumentFaultFn, ArgumentOf, ArgumentReadFn, BoxedCall, CallHead, GatherItems, ListedTool,
    PlainFunction, PolicyDecision, ReturnConversion, ReturnProbe, RunsInTheAgent, SettlementStage,
    StateParameter, StatePredictions, TimeoutError, ToolFunction, UntypedCall, ViaError, ViaPublicCauses,
    ViaPublicError, ViaResult, ViaValue, answer, read_by_member, text_argument, unread_at, within,
};
pub use crate::agent::tool::{policy_decision, policy_decision_later};
pub use crate::agent::{
    Agent, ApprovalSide, BackendSide, Call, CallError, FinishedRun, FrontendSide, HandoffTool, InjectOption,
    InjectScope, InjectValue, Input, Interrupt, InterruptOf, InvokeTool, NoCall, OpenPhase, OpenToolCall,
    PolicyFn, PrivateSide, PrivateTool, PropsOf, ReadyToolCall, Run, Stop, Subagent, SubagentOf,
    SubagentTool, Tool, ToolEntry, ToolOf, ToolSet, UnknownTool, has_description, has_name, needs_page,
    private_tool, tool_entry,
};
pub use crate::agent::{AgentReturn, StrictReturn};
pub use crate::agent::{NamedCallOpening, may_move};
pub use crate::emit::DerivedActivity;
pub use crate::emit::{Activity, ActivityListOf, ActivityOf, CustomEvent, EventListOf, EventOf, HoldsState};
pub use crate::future::{PushArguments, WriteFuture};
pub use crate::kernel::EventFields;
pub use crate::manifest::hook::AgentEntry;
#[cfg(feature = "server")]
pub use crate::manifest::init;
pub use crate::manifest::{AgentSource, CatalogSource};
pub use crate::protocol::forms::members::{ReadMembers, found_or_none, next_known, read_new, read_object};
pub use crate::protocol::{ToolAnnotations, ToolSide};
#[cfg(feature = "server")]
pub use crate::server::block_on;
pub use crate::state::engine::node::StateNode;
pub use crate::state::state::State;
pub use crate::state::{MapKey, Mut, engine};

use crate::agent::ExecutionSide;
use crate::manifest::{ActivitySource, EventSource, InterruptSource, ToolSource, TypeSource};

/// Returns the state type of an agent, or `None` if it is `()`.
///
/// The functions below also take the agent as a type parameter. The impl that lists a part of the agent
/// fails to compile first if that part is not of the agent, so one compile error appears and not many.
#[must_use]
pub fn state_source<A: Agent>() -> Option<TypeSource> {
    (TypeId::of::<A::State>() != TypeId::of::<()>()).then(TypeSource::of::<A::State>)
}

/// Returns the type of the agent's result, or `None` if it is `()`.
#[must_use]
pub fn output_source<A: Agent>() -> Option<TypeSource> {
    (TypeId::of::<A::Output>() != TypeId::of::<()>()).then(TypeSource::of::<A::Output>)
}

/// Returns the type of the forwarded props of the agent.
#[must_use]
pub fn props_source<A: Agent, P: PropsOf<A>>() -> TypeSource {
    TypeSource::of::<P>()
}

/// Returns the source of an activity of the agent.
#[must_use]
pub fn activity_source<A: Agent, T: ActivityOf<A>>() -> ActivitySource {
    T::activity_source()
}

/// Returns the `activityType` of an activity of the agent.
#[must_use]
pub const fn activity_type<A: Agent, T: ActivityOf<A>>() -> &'static str {
    T::TYPE
}

/// Returns the source of a tool of the agent.
#[must_use]
pub fn tool_source<A: Agent, T: ToolOf<A>>() -> ToolSource {
    T::source()
}

/// Keeps the tools that clients may learn of.
#[must_use]
pub fn public_tools<A: ToolSet>(tools: Vec<ToolSource>) -> Vec<ToolSource> {
    let mut entries = A::ENTRIES.iter();
    tools.into_iter().filter(|_| entries.next().is_none_or(|entry| entry.private.is_none())).collect()
}

/// True if the agent has private tools.
#[must_use]
pub fn has_private_tools<A: ToolSet>() -> bool {
    A::ENTRIES.iter().any(|entry| entry.private.is_some())
}

/// Returns the functions that describe the agents which the model of this one may call.
#[must_use]
pub fn subagent_sources<A: ToolSet>() -> Vec<fn() -> AgentSource> {
    A::ENTRIES.iter().filter_map(|tool| tool.agent).collect()
}

/// Returns the source of a custom event of the agent.
#[must_use]
pub fn event_source<A: Agent, E: EventOf<A>>() -> EventSource {
    E::source()
}

/// Returns the source of a typed interrupt of the agent.
#[must_use]
pub fn interrupt_source<A: Agent, I: InterruptOf<A>>() -> InterruptSource {
    I::source()
}

/// A tool call whose arguments are complete.
pub type Ready<'w, A, T> = <<T as Tool>::Side as ExecutionSide>::After<'w, A, T>;

/// Completes the arguments of a call.
///
/// # Errors
/// [`CallError::Arguments`] if the text is not the tool's arguments.
pub fn complete<'w, A: Agent, T: Tool>(
    call: Call<'w, A, T, OpenPhase>,
    fields: Option<Box<EventFields>>,
) -> Result<Ready<'w, A, T>, CallError> {
    call.finish(fields)
}

/// Settles such a call, once its policy has decided: runs a backend tool, leaves a frontend tool to the user interface.
pub fn decide<'w, A: Agent, T: Tool>(call: Ready<'w, A, T>) -> SettlementStage<'w> {
    T::Side::decide(call)
}

/// Returns the members that every such call has.
#[must_use]
pub fn head<'c, A: Agent, T: Tool>(call: &'c Ready<'_, A, T>) -> CallHead<'c> {
    CallHead { id: T::Side::id(call), tool: T::NAME }
}

/// Returns the name of a tool of the agent.
#[must_use]
pub const fn tool_name<A: Agent, T: ToolOf<A>>() -> &'static str {
    T::NAME
}

/// Returns the name of a custom event of the agent.
#[must_use]
pub const fn event_name<A: Agent, E: EventOf<A>>() -> &'static str {
    E::NAME
}

/// Returns the reason of a typed interrupt of the agent.
#[must_use]
pub const fn interrupt_reason<A: Agent, I: InterruptOf<A>>() -> &'static str {
    I::REASON
}

/// Returns true if no earlier name equals the name at this place. Evaluated while the user's crate compiles.
#[must_use]
pub const fn is_new(names: &[&str], place: usize) -> bool {
    let (mut before, rest) = names.split_at(place);
    let Some(name) = rest.first() else { return true };
    while let [other, tail @ ..] = before {
        if is_same(name.as_bytes(), other.as_bytes()) {
            return false;
        }
        before = tail;
    }
    true
}

/// Stops the compiler with a message, at the place of the call, if a rule of an agent's lists is broken.
///
/// # Panics
/// If the rule is broken. The macros call this in constants alone.
#[track_caller]
#[expect(clippy::panic, reason = "a constant that panics is an error of the compiler")]
pub const fn require(is_met: bool, message: &'static str) {
    if !is_met {
        panic!("{}", message);
    }
}

/// Writes an open call of any tool, as [`Call`] writes itself.
///
/// # Errors
/// The error of the formatter.
pub fn debug_open<'w, A: Agent>(call: &impl OpenToolCall<'w, A>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    crate::agent::tool::debug_call(f, call.tool(), call.id())
}

/// Writes a call of any tool whose arguments are complete.
///
/// # Errors
/// The error of the formatter.
pub fn debug_ready(call: &impl ReadyToolCall, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    crate::agent::tool::debug_call(f, call.tool(), call.id())
}

const fn is_same(mut one: &[u8], mut other: &[u8]) -> bool {
    // Most names differ in length, and the compiler pays for each step of the loop.
    if one.len() != other.len() {
        return false;
    }
    while let ([a, a_rest @ ..], [b, b_rest @ ..]) = (one, other) {
        if *a != *b {
            return false;
        }
        one = a_rest;
        other = b_rest;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_compared_whole() {
        assert!(is_new(&["price", "price"], 0));
        assert!(is_new(&["prices", "pric", "", "price"], 3));
        assert!(!is_new(&["order", "price", "price"], 2));
    }
}

//! The traits that the macros ask of your types, under the names by which the compiler's messages call them.
//!
//! They are implemented by the derives and by `#[tool]` and `#[agent]`; no program names them. If a message is about one, its headline and
//! its notes say what to write.

#[doc(hidden)]
pub use crate::agent::tool::{
    ApprovalPolicy, ArgumentData, ArgumentOf, GatherItems, RunsInTheAgent, SharesState, StateParameter,
    ToolFunction, ToolValue,
};
#[doc(hidden)]
pub use crate::agent::tool::{answer, policy_decision, text_argument};
#[doc(hidden)]
pub use crate::agent::{AgentReturn, ShownToClients, StrictReturn, SubagentOf, SubagentTool, may_move};
#[doc(hidden)]
pub use crate::emit::{ActivityListOf, ActivityNamed, EventListOf, EventNamed, PlainEdit};
#[doc(hidden)]
pub use crate::state::engine::FlatMembers;
#[doc(hidden)]
pub use crate::state::engine::members::WrittenAsObject;
#[doc(hidden)]
pub use crate::state::engine::node::{StateData, StateNode};

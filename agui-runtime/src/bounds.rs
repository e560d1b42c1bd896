//! The traits that the macros ask of your types, under the names by which the compiler's messages call them.
//!
//! They are implemented by the derives and by `#[tool]` and `#[agent]`; no program names them. If a message is about one, its headline and
//! its notes say what to write.

#[doc(hidden)]
pub use crate::agent::tool::{
    ApprovalPolicy, Argument, ArgumentOf, Gathers, RunsInTheAgent, SharesState, StateParameter, ToolFunction,
    ToolValue,
};
#[doc(hidden)]
pub use crate::agent::tool::{answer, policy_decision, text_argument};
#[doc(hidden)]
pub use crate::agent::{AgentReturn, Ask, StrictReturn, SubagentOf, may_move};
#[doc(hidden)]
pub use crate::emit::{ActivityListOf, ActivityNamed, EventListOf, EventNamed, PlainEdit};
#[doc(hidden)]
pub use crate::state::engine::Members;
#[doc(hidden)]
pub use crate::state::engine::members::WrittenAsObject;
#[doc(hidden)]
pub use crate::state::engine::node::{Node, StateData};

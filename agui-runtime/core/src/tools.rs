//! The types around tools and their calls that few programs name.
//!
//! [`Tool`], [`ToolSet`], [`ToolCtx`], [`Call`], [`PendingCall`] and [`CallError`] are at the root of the crate.
//!
//! ```
//! use agui_runtime::prelude::*;
//! use agui_runtime::tools::UnknownTool;
//!
//! /// Looks up what something costs today, in cents.
//! #[tool]
//! async fn price(name: String) -> u32 {
//!     name.len() as u32 * 90
//! }
//!
//! /// Tells prices.
//! #[agent(tools = [price])]
//! async fn teller(run: &mut Run<Teller>, _: Input<Teller>) -> Result<(), Stop> {
//!     match run.open_call("cost").await {
//!         Ok(call) => drop(call),
//!         Err(UnknownTool { offered, .. }) => {
//!             run.say(format!("Ask for {}.", offered.join(" or "))).await;
//!         }
//!     }
//!     Ok(())
//! }
//! ```
//!
//! | to | see |
//! |---|---|
//! | write code for any tool of an agent | [`ToolOf`], [`ExecutionSide`], [`BackendSide`], [`PrivateSide`], [`FrontendSide`] |
//! | name the phase of a call | [`CallPhase`], [`OpenPhase`], [`ReadyPhase`] |
//! | run tools that a model chose by name | [`UnknownTool`], [`DispatchableCall`], [`SettleOutcome`], [`DispatchOutcome`], [`SettledCall`], [`NoCall`] |
//! | run a call that the user has approved | [`ApprovalSide`], [`UnapprovedCall`] |
//! | tell which calls a model made in one turn | [`ModelTurn`] |
//! | return more than text | [`ContentParts`] |
//! | report progress while a tool runs | [`Progress`] |
//! | fail a call with a text for the model | [`FailureText`] |
//! | leave calls to the user interface | [`FrontendCall`], [`PendingCalls`], [`ClientCall`], [`PendingClientCall`] |
//! | provide values of the agent to its tools | [`InjectValue`], [`InjectOption`], [`InjectScope`], [`InvokeTool`] |
//! | match errors of arguments and results | [`ToolData`], [`ToolDataError`], [`TimeoutError`] |
//!
//! [`CallError`]: crate::CallError
//! [`PendingCall`]: crate::PendingCall
//! [`Tool`]: trait@crate::Tool
//! [`Call`]: crate::Call
//! [`ToolCtx`]: crate::ToolCtx
//! [`ToolSet`]: crate::ToolSet

pub use crate::agent::tool::{Progress, TimeoutError};
pub use crate::agent::{
    ApprovalSide, BackendSide, CallPhase, ClientCall, ContentParts, DispatchOutcome, DispatchableCall,
    ExecutionSide, FailureText, FrontendCall, FrontendSide, InjectOption, InjectScope, InjectValue,
    InvokeTool, NoCall, OpenPhase, PendingCalls, PendingClientCall, PrivateSide, ReadyPhase, SettleOutcome,
    SettledCall, ToolData, ToolDataError, ToolOf, UnapprovedCall, UnknownTool,
};
pub use crate::emit::ModelTurn;

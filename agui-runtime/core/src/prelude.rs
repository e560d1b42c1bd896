//! The names that nearly every agent uses.
//!
//! ```
//! use agui_runtime::prelude::*;
//!
//! /// Says hello.
//! #[agent]
//! async fn greeter(run: &mut Run<Greeter>, _: Input<Greeter>) -> Result<(), Stop> {
//!     run.say("Hello!").await;
//!     Ok(())
//! }
//! ```

pub use crate::{
    Activity, Agent, CustomEvent, Emit, Input, Interrupt, OpenToolCall, ReadyToolCall, Run, State,
    StateHandle, Stop, TextMessage, Tool, ToolCtx, TypedEmit, agent, tool,
};

//! The names nearly every agent uses: `use agui_runtime::prelude::*;`.

pub use crate::{
    Activity, Agent, CustomEvent, Emit, Input, Interrupt, OpenToolCall, ReadyToolCall, Run, State,
    StateHandle, Stop, TextMessage, Tool, ToolCtx, agent, tool,
};

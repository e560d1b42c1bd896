//! The names nearly every agent uses: `use agui_runtime::prelude::*;`.

pub use crate::{Agent, Baseline, CustomEvent, Emit, Input, Run, State, StateHandle, Stop, Tool, ToolCtx};

//! Input of a text.
//!
//! error: the trait bound `Vec<agui_runtime::protocol::Message>: From<&str>` is not satisfied

use agui_runtime::protocol::RunAgentInput;

use crate::kit::*;

fn mistake() {
    let input = RunAgentInput::new("thread", "run", "hi");
}

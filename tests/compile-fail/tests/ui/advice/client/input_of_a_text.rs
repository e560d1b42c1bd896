//! Input of a text.
//!
//! error: `Vec<agui_runtime::protocol::Message>` is expected, and `&str` does not convert into it
//! write: one message is a list as `[UserMessage::new("1", "Hi").into()]`

use agui_runtime::protocol::RunAgentInput;

use crate::kit::*;

fn mistake() {
    let input = RunAgentInput::new("thread", "run", "hi");
}

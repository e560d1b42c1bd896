//! Message that is not converted.
//!
//! error: the trait bound `Vec<agui_runtime::protocol::Message>: From<Vec<UserMessage>>` is not satisfied

use agui_runtime::protocol::{RunAgentInput, UserMessage};

use crate::kit::*;

fn mistake() {
    let input = RunAgentInput::new("thread", "run", vec![UserMessage::new("1", "hi")]);
}

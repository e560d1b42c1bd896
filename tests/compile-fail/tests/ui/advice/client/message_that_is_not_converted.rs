//! Message that is not converted.
//!
//! error: `Vec<agui_runtime::protocol::Message>` is expected, and `Vec<UserMessage>` does not convert into it
//! write: `messages.into_iter().map(Message::from).collect::<Vec<_>>()`

use agui_runtime::protocol::{RunAgentInput, UserMessage};

use crate::kit::*;

fn mistake() {
    let input = RunAgentInput::new("thread", "run", vec![UserMessage::new("1", "hi")]);
}

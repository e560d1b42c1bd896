//! Input without messages.
//!
//! error: this function takes 3 arguments but 2 arguments were supplied
//! write: RunAgentInput::new("thread", "run", /* messages */)

use agui_runtime::protocol::RunAgentInput;

use crate::kit::*;

fn mistake() {
    let input = RunAgentInput::new("thread", "run");
}

//! Message without an id.
//!
//! error: this function takes 2 arguments but 1 argument was supplied
//! write: argument #2 is missing

use agui_runtime::protocol::UserMessage;

use crate::kit::*;

fn mistake() {
    let message = UserMessage::new("hi");
}

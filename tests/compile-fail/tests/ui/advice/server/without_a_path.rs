//! Without a path.
//!
//! error: the trait bound `String: From<Chef>` is not satisfied

use crate::kit::*;

fn mistake() {
    let server = agui_runtime::Server::new().agent(Chef::new(Shop));
}

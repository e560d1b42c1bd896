//! Without a path.
//!
//! error: this method takes 2 arguments but 1 argument was supplied
//! write: .agent(/* &str */, Chef::new(Shop))

use crate::kit::*;

fn mistake() {
    let server = agui_runtime::Server::new().agent(Chef::new(Shop));
}

//! Shared agent without new.
//!
//! error: an agent is expected, and this type is none
//! write: pass `Chef::new()`, not `chef`

use crate::kit::*;

fn mistake() {
    let server = agui_runtime::Server::new().dyn_agent("/", chef);
}

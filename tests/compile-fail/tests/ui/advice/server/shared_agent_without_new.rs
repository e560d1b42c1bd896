//! Shared agent without new.
//!
//! error: this type is not an agent
//! write: pass `Chef::new()`, not `chef`

use crate::kit::*;

fn mistake() {
    let server = agui_runtime::Server::new().dyn_agent("/", chef);
}

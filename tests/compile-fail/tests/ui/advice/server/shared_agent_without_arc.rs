//! Shared agent without arc.
//!
//! error: mismatched types
//! write: expected `Arc<dyn DynAgent>`, found `Chef`

use crate::kit::*;

fn mistake() {
    let server = agui_runtime::Server::new().dyn_agent("/", Chef::new(Shop));
}

//! Limits as a number.
//!
//! error: mismatched types
//! write: expected `Limits`, found integer

use crate::kit::*;

fn mistake() {
    let server = agui_runtime::Server::new().limits(100);
}

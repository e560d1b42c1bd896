//! Started without arc.
//!
//! error: mismatched types
//! write: agui_runtime::start(Waiter::new().into(), input

use crate::kit::*;

fn mistake() {
    let input = agui_runtime::testing::input("hi");
    let events = agui_runtime::start(Waiter::new(), input, agui_runtime::RunOptions::default());
}

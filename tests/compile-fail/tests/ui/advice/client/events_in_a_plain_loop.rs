//! Events in a plain loop.
//!
//! error: `EventStream` is not an iterator

use std::sync::Arc;

use crate::kit::*;

fn mistake() {
    let input = agui_runtime::testing::input("hi");
    for event in agui_runtime::start(Arc::new(Waiter::new()), input, agui_runtime::RunOptions::default()) {}
}

#![allow(unused)]

use agui_runtime::prelude::*;
use futures::Stream;

/// Asks.
#[tool(frontend)]
fn confirm(total: u32) -> impl Stream<Item = bool>;

fn main() {}

#![allow(unused)]

use agui_runtime::prelude::*;
use futures::{Stream, stream};

/// Counts.
#[tool]
async fn count(most: u32) -> impl Stream<Item = u32> {
    stream::iter(0..most)
}

fn main() {}

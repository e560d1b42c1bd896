#![allow(unused)]

use agui_runtime::prelude::*;
use futures::{Stream, stream};

type Found = Result<u32, Stop>;

/// Counts.
#[tool]
fn count(most: u32) -> impl Stream<Item = Found> {
    stream::iter((0..most).map(Ok))
}

fn main() {}

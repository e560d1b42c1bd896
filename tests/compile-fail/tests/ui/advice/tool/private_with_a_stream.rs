//! Private with a stream.
//!
//! error: the page sees each item of a stream, and nothing of a private tool: return `Vec<…>`, or leave out `private`
//! write: return `Vec<…>`, or leave out `private`

use crate::kit::*;

trait Stream {
    type Item;
}

impl Stream for [String; 1] {
    type Item = String;
}

/// Reads files.
#[tool(private)]
fn files(name: String) -> impl Stream<Item = String> {
    [name]
}

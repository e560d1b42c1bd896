//! Private with a stream.
//!
//! error: the page sees each item of a stream, and nothing of a private tool: return `Vec<…>`, or leave out `private`
//! write: return `Vec<…>`, or leave out `private`

use crate::kit::*;

/// Reads files.
#[tool(private)]
fn files(name: String) -> impl futures::Stream<Item = String> {
    futures::stream::iter([name])
}

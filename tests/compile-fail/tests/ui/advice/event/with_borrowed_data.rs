//! With borrowed data.
//!
//! error: a custom event waits in a queue until the client reads it, so it must own its data: write `String` for `&str`, `Vec<T>` for `&[T]`
//! write: write `String` for `&str`, `Vec<T>` for `&[T]`

use crate::kit::*;

#[derive(CustomEvent, Serialize, JsonSchema)]
struct Smoke<'a> {
    from: &'a str,
}

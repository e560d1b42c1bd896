//! That is generic.
//!
//! error: a custom event cannot be generic, because its name stands for one shape: write one type for each event
//! write: write one type for each event

use crate::kit::*;

#[derive(CustomEvent, Serialize, JsonSchema)]
struct Smoke<T> {
    from: T,
}

//! Text with a lifetime.
//!
//! error: shared state lives as long as the run, so it must own its data: write `String` for `&str`, `Vec<T>` for `&[T]`
//! write: write `String` for `&str`, `Vec<T>` for `&[T]`

use crate::kit::*;

#[derive(State, Serialize, Deserialize, JsonSchema, Clone)]
struct Dish<'a> {
    name: &'a str,
}

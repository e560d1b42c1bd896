//! Without a response.
//!
//! error: an interrupt needs the type of its response: add `#[interrupt(response = …)]`, such as `response = bool`
//! write: add `#[interrupt(response = …)]`, such as `response = bool`

use crate::kit::*;

#[derive(Interrupt, Serialize, JsonSchema)]
#[interrupt(reason = "salt")]
struct Salt;

//! On a struct.
//!
//! error: `#[agent]` goes on an async function, `async fn chef(run: &mut Run<Chef>, input: Input<Chef>) -> Result<(), Stop>`, or on an impl block that has a method `run`
//! write: `#[agent]` goes on an async function

use crate::kit::*;

#[agent]
struct Cook;

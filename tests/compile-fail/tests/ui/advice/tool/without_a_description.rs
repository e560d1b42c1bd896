//! Without a description.
//!
//! error: a tool needs a description, from which the model learns when to call it: write a doc comment
//! write: write a doc comment

use crate::kit::*;

#[tool]
async fn stir(times: u32) -> u32 {
    times
}

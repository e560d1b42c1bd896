//! Answer without derives.
//!
//! error: `Choice` cannot be the answer of a frontend tool
//! write: write `#[derive(Deserialize, JsonSchema)]` on it

use crate::kit::*;

struct Choice;

/// Lets the user choose.
#[tool(frontend)]
async fn choose(among: Vec<String>) -> Choice;

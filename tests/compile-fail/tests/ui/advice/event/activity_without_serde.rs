//! Activity without serde.
//!
//! error: `Search` cannot be shared state
//! write: write `#[derive(State, Serialize, Deserialize, JsonSchema, Clone)]` on it

use crate::kit::*;

#[derive(Activity)]
struct Search {
    query: String,
}

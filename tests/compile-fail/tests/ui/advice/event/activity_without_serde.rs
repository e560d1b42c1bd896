//! Activity without serde.
//!
//! error: `Search` cannot be a state or an activity
//! write: write `#[derive(Serialize, Deserialize, JsonSchema, Clone)]` on it, beside `State` or `Activity`

use crate::kit::*;

#[derive(Activity)]
struct Search {
    query: String,
}

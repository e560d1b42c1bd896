//! Number as a string without its type.
//! error: `as_string` needs its type in brackets: write `with = "agui_runtime::as_string::<u64>"`
//! write: `with = "agui_runtime::as_string::<u64>"`

use crate::kit::*;

#[derive(State, Serialize, Deserialize, JsonSchema, Clone)]
struct Order {
    #[serde(with = "agui_runtime::as_string")]
    id: u64,
}

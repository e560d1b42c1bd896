//! Key that is a struct.
//!
//! error: `Place` cannot be the key of a map in shared state
//! write: if serde writes it as a string or an integer, say so: `impl MapKey for Place {}`

use std::collections::BTreeMap;

use crate::kit::*;

#[derive(State, Serialize, Deserialize, JsonSchema, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    row: u32,
    column: u32,
}

#[derive(State, Serialize, Deserialize, JsonSchema, Clone)]
struct Table {
    guests: BTreeMap<Place, String>,
}

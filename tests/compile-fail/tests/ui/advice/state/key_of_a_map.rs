//! Key of a map.
//!
//! error: `DishId` cannot be the key of a map in shared state
//! write: if serde writes it as a string or an integer, say so: `impl MapKey for DishId {}`

use std::collections::BTreeMap;

use crate::kit::*;

#[derive(Serialize, Deserialize, JsonSchema, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct DishId(String);

#[derive(State, Serialize, Deserialize, JsonSchema, Clone)]
struct Menu {
    dishes: BTreeMap<DishId, u32>,
}

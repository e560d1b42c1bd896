//! Key that elements lack.
//!
//! error: no field `name` on type `&Step`
//! write: available field is: `id`

use crate::kit::*;

#[derive(State, Serialize, Deserialize, JsonSchema, Clone)]
struct Step {
    id: u32,
}

#[derive(State, Serialize, Deserialize, JsonSchema, Clone)]
struct Dish {
    #[state(key = "name")]
    steps: Vec<Step>,
}

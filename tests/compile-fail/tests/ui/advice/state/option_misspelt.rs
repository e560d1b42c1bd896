//! Option misspelt.
//!
//! error: `#[state]` has no option `opaqe`; did you mean `opaque`?
//! write: did you mean `opaque`?

use crate::kit::*;

#[derive(State, Serialize, Deserialize, JsonSchema, Clone)]
struct Dish {
    #[state(opaqe)]
    name: String,
}

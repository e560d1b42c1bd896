//! With a private state.
//!
//! error: private type `Dish` in public interface
//! write: `Dish` declared as private

use crate::kit::*;

#[derive(State, Serialize, Deserialize, JsonSchema, Clone)]
struct Dish {
    name: String,
}

#[agent(state = Dish)]
pub async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    Ok(())
}

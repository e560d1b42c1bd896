//! Without a default.
//!
//! error: the trait bound `Dish: Default` is not satisfied
//! write: consider annotating `Dish` with `#[derive(Default)]`

use crate::kit::*;

#[derive(State, Serialize, Deserialize, JsonSchema, Clone)]
struct Dish {
    name: String,
}

#[agent(state = Dish)]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    run.state().adopt_or_snapshot(&input).await?;
    Ok(())
}

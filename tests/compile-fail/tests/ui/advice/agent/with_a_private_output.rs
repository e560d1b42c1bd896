//! With a private output.
//!
//! error: private type `Dish` in public interface
//! write: `Dish` declared as private

use crate::kit::*;

#[derive(Serialize, JsonSchema)]
struct Dish {
    name: String,
}

#[agent]
pub async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<Dish, Stop> {
    Err(Stop::cancelled())
}

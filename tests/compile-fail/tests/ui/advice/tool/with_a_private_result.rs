//! With a private result.
//!
//! error: private type `Dish` in public interface
//! write: `Dish` declared as private

use crate::kit::*;

#[derive(Serialize, JsonSchema)]
struct Dish {
    name: String,
}

/// Cooks.
#[tool]
pub async fn cook(name: String) -> Dish {
    Dish { name }
}

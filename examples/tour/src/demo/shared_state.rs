//! `/shared_state`: a document that the agent and the page both write.

use agui_runtime::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The page's document.
#[derive(State, Serialize, Deserialize, JsonSchema, Clone)]
pub struct Kitchen {
    recipe: Recipe,
}

#[derive(State, Serialize, Deserialize, JsonSchema, Clone)]
struct Recipe {
    skill_level: String,
    special_preferences: Vec<String>,
    cooking_time: String,
    ingredients: Vec<Ingredient>,
    instructions: Vec<String>,
}

#[derive(State, Serialize, Deserialize, JsonSchema, Clone)]
struct Ingredient {
    icon: String,
    name: String,
    amount: String,
}

/// Writes down a salad.
#[agent(state = Kitchen)]
pub async fn shared_state(run: &mut Run<SharedState>, _: Input<SharedState>) -> Result<(), Stop> {
    run.state().snapshot(&Kitchen { recipe: salad() }).await?; // STATE_SNAPSHOT
    Ok(())
}

fn salad() -> Recipe {
    let ingredient = |(icon, name, amount): (&str, &str, &str)| Ingredient {
        icon: icon.to_owned(),
        name: name.to_owned(),
        amount: amount.to_owned(),
    };
    Recipe {
        skill_level: "Advanced".to_owned(),
        special_preferences: ["Low Carb", "Spicy"].map(str::to_owned).to_vec(),
        cooking_time: "15 min".to_owned(),
        ingredients: [
            ("🍗", "chicken breast", "1"),
            ("🌶️", "chili powder", "1 tsp"),
            ("🧂", "Salt", "a pinch"),
            ("🥬", "Lettuce leaves", "handful"),
        ]
        .map(ingredient)
        .to_vec(),
        instructions: [
            "Season the chicken with chili powder and salt.",
            "Sear it until it is cooked through.",
            "Slice it, and wrap it in lettuce.",
        ]
        .map(str::to_owned)
        .to_vec(),
    }
}

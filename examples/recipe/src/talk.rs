//! The cook with a model, which talks and cooks by the tools.

use agui_runtime::model::{ChatEnd, Model};
use agui_runtime::prelude::*;
use agui_runtime::state::StateError;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::cook::Cook;
use crate::recipe::{Diet, Ingredient, Order, Recipe};

/// The source of the cook's words.
#[derive(Debug)]
pub enum Talker {
    /// Plain Rust, without a key.
    Rules,
    /// The model that `AGUI_MODEL` names.
    Model(Model),
}

const INSTRUCTIONS: &str = "You are a cook. The person sees a recipe beside the conversation, which you share: write it \
with `write_recipe`, always as a whole, and never repeat it in your words. Ask for prices with `price`, one call for each \
ingredient. Order only with `confirm_order`, when all prices are known. Be brief.";

/// Lets the model talk, and proposes the order that it asks the person to confirm.
pub async fn talk(run: &Run<Cook>, recipe: &StateHandle<Recipe>, model: &Model) -> Result<(), Stop> {
    let now = recipe.read(serde_json::to_string)??;
    let instructions = format!("{INSTRUCTIONS}\n\nThe recipe now: {now}");
    let end = run.chat(model).instructions(instructions).outcome().await?;
    if let ChatEnd::AwaitsFrontend(_) = end {
        recipe.update(|now| now.order = Some(Order::Proposed { total: now.total() })).await?;
    }
    end.into_result()
}

/// Something to buy for the recipe.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct Need {
    /// Its name in the shop, singular.
    pub name: String,
    /// The amount, for all servings.
    pub amount: f64,
    /// The unit of the amount, such as `g`; empty for pieces.
    pub unit: String,
}

/// Writes the recipe on the page, and replaces the recipe that is there.
#[tool(predict(title = "recipe.title"))]
pub async fn write_recipe(
    recipe: &StateHandle<Recipe>,
    /// The name of the dish.
    title: String,
    /// The number of people.
    #[schemars(range(min = 1, max = 50))]
    servings: u32,
    /// The diet that it suits.
    diet: Diet,
    /// The ingredients, in the order of use.
    ingredients: Vec<Need>,
    /// The steps, in order.
    steps: Vec<String>,
) -> Result<(), StateError> {
    let listed =
        |need: Need| Ingredient { name: need.name, amount: need.amount, unit: need.unit, price: None };
    let ingredients = ingredients.into_iter().map(listed).collect();
    recipe.update(|now| *now = Recipe { title, servings, diet, ingredients, steps, order: None }).await
}

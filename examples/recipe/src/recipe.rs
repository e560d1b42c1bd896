//! What the cook and the page share.

use agui_runtime::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The recipe on screen. The cook and the person at the page both edit it.
#[derive(State, Serialize, Deserialize, JsonSchema, Clone, Debug, Default, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct Recipe {
    /// What is being cooked; empty before anything was chosen.
    pub title: String,
    /// How many people it feeds.
    pub servings: u32,
    /// Whom it suits.
    pub diet: Diet,
    /// What to buy, in the order of use.
    #[state(key = "name")]
    pub ingredients: Vec<Ingredient>,
    /// What to do, in order.
    pub steps: Vec<String>,
    /// The order at the shop, once there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order: Option<Order>,
}

/// Whom a recipe suits.
#[derive(State, Serialize, Deserialize, JsonSchema, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum Diet {
    /// Anybody.
    #[default]
    Everything,
    /// People who eat no animals.
    Vegetarian,
    /// People who eat nothing that comes from animals.
    Vegan,
}

/// One thing to buy.
#[derive(State, Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct Ingredient {
    /// Its name in the shop, singular.
    pub name: String,
    /// How much of it, for all servings.
    pub amount: f64,
    /// The unit of the amount, such as `g`; empty for pieces.
    pub unit: String,
    /// What the amount costs, once the shop was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub price: Option<Cents>,
}

/// Money, in euro cents.
#[derive(
    State, Serialize, Deserialize, JsonSchema, Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord,
)]
#[serde(transparent)]
pub struct Cents(pub u32);

impl std::fmt::Display for Cents {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "€{}.{:02}", self.0 / 100, self.0 % 100)
    }
}

/// How an order stands.
#[derive(State, Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq, Eq)]
#[serde(tag = "status", rename_all = "snake_case")]
pub enum Order {
    /// The person is being asked.
    Proposed {
        /// What it would cost.
        total: Cents,
    },
    /// The shop delivers.
    Placed {
        /// What it costs.
        total: Cents,
        /// The shop's number for it.
        number: u32,
    },
    /// The person said no.
    Declined,
}

impl Recipe {
    /// What all priced ingredients cost together.
    pub fn total(&self) -> Cents {
        Cents(self.ingredients.iter().filter_map(|ingredient| ingredient.price).map(|price| price.0).sum())
    }
}

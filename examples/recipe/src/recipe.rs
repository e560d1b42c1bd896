//! The state that the cook and the page share.

use agui_runtime::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The recipe on screen. The cook and the person at the page both edit it.
#[derive(State, Serialize, Deserialize, JsonSchema, Clone, Debug, Default, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct Recipe {
    /// The name of the dish; empty before one is chosen.
    pub title: String,
    /// The number of people.
    pub servings: u32,
    /// The diet that it suits.
    pub diet: Diet,
    /// The ingredients, in the order of use.
    #[state(key = "name")]
    pub ingredients: Vec<Ingredient>,
    /// The steps, in order.
    pub steps: Vec<String>,
    /// The order at the shop, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order: Option<Order>,
}

/// The diet that a recipe suits; a recipe for a later one suits the earlier ones too.
#[derive(
    State, Serialize, Deserialize, JsonSchema, Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord,
)]
#[serde(rename_all = "snake_case")]
pub enum Diet {
    /// People who eat everything.
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
    /// The amount, for all servings.
    pub amount: f64,
    /// The unit of the amount, such as `g`; empty for pieces.
    pub unit: String,
    /// The price of the amount, if the shop was asked.
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

impl std::fmt::Display for Diet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Everything => "for everyone",
            Self::Vegetarian => "vegetarian",
            Self::Vegan => "vegan",
        })
    }
}

/// The status of an order.
#[derive(State, Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq, Eq)]
#[serde(tag = "status", rename_all = "snake_case")]
pub enum Order {
    /// The user is being asked.
    Proposed {
        /// The price.
        total: Cents,
    },
    /// The shop delivers.
    Placed {
        /// The price.
        total: Cents,
        /// The shop's number for it.
        number: u32,
    },
    /// The user declined.
    Declined,
}

impl Recipe {
    /// Returns the total of all priced ingredients.
    pub fn total(&self) -> Cents {
        let prices = self.ingredients.iter().filter_map(|ingredient| ingredient.price);
        Cents(prices.fold(0, |sum, price| sum.saturating_add(price.0)))
    }

    /// Changes the number of people, and every amount with it.
    pub fn serve(&mut self, servings: u32) {
        // A client may send a recipe for zero people.
        let factor = f64::from(servings) / f64::from(self.servings.max(1));
        for ingredient in &mut self.ingredients {
            ingredient.amount = to_hundredths(ingredient.amount * factor);
            ingredient.price = None;
        }
        self.servings = servings;
        self.order = None;
    }

    /// Adds to an ingredient, or appends a new one. An amount in another unit replaces the old one, because an
    /// ingredient is listed once.
    pub fn add(&mut self, more: Ingredient) {
        self.order = None;
        match self.ingredients.iter_mut().find(|there| there.name == more.name) {
            Some(there) if there.unit != more.unit => *there = more,
            Some(there) => {
                there.amount = to_hundredths(there.amount + more.amount);
                there.price = None;
            }
            None => self.ingredients.push(more),
        }
    }

    /// Removes an ingredient; returns `false` if there was none.
    pub fn remove(&mut self, name: &str) -> bool {
        let before = self.ingredients.len();
        self.ingredients.retain(|ingredient| ingredient.name != name);
        let found = self.ingredients.len() < before;
        if found {
            self.order = None;
        }
        found
    }

    /// Uses another ingredient, in its place in the list and in the method.
    pub fn swap(&mut self, from: &str, to: &str) {
        self.order = None;
        for step in &mut self.steps {
            *step = step.replace(from, to);
        }
        let Some(place) = self.ingredients.iter().position(|ingredient| ingredient.name == from) else {
            return;
        };
        let out = self.ingredients.remove(place);
        if self.ingredients.iter().any(|ingredient| ingredient.name == to) {
            self.add(Ingredient { name: to.to_owned(), price: None, ..out });
        } else {
            self.ingredients.insert(place, Ingredient { name: to.to_owned(), price: None, ..out });
        }
    }
}

/// Amounts are for people, who cannot weigh 0.30000000000000004 grams.
fn to_hundredths(amount: f64) -> f64 {
    (amount * 100.0).round() / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(ingredients: &[(&str, f64)]) -> Recipe {
        let ingredient = |&(name, amount): &(&str, f64)| Ingredient {
            name: name.to_owned(),
            amount,
            unit: "g".to_owned(),
            price: Some(Cents(100)),
        };
        Recipe { servings: 2, ingredients: ingredients.iter().map(ingredient).collect(), ..Recipe::default() }
    }

    fn amounts(recipe: &Recipe) -> Vec<(&str, f64)> {
        recipe.ingredients.iter().map(|ingredient| (ingredient.name.as_str(), ingredient.amount)).collect()
    }

    #[test]
    fn amounts_follow_the_servings_there_and_back() {
        let mut recipe = of(&[("rice", 180.0), ("salt", 0.3)]);
        recipe.order = Some(Order::Declined);
        recipe.serve(7);
        assert_eq!(amounts(&recipe), [("rice", 630.0), ("salt", 1.05)]);
        assert_eq!(
            (recipe.total(), &recipe.order),
            (Cents(0), &None),
            "neither price nor order hold any more"
        );
        recipe.serve(3);
        recipe.serve(2);
        assert_eq!(amounts(&recipe), [("rice", 180.0), ("salt", 0.3)]);

        recipe.servings = 0;
        recipe.serve(2);
        assert_eq!(amounts(&recipe), [("rice", 360.0), ("salt", 0.6)]);
    }

    #[test]
    fn nothing_is_listed_twice() {
        let mut recipe = of(&[("butter", 0.1), ("olive oil", 0.2), ("milk", 100.0)]);
        recipe.steps = vec!["Melt the butter.".to_owned()];
        recipe.swap("butter", "olive oil");
        recipe.swap("milk", "oat milk");
        assert_eq!(amounts(&recipe), [("olive oil", 0.3), ("oat milk", 100.0)]);
        assert_eq!(recipe.steps, ["Melt the olive oil."]);
        recipe.swap("butter", "olive oil");
        assert_eq!(recipe.ingredients.len(), 2);
        assert!(recipe.remove("oat milk") && !recipe.remove("oat milk"));
    }

    #[test]
    fn no_price_is_too_high_to_add() {
        let mut recipe = of(&[("gold", 1.0), ("platinum", 1.0)]);
        recipe.ingredients.iter_mut().for_each(|ingredient| ingredient.price = Some(Cents(u32::MAX)));
        assert_eq!(recipe.total(), Cents(u32::MAX));
    }
}

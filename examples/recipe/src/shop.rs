//! The shop around the corner: a dependency of the cook, and the tool that asks it.

use std::sync::atomic::{AtomicU32, Ordering};

use agui_runtime::prelude::*;

use crate::recipe::{Cents, Recipe};

/// Knows prices, takes orders.
#[derive(Debug)]
pub struct Shop {
    next_order: AtomicU32,
}

/// The shop cannot help, or the price cannot be written on the page.
#[derive(Debug, thiserror::Error)]
pub enum ShopError {
    /// It does not sell that.
    #[error("the shop does not sell {0}")]
    Unknown(String),
    /// It is out of it.
    #[error("{0} is sold out today")]
    SoldOut(String),
    /// The page does not get the price.
    #[error(transparent)]
    Page(#[from] agui_runtime::state::StateError),
}

/// Its texts are written for the model and the page.
impl agui_runtime::PublicError for ShopError {}

impl Shop {
    /// A shop that counts its orders from 1000.
    pub fn new() -> Self {
        Self { next_order: AtomicU32::new(1000) }
    }

    fn unit_price(name: &str) -> Result<f64, ShopError> {
        let cents = match name {
            "rice" => 0.4,
            "mushroom" => 1.2,
            "onion" => 30.0,
            "parmesan" => 3.2,
            "stock" | "oat milk" => 0.25,
            "flour" | "salt" => 0.15,
            "milk" => 0.12,
            "egg" => 35.0,
            "butter" | "olive oil" => 1.1,
            "chickpea" => 0.5,
            "tomato" => 0.45,
            "coconut milk" => 0.6,
            "curry powder" => 2.5,
            "basil" => 150.0,
            "honey" => 1.3,
            "maple syrup" => 2.2,
            "nutritional yeast" => 4.0,
            "banana" => 40.0,
            "saffron" => return Err(ShopError::SoldOut(name.to_owned())),
            _ => return Err(ShopError::Unknown(name.to_owned())),
        };
        Ok(cents)
    }

    /// Takes an order; returns its number.
    pub fn order(&self) -> u32 {
        self.next_order.fetch_add(1, Ordering::Relaxed)
    }
}

/// Looks up what an amount of an ingredient costs today, and writes it into the recipe.
#[tool]
pub async fn price(
    _shop: &Shop,
    recipe: &StateHandle<Recipe>,
    /// The ingredient's name, singular.
    name: String,
    /// The amount, in the unit of the recipe.
    amount: f64,
) -> Result<Cents, ShopError> {
    let cents = Shop::unit_price(&name)? * amount;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a price is small and positive"
    )]
    let price = Cents(cents.round() as u32);
    let priced = |now: &mut Recipe| {
        for ingredient in now.ingredients.iter_mut().filter(|other| other.name == name) {
            ingredient.price = Some(price);
        }
    };
    recipe.update(priced).await?;
    Ok(price)
}

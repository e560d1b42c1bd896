//! A shop with three orders, kept in memory.

use std::sync::{Mutex, MutexGuard, PoisonError};

use agui_runtime::PublicError;
use agui_runtime::State;
use agui_runtime::state::StateError;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An order of a customer.
#[derive(State, Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// The number on the receipt.
    pub number: u32,
    /// The thing that was ordered.
    pub item: String,
    /// The price, in cents.
    pub cents: u32,
    /// The part of the price that was paid back, in cents.
    pub refunded: u32,
}

/// The reason why the shop does not do it, for the model and the user.
#[derive(Debug, thiserror::Error)]
pub enum Refused {
    /// No order has this number.
    #[error("there is no order {0}")]
    NoOrder(u32),
    /// More than was paid.
    #[error("order {number} has only {left} cents left to refund")]
    TooMuch {
        /// The number of the order.
        number: u32,
        /// The amount that can be paid back, in cents.
        left: u32,
    },
    /// The page's copy of the order cannot be updated.
    #[error(transparent)]
    State(#[from] StateError),
}

impl PublicError for Refused {}

/// The orders of a shop.
pub struct Shop(Mutex<Vec<Order>>);

impl Shop {
    /// Opens the shop with its three orders: 7, 8 and 9.
    pub fn open() -> Self {
        let order = |number, item: &str, cents| Order { number, item: item.to_owned(), cents, refunded: 0 };
        Self(Mutex::new(vec![order(7, "teapot", 2400), order(8, "kettle", 5900), order(9, "cup", 850)]))
    }

    /// Returns an order.
    ///
    /// # Errors
    /// [`Refused::NoOrder`].
    pub fn order(&self, number: u32) -> Result<Order, Refused> {
        self.orders().iter().find(|order| order.number == number).cloned().ok_or(Refused::NoOrder(number))
    }

    /// Pays a part of an order back, and returns the order.
    ///
    /// # Errors
    /// [`Refused::NoOrder`]; [`Refused::TooMuch`].
    pub fn refund(&self, number: u32, cents: u32) -> Result<Order, Refused> {
        let mut orders = self.orders();
        let found = orders.iter_mut().find(|order| order.number == number);
        let order = found.ok_or(Refused::NoOrder(number))?;
        let left = order.cents - order.refunded;
        if cents > left {
            return Err(Refused::TooMuch { number, left });
        }
        order.refunded += cents;
        Ok(order.clone())
    }

    fn orders(&self) -> MutexGuard<'_, Vec<Order>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

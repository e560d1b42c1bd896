//! Union as a state.
//!
//! error: a union has no JSON form: write an enum
//! write: write an enum

use crate::kit::*;

#[derive(State, Clone, Copy)]
union Dish {
    id: u32,
    weight: f32,
}

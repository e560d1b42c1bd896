//! Numbers, and values that JSON writes alike.

use std::time::Duration;

use agui_runtime::State;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::sample::sample;

/// Numbers of every width.
#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone, Default)]
#[allow(missing_docs)]
pub struct Numbers {
    pub small: i8,
    pub word: u64,
    pub long: i64,
    pub single: f32,
    pub double: f64,
    pub maybe: Option<f64>,
    pub twice: Option<Option<u8>>,
    pub thrice: Option<Option<Option<f64>>>,
    pub unit: (),
    pub maybe_unit: Option<()>,
    pub many: Vec<f32>,
    pub nulls: Vec<Option<f64>>,
    pub time: Duration,
}
sample!(struct Numbers {
    small, word, long, single, double, maybe, twice, thrice, unit, maybe_unit, many, nulls, time
});

//! Numbers and lengths: the limits that pydantic checks.

use serde_json::Number;

use crate::ir::{NumberBounds, SizedInteger};

/// Returns pydantic limits for a number that may have a fraction. The support code checks multiples itself:
/// pydantic accepts every number near a multiple, and refuses multiples with many digits.
pub(super) fn limits(bounds: &NumberBounds) -> Vec<String> {
    all(&NumberBounds { step: None, ..bounds.clone() }, |number| Some(number.to_string()))
}

/// Returns pydantic limits for an integer. Pydantic accepts only integer limits here.
pub(super) fn whole_limits(bounds: &NumberBounds) -> Vec<String> {
    all(bounds, |number| match (number.is_f64(), number.as_f64()) {
        (false, _) => Some(number.to_string()),
        (true, Some(float)) if float.fract() == 0.0 => Some(format!("{float:.0}")),
        _ => None,
    })
}

fn all(bounds: &NumberBounds, written: impl Fn(&Number) -> Option<String>) -> Vec<String> {
    let limits = [
        ("ge", &bounds.minimum),
        ("le", &bounds.maximum),
        ("gt", &bounds.above),
        ("lt", &bounds.below),
        ("multiple_of", &bounds.step),
    ];
    limits
        .into_iter()
        .filter_map(|(name, limit)| Some(format!("{name}={}", written(limit.as_ref()?)?)))
        .collect()
}

/// Returns pydantic limits for a length.
pub(super) fn lengths(min: Option<u64>, max: Option<u64>) -> Vec<String> {
    let least = min.map(|number| format!("min_length={number}"));
    let most = max.map(|number| format!("max_length={number}"));
    least.into_iter().chain(most).collect()
}

/// Returns the support code's name for a sized integer. The support code checks the integer's range.
pub(super) fn sized_integer(integer: SizedInteger) -> &'static str {
    match (integer.is_signed, integer.bits) {
        (false, 8) => "UInt8",
        (false, 16) => "UInt16",
        (false, 32) => "UInt32",
        (false, 64) => "UInt64",
        (false, _) => "UInt128",
        (true, 8) => "Int8",
        (true, 16) => "Int16",
        (true, 32) => "Int32",
        (true, 64) => "Int64",
        (true, _) => "Int128",
    }
}

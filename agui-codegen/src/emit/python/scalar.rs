//! Numbers and lengths: the limits that pydantic checks.

use serde_json::Number;

use crate::ir::Bounds;

/// The limits of a number that need not be whole.
pub(super) fn limits(bounds: &Bounds) -> Vec<String> {
    all(bounds, |number| Some(number.to_string()))
}

/// The limits of a whole number. For these pydantic takes whole limits only.
pub(super) fn whole_limits(bounds: &Bounds) -> Vec<String> {
    all(bounds, |number| match (number.is_f64(), number.as_f64()) {
        (false, _) => Some(number.to_string()),
        (true, Some(float)) if float.fract() == 0.0 => Some(format!("{float:.0}")),
        _ => None,
    })
}

fn all(bounds: &Bounds, written: impl Fn(&Number) -> Option<String>) -> Vec<String> {
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

/// The limits of a length.
pub(super) fn lengths(min: Option<u64>, max: Option<u64>) -> Vec<String> {
    let least = min.map(|number| format!("min_length={number}"));
    let most = max.map(|number| format!("max_length={number}"));
    least.into_iter().chain(most).collect()
}

/// The name of a sized integer, and its range as JSON Schema gives it.
pub(super) fn sized_integer(format: &str) -> Option<(&'static str, (&'static str, &'static str))> {
    Some(match format {
        "uint8" => ("UInt8", ("0", "255")),
        "uint16" => ("UInt16", ("0", "65535")),
        "uint32" => ("UInt32", ("0", "4294967295")),
        "uint64" | "uint" => ("UInt64", ("0", "18446744073709551615")),
        "uint128" => ("UInt128", ("0", "340282366920938463463374607431768211455")),
        "int8" => ("Int8", ("-128", "127")),
        "int16" => ("Int16", ("-32768", "32767")),
        "int32" => ("Int32", ("-2147483648", "2147483647")),
        "int64" | "int" => ("Int64", ("-9223372036854775808", "9223372036854775807")),
        "int128" => ("Int128", ("", "")),
        _ => return None,
    })
}

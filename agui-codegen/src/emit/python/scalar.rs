//! Numbers and lengths: what pydantic checks of them.

use crate::ir::Bounds;

/// The limits of a number.
pub(super) fn limits(bounds: &Bounds) -> Vec<String> {
    let least = bounds.minimum.as_ref().map(|number| format!("ge={number}"));
    let most = bounds.maximum.as_ref().map(|number| format!("le={number}"));
    least.into_iter().chain(most).collect()
}

/// The limits of a length.
pub(super) fn lengths(min: Option<u64>, max: Option<u64>) -> Vec<String> {
    let least = min.map(|number| format!("min_length={number}"));
    let most = max.map(|number| format!("max_length={number}"));
    least.into_iter().chain(most).collect()
}

/// The name of a sized integer, and its range where JSON Schema writes it out.
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

//! Strings with a JSON Schema `format`, as types from Python's standard library.

/// The type names that a module imports for formats.
pub(super) const NAMES: [&str; 7] =
    ["Decimal", "IPv4Address", "IPv6Address", "UUID", "date", "datetime", "time"];

/// Returns the module and the types for a format. Pydantic parses and serializes each type in the same text
/// form as serde.
pub(super) fn format_type(format: &str) -> Option<(&'static str, &'static [&'static str])> {
    Some(match format {
        "date-time" | "partial-date-time" => ("datetime", &["datetime"]),
        "date" => ("datetime", &["date"]),
        "partial-time" => ("datetime", &["time"]),
        "decimal" => ("decimal", &["Decimal"]),
        "ip" => ("ipaddress", &["IPv4Address", "IPv6Address"]),
        "ipv4" => ("ipaddress", &["IPv4Address"]),
        "ipv6" => ("ipaddress", &["IPv6Address"]),
        "uuid" => ("uuid", &["UUID"]),
        _ => return None,
    })
}

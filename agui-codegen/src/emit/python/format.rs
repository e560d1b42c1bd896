//! Strings with a format, as types of Python's standard library.

/// The names that such types take in a module.
pub(super) const NAMES: [&str; 7] =
    ["Decimal", "IPv4Address", "IPv6Address", "UUID", "date", "datetime", "time"];

/// The module and the types for a format. pydantic reads them from the texts that serde writes, and writes such texts.
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

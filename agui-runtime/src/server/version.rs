//! Which protocol versions are served (AG-UI 1.0, section "Negotiation").

use http::StatusCode;
use serde_json::Value;

use super::rejection::Rejection;
use crate::protocol::PROTOCOL_VERSION;

/// Serves every minor version of our major one, and what says nothing that can be compared.
pub(super) fn check(input: &Value) -> Result<(), Rejection> {
    let Some(declared) = input.get("protocolVersion").and_then(Value::as_str) else { return Ok(()) };
    let (Some(theirs), Some(ours)) = (components(declared), components(PROTOCOL_VERSION)) else {
        tracing::warn!(declared, "the client declares a protocol version that cannot be read");
        return Ok(());
    };
    if theirs.0 != ours.0 {
        return Err(Rejection::new(
            StatusCode::BAD_REQUEST,
            "unsupported_protocol_version",
            format!("expected protocol version {}.x, found `{declared}`", ours.0),
        )
        .at("protocolVersion"));
    }
    if theirs.1 > ours.1 {
        tracing::warn!(
            declared,
            ours = PROTOCOL_VERSION,
            "the client speaks a newer version of the protocol"
        );
    }
    Ok(())
}

/// Major and minor: two decimal numbers and nothing else.
fn components(version: &str) -> Option<(u64, u64)> {
    let number = |text: &str| {
        let is_decimal = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        // A number too large to hold is larger than any version of ours.
        is_decimal.then(|| text.parse().unwrap_or(u64::MAX))
    };
    let (major, minor) = version.split_once('.')?;
    Some((number(major)?, number(minor)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_major_version_is_refused() {
        for (version, served) in [
            ("1.0", true),
            ("1.1", true),
            ("1.10", true),
            ("1.99999999999999999999999", true),
            ("2.0", false),
            ("0.9", false),
            ("99999999999999999999999.0", false),
            ("", true),
            ("1", true),
            ("1.0.0", true),
            ("+2.0", true),
            ("two", true),
        ] {
            let input = serde_json::json!({ "protocolVersion": version });
            assert_eq!(check(&input).is_ok(), served, "{version}");
        }
    }
}

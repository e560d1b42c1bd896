//! Protocol versions that are served (AG-UI 1.0, section "Negotiation").

use std::cmp::Ordering;
use std::sync::atomic::{AtomicBool, Ordering as AtomicOrdering};

use http::StatusCode;

use crate::protocol::{PROTOCOL_VERSION, ProtocolVersion};
use crate::quoted::quoted;
use crate::receive::compat::declared;
use crate::server::response::rejection::Rejection;

/// True once a newer version was reported.
static IS_REPORTED: AtomicBool = AtomicBool::new(false);

/// Accepts every minor version within our major version, and declarations that cannot be compared.
pub(in crate::server) fn check(declared: Option<&str>) -> Result<(), Rejection> {
    let Some(declared) = declared else { return Ok(()) };
    let Some((major, all)) = declared::compare(declared, ProtocolVersion::LATEST) else {
        tracing::warn!(declared = %quoted(declared), "the client declares a protocol version that cannot be read");
        return Ok(());
    };
    if major != Ordering::Equal {
        let (ours, _) = PROTOCOL_VERSION.split_once('.').unwrap_or((PROTOCOL_VERSION, ""));
        return Err(Rejection::new(
            StatusCode::BAD_REQUEST,
            "unsupported_protocol_version",
            format!("expected protocol version {ours}.x, found `{}`", quoted(declared)),
        )
        .at("protocolVersion"));
    }
    // A client repeats the version with each input.
    if all == Ordering::Greater && !IS_REPORTED.swap(true, AtomicOrdering::Relaxed) {
        tracing::warn!(
            declared = %quoted(declared),
            ours = PROTOCOL_VERSION,
            "a client speaks a newer version of the protocol, and is served as ours; later ones are not reported"
        );
    }
    Ok(())
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
            assert_eq!(check(Some(version)).is_ok(), served, "{version}");
        }
    }
}

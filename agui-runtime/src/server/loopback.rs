//! Names of this machine.

use std::net::{Ipv4Addr, Ipv6Addr};

/// Whether an authority, `host` or `host:port`, names this machine: `localhost`, `127.0.0.0/8` or `[::1]`.
///
/// Exactly these, as browsers write them: for any other name, an attacker may own the DNS record.
pub(super) fn is_loopback(authority: &str) -> bool {
    let host = host(authority);
    if let Some(address) = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')) {
        return address.parse::<Ipv6Addr>().is_ok_and(|address| address.is_loopback());
    }
    host.eq_ignore_ascii_case("localhost")
        || host.parse::<Ipv4Addr>().is_ok_and(|address| address.is_loopback())
}

/// An authority without its port. A malformed one stays as it is, and so equals no name.
pub(super) fn host(authority: &str) -> &str {
    match authority.rsplit_once(':') {
        Some((host, port))
            if port.bytes().all(|byte| byte.is_ascii_digit())
                && (!host.contains(':') || host.ends_with(']')) =>
        {
            host
        }
        _ => authority,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_that_no_one_else_can_own_are_loopback() {
        for (authority, expected) in [
            ("localhost", true),
            ("LOCALHOST:8000", true),
            ("127.0.0.1", true),
            ("127.255.0.9:1", true),
            ("[::1]", true),
            ("[::1]:8000", true),
            ("", false),
            (":8000", false),
            ("::1", false),
            ("[::2]", false),
            ("[::1", false),
            ("[::1]x", false),
            ("0.0.0.0", false),
            ("128.0.0.1", false),
            ("127.1", false),
            ("localhost.", false),
            ("localhost.evil.example", false),
            ("127.0.0.1.evil.example", false),
            ("localhost:80:80", false),
            ("localhost:x", false),
            ("user@localhost", false),
            ("localhost@evil.example", false),
        ] {
            assert_eq!(is_loopback(authority), expected, "{authority}");
        }
    }
}

//! This machine's names, and addresses.

use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};

/// Returns true if only programs on this machine can connect to an address.
pub(in crate::server) fn is_local(address: SocketAddr) -> bool {
    address.ip().to_canonical().is_loopback()
}

/// Returns true if an authority, `host` or `host:port`, names this machine: `localhost`, `127.0.0.0/8` or `[::1]`.
///
/// Exactly as browsers write the names: for any other name, an attacker may own the DNS record.
pub(super) fn is_loopback(authority: &str) -> bool {
    let host = host(authority);
    if let Some(address) = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')) {
        return address.parse::<Ipv6Addr>().is_ok_and(|address| address.is_loopback());
    }
    host.eq_ignore_ascii_case("localhost")
        || host.parse::<Ipv4Addr>().is_ok_and(|address| address.is_loopback())
}

/// Returns true if an authority, `host` or `host:port`, is an address, which no DNS record can point elsewhere.
pub(super) fn is_address(authority: &str) -> bool {
    let host = host(authority);
    match host.strip_prefix('[').and_then(|host| host.strip_suffix(']')) {
        Some(address) => address.parse::<Ipv6Addr>().is_ok(),
        None => host.parse::<Ipv4Addr>().is_ok(),
    }
}

/// Returns an authority without its port. A malformed authority is returned as is; it matches no allowed host.
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
    fn an_address_is_not_a_name() {
        for (authority, expected) in [
            ("192.168.0.9", true),
            ("192.168.0.9:8000", true),
            ("[fe80::1]", true),
            ("[fe80::1]:8000", true),
            ("", false),
            ("fe80::1", false),
            ("agent.example", false),
            ("192.168.0.9.evil.example", false),
            ("192.168.0.256", false),
            ("3232235529", false),
            ("user@192.168.0.9", false),
        ] {
            assert_eq!(is_address(authority), expected, "{authority}");
        }
    }

    #[test]
    fn only_names_that_no_attacker_can_own_are_loopback() {
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

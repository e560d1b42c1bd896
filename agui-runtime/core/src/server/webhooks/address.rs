//! The public internet addresses, to which webhooks may go.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use reqwest::Url;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use tokio::net::lookup_host;

/// A host without a public address.
#[derive(Debug, thiserror::Error)]
#[error("the host of the webhook has no public address")]
pub(super) struct PrivateAddress;

/// True if an address belongs to a public internet host.
pub(super) fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    // The registry of special addresses (RFC 6890), besides those that `std` knows.
    let special = match address.octets() {
        [0 | 240..=255, ..] => true,
        // Shared by carriers, protocols, benchmarks.
        [100, 64..=127, ..] | [192, 0, 0, _] | [192, 88, 99, _] | [198, 18 | 19, ..] => true,
        _ => false,
    };
    !(special
        || address.is_loopback()
        || address.is_private()
        || address.is_link_local()
        || address.is_multicast()
        || address.is_documentation())
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    if let Some(v4) = address.to_ipv4_mapped() {
        return is_public_v4(v4);
    }
    // Only 2000::/3 is global unicast. Within it, Teredo and 6to4 lead to addresses of version 4 that others choose.
    match address.segments() {
        [0x2001, 0..=0x1ff, ..] | [0x2001, 0xdb8, ..] | [0x2002, ..] | [0x3fff, 0..=0xfff, ..] => false,
        [first, ..] => (0x2000..0x4000).contains(&first),
    }
}

/// Returns the IP address in a URL, which no resolver checks.
pub(super) fn literal(url: &Url) -> Option<IpAddr> {
    let host = url.host_str()?;
    host.trim_start_matches('[').trim_end_matches(']').parse().ok()
}

/// Resolves names to public addresses only. A connection goes to a resolved address, so a name that changes between check and
/// connection (DNS rebinding) gains nothing.
#[derive(Debug)]
pub(super) struct PublicResolver;

impl Resolve for PublicResolver {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            let found = lookup_host((name.as_str(), 0)).await?;
            let public: Vec<SocketAddr> = found.filter(|address| is_public(address.ip())).collect();
            if public.is_empty() {
                return Err(io::Error::other(PrivateAddress).into());
            }
            Ok(Box::new(public.into_iter()) as Addrs)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_of_the_public_internet_are_public() {
        for public in
            ["1.1.1.1", "93.184.216.34", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "::ffff:8.8.8.8"]
        {
            assert!(is_public(public.parse().unwrap()), "{public}");
        }
        for other in [
            "0.0.0.0",
            "0.1.2.3",
            "10.0.0.1",
            "100.64.0.1",
            "127.0.0.1",
            "127.255.0.9",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.1",
            "192.0.2.1",
            "192.88.99.1",
            "192.168.1.1",
            "198.18.0.1",
            "198.51.100.1",
            "203.0.113.1",
            "224.0.0.1",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::ffff:127.0.0.1",
            "::ffff:169.254.169.254",
            "::127.0.0.1",
            "64:ff9b::7f00:1",
            "100::1",
            "2001::1",
            "2001:db8::1",
            "2002:7f00:1::",
            "3fff::1",
            "fc00::1",
            "fd12::1",
            "fe80::1",
            "fec0::1",
            "ff02::1",
        ] {
            assert!(!is_public(other.parse().unwrap()), "{other}");
        }
    }

    #[test]
    fn an_address_is_seen_however_a_url_writes_it() {
        for (url, address) in [
            ("https://127.0.0.1/", Some("127.0.0.1")),
            ("https://2130706433/", Some("127.0.0.1")),
            ("https://0x7f.1/", Some("127.0.0.1")),
            ("https://017700000001/", Some("127.0.0.1")),
            ("https://[::1]/", Some("::1")),
            ("https://example.org/", None),
        ] {
            let url = Url::parse(url).unwrap();
            assert_eq!(literal(&url), address.map(|address| address.parse().unwrap()), "{url}");
        }
    }

    #[tokio::test]
    async fn names_of_this_machine_resolve_to_nothing() {
        let refused = PublicResolver.resolve("localhost".parse().unwrap()).await;
        assert!(refused.is_err_and(|error| error.to_string().contains("no public address")));
    }
}

//! Addresses on this machine that are free.

use std::env;
use std::net::{SocketAddr, TcpListener, ToSocketAddrs as _};

use super::DevError;

/// The number of ports that are tried.
const TRIES: u16 = 20;

/// The variable that names the agent's address.
pub(super) const VARIABLE: &str = "AGUI_ADDR";

/// Returns the agent's address: the one in `AGUI_ADDR`, or port 8000 or the next free one on this machine.
pub(super) fn of_agent() -> Result<SocketAddr, DevError> {
    match env::var(VARIABLE) {
        Ok(value) if !value.is_empty() => named(&value),
        _ => free(8000),
    }
}

/// Returns an address that a user has named; port 0 stands for any free one.
fn named(value: &str) -> Result<SocketAddr, DevError> {
    let wrong = |source| DevError::Address { value: value.to_owned(), source };
    let addresses: Vec<SocketAddr> = value.to_socket_addrs().map_err(wrong)?.collect();
    let bound = TcpListener::bind(addresses.as_slice()).and_then(|listener| listener.local_addr());
    bound.map_err(|source| match source.kind() {
        std::io::ErrorKind::AddrInUse => DevError::AddressInUse { address: value.to_owned() },
        _ => wrong(source),
    })
}

/// Returns the first free port from `first` on.
pub(super) fn free(first: u16) -> Result<SocketAddr, DevError> {
    let last = first.saturating_add(TRIES);
    let mut addresses = (first..=last).map(|port| SocketAddr::from(([127, 0, 0, 1], port)));
    addresses.find(|address| TcpListener::bind(address).is_ok()).ok_or(DevError::NoPort { first, last })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_in_use_is_passed_over_or_named() {
        let taken = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = taken.local_addr().unwrap();
        let next = free(address.port()).unwrap();
        assert!(next.port() > address.port(), "{next}");
        let error = named(&address.to_string()).unwrap_err().to_string();
        assert!(error.contains("in use"), "{error}");
        let error = named("no address").unwrap_err().to_string();
        assert!(error.starts_with("AGUI_ADDR is `no address`: expected"), "{error}");
    }
}

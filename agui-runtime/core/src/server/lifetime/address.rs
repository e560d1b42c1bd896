//! A server's address and its announcement.

use std::env::{self, VarError};
use std::io::{self, Write};
use std::net::SocketAddr;

use tokio::net::TcpListener;

use crate::server::Error;

/// Environment variable that names the address.
pub(super) const VARIABLE: &str = "AGUI_ADDR";

const DEFAULT: &str = "127.0.0.1:8000";

/// Binds the address in the environment: `HOST:PORT`, port 0 for any free one. Unset or empty means the default.
pub(super) async fn listen() -> Result<TcpListener, Error> {
    let wanted = match env::var(VARIABLE) {
        Ok(value) if value.is_empty() => DEFAULT.to_owned(),
        Ok(value) => value,
        Err(VarError::NotPresent) => DEFAULT.to_owned(),
        Err(VarError::NotUnicode(value)) => {
            return Err(Error::Address { value: value.to_string_lossy().into_owned(), source: None });
        }
    };
    listen_on(&wanted).await
}

pub(super) async fn listen_on(wanted: &str) -> Result<TcpListener, Error> {
    let addresses: Vec<SocketAddr> = match tokio::net::lookup_host(wanted).await {
        Ok(addresses) => addresses.collect(),
        Err(source) => return Err(Error::Address { value: wanted.to_owned(), source: Some(source) }),
    };
    TcpListener::bind(addresses.as_slice()).await.map_err(|source| match source.kind() {
        io::ErrorKind::AddrInUse => Error::AddressInUse { address: wanted.to_owned() },
        _ => Error::Bind { address: wanted.to_owned(), source },
    })
}

/// Prints one line to standard output, for users and for programs that start this one.
pub(super) fn announce(listener: &TcpListener) -> Result<(), Error> {
    let address = listener.local_addr().map_err(Error::Io)?;
    let line = format!("AG-UI agent listening on http://{address}\n");
    let mut out = io::stdout().lock();
    // A closed standard output is no reason not to serve.
    if let Err(error) = out.write_all(line.as_bytes()).and_then(|()| out.flush()) {
        tracing::warn!(%error, %address, "the address could not be printed");
    }
    Ok(())
}

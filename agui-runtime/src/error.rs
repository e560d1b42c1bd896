use std::{fmt, io};

use crate::causes::Causes;

/// Why a server did not start, or ended: what `main` gives back.
///
/// ```
/// #[agui_runtime::main]
/// async fn main() -> Result<(), agui_runtime::Error> {
///     # return Ok(());
///     agui_runtime::Server::new().serve().await
/// }
/// ```
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// `AGUI_ADDR` is not an address.
    #[error("AGUI_ADDR is `{value}`: expected an address such as `127.0.0.1:8000`")]
    Address {
        /// What it says.
        value: String,
        /// What the resolver says, when it was asked.
        source: Option<io::Error>,
    },
    /// Another program listens there already.
    #[error("the address {address} is in use: end the program that has it, or set AGUI_ADDR to another one")]
    AddressInUse {
        /// The address.
        address: String,
    },
    /// The system does not let this program listen there.
    #[error("cannot listen on {address}")]
    Bind {
        /// The address.
        address: String,
        /// What the system says.
        source: io::Error,
    },
    /// Two agents were given one path, or an agent's path is where another's capabilities are.
    #[error("two agents answer `{method} {path}`: give each agent a path of its own")]
    DuplicatePath {
        /// `GET` or `POST`.
        method: &'static str,
        /// The path both want.
        path: String,
    },
    /// A path that no request can name.
    #[error("`{path}` is not a path: expected one such as `/` or `/kitchen/chef`")]
    InvalidPath {
        /// What was given.
        path: String,
    },
    /// An origin that no browser can send.
    #[error("`{origin}` is not an origin: expected one such as `https://app.example`")]
    InvalidOrigin {
        /// What was given.
        origin: String,
    },
    /// The system failed while serving.
    #[error("the server stopped")]
    Io(#[source] io::Error),
}

/// What it says, and why: `main` prints its error this way.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", Causes(self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn main_prints_a_sentence() {
        let duplicate = Error::DuplicatePath { method: "POST", path: "/one".to_owned() };
        assert_eq!(
            format!("{duplicate:?}"),
            "two agents answer `POST /one`: give each agent a path of its own"
        );
        let stopped = Error::Io(io::Error::other("the cable is out"));
        assert_eq!(format!("{stopped:?}"), "the server stopped: the cable is out");
    }
}

//! Server error: the server did not start, or stopped.

use std::{fmt, io};

use crate::causes::Causes;

use crate::agent::MissingRequestValue;
use crate::consent::InterruptKeyError;

/// The reason why a server did not start, or stopped; `main` returns this error.
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
        /// The variable's value.
        value: String,
        /// The resolver's error, if a name was looked up.
        source: Option<io::Error>,
    },
    /// Another program listens on the address.
    #[error(
        "the address {address} is in use: stop the program that uses it, or set AGUI_ADDR to another one"
    )]
    AddressInUse {
        /// The address.
        address: String,
    },
    /// The operating system does not let this program listen on the address.
    #[error("cannot listen on {address}")]
    Bind {
        /// The address.
        address: String,
        /// The operating system's error.
        source: io::Error,
    },
    /// Two agents have the same path, or an agent's path is another agent's capabilities path, a [health](crate::Server::health)
    /// path, or a [route](crate::Server::routes) in the program.
    #[error("`{method} {path}` has two routes: give each agent, and each route, a path of its own")]
    DuplicatePath {
        /// `GET` or `POST`.
        method: &'static str,
        /// The shared path.
        path: String,
    },
    /// The thread options name an agent that the server does not have.
    #[error("the options for threads name `{path}`, which is the path of no agent")]
    NoSuchAgent {
        /// The path.
        path: String,
    },
    /// An agent has private tools, and the server has neither a thread store nor a secret: what the tools return could not be kept
    /// from clients over several runs.
    #[error(
        "the agent `{agent}` has private tools, and no place to keep what they return: set AGUI_SECRET to at least 32 bytes, \
         such as `openssl rand -hex 32` writes, or give the server a thread store with `Server::threads`"
    )]
    NoPrivatePlace {
        /// The agent's name.
        agent: &'static str,
    },
    /// A path that no request can have.
    #[error("`{path}` is not a path: expected one such as `/` or `/kitchen/chef`")]
    InvalidPath {
        /// The path as given.
        path: String,
    },
    /// An origin that no browser can send.
    #[error("`{origin}` is not an origin: expected one such as `https://app.example`")]
    InvalidOrigin {
        /// The origin as given.
        origin: String,
    },
    /// A host that no request can name.
    #[error("`{host}` is not a host: expected a name without port, such as `agent.internal`")]
    InvalidHost {
        /// The name as given.
        host: String,
    },
    /// A backend tool's arguments are alternatives, not one object.
    #[error(
        "the arguments of the tool `{tool}` of agent `{agent}` are alternatives, which no model provider accepts: take the \
         enum as one argument, without `#[serde(flatten)]`"
    )]
    ToolArguments {
        /// The agent's name.
        agent: &'static str,
        /// The tool's name.
        tool: &'static str,
    },
    /// An agent that another server may run again, [`Agent::RESTARTS`](crate::Agent::RESTARTS), takes a value from the request,
    /// directly or in a tool. Another server has no request.
    #[error("the agent at `{path}` cannot be run again by another server, which has no request")]
    Restart {
        /// The agent's path.
        path: String,
        /// The missing value.
        source: MissingRequestValue,
    },
    /// An agent that another server may run again, [`Agent::RESTARTS`](crate::Agent::RESTARTS), is made for each request by
    /// [`agent_with`](crate::Server::agent_with). Another server has no request to make the agent from.
    #[error(
        "the agent at `{path}` cannot be run again by another server, which has no request to make it from: use \
         `Server::agent`, or leave `restart` out"
    )]
    RestartOfMade {
        /// The agent's path.
        path: String,
    },
    /// The key that signs interrupts is invalid.
    #[error("interrupts cannot be signed")]
    InterruptKey(#[source] InterruptKeyError),
    /// `AGUI_MODEL` names no model that can be requested.
    #[cfg(feature = "model")]
    #[error(transparent)]
    Model(#[from] crate::provider::ModelConfigError),
    /// A [webhook](crate::Server::webhooks) without a thread store: without a store, no run outlives its client.
    #[cfg(feature = "webhooks")]
    #[error("webhooks need a store of threads: add `Server::threads`")]
    WebhooksWithoutThreads,
    /// The URL for [`Webhooks::to`](crate::http::Webhooks::to) is invalid. The error does not repeat the URL, which may contain a
    /// secret.
    #[cfg(feature = "webhooks")]
    #[error("the URL of `Webhooks::to` cannot be used: {reason}")]
    WebhookTarget {
        /// The reason.
        reason: String,
    },
    /// No webhook connection can be made: this machine has no trusted certificates, or the
    /// [`Webhooks::root_certificates`](crate::http::Webhooks::root_certificates) cannot be read.
    #[cfg(feature = "webhooks")]
    #[error("webhooks cannot be sent")]
    WebhookClient(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The thread store cannot be opened.
    #[error(transparent)]
    Threads(#[from] crate::thread::OpenError),
    /// The operating system reported an error while the server was running.
    #[error("the server stopped")]
    Io(#[source] io::Error),
}

/// Prints the message and its causes, because `main` prints its error with `Debug`.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", Causes(self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_prints_the_message_and_its_causes() {
        let duplicate = Error::DuplicatePath { method: "POST", path: "/one".to_owned() };
        assert_eq!(
            format!("{duplicate:?}"),
            "`POST /one` has two routes: give each agent, and each route, a path of its own"
        );
        let stopped = Error::Io(io::Error::other("the cable is out"));
        assert_eq!(format!("{stopped:?}"), "the server stopped: the cable is out");
    }
}

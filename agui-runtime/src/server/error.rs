//! The error of a server: it did not start, or it stopped.

use std::{fmt, io};

use crate::causes::Causes;

use crate::agent::MissingRequestValue;
use crate::consent::InterruptKeyError;

/// The reason why a server did not start, or stopped; `main` returns it.
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
        /// The value of the variable.
        value: String,
        /// The error of the resolver, if a name was looked up.
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
        /// The error of the operating system.
        source: io::Error,
    },
    /// Two agents have the same path, or the path of one is the capabilities path of another, an answer for
    /// [health](crate::Server::health), or a [route](crate::Server::routes) of the program.
    #[error("`{method} {path}` has two routes: give each agent, and each route, a path of its own")]
    DuplicatePath {
        /// `GET` or `POST`.
        method: &'static str,
        /// The shared path.
        path: String,
    },
    /// The options for threads name an agent that the server does not have.
    #[error("the options for threads name `{path}`, which is the path of no agent")]
    NoSuchAgent {
        /// The path.
        path: String,
    },
    /// A path that no request can have.
    #[error("`{path}` is not a path: expected one such as `/` or `/kitchen/chef`")]
    InvalidPath {
        /// The path as it was given.
        path: String,
    },
    /// An origin that no browser can send.
    #[error("`{origin}` is not an origin: expected one such as `https://app.example`")]
    InvalidOrigin {
        /// The origin as it was given.
        origin: String,
    },
    /// A host that no request can name.
    #[error("`{host}` is not a host: expected a name without port, such as `agent.internal`")]
    InvalidHost {
        /// The name as it was given.
        host: String,
    },
    /// The arguments of a backend tool are alternatives, and not one object.
    #[error(
        "the arguments of the tool `{tool}` of agent `{agent}` are alternatives, which no model provider accepts: take the \
         enum as one argument, without `#[serde(flatten)]`"
    )]
    ToolArguments {
        /// The name of the agent.
        agent: &'static str,
        /// The name of the tool.
        tool: &'static str,
    },
    /// An agent that may be run again by another server, [`Agent::RESTARTS`](crate::Agent::RESTARTS), takes a value from
    /// the request, itself or by one of its tools. Another server has no request.
    #[error("the agent at `{path}` cannot be run again by another server, which has no request")]
    Restart {
        /// The path of the agent.
        path: String,
        /// The value that is missing.
        source: MissingRequestValue,
    },
    /// An agent that may be run again by another server, [`Agent::RESTARTS`](crate::Agent::RESTARTS), is made for each request
    /// by [`agent_with`](crate::Server::agent_with). Another server has no request to make it from.
    #[error(
        "the agent at `{path}` cannot be run again by another server, which has no request to make it from: use \
         `Server::agent`, or leave `restart` out"
    )]
    RestartOfMade {
        /// The path of the agent.
        path: String,
    },
    /// The key that signs interrupts cannot be used.
    #[error("interrupts cannot be signed")]
    InterruptKey(#[source] InterruptKeyError),
    /// `AGUI_MODEL` names no model that can be asked.
    #[cfg(feature = "providers")]
    #[error(transparent)]
    Model(#[from] crate::provider::ModelConfigError),
    /// A [webhook](crate::Server::webhooks) without a store of threads: without one, no run outlives its client.
    #[cfg(feature = "webhooks")]
    #[error("webhooks need a store of threads: add `Server::threads`")]
    WebhooksWithoutThreads,
    /// The URL of [`Webhooks::to`](crate::http::Webhooks::to) cannot be used. It is not repeated: it may contain a secret.
    #[cfg(feature = "webhooks")]
    #[error("the URL of `Webhooks::to` cannot be used: {reason}")]
    WebhookTarget {
        /// The reason.
        reason: String,
    },
    /// No connection for webhooks can be made: this machine has no trusted certificates, or those of
    /// [`Webhooks::root_certificates`](crate::http::Webhooks::root_certificates) cannot be read.
    #[cfg(feature = "webhooks")]
    #[error("webhooks cannot be sent")]
    WebhookClient(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The store of the threads cannot be opened.
    #[cfg(any(feature = "postgres", feature = "redis", feature = "sqlite"))]
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

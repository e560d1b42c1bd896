//! Failures in conversations with A2A agents.

use crate::agent::{BoxError, PublicError};

/// An A2A agent did not complete a task.
///
/// The text names the agent's host, but never an address, a header or a token; the [source](std::error::Error::source) has the
/// details. The agent's own texts are included, because they are written for people.
///
/// ```
/// use agui_runtime::a2a::{A2aClient, A2aError};
///
/// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
/// let error = A2aClient::connect("http://127.0.0.1:9/a2a").await.unwrap_err();
/// assert!(matches!(&error, A2aError::Connect { agent, .. } if agent == "127.0.0.1"));
/// # });
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum A2aError {
    /// The agent was not reached, or has no card.
    #[error("there is no connection to the A2A agent `{agent}`")]
    Connect {
        /// The agent's host.
        agent: String,
        /// The cause.
        source: BoxError,
    },
    /// The card names no version 1.0 interface with JSON-RPC or HTTP+JSON at the card's host.
    #[error(
        "the A2A agent `{agent}` has no interface of version 1 with JSON-RPC or HTTP+JSON at the host of its card"
    )]
    NoInterface {
        /// The agent's host.
        agent: String,
    },
    /// The conversation has no user message, so there is nothing to send.
    #[error("the conversation has no message of the user for the A2A agent `{agent}`")]
    NoMessage {
        /// The agent's host.
        agent: String,
    },
    /// The connection was lost, and the task could not be followed further.
    #[error("the connection to the A2A agent `{agent}` was lost")]
    Lost {
        /// The agent's host.
        agent: String,
        /// The cause.
        source: BoxError,
    },
    /// The agent responded with a protocol error or an HTTP error status.
    #[error("the A2A agent `{agent}` refused the request: {message} ({code})")]
    Refused {
        /// The agent's host.
        agent: String,
        /// The JSON-RPC code, or the HTTP status.
        code: i64,
        /// The agent's text.
        message: String,
    },
    /// The agent sent something that the protocol does not allow.
    #[error("the A2A agent `{agent}` sent {what}")]
    Malformed {
        /// The agent's host.
        agent: String,
        /// A phrase for the unexpected content.
        what: String,
    },
    /// The task ended without success: failed, rejected, or cancelled by the server.
    #[error("the A2A agent `{agent}` {how} the task: {message}")]
    Task {
        /// The agent's host.
        agent: String,
        /// `failed`, `rejected` or `canceled`.
        how: &'static str,
        /// The agent's text.
        message: String,
    },
}

impl PublicError for A2aError {}

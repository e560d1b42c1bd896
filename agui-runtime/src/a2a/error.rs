//! The failures of conversations with A2A agents.

use crate::agent::{BoxError, PublicError};

/// The reason why an A2A agent did not do its task.
///
/// Its text names the host of the agent, and never an address, a header or a token; the [source](std::error::Error::source) has
/// the details. The texts of the agent are in it, because they are written for people.
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
        /// The host of the agent.
        agent: String,
        /// The details.
        source: BoxError,
    },
    /// The card names no interface of version 1.0 with JSON-RPC or HTTP+JSON at the host of the card.
    #[error(
        "the A2A agent `{agent}` has no interface of version 1 with JSON-RPC or HTTP+JSON at the host of its card"
    )]
    NoInterface {
        /// The host of the agent.
        agent: String,
    },
    /// The conversation has no message of the user, so there is nothing to send.
    #[error("the conversation has no message of the user for the A2A agent `{agent}`")]
    NoMessage {
        /// The host of the agent.
        agent: String,
    },
    /// The connection was lost, and the task could not be followed any more.
    #[error("the connection to the A2A agent `{agent}` was lost")]
    Lost {
        /// The host of the agent.
        agent: String,
        /// The details.
        source: BoxError,
    },
    /// The agent answered with an error of the protocol, or of HTTP.
    #[error("the A2A agent `{agent}` refused the request: {message} ({code})")]
    Refused {
        /// The host of the agent.
        agent: String,
        /// The code of JSON-RPC, or the status of HTTP.
        code: i64,
        /// The agent's text.
        message: String,
    },
    /// The agent sent something that the protocol does not allow.
    #[error("the A2A agent `{agent}` sent {what}")]
    Malformed {
        /// The host of the agent.
        agent: String,
        /// The message.
        what: String,
    },
    /// The task ended without success: it failed, was rejected or was cancelled by its server.
    #[error("the A2A agent `{agent}` {how} the task: {message}")]
    Task {
        /// The host of the agent.
        agent: String,
        /// `failed`, `rejected` or `canceled`.
        how: &'static str,
        /// The agent's text.
        message: String,
    },
}

impl PublicError for A2aError {}

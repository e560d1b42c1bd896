//! Connection failures between MCP clients and servers.

use std::error::Error;
use std::time::Duration;

use agui_runtime_core::PublicError;

use super::client::{HttpFailure, McpTokenChallenge};

pub(crate) type BoxError = Box<dyn Error + Send + Sync>;

/// An MCP server sent no usable response, or could not be served.
///
/// The text names the server (for a refused redirect, the target host), but never a whole address, a header or a token; the
/// [source](std::error::Error::source) has the details. If a tool call fails, the model reads this text as the call's result.
///
/// ```
/// use agui_runtime::mcp::{McpClient, McpError};
///
/// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
/// let error = McpClient::spawn("no-such-program", ["--stdio"]).await.unwrap_err();
/// assert!(matches!(&error, McpError::Connect { server, .. } if server == "no-such-program"));
/// assert_eq!(error.to_string(), "there is no connection to the MCP server `no-such-program`");
/// # });
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum McpError {
    /// The server was not started or reached, or the two sides share no protocol version.
    #[error("there is no connection to the MCP server `{server}`{}", advice(source))]
    Connect {
        /// The server's name: its program or host.
        server: String,
        /// The cause.
        source: BoxError,
    },
    /// The server did not respond in time. The request was cancelled.
    #[error("the MCP server `{server}` did not answer within {timeout:?}")]
    Timeout {
        /// The server's name.
        server: String,
        /// The time limit.
        timeout: Duration,
    },
    /// The server ended, or the connection was lost.
    #[error("the connection to the MCP server `{server}` was lost")]
    Lost {
        /// The server's name.
        server: String,
    },
    /// A request did not get through: the network failed, or an HTTP server responded with an error status.
    #[error("a request to the MCP server `{server}` failed{}", advice(source))]
    Transport {
        /// The server's name.
        server: String,
        /// The cause.
        source: BoxError,
    },
    /// The server responded with a protocol error.
    #[error("the MCP server `{server}` refused the request: {message}")]
    Refused {
        /// The server's name.
        server: String,
        /// The JSON-RPC or MCP error code.
        code: i32,
        /// The server's text.
        message: String,
    },
    /// The server sent something that the protocol does not allow, or that needs a capability this client lacks.
    #[error("the MCP server `{server}` sent {what}")]
    Malformed {
        /// The server's name.
        server: String,
        /// A phrase for the unexpected content.
        what: String,
    },
    /// A resource, prompt or list page is larger than the [limit](crate::McpContentLimits).
    #[error("the MCP server `{server}` sent a {what} of {size} bytes, and at most {limit} bytes are read")]
    TooLarge {
        /// The server's name.
        server: String,
        /// `resource`, `prompt` or `list`.
        what: String,
        /// The size of the texts, or of the binary content, in bytes.
        size: usize,
        /// The limit for that size.
        limit: usize,
    },
    /// The server needs input from the user that the user cannot give: the server asks again and again, asks for something else than
    /// a form or an address, or the call has ended meanwhile.
    #[error("the MCP server `{server}` {what}")]
    Asks {
        /// The server's name.
        server: String,
        /// The end of the sentence.
        what: String,
    },
    /// A served tool takes alternatives as arguments, not one object.
    #[error(
        "the arguments of the tool `{tool}` are alternatives, which no model provider accepts: take the enum as one argument, \
         without `#[serde(flatten)]`"
    )]
    ToolArguments {
        /// The tool name.
        tool: &'static str,
    },
    /// The client at the other end of a served transport did not initialize the connection.
    #[error("the MCP client did not initialize the connection")]
    Serve {
        /// The cause.
        source: BoxError,
    },
}

impl McpError {
    /// Returns the server's demand for authorization, if the server refused the request's token or its rights (401 or 403): the
    /// application can then ask the user to sign in.
    ///
    /// ```
    /// use agui_runtime::mcp::McpError;
    ///
    /// fn advice(error: &McpError) -> String {
    ///     match error.challenge() {
    ///         Some(challenge) => format!("Sign in first: {challenge}"),
    ///         None => error.to_string(),
    ///     }
    /// }
    /// # let lost = McpError::Lost { server: "files".to_owned() };
    /// # assert_eq!(advice(&lost), "the connection to the MCP server `files` was lost");
    /// ```
    #[must_use]
    pub fn challenge(&self) -> Option<&McpTokenChallenge> {
        let (Self::Connect { source, .. } | Self::Transport { source, .. }) = self else { return None };
        match HttpFailure::find_in(source.as_ref())? {
            HttpFailure::Unauthorized(challenge) => Some(challenge),
            _ => None,
        }
    }
}

impl PublicError for McpError {}

/// Returns advice about an HTTP failure for the person who configured the client.
fn advice(source: &BoxError) -> String {
    let failure = HttpFailure::find_in(source.as_ref()).filter(|failure| failure.is_advice());
    failure.map_or_else(String::new, |failure| format!(": {failure}"))
}

//! The failures of connections to MCP clients and servers.

use std::time::Duration;

use super::client::HttpFailure;
use crate::agent::{BoxError, PublicError};

/// The reason why an MCP server did not answer, or could not be served.
///
/// Its text names the server, and of a redirect that is not followed its host, but never a whole address, a header or a token;
/// the [source](std::error::Error::source) has the details. In a call of a tool, the model reads the text as the result of a failed call.
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
    /// The server was not started or reached, or the two sides share no version of the protocol.
    #[error("there is no connection to the MCP server `{server}`{}", advice(source))]
    Connect {
        /// The name of the server: its program, or its host.
        server: String,
        /// The details.
        source: BoxError,
    },
    /// The server did not answer in time. The request was cancelled.
    #[error("the MCP server `{server}` did not answer within {timeout:?}")]
    Timeout {
        /// The name of the server.
        server: String,
        /// The time that it had.
        timeout: Duration,
    },
    /// The server ended, or the connection to it was lost.
    #[error("the connection to the MCP server `{server}` was lost")]
    Lost {
        /// The name of the server.
        server: String,
    },
    /// A request did not get through: the network failed, or a server over HTTP answered with a status of failure.
    #[error("a request to the MCP server `{server}` failed{}", advice(source))]
    Transport {
        /// The name of the server.
        server: String,
        /// The details.
        source: BoxError,
    },
    /// The server answered with an error of the protocol.
    #[error("the MCP server `{server}` refused the request: {message}")]
    Refused {
        /// The name of the server.
        server: String,
        /// The code of JSON-RPC or of MCP.
        code: i32,
        /// The server's text.
        message: String,
    },
    /// The server sent something that the protocol does not allow, or that needs a capability that this client lacks.
    #[error("the MCP server `{server}` sent {what}")]
    Malformed {
        /// The name of the server.
        server: String,
        /// The message.
        what: String,
    },
    /// The arguments of a served tool are alternatives, and not one object.
    #[error(
        "the arguments of the tool `{tool}` are alternatives, which no model provider accepts: take the enum as one argument, \
         without `#[serde(flatten)]`"
    )]
    ToolArguments {
        /// The name of the tool.
        tool: &'static str,
    },
    /// The client at the other end of a served transport did not initialize the connection.
    #[error("the MCP client did not initialize the connection")]
    Serve {
        /// The details.
        source: BoxError,
    },
}

impl PublicError for McpError {}

/// Returns the advice for the user of the client about a failure over HTTP.
fn advice(source: &BoxError) -> String {
    let failure = HttpFailure::of(source.as_ref()).filter(|failure| failure.is_advice());
    failure.map_or_else(String::new, |failure| format!(": {failure}"))
}

//! Connections to an MCP server: through a process, HTTP or any transport.

use std::ffi::OsStr;
use std::path::Path;

use tokio::process::Command;

use super::begin::{begin, begin_once};
use super::generation::ServerFingerprint;
use super::http::McpHttpRoute;
use super::lines::LineTransport;
use super::process::McpServerProgram;
use super::{McpClient, McpConnecting, McpEndpoint, McpTransport};
use crate::McpError;
use crate::error::BoxError;

impl McpClient {
    /// Starts a program, and speaks with it over standard input and output (MCP, section "stdio"). The program inherits standard
    /// error.
    ///
    /// # Errors
    /// [`McpError::Connect`] if the program does not start or does not speak MCP, [`McpError::Timeout`] after two minutes without
    /// response.
    pub fn spawn<A: AsRef<OsStr>>(
        program: impl AsRef<OsStr>,
        arguments: impl IntoIterator<Item = A>,
    ) -> McpConnecting {
        let mut command = Command::new(program);
        command.args(arguments);
        Self::command(command)
    }

    /// Like [`spawn`](Self::spawn), for a command with its own environment or working folder.
    ///
    /// # Errors
    /// As [`spawn`](Self::spawn).
    ///
    /// ```no_run
    /// # async fn example(token: String) -> Result<(), agui_runtime::mcp::McpError> {
    /// use agui_runtime::mcp::McpClient;
    /// use tokio::process::Command;
    ///
    /// let mut command = Command::new("issue-server");
    /// command.env("ISSUES_TOKEN", token);
    /// let issues = McpClient::command(command).await?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn command(command: Command) -> McpConnecting {
        let program = Path::new(command.as_std().get_program());
        let server = program.file_name().unwrap_or(program.as_os_str()).to_string_lossy().into_owned();
        let known = ServerFingerprint::new(format!("{:?}", command.as_std()));
        let program = McpServerProgram::new(&server, command);
        McpConnecting::new(move |wish| begin(server, known, wish, program))
    }

    /// Speaks with a server over streamable HTTP (MCP, section "Streamable HTTP").
    ///
    /// # Errors
    /// [`McpError::Connect`] if the server is not reached, refuses the client or does not speak MCP, [`McpError::Timeout`] after
    /// two minutes without response.
    pub fn http(endpoint: impl Into<McpEndpoint>) -> McpConnecting {
        let endpoint = endpoint.into();
        McpConnecting::new(move |wish| async move {
            let address = endpoint.url.parse::<http::Uri>();
            let server = address.as_ref().ok().and_then(http::Uri::host).unwrap_or("address").to_owned();
            address.map_err(|error| failed(&server, error))?;
            let known = ServerFingerprint::new(&endpoint.url);
            let address = McpHttpRoute::new(endpoint).map_err(|error| failed(&server, error))?;
            begin(server, known, wish, address).await
        })
    }

    /// Speaks with a server over a [transport](McpTransport): a socket, or a reader and writer pair. `server` is the name in errors.
    ///
    /// # Errors
    /// As [`http`](Self::http).
    ///
    /// ```no_run
    /// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
    /// use agui_runtime::mcp::McpClient;
    /// use tokio::net::TcpStream;
    ///
    /// let local = McpClient::connect("local", TcpStream::connect("127.0.0.1:7000").await?).await?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn connect<Kind>(server: impl Into<String>, transport: impl McpTransport<Kind>) -> McpConnecting {
        let server = server.into();
        let (read, write) = transport.into_halves();
        let transport = LineTransport::new(&server, read, write);
        McpConnecting::new(|wish| begin_once(server, wish, transport))
    }
}

fn failed(server: &str, error: impl Into<BoxError>) -> McpError {
    McpError::Connect { server: server.to_owned(), source: error.into() }
}

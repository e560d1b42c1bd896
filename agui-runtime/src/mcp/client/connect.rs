//! The ways to an MCP server: a process, an address, any transport.

use std::ffi::OsStr;
use std::path::Path;
use std::time::Duration;

use rmcp::model::{ClientCapabilities, ClientConfig, ExtensionCapabilities, Implementation, ProtocolVersion};
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::transport::{IntoTransport, StreamableHttpClientTransport, TokioChildProcess};
use rmcp::{ClientCacheConfig, ClientLifecycleMode, ClientServiceExt, RoleClient};
use serde_json::json;
use tokio::process::Command;

use super::{McpClient, McpConnecting, McpEndpoint};
use crate::agent::BoxError;
use crate::mcp::McpError;
use crate::protocol::JsonObject;
use crate::tls;

/// The time that a server has to begin the protocol. A package manager may have to download it first.
const START: Duration = Duration::from_secs(120);

/// The time that a server has to accept a connection.
const REACH: Duration = Duration::from_secs(10);

impl McpClient {
    /// Starts a program, and speaks with it over its standard input and output (MCP, section "stdio"). Its standard error
    /// goes to that of this program.
    ///
    /// # Errors
    /// [`McpError::Connect`] if the program does not start or does not speak MCP, [`McpError::Timeout`] if it is silent for
    /// two minutes.
    ///
    /// ```no_run
    /// # async fn example() -> Result<(), agui_runtime::mcp::McpError> {
    /// use agui_runtime::mcp::McpClient;
    ///
    /// let files = McpClient::spawn("npx", ["-y", "@modelcontextprotocol/server-filesystem", "documents"]).await?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn spawn<A: AsRef<OsStr>>(
        program: impl AsRef<OsStr>,
        arguments: impl IntoIterator<Item = A>,
    ) -> McpConnecting {
        let mut command = Command::new(program);
        command.args(arguments);
        Self::command(command)
    }

    /// Does what [`spawn`](Self::spawn) does, for a command with an environment or a folder of its own.
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
    pub fn command(mut command: Command) -> McpConnecting {
        let program = Path::new(command.as_std().get_program());
        let server = program.file_name().unwrap_or(program.as_os_str()).to_string_lossy().into_owned();
        McpConnecting::new(move |has_apps| async move {
            // This also runs if the runtime ends before the transport.
            command.kill_on_drop(true);
            let process = TokioChildProcess::new(command).map_err(|error| failed(&server, error))?;
            begin(server, process, has_apps).await
        })
    }

    /// Speaks with a server over streamable HTTP (MCP, section "Streamable HTTP").
    ///
    /// # Errors
    /// [`McpError::Connect`] if the server is not reached, refuses the client or does not speak MCP, [`McpError::Timeout`]
    /// if it is silent for two minutes.
    ///
    /// ```no_run
    /// # async fn example() -> Result<(), agui_runtime::mcp::McpError> {
    /// use agui_runtime::mcp::McpClient;
    ///
    /// let shop = McpClient::http("https://shop.example/mcp").await?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn http(endpoint: impl Into<McpEndpoint>) -> McpConnecting {
        let endpoint = endpoint.into();
        McpConnecting::new(move |has_apps| async move {
            let address = endpoint.url.parse::<http::Uri>();
            let server = address.as_ref().ok().and_then(http::Uri::host).unwrap_or("address").to_owned();
            address.map_err(|error| failed(&server, error))?;
            let client = client(&endpoint.url).map_err(|error| failed(&server, error))?;
            let mut config =
                StreamableHttpClientTransportConfig::with_uri(endpoint.url).custom_headers(endpoint.headers);
            config.auth_header = endpoint.token;
            begin(server, StreamableHttpClientTransport::with_client(client, config), has_apps).await
        })
    }

    /// Speaks with a server over any transport of [`rmcp`]: a pair of a reader and a writer, a socket, one of your own.
    /// `server` is its name in errors.
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
    pub fn connect<T, E, A>(server: impl Into<String>, transport: T) -> McpConnecting
    where
        T: IntoTransport<RoleClient, E, A>,
        E: std::error::Error + Send + Sync + 'static,
    {
        let (server, transport) = (server.into(), transport.into_transport());
        McpConnecting::new(|has_apps| begin(server, transport, has_apps))
    }
}

/// The capabilities of a client that shows apps, or of one that does not.
fn capabilities(has_apps: bool) -> ClientCapabilities {
    let mut capabilities = ClientCapabilities::default();
    if has_apps {
        let pages = JsonObject::from_iter([("mimeTypes".to_owned(), json!(["text/html;profile=mcp-app"]))]);
        let extension = ("io.modelcontextprotocol/ui".to_owned(), pages);
        capabilities.extensions = Some(ExtensionCapabilities::from_iter([extension]));
    }
    capabilities
}

async fn begin<T, E, A>(server: String, transport: T, has_apps: bool) -> Result<McpClient, McpError>
where
    T: IntoTransport<RoleClient, E, A>,
    E: std::error::Error + Send + Sync + 'static,
{
    let this = Implementation::new("agui-runtime", env!("CARGO_PKG_VERSION"));
    let config = ClientConfig::new(capabilities(has_apps), this);
    // A server of the older generation refuses the first request, and gets the handshake. If it knows the request, but no
    // newer version, it is asked again with the older version.
    let lifecycle = ClientLifecycleMode::Auto {
        preferred_versions: vec![ProtocolVersion::V_2026_07_28, ProtocolVersion::V_2025_11_25],
        legacy_version: Some(ProtocolVersion::V_2025_11_25),
    };
    let starting = config.serve_with_lifecycle(transport, lifecycle);
    match tokio::time::timeout(START, starting).await {
        Ok(Ok(running)) => {
            // A list that is kept would hide that the server has another one, or is gone.
            running.peer().set_response_cache_config(ClientCacheConfig::disabled()).await;
            Ok(McpClient::of(server, running))
        }
        Ok(Err(error)) => Err(failed(&server, error)),
        Err(_) => Err(McpError::Timeout { server, timeout: START }),
    }
}

fn client(url: &str) -> Result<reqwest::Client, BoxError> {
    Ok(reqwest::Client::builder()
        .tls_backend_preconfigured(tls::shared_config(url.starts_with("https:"))?)
        .redirect(reqwest::redirect::Policy::none())
        .connect_timeout(REACH)
        .build()?)
}

fn failed(server: &str, error: impl Into<BoxError>) -> McpError {
    McpError::Connect { server: server.to_owned(), source: error.into() }
}

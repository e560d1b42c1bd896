//! A connection that is to be made.

use std::fmt;
use std::future::IntoFuture;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;

use super::McpClient;
use crate::mcp::McpError;

type Connect = Box<dyn FnOnce(bool) -> BoxFuture<'static, Result<McpClient, McpError>> + Send>;

/// A connection to an MCP server, which is made when it is awaited. [`McpClient::http`], [`McpClient::spawn`],
/// [`McpClient::command`] and [`McpClient::connect`] return it.
///
/// ```no_run
/// # async fn example() -> Result<(), agui_runtime::mcp::McpError> {
/// use agui_runtime::mcp::McpClient;
///
/// let shop = McpClient::http("https://shop.example/mcp").await?;
/// let maps = McpClient::http("https://maps.example/mcp").with_apps().await?;
/// # Ok(())
/// # }
/// ```
#[must_use = "it connects when it is awaited"]
pub struct McpConnecting {
    connect: Connect,
    has_apps: bool,
}

impl McpConnecting {
    pub(super) fn new<F>(connect: impl FnOnce(bool) -> F + Send + 'static) -> Self
    where
        F: Future<Output = Result<McpClient, McpError>> + Send + 'static,
    {
        Self { connect: Box::new(|has_apps| connect(has_apps).boxed()), has_apps: false }
    }

    /// Tells the server that its apps are shown: for [`McpApps`](crate::mcp::McpApps).
    ///
    /// ```no_run
    /// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
    /// use agui_runtime::mcp::McpClient;
    /// use tokio::net::TcpStream;
    ///
    /// let maps = McpClient::connect("maps", TcpStream::connect("127.0.0.1:7000").await?).with_apps().await?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn with_apps(mut self) -> Self {
        self.has_apps = true;
        self
    }
}

impl IntoFuture for McpConnecting {
    type Output = Result<McpClient, McpError>;
    type IntoFuture = BoxFuture<'static, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        (self.connect)(self.has_apps)
    }
}

impl fmt::Debug for McpConnecting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("McpConnecting").field("has_apps", &self.has_apps).finish_non_exhaustive()
    }
}

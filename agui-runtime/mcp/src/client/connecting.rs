//! A connection that starts when it is awaited.

use std::fmt;
use std::future::IntoFuture;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;

use super::{McpClient, McpGeneration};
use crate::McpError;

type McpConnectFn =
    Box<dyn FnOnce(McpConnectOptions) -> BoxFuture<'static, Result<McpClient, McpError>> + Send>;

/// A connection attempt to an MCP server, started by `.await`. [`McpClient::http`], [`McpClient::spawn`], [`McpClient::command`]
/// and [`McpClient::connect`] return this type.
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
    connect: McpConnectFn,
    wish: McpConnectOptions,
}

/// Options for starting a connection.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct McpConnectOptions {
    /// True if the server's apps are shown.
    pub(super) has_apps: bool,
    /// The server's protocol generation, if known.
    pub(super) generation: Option<McpGeneration>,
}

impl McpConnecting {
    pub(super) fn new<F>(connect: impl FnOnce(McpConnectOptions) -> F + Send + 'static) -> Self
    where
        F: Future<Output = Result<McpClient, McpError>> + Send + 'static,
    {
        Self { connect: Box::new(|wish| connect(wish).boxed()), wish: McpConnectOptions::default() }
    }

    /// Tells the server that its apps are shown; needed for [`McpApps`](crate::McpApps).
    pub fn with_apps(mut self) -> Self {
        self.wish.has_apps = true;
        self
    }

    /// Sets the server's protocol generation. By default both are tried.
    pub fn generation(mut self, generation: McpGeneration) -> Self {
        self.wish.generation = Some(generation);
        self
    }
}

impl IntoFuture for McpConnecting {
    type Output = Result<McpClient, McpError>;
    type IntoFuture = BoxFuture<'static, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        (self.connect)(self.wish)
    }
}

impl fmt::Debug for McpConnecting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("McpConnecting").field("has_apps", &self.wish.has_apps).finish_non_exhaustive()
    }
}

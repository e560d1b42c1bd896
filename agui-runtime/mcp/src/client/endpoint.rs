//! An MCP server's HTTP address.

use std::collections::HashMap;
use std::fmt;

use http::{HeaderName, HeaderValue};

/// An MCP server's streamable HTTP address, with request headers.
///
/// ```
/// use agui_runtime::mcp::{McpClient, McpEndpoint};
///
/// # async fn example(token: String) -> Result<(), Box<dyn std::error::Error>> {
/// let endpoint = McpEndpoint::new("https://shop.example/mcp").bearer(token).header("x-team", "returns")?;
/// let shop = McpClient::http(endpoint).await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct McpEndpoint {
    pub(super) url: String,
    pub(super) token: Option<String>,
    pub(super) headers: HashMap<HeaderName, HeaderValue>,
}

impl McpEndpoint {
    /// Sets the address; [`McpClient::http`](super::McpClient::http) also accepts a plain URL.
    #[must_use]
    pub fn new(url: impl Into<String>) -> Self {
        Self { url: url.into(), token: None, headers: HashMap::new() }
    }

    /// Sends `Authorization: Bearer` with each request. Redirects are followed only on the same host, so no other server gets the
    /// token.
    #[must_use]
    pub fn bearer(self, token: impl Into<String>) -> Self {
        Self { token: Some(token.into()), ..self }
    }

    /// Sends a header with each request.
    ///
    /// # Errors
    /// [`http::Error`] if the header's name or value is invalid.
    pub fn header(mut self, name: &str, value: &str) -> Result<Self, http::Error> {
        let (name, value) = (HeaderName::try_from(name)?, HeaderValue::try_from(value)?);
        self.headers.insert(name, value);
        Ok(self)
    }
}

impl From<&str> for McpEndpoint {
    fn from(url: &str) -> Self {
        Self::new(url)
    }
}

impl From<String> for McpEndpoint {
    fn from(url: String) -> Self {
        Self::new(url)
    }
}

/// Omits all parts that may be secret.
impl fmt::Debug for McpEndpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("McpEndpoint").finish_non_exhaustive()
    }
}

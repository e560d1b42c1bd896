//! The address of an MCP server over HTTP.

use std::collections::HashMap;
use std::fmt;

use http::{HeaderName, HeaderValue};

/// The address of an MCP server over streamable HTTP, with the headers of its requests.
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
    /// Returns the address without headers.
    ///
    /// ```
    /// let endpoint = agui_runtime::mcp::McpEndpoint::new("https://shop.example/mcp");
    /// ```
    #[must_use]
    pub fn new(url: impl Into<String>) -> Self {
        Self { url: url.into(), token: None, headers: HashMap::new() }
    }

    /// Sends a token with each request: `Authorization: Bearer`. Redirects are followed on the same host alone, so no other
    /// server gets it.
    ///
    /// ```
    /// let endpoint = agui_runtime::mcp::McpEndpoint::new("https://shop.example/mcp").bearer("secret");
    /// ```
    #[must_use]
    pub fn bearer(self, token: impl Into<String>) -> Self {
        Self { token: Some(token.into()), ..self }
    }

    /// Sends a header with each request.
    ///
    /// # Errors
    /// [`http::Error`] if the name or the value is not one of a header.
    ///
    /// ```
    /// use agui_runtime::mcp::McpEndpoint;
    ///
    /// let endpoint = McpEndpoint::new("https://shop.example/mcp");
    /// assert!(endpoint.clone().header("x-team", "returns").is_ok());
    /// assert!(endpoint.header("x team", "returns").is_err());
    /// ```
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

/// Shows no part that may be a secret.
impl fmt::Debug for McpEndpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("McpEndpoint").finish_non_exhaustive()
    }
}

//! An MCP server's HTTP address.

use std::collections::HashMap;
use std::fmt;

use http::{HeaderName, HeaderValue};

use super::http::{McpTokenRequest, TokenSource};

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
    pub(super) tokens: Option<TokenSource>,
    pub(super) headers: HashMap<HeaderName, HeaderValue>,
}

impl McpEndpoint {
    /// Sets the address; [`McpClient::http`](super::McpClient::http) also accepts a plain URL.
    #[must_use]
    pub fn new(url: impl Into<String>) -> Self {
        Self { url: url.into(), token: None, tokens: None, headers: HashMap::new() }
    }

    /// Sends `Authorization: Bearer` with each request. Redirects are followed only on the same host, so no other server gets the
    /// token.
    #[must_use]
    pub fn bearer(self, token: impl Into<String>) -> Self {
        Self { token: Some(token.into()), ..self }
    }

    /// Sends `Authorization: Bearer` with a token from a function. The function is called for the first request, and again when the
    /// server refuses the token with the status 401: then the request is sent once more, with the new token. A function that
    /// returns the refused token again, or an error, fails the request.
    ///
    /// A connection has one user: make the client in the run, or one for each user, with a function that knows the user. No other
    /// origin gets the token; see [`bearer`](Self::bearer). Signing in, with a browser and an authorization server, is the
    /// application's part: return an error meanwhile, and ask the user to sign in.
    ///
    /// ```
    /// use agui_runtime::mcp::{McpClient, McpEndpoint, McpError, McpTokenRequest};
    ///
    /// /// The tokens of all users, from the application's sign-in.
    /// #[derive(Clone)]
    /// struct Tokens;
    ///
    /// impl Tokens {
    ///     async fn token(&self, user: &str, is_refused: bool) -> Result<String, std::io::Error> {
    ///         if is_refused { Ok("a refreshed token".to_owned()) } else { Ok("a stored token".to_owned()) }
    ///     }
    /// }
    ///
    /// async fn files_of(user: String, tokens: Tokens) -> Result<McpClient, McpError> {
    ///     let token = move |request: McpTokenRequest| {
    ///         let (user, tokens) = (user.clone(), tokens.clone());
    ///         async move { tokens.token(&user, request.challenge.is_some()).await }
    ///     };
    ///     McpClient::http(McpEndpoint::new("https://files.example/mcp").token_from(token)).await
    /// }
    /// ```
    #[must_use]
    pub fn token_from<F, Fut, E>(self, function: F) -> Self
    where
        F: Fn(McpTokenRequest) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<String, E>> + Send + 'static,
        E: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        Self { tokens: Some(TokenSource::new(function)), ..self }
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

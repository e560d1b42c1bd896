//! The address of an A2A agent.

use std::fmt;

use http::{HeaderMap, HeaderName, HeaderValue, header};

/// The address of an A2A agent, with the headers of all requests to it.
///
/// ```
/// use agui_runtime::a2a::{A2aClient, A2aEndpoint};
///
/// # async fn example(token: &str) -> Result<(), Box<dyn std::error::Error>> {
/// let endpoint = A2aEndpoint::new("https://fares.example/a2a").bearer(token)?.header("x-team", "travel")?;
/// let fares = A2aClient::connect(endpoint).await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct A2aEndpoint {
    pub(super) url: String,
    pub(super) headers: HeaderMap,
}

impl A2aEndpoint {
    /// Returns the address without headers: that of the agent, below which its card is, or that of the card itself.
    ///
    /// ```
    /// let endpoint = agui_runtime::a2a::A2aEndpoint::new("https://fares.example/a2a");
    /// ```
    #[must_use]
    pub fn new(url: impl Into<String>) -> Self {
        Self { url: url.into(), headers: HeaderMap::new() }
    }

    /// Sends a token with each request. Redirects are not followed, and a card that names another host is refused, so no other
    /// server gets it.
    ///
    /// # Errors
    /// [`http::Error`] if the token cannot be the value of a header.
    ///
    /// ```
    /// let endpoint = agui_runtime::a2a::A2aEndpoint::new("https://fares.example/a2a").bearer("secret");
    /// assert!(endpoint.is_ok());
    /// ```
    pub fn bearer(mut self, token: &str) -> Result<Self, http::Error> {
        let mut value = HeaderValue::try_from(format!("Bearer {token}"))?;
        value.set_sensitive(true);
        self.headers.insert(header::AUTHORIZATION, value);
        Ok(self)
    }

    /// Sends a header with each request.
    ///
    /// # Errors
    /// [`http::Error`] if the name or the value is not one of a header.
    ///
    /// ```
    /// let endpoint = agui_runtime::a2a::A2aEndpoint::new("https://fares.example/a2a").header("x-team", "travel");
    /// assert!(endpoint.is_ok());
    /// ```
    pub fn header(mut self, name: &str, value: &str) -> Result<Self, http::Error> {
        self.headers.insert(HeaderName::try_from(name)?, HeaderValue::try_from(value)?);
        Ok(self)
    }
}

impl From<&str> for A2aEndpoint {
    fn from(url: &str) -> Self {
        Self::new(url)
    }
}

impl From<String> for A2aEndpoint {
    fn from(url: String) -> Self {
        Self::new(url)
    }
}

/// Shows no part that may be a secret.
impl fmt::Debug for A2aEndpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("A2aEndpoint").finish_non_exhaustive()
    }
}

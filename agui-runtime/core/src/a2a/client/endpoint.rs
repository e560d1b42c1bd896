//! An A2A agent's address.

use std::fmt;

use http::{HeaderMap, HeaderName, HeaderValue, header};

/// An A2A agent's address, with headers for all requests.
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
    /// Sets the address: the agent's, with the card below, or the card's own. [`A2aClient::connect`](super::A2aClient::connect)
    /// also accepts a plain URL.
    #[must_use]
    pub fn new(url: impl Into<String>) -> Self {
        Self { url: url.into(), headers: HeaderMap::new() }
    }

    /// Sends a token with each request. Redirects are not followed, and a card that names another host is refused, so no other
    /// server gets the token.
    ///
    /// # Errors
    /// [`http::Error`] if the token is no valid header value.
    pub fn bearer(mut self, token: &str) -> Result<Self, http::Error> {
        let mut value = HeaderValue::try_from(format!("Bearer {token}"))?;
        value.set_sensitive(true);
        self.headers.insert(header::AUTHORIZATION, value);
        Ok(self)
    }

    /// Sends a header with each request.
    ///
    /// # Errors
    /// [`http::Error`] if the header's name or value is invalid.
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

/// Omits all parts that may be secret.
impl fmt::Debug for A2aEndpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("A2aEndpoint").finish_non_exhaustive()
    }
}

//! Access tokens from the application (MCP, section "Authorization").

use std::fmt;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use http::HeaderValue;
use http::header::WWW_AUTHENTICATE;
use reqwest::Response;
use tokio::sync::Mutex;

use super::failure::HttpFailure;
use crate::error::BoxError;
use agui_runtime_core::__leaf::quoted_up_to;

/// Longest parameter of a challenge, in characters, that errors show.
const SHOWN: usize = 200;

/// A request for an access token; see [`McpEndpoint::token_from`](crate::McpEndpoint::token_from).
///
/// ```
/// use agui_runtime::mcp::{McpEndpoint, McpTokenRequest};
///
/// # async fn stored() -> Result<String, std::io::Error> { Ok("a".to_owned()) }
/// # async fn refreshed(scope: Option<&str>) -> Result<String, std::io::Error> { Ok("b".to_owned()) }
/// let files = McpEndpoint::new("https://files.example/mcp").token_from(async |request: McpTokenRequest| {
///     match request.challenge {
///         None => stored().await,
///         Some(challenge) => refreshed(challenge.scope.as_deref()).await,
///     }
/// });
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct McpTokenRequest {
    /// The server's demand, if the server refused the previous token with the status 401; `None` for the first token.
    pub challenge: Option<McpTokenChallenge>,
}

/// A server's demand for authorization: the header `WWW-Authenticate` of a response with the status 401 or 403 (RFC 9110, section
/// 11.6.1; RFC 6750, section 3; RFC 9728, section 5.1).
///
/// The server chooses all values: check an address before you open it.
///
/// ```
/// use agui_runtime::mcp::McpTokenChallenge;
///
/// let challenge = McpTokenChallenge::parse(r#"Bearer error="invalid_token", scope="files:read""#);
/// assert_eq!(challenge.scope.as_deref(), Some("files:read"));
/// assert_eq!(challenge.to_string(), "error `invalid_token`, scope `files:read`");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct McpTokenChallenge {
    /// The error code: `invalid_token`, `insufficient_scope` or `invalid_request`.
    pub error: Option<String>,
    /// The error in words.
    pub error_description: Option<String>,
    /// The needed scopes, with spaces between them.
    pub scope: Option<String>,
    /// The address of the protected resource's metadata, which names the authorization servers.
    pub resource_metadata: Option<String>,
}

impl McpTokenChallenge {
    /// Reads a header's value. Unknown parameters and schemes other than `Bearer` are ignored.
    #[must_use]
    pub fn parse(header: &str) -> Self {
        let mut challenge = Self::default();
        let mut is_bearer = false;
        let mut rest = header.trim_start();
        while !rest.is_empty() {
            let end = rest.find(|c: char| c == '=' || c == ',' || c.is_whitespace()).unwrap_or(rest.len());
            let (word, after) = rest.split_at(end);
            let after = after.trim_start();
            rest = match after.strip_prefix('=') {
                None => {
                    // A word without a value is a scheme.
                    if !word.is_empty() {
                        is_bearer = word.eq_ignore_ascii_case("bearer");
                    }
                    after
                }
                Some(value) => {
                    let (value, after) = parameter(value.trim_start());
                    if is_bearer {
                        challenge.set(word, value);
                    }
                    after
                }
            };
            rest = rest.trim_start_matches(|c: char| c == ',' || c.is_whitespace());
        }
        challenge
    }

    fn set(&mut self, name: &str, value: String) {
        let member = match name.to_ascii_lowercase().as_str() {
            "error" => &mut self.error,
            "error_description" => &mut self.error_description,
            "scope" => &mut self.scope,
            "resource_metadata" => &mut self.resource_metadata,
            _ => return,
        };
        member.get_or_insert(value);
    }

    pub(super) fn from_response(response: &Response) -> Self {
        let headers = response.headers().get_all(WWW_AUTHENTICATE).iter();
        let text = headers.map(|header| String::from_utf8_lossy(header.as_bytes())).collect::<Vec<_>>();
        Self::parse(&text.join(", "))
    }
}

/// Splits a parameter's value from the text after it.
fn parameter(text: &str) -> (String, &str) {
    let Some(quoted) = text.strip_prefix('"') else {
        let end = text.find(|c: char| c == ',' || c.is_whitespace()).unwrap_or(text.len());
        let (value, after) = text.split_at(end);
        return (value.to_owned(), after);
    };
    let mut value = String::new();
    let mut chars = quoted.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return (value, quoted.get(at + 1..).unwrap_or_default()),
            '\\' => value.extend(chars.next().map(|(_, c)| c)),
            c => value.push(c),
        }
    }
    (value, "")
}

impl fmt::Display for McpTokenChallenge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = [
            ("error", &self.error),
            ("reason", &self.error_description),
            ("scope", &self.scope),
            ("metadata", &self.resource_metadata),
        ];
        let shown = rows
            .into_iter()
            .filter_map(|(name, value)| Some(format!("{name} `{}`", quoted_up_to(SHOWN, value.as_ref()?))));
        let shown = shown.collect::<Vec<_>>().join(", ");
        f.write_str(if shown.is_empty() { "no details" } else { &shown })
    }
}

type TokenFn = Arc<dyn Fn(McpTokenRequest) -> BoxFuture<'static, Result<String, BoxError>> + Send + Sync>;

/// The application's function for tokens, and the newest token.
#[derive(Clone)]
pub(in crate::client) struct TokenSource {
    function: TokenFn,
    newest: Arc<Mutex<Option<String>>>,
}

impl TokenSource {
    pub(in crate::client) fn new<F, Fut, E>(function: F) -> Self
    where
        F: Fn(McpTokenRequest) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<String, E>> + Send + 'static,
        E: Into<BoxError>,
    {
        let function: TokenFn = Arc::new(move |request| {
            let asked = function(request);
            Box::pin(async move { asked.await.map_err(Into::into) })
        });
        Self { function, newest: Arc::default() }
    }

    /// Returns the newest token.
    pub(super) async fn token(&self) -> Result<String, HttpFailure> {
        let mut newest = self.newest.lock().await;
        if let Some(token) = &*newest {
            return Ok(token.clone());
        }
        let token = self.asked(None).await?;
        *newest = Some(token.clone());
        Ok(token)
    }

    /// Returns the token after a refused token; `None` if the application has no other token. Concurrent requests that the server
    /// refused ask the application once.
    pub(super) async fn token_after(
        &self,
        refused: &str,
        challenge: McpTokenChallenge,
    ) -> Result<Option<String>, HttpFailure> {
        let mut newest = self.newest.lock().await;
        if let Some(token) = newest.as_ref().filter(|token| *token != refused) {
            return Ok(Some(token.clone()));
        }
        *newest = None;
        let token = self.asked(Some(challenge)).await?;
        let is_other = token != refused;
        *newest = Some(token.clone());
        Ok(is_other.then_some(token))
    }

    async fn asked(&self, challenge: Option<McpTokenChallenge>) -> Result<String, HttpFailure> {
        (self.function)(McpTokenRequest { challenge }).await.map_err(HttpFailure::NoToken)
    }
}

/// Returns the header for a token.
///
/// # Errors
/// [`HttpFailure::NoToken`] for a token with control characters.
pub(super) fn bearer(token: &str) -> Result<HeaderValue, HttpFailure> {
    let value = HeaderValue::from_str(&format!("Bearer {token}"));
    let mut value = value.map_err(|_| HttpFailure::NoToken("the token has control characters".into()))?;
    value.set_sensitive(true);
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn challenges_are_read_in_all_their_notations() {
        let rows = [
            (r#"Bearer realm="a, b", error="invalid_token",scope="x y""#, Some("invalid_token"), Some("x y")),
            (r#"bearer  scope = x , ERROR=invalid_token"#, Some("invalid_token"), Some("x")),
            (r#"Basic realm="scope=no", Bearer error="a \"b\"""#, Some("a \"b\""), None),
            (r#"Digest scope="no", qop=auth"#, None, None),
            (r#"Bearer scope="open"#, None, Some("open")),
            ("Bearer", None, None),
            ("", None, None),
            (",,=,\"", None, None),
        ];
        for (header, error, scope) in rows {
            let challenge = McpTokenChallenge::parse(header);
            assert_eq!((challenge.error.as_deref(), challenge.scope.as_deref()), (error, scope), "{header}");
        }
    }
}

//! Redirects: the same request again, on the same host.

use http::HeaderMap;
use http::header::LOCATION;
use reqwest::{Client, Method, Response, Url};

use super::failure::HttpFailure;

/// Redirect limit for one request.
const MOST: usize = 5;

/// Sends a request and follows redirects on the same host, keeping method, headers and body. A JSON-RPC request turned into a GET,
/// as browsers do for 301 and 302, would never get a response; 303 says that the request was processed, so the request is not sent
/// again.
///
/// # Errors
/// [`HttpFailure`] if the network fails, or a redirect must not be followed.
pub(super) async fn send(
    client: &Client,
    method: Method,
    mut url: Url,
    headers: HeaderMap,
    body: Option<Vec<u8>>,
) -> Result<Response, HttpFailure> {
    for _ in 0..=MOST {
        let mut request = client.request(method.clone(), url.clone()).headers(headers.clone());
        if let Some(body) = &body {
            request = request.body(body.clone());
        }
        let response = request.send().await?;
        let status = response.status().as_u16();
        let Some(location) = response.headers().get(LOCATION).filter(|_| (300..400).contains(&status)) else {
            return Ok(response);
        };
        let target = location.to_str().ok().and_then(|location| url.join(location).ok());
        let target = target.ok_or(HttpFailure::NoAddress)?;
        if !is_same_host(&url, &target) {
            return Err(HttpFailure::Elsewhere { host: target.origin().ascii_serialization() });
        }
        if !matches!(status, 301 | 302 | 307 | 308) {
            return Err(HttpFailure::OtherRedirect { status });
        }
        url = with_user_of(&url, target);
    }
    Err(HttpFailure::ManyRedirects { most: MOST })
}

/// True for the same host and port, and for an upgrade to HTTPS on default ports.
fn is_same_host(from: &Url, to: &Url) -> bool {
    let ports = (from.port_or_known_default(), to.port_or_known_default());
    let is_upgrade = from.scheme() == "http" && to.scheme() == "https" && ports == (Some(80), Some(443));
    from.host() == to.host() && (from.scheme() == to.scheme() && ports.0 == ports.1 || is_upgrade)
}

/// Copies user name and password from one URL to another on the same host, where both are valid credentials.
fn with_user_of(from: &Url, mut to: Url) -> Url {
    if to.username().is_empty() && to.password().is_none() {
        // Only an address without a host has no place for them, and this one has the host of the other.
        let _ = to.set_username(from.username()).and_then(|()| to.set_password(from.password()));
    }
    to
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_host_is_the_same_place_or_its_encrypted_one() {
        let rows = [
            ("http://a.example/mcp", "http://a.example/mcp/", true),
            ("http://a.example/mcp", "http://A.example:80/x", true),
            ("http://a.example/mcp", "https://a.example/mcp", true),
            ("https://a.example/mcp", "http://a.example/mcp", false),
            ("http://a.example:8080/mcp", "https://a.example/mcp", false),
            ("http://a.example/mcp", "http://a.example:8080/mcp", false),
            ("http://a.example/mcp", "http://b.a.example/mcp", false),
            ("http://a.example/mcp", "ftp://a.example/mcp", false),
        ];
        for (from, to, same) in rows {
            let [from, to] = [from, to].map(|url| Url::parse(url).unwrap());
            assert_eq!(is_same_host(&from, &to), same, "{from} {to}");
        }
    }

    #[test]
    fn credentials_of_an_address_stay_with_its_host() {
        let from = Url::parse("http://ada:secret@a.example/mcp").unwrap();
        let to = with_user_of(&from, Url::parse("http://a.example/mcp/").unwrap());
        assert_eq!(to.as_str(), "http://ada:secret@a.example/mcp/");
    }
}

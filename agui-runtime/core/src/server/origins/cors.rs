//! Web pages that may send requests to a server.

use std::time::Duration;

use http::{HeaderName, HeaderValue, Uri, header};
use tower_http::cors::{AllowCredentials, AllowHeaders, AllowMethods, AllowOrigin, CorsLayer};

use super::loopback::is_loopback;
use crate::server::Error;

/// The time for which a browser may cache a preflight response.
const REMEMBERED: Duration = Duration::from_secs(3600);

/// Origins whose pages may send requests and read the responses.
#[derive(Clone, Debug)]
pub(in crate::server) enum PageOrigins {
    Any,
    /// The server's own origins, this machine's, and the named ones.
    Named(Vec<HeaderValue>),
}

impl PageOrigins {
    /// Parses origins in the form that browsers send: scheme, host and port, nothing else.
    pub(in crate::server) fn named(origins: &[String]) -> Result<Self, Error> {
        origins.iter().map(|origin| read(origin)).collect::<Result<_, _>>().map(Self::Named)
    }

    /// Returns true if a page from this origin may send requests to the server under the name `authority`. `is_known` is true if
    /// an attacker cannot have chosen that name.
    ///
    /// Over plain HTTP, a page whose host equals the requested host may belong to an attacker, who pointed that host name to this
    /// server (DNS rebinding). Over TLS this is impossible: a proxy before this server has shown the browser a certificate for the
    /// name.
    pub(in crate::server) fn admit(
        &self,
        origin: &HeaderValue,
        authority: Option<&str>,
        is_known: bool,
    ) -> bool {
        let Self::Named(named) = self else { return true };
        if named.contains(origin) {
            return true;
        }
        let Ok(origin) = origin.to_str() else { return false };
        let Some((scheme, page)) = origin.split_once("://") else { return false };
        // Browsers send a host and a port alone: user information, a path or spaces are not of a browser.
        if !page.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._~[]:".contains(&byte)) {
            return false;
        }
        let is_own = || authority.is_some_and(|authority| authority.eq_ignore_ascii_case(page));
        match scheme {
            "https" => is_loopback(page) || is_own(),
            "http" => is_loopback(page) || (is_known && is_own()),
            _ => false,
        }
    }
}

fn read(origin: &str) -> Result<HeaderValue, Error> {
    let invalid = || Error::InvalidOrigin { origin: origin.to_owned() };
    let parts = origin.parse::<Uri>().map_err(|_| invalid())?.into_parts();
    // `http` parses `https://app.example` with the path `/`.
    let has_path = parts.path_and_query.is_some_and(|path| path != "/") || origin.ends_with('/');
    let (Some(scheme), Some(authority)) = (parts.scheme, parts.authority) else { return Err(invalid()) };
    // Browsers leave out the usual port (RFC 6454, section 6.2), so an origin with it would admit no page.
    let has_usual_port =
        matches!((scheme.as_str(), authority.port_u16()), ("https", Some(443)) | ("http", Some(80)));
    if has_path || has_usual_port || authority.as_str().contains('@') {
        return Err(invalid());
    }
    HeaderValue::from_str(&origin.to_ascii_lowercase()).map_err(|_| invalid())
}

/// Returns the headers that a page from any origin may send. A wildcard would leave out `Authorization`; more headers would weaken
/// services that demand a header which pages cannot send.
fn headers_of_any_page() -> [HeaderName; 8] {
    [
        header::ACCEPT,
        header::AUTHORIZATION,
        header::CONTENT_TYPE,
        HeaderName::from_static("last-event-id"),
        // The headers of MCP clients.
        HeaderName::from_static("mcp-method"),
        HeaderName::from_static("mcp-name"),
        HeaderName::from_static("mcp-protocol-version"),
        crate::server::manifest::HEADER,
    ]
}

/// Returns the layer that tells browsers a page's permissions. Requests that reach this layer have been admitted.
pub(in crate::server) fn layer(origins: &PageOrigins) -> CorsLayer {
    let layer = CorsLayer::new()
        .allow_methods(AllowMethods::mirror_request())
        .expose_headers([crate::server::manifest::HEADER, header::RETRY_AFTER])
        .max_age(REMEMBERED);
    match origins {
        PageOrigins::Any => layer.allow_origin(AllowOrigin::any()).allow_headers(headers_of_any_page()),
        PageOrigins::Named(named) => {
            let named = named.clone();
            layer
                .allow_origin(AllowOrigin::mirror_request())
                .allow_headers(AllowHeaders::mirror_request())
                // Pages of named origins may also send their cookies.
                .allow_credentials(AllowCredentials::predicate(move |origin, _| named.contains(origin)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_is_scheme_host_and_port() {
        for (origin, valid) in [
            ("https://app.example", true),
            ("http://localhost:5173", true),
            ("http://[::1]:5173", true),
            ("https://app.example/", false),
            ("https://app.example/page", false),
            ("https://app.example?x", false),
            ("https://app.example:443", false),
            ("http://app.example:80", false),
            ("http://app.example:443", true),
            ("https://user@app.example", false),
            ("app.example", false),
            ("*", false),
            ("", false),
        ] {
            assert_eq!(PageOrigins::named(&[origin.to_owned()]).is_ok(), valid, "{origin}");
        }
    }

    #[test]
    fn pages_of_the_server_of_this_machine_and_named_ones_are_admitted() {
        let origins = PageOrigins::named(&["https://App.example".to_owned()]).unwrap();
        for (origin, authority, expected) in [
            ("https://app.example", None, true),
            ("http://app.example", None, false),
            ("https://app.example:444", None, false),
            ("http://localhost:5173", None, true),
            ("https://127.0.0.1", None, true),
            ("http://[::1]:1", None, true),
            ("ftp://localhost", None, false),
            ("localhost", None, false),
            ("http://user@localhost", None, false),
            ("http://user:secret@127.0.0.1:5173", None, false),
            ("https://evil.example@agent.example", Some("evil.example@agent.example"), false),
            ("http://localhost/page", None, false),
            ("http://localhost:5173 ", None, false),
            ("null", Some("null"), false),
            ("", Some(""), false),
            ("https://agent.example", Some("agent.example"), true),
            ("http://agent.example:8000", Some("Agent.example:8000"), true),
            ("http://agent.example:8001", Some("agent.example:8000"), false),
            ("http://evil.example", Some("agent.example"), false),
            ("chrome-extension://agent.example", Some("agent.example"), false),
        ] {
            let origin = HeaderValue::from_static(origin);
            assert_eq!(origins.admit(&origin, authority, true), expected, "{origin:?} {authority:?}");
            assert!(PageOrigins::Any.admit(&origin, authority, false));
        }
    }

    #[test]
    fn a_page_of_an_unknown_name_counts_as_the_servers_own_only_over_tls() {
        let origins = PageOrigins::named(&["http://named.example".to_owned()]).unwrap();
        for (origin, authority, expected) in [
            ("http://agent.example", "agent.example", false),
            ("http://agent.example:8000", "agent.example:8000", false),
            ("https://agent.example", "agent.example", true),
            ("https://agent.example", "other.example", false),
            ("http://named.example", "named.example", true),
            ("http://localhost:5173", "agent.example", true),
        ] {
            let origin = HeaderValue::from_static(origin);
            assert_eq!(origins.admit(&origin, Some(authority), false), expected, "{origin:?} {authority}");
        }
    }
}

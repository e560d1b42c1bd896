//! The web pages that may talk to a server.

use std::time::Duration;

use http::{HeaderName, HeaderValue, Uri, header};
use tower_http::cors::{AllowCredentials, AllowHeaders, AllowMethods, AllowOrigin, CorsLayer};

use super::loopback::is_loopback;
use crate::Error;

/// How long a browser may remember the answer to a preflight.
const REMEMBERED: Duration = Duration::from_secs(3600);

/// The origins whose pages may send requests and read the answers.
#[derive(Clone, Debug)]
pub(super) enum Origins {
    Any,
    /// Those of the server itself, of this machine, and these.
    Named(Vec<HeaderValue>),
}

impl Origins {
    /// Reads origins the way browsers send them: scheme, host and port, nothing else.
    pub(super) fn named(origins: &[String]) -> Result<Self, Error> {
        origins.iter().map(|origin| read(origin)).collect::<Result<_, _>>().map(Self::Named)
    }

    /// Whether a page of this origin may talk to the server that the request calls `authority`.
    pub(super) fn admit(&self, origin: &HeaderValue, authority: Option<&str>) -> bool {
        let Self::Named(named) = self else { return true };
        if named.contains(origin) {
            return true;
        }
        let Ok(origin) = origin.to_str() else { return false };
        let Some((scheme, page)) = origin.split_once("://") else { return false };
        // A proxy may speak TLS for the server, which therefore does not know its own scheme.
        matches!(scheme, "http" | "https")
            && (is_loopback(page) || authority.is_some_and(|authority| authority.eq_ignore_ascii_case(page)))
    }
}

fn read(origin: &str) -> Result<HeaderValue, Error> {
    let invalid = || Error::InvalidOrigin { origin: origin.to_owned() };
    let parts = origin.parse::<Uri>().map_err(|_| invalid())?.into_parts();
    // `http` reads `https://app.example` with the path `/`.
    let has_path = parts.path_and_query.is_some_and(|path| path != "/") || origin.ends_with('/');
    if parts.scheme.is_none() || parts.authority.is_none() || has_path {
        return Err(invalid());
    }
    HeaderValue::from_str(&origin.to_ascii_lowercase()).map_err(|_| invalid())
}

/// The headers a page of any origin may send. A wildcard would leave out `Authorization`; more would take the protection from services
/// that demand a header which pages cannot send.
fn headers_of_any_page() -> [HeaderName; 5] {
    [
        header::ACCEPT,
        header::AUTHORIZATION,
        header::CONTENT_TYPE,
        HeaderName::from_static("last-event-id"),
        super::manifest::HEADER,
    ]
}

/// The headers by which browsers learn what a page may do. Requests that come here have been admitted.
pub(super) fn layer(origins: &Origins) -> CorsLayer {
    let layer = CorsLayer::new()
        .allow_methods(AllowMethods::mirror_request())
        .expose_headers([super::manifest::HEADER, header::RETRY_AFTER])
        .max_age(REMEMBERED);
    match origins {
        Origins::Any => layer.allow_origin(AllowOrigin::any()).allow_headers(headers_of_any_page()),
        Origins::Named(named) => {
            let named = named.clone();
            layer
                .allow_origin(AllowOrigin::mirror_request())
                .allow_headers(AllowHeaders::mirror_request())
                // Pages that were named may also send their cookies.
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
            ("app.example", false),
            ("*", false),
            ("", false),
        ] {
            assert_eq!(Origins::named(&[origin.to_owned()]).is_ok(), valid, "{origin}");
        }
    }

    #[test]
    fn pages_of_the_server_of_this_machine_and_named_ones_are_admitted() {
        let origins = Origins::named(&["https://App.example".to_owned()]).unwrap();
        for (origin, authority, expected) in [
            ("https://app.example", None, true),
            ("http://app.example", None, false),
            ("https://app.example:444", None, false),
            ("http://localhost:5173", None, true),
            ("https://127.0.0.1", None, true),
            ("http://[::1]:1", None, true),
            ("ftp://localhost", None, false),
            ("localhost", None, false),
            ("null", Some("null"), false),
            ("", Some(""), false),
            ("https://agent.example", Some("agent.example"), true),
            ("http://agent.example:8000", Some("Agent.example:8000"), true),
            ("http://agent.example:8001", Some("agent.example:8000"), false),
            ("http://evil.example", Some("agent.example"), false),
            ("chrome-extension://agent.example", Some("agent.example"), false),
        ] {
            let origin = HeaderValue::from_static(origin);
            assert_eq!(origins.admit(&origin, authority), expected, "{origin:?} {authority:?}");
            assert!(Origins::Any.admit(&origin, authority));
        }
    }
}

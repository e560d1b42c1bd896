//! Which web pages may talk to a server.

use std::time::Duration;

use http::{HeaderValue, Uri};
use tower_http::cors::{AllowHeaders, AllowMethods, AllowOrigin, CorsLayer};

use crate::Error;

/// How long a browser may remember what it was told.
const REMEMBERED: Duration = Duration::from_secs(3600);

/// The origins whose pages may read the answers.
#[derive(Clone, Debug)]
pub(super) enum Origins {
    Any,
    Only(Vec<HeaderValue>),
}

impl Origins {
    /// Reads origins the way browsers send them: scheme, host and port, nothing else.
    pub(super) fn only(origins: &[String]) -> Result<Self, Error> {
        origins.iter().map(|origin| read(origin)).collect::<Result<_, _>>().map(Self::Only)
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

pub(super) fn layer(origins: Origins) -> CorsLayer {
    // Headers are mirrored, not `*`: the wildcard leaves out `Authorization`.
    let layer = CorsLayer::new()
        .allow_methods(AllowMethods::mirror_request())
        .allow_headers(AllowHeaders::mirror_request())
        .expose_headers([super::manifest::HEADER])
        .max_age(REMEMBERED);
    match origins {
        Origins::Any => layer.allow_origin(AllowOrigin::any()),
        // Pages that were named may also send their cookies.
        Origins::Only(list) => layer.allow_origin(AllowOrigin::list(list)).allow_credentials(true),
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
            assert_eq!(Origins::only(&[origin.to_owned()]).is_ok(), valid, "{origin}");
        }
    }
}

//! Requests of other pages are refused, also where the server admits them to its agents: the inspector's headers and its
//! network are for its own page.

use axum::extract::Request;
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use http::{HeaderMap, StatusCode, header};

use crate::note::Refusal;

pub(crate) async fn check(request: Request, next: Next) -> Response {
    let authority = request.uri().authority().map(|authority| authority.as_str().to_owned());
    if is_own(request.headers(), authority.as_deref()) {
        return next.run(request).await;
    }
    Refusal::new(StatusCode::FORBIDDEN, "foreign_page", "only the inspector's own page may do this")
        .into_response()
}

/// True if the page of the request, if any, came from this server. Over HTTP/2 the host is in the request target.
fn is_own(headers: &HeaderMap, authority: Option<&str>) -> bool {
    let text = |name| headers.get(name).and_then(|value: &http::HeaderValue| value.to_str().ok());
    let host = authority.or_else(|| text(header::HOST));
    let is_same_site = text(header::HeaderName::from_static("sec-fetch-site"))
        .is_none_or(|site| matches!(site, "same-origin" | "none"));
    let is_same_origin = headers.get_all(header::ORIGIN).iter().all(|origin| {
        let page = origin.to_str().ok().and_then(|origin| origin.split_once("://"));
        page.is_some_and(|(_, page)| Some(page) == host)
    });
    is_same_site && is_same_origin
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_own_page_is_admitted() {
        let rows: [(&[(&str, &str)], bool); 6] = [
            (&[("host", "127.0.0.1:8000")], true),
            (&[("host", "127.0.0.1:8000"), ("origin", "http://127.0.0.1:8000")], true),
            (&[("host", "127.0.0.1:8000"), ("origin", "http://127.0.0.1:3000")], false),
            (&[("host", "127.0.0.1:8000"), ("origin", "null")], false),
            (&[("host", "127.0.0.1:8000"), ("sec-fetch-site", "same-site")], false),
            (&[("host", "127.0.0.1:8000"), ("sec-fetch-site", "none")], true),
        ];
        for (headers, admitted) in rows {
            let headers = headers.iter().filter_map(|(name, value)| {
                Some((header::HeaderName::from_bytes(name.as_bytes()).ok()?, value.parse().ok()?))
            });
            let headers: HeaderMap = headers.collect();
            assert_eq!(is_own(&headers, None), admitted, "{headers:?}");
        }
    }
}

//! Texts that hold a share of a limit until the last copy is dropped.

use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use http::{HeaderValue, header};

struct BudgetedText<S> {
    text: Vec<u8>,
    _share: S,
}

impl<S> AsRef<[u8]> for BudgetedText<S> {
    fn as_ref(&self) -> &[u8] {
        &self.text
    }
}

/// Returns the text as bytes. The last copy drops the share.
pub(in crate::server) fn held_text<S: Send + 'static>(text: Vec<u8>, share: S) -> Bytes {
    Bytes::from_owner(BudgetedText { text, _share: share })
}

/// Returns JSON text as a response. The text holds the share until the last byte is sent.
pub(in crate::server) fn held_json<S: Send + 'static>(text: Vec<u8>, share: S) -> Response {
    let mut response = Response::new(Body::from(held_text(text, share)));
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

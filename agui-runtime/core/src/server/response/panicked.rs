//! Panics in a server's user code: closures, layers, handlers. An agent's panic ends its run with RUN_ERROR instead.

use std::any::Any;
use std::panic::AssertUnwindSafe;

use axum::extract::Request;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt;
use http::StatusCode;

use super::rejection::Rejection;
use crate::agent::{MAX_LOGGED, discard, panic_text};
use crate::quoted::quoted_up_to;

/// Responds to a panic with status 500; otherwise a panic would cut the connection and all other requests on it.
pub(in crate::server) async fn catch_panic(request: Request, next: Next) -> Response {
    match AssertUnwindSafe(next.run(request)).catch_unwind().await {
        Ok(response) => response,
        Err(panic) => {
            report(panic, "a request panicked");
            Rejection::new(
                StatusCode::INTERNAL_SERVER_ERROR,
                "internal",
                "the server panicked while it read the request: see the log",
            )
            .into_response()
        }
    }
}

/// Writes a panic to the log.
pub(in crate::server) fn report(panic: Box<dyn Any + Send>, place: &str) {
    tracing::error!(panic = %quoted_up_to(MAX_LOGGED, panic_text(&*panic)), "{place}");
    discard(panic);
}

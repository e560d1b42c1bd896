//! The page, bundled from `web/` and compiled in, so that running needs no Node.

use axum::Router;
use axum::http::header::CONTENT_TYPE;
use axum::routing::get;

/// The page at `/` and its two files.
pub fn routes() -> Router {
    Router::new()
        .route("/", get(([(CONTENT_TYPE, "text/html; charset=utf-8")], include_str!("../web/index.html"))))
        .route(
            "/app.css",
            get(([(CONTENT_TYPE, "text/css; charset=utf-8")], include_str!("../web/dist/app.css"))),
        )
        .route(
            "/app.js",
            get(([(CONTENT_TYPE, "text/javascript; charset=utf-8")], include_str!("../web/dist/app.js"))),
        )
}

//! The page of the customer, bundled from `web/` and compiled in, so that running needs no Node.

use axum::Router;
use axum::http::header::CONTENT_TYPE;
use axum::routing::get;

/// Returns the page at `/`, beside the agent's `POST`, and its two files.
pub fn routes() -> Router {
    let file =
        |kind: &'static str, text: &'static str| get(move || async move { ([(CONTENT_TYPE, kind)], text) });
    Router::new()
        .route("/", file("text/html; charset=utf-8", include_str!("../web/index.html")))
        .route("/app.css", file("text/css; charset=utf-8", include_str!("../web/dist/app.css")))
        .route("/app.js", file("text/javascript; charset=utf-8", include_str!("../web/dist/app.js")))
}

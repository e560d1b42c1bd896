//! The page of the customer, bundled from `web/` and compiled in, so that running needs no Node.

use agui_runtime::Server;
use agui_runtime::http::{BusyThread, ThreadOptions};
use agui_runtime::thread::Memory;
use axum::Router;
use axum::extract::Request;
use axum::http::header::CONTENT_TYPE;
use axum::middleware::{Next, from_fn};
use axum::response::{Html, Response};
use axum::routing::get;

/// The customer of a request: a secret that the page draws at random, and that only its browser knows.
#[derive(Clone)]
struct Customer(String);

/// Adds the page to a server, and the routes of CopilotKit's pages. With `AGUI_THREADS=memory` the server stores conversations while
/// it runs, and each customer's page lists them.
pub fn beside(server: Server) -> Server {
    let server = server.copilotkit("/api/copilotkit");
    let page = include_str!("../web/index.html");
    if std::env::var_os("AGUI_THREADS").is_none() {
        return server.routes(routes(page.to_owned()));
    }
    // The script asks for a list only if there is one.
    let server = server.routes(routes(page.replacen("<body>", "<body data-threads>", 1)));
    // A message while the desk works reaches the desk before the next sentence.
    let options = ThreadOptions::default().busy(BusyThread::Steer);
    let server = server.thread_options(options);
    server.threads(Memory::new()).identity(|who: &Customer| who.0.clone()).layer(from_fn(recognize))
}

/// Attaches the customer to a request, by the header `x-customer`. A customer who sends none has no list.
async fn recognize(mut request: Request, next: Next) -> Response {
    let secret = request.headers().get("x-customer").and_then(|value| value.to_str().ok());
    // Shorter ones could be guessed.
    if let Some(secret) = secret.filter(|secret| secret.len() >= 32).map(str::to_owned) {
        request.extensions_mut().insert(Customer(secret));
    }
    next.run(request).await
}

/// The page at `/`, beside the agent's `POST`, and its two files.
fn routes(page: String) -> Router {
    let file =
        |kind: &'static str, text: &'static str| get(move || async move { ([(CONTENT_TYPE, kind)], text) });
    Router::new()
        .route("/", get(move || async move { Html(page.clone()) }))
        .route("/app.css", file("text/css; charset=utf-8", include_str!("../web/dist/app.css")))
        .route("/app.js", file("text/javascript; charset=utf-8", include_str!("../web/dist/app.js")))
}

//! Callers who name themselves in a header, for servers of tests.
#![allow(clippy::unwrap_used, reason = "test support: what goes wrong here fails the test")]

use agui_runtime::Server;
use axum::middleware::{Next, from_fn};

/// A caller, by the header `x-name`.
#[derive(Clone, Debug)]
pub struct Person(pub String);

/// Takes the callers' word for their names.
#[must_use]
pub fn identified(server: Server) -> Server {
    let name = from_fn(async |mut request: axum::extract::Request, next: Next| {
        let name = request.headers().get("x-name").map(|name| name.to_str().unwrap().to_owned());
        if let Some(name) = name {
            request.extensions_mut().insert(Person(name));
        }
        next.run(request).await
    });
    server.identity(|who: &Person| who.0.clone()).layer(name)
}

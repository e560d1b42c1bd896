//! The page of the customer, bundled from `web/` and compiled in, so that running needs no Node.

use std::env;
use std::ffi::OsStr;

use agui_runtime::http::{BusyThread, ModelTitles, ThreadOptions};
use agui_runtime::model::Model;
use agui_runtime::thread::{LogError, Memory, OpenError};
use agui_runtime::{Error, Server};
use axum::Router;
use axum::extract::Request;
use axum::http::header::CONTENT_TYPE;
use axum::middleware::{Next, from_fn};
use axum::response::{Html, Response};
use axum::routing::get;

use crate::script;

/// The customer of a request: a secret that the page draws at random, and that only its browser knows.
#[derive(Clone)]
struct Customer(String);

/// Adds the page to a server, and the routes of CopilotKit's pages. With `AGUI_THREADS=memory` the server stores conversations while
/// it runs, with `AGUI_THREADS=sqlite:PATH` in a file (feature `sqlite`), and each customer's page lists them.
///
/// # Errors
/// `AGUI_THREADS` is something else, or the file cannot be opened; `AGUI_MODEL` names no model.
pub fn beside(server: Server) -> Result<Server, Error> {
    let server = server.copilotkit("/api/copilotkit");
    let page = include_str!("../web/index.html");
    let Some(place) = env::var_os("AGUI_THREADS") else {
        return Ok(server.routes(routes(page.to_owned())));
    };
    let server = stored(server, &place)?;
    // The script asks for a list only if there is one.
    let server = server.routes(routes(page.replacen("<body>", "<body data-threads>", 1)));
    // A message while the desk works reaches the desk before the next sentence.
    let options = ThreadOptions::default().busy(BusyThread::Steer);
    // The model of the desk also writes the titles; a smaller one would do.
    let titles = ModelTitles::new(Model::from_env_or(script::titles())?);
    let server = server.thread_options(options.titles(titles));
    Ok(server.identity(|who: &Customer| who.0.clone()).layer(from_fn(recognize)))
}

/// Stores conversations at the place that `AGUI_THREADS` names.
// A package with a copy of this file may lack the feature.
#[allow(unexpected_cfgs)]
fn stored(server: Server, place: &OsStr) -> Result<Server, Error> {
    // A path outside of UTF-8 would name another file once its bytes are replaced.
    match place.to_str().and_then(|text| text.split_once(':')) {
        None if place == "memory" => Ok(server.threads(Memory::new())),
        #[cfg(feature = "sqlite")]
        Some(("sqlite", path)) => Ok(server.threads(agui_runtime::thread::Sqlite::open(path)?)),
        _ => {
            let wrong = format!(
                "AGUI_THREADS is `{}`: expected `memory`, or `sqlite:PATH` in UTF-8 in a build with `--features sqlite`",
                place.display()
            );
            Err(OpenError::Unavailable(LogError::new(wrong)).into())
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_place_for_conversations_is_refused() {
        assert!(stored(Server::new(), OsStr::new("memory")).is_ok());
        for place in [
            "",
            "yes",
            "Memory",
            "memory:",
            "sqlite",
            "sqlite:",
            "redis:x",
            "sqlite:/no/such/folder/threads.db",
        ] {
            let refused = stored(Server::new(), OsStr::new(place)).err();
            assert!(
                matches!(refused, Some(Error::Threads(OpenError::Unavailable(_)))),
                "{place}: {refused:?}"
            );
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_path_outside_of_utf_8_is_refused() {
        use std::os::unix::ffi::OsStringExt as _;

        let place = format!("sqlite:{}/desk-", env::temp_dir().display());
        let place = std::ffi::OsString::from_vec([place.as_bytes(), b"\xff.db"].concat());
        let refused = stored(Server::new(), &place).err().map(|error| error.to_string());
        assert!(refused.as_ref().is_some_and(|why| why.contains("in UTF-8")), "{refused:?}");
    }
}

//! The files of the page, compiled in, so that users build nothing.

use axum::Router;
use axum::routing::get;
use http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};

/// Scripts and styles of this server only, requests to it only, and no text that becomes HTML.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; \
                      trusted-types 'none'";

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const JS: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";

macro_rules! files {
    ($($kind:ident: $($name:literal)*;)*) => {
        [$($((concat!("/inspector/", $name), $kind, include_str!(concat!("../web/", $name)))),*),*]
    };
}

const FILES: &[(&str, &str, &str)] = &files! {
    CSS: "theme.css" "layout.css" "events.css" "panes.css";
    SVG: "icon.svg";
    JS: "about-pane.js" "agents.js" "answers.js" "ask.js" "chat.js" "composer.js" "conversation.js"
        "copy.js" "dom.js" "event-list.js" "event-pane.js" "event.js" "filters.js" "frontend-tools.js"
        "input-pane.js" "json-text.js" "json-tree.js" "keys.js" "lanes-view.js" "lanes.js" "main.js" "patch.js"
        "recording.js" "roving.js" "runner.js" "schema-form.js" "scrubber.js" "shown.js" "state-pane.js"
        "state.js" "store.js" "stream.js" "surface.js" "tabs.js" "theme.js" "visible.js";
};

/// The page at `/`, and its files below `/inspector`.
pub(crate) fn routes() -> Router {
    let index = ("/", HTML, include_str!("../web/index.html"));
    FILES.iter().chain([&index]).fold(Router::new(), |router, &(path, kind, text)| {
        let headers = [
            (CONTENT_TYPE, kind),
            (CONTENT_SECURITY_POLICY, POLICY),
            (X_CONTENT_TYPE_OPTIONS, "nosniff"),
            (REFERRER_POLICY, "no-referrer"),
            (CACHE_CONTROL, "no-cache"),
        ];
        router.route(path, get(move || async move { (headers, text) }))
    })
}

//! `GET /` in development: a page that says where the agents are, and how to talk to them.
//!
//! A program prints its address, and people open that address in a browser. The page exists only in debug builds on a loopback
//! address, because it describes the program.

use std::fmt::Write as _;
use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::extract::Request;
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, HeaderValue, Method, StatusCode, header};

use super::mount::{MountedAgent, RouteProtocol};
use super::origins::loopback::is_local;

/// The page's path.
const PATH: &str = "/";

/// Only the page's own style: the page loads nothing and sends nothing.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; \
                      form-action 'none'; frame-ancestors 'none'";

const HEAD: &str = include_str!("start_page/head.html");

/// Returns the address at which a program in development listens; `None` for a release build, or an address that other machines
/// can reach.
pub(super) fn in_development(listening: SocketAddr, is_debug_build: bool) -> Option<SocketAddr> {
    (is_debug_build && is_local(listening)).then_some(listening)
}

/// An agent in the page's list.
#[derive(Debug)]
struct ListedAgent {
    path: String,
    name: &'static str,
    description: &'static str,
}

/// Writes the page. Agents that other protocols serve are left out, because the page's commands do not fit them.
pub(super) fn page(agents: &[MountedAgent], address: SocketAddr, has_manifest: bool) -> String {
    let agents = agents.iter().filter(|mounted| mounted.protocol == RouteProtocol::AgUi);
    let listed = agents.map(|MountedAgent { path, source, .. }| ListedAgent {
        path: path.clone(),
        name: source.name,
        description: source.description,
    });
    written(&listed.collect::<Vec<_>>(), address, has_manifest)
}

fn written(agents: &[ListedAgent], address: SocketAddr, has_manifest: bool) -> String {
    let mut page = HEAD.to_owned();
    // Writing to a `String` cannot fail.
    let _ = write!(page, "<p>AG-UI clients talk to these agents:</p>\n<ul>\n");
    for ListedAgent { path, name, description } in agents {
        let url = format!("http://{address}{path}");
        let below = path.trim_end_matches('/');
        let _ = write!(
            page,
            "<li>\n<h2><code>{path}</code> {name}</h2>\n<p>{description}</p>\n\
             <p><a href=\"{below}/capabilities\">What it can do</a></p>\n\
             <p>Send it a message:</p>\n<pre tabindex=\"0\" aria-label=\"Command that sends {name} a message\">{}</pre>\n</li>\n",
            escaped(&command(&url)),
            path = escaped(path),
            name = escaped(name),
            description = escaped(description),
            below = escaped(below),
        );
    }
    if agents.is_empty() {
        page.push_str("<li>This program serves no agent to AG-UI clients.</li>\n");
    }
    page.push_str("</ul>\n");
    let urls: Vec<String> =
        agents.iter().map(|ListedAgent { path, .. }| format!("http://{address}{path}")).collect();
    if !urls.is_empty() {
        let _ = write!(
            page,
            "<p>See every event, the state and the conversation, with the inspector, in a clone of the repository of agui-runtime:</p>\n\
             <pre tabindex=\"0\" aria-label=\"Command that starts the inspector\">cargo run -p agui-cli -- inspect {}</pre>\n",
            escaped(&urls.join(" ")),
        );
    }
    if has_manifest {
        page.push_str("<p><a href=\"/agui/manifest.json\">The manifest</a>, from which agui-codegen generates clients</p>\n");
    }
    page.push_str("<p class=\"hint\">This page is only in debug builds, and only on this machine.</p>\n</main>\n</body>\n</html>\n");
    page
}

/// Returns a shell command that sends a message. Paths have no quotes or spaces that a shell would read, except `'`.
fn command(url: &str) -> String {
    let url = url.replace('\'', "'\\''");
    let input = r#"{"threadId":"1","runId":"1","protocolVersion":"1.0","messages":[{"id":"1","role":"user","content":"Hello"}]}"#;
    format!("curl -N '{url}' -H 'content-type: application/json' -d '{input}'")
}

/// Returns text escaped for HTML and for quoted attributes.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            other => escaped.push(other),
        }
    }
    escaped
}

/// Serves the page at `GET /` where no other route does, including the program's.
pub(super) fn with_fallback_page(router: Router, page: String) -> Router {
    let page: Arc<str> = page.into();
    router.layer(middleware::from_fn(move |request: Request, next: Next| {
        let is_asked = request.method() == Method::GET && request.uri().path() == PATH;
        // A client that wants a stream here, such as one of an older MCP, is at the wrong place.
        let page = (is_asked && wants_html(request.headers())).then(|| Arc::clone(&page));
        async move {
            let response = next.run(request).await;
            match page {
                Some(page) if is_no_answer(response.status()) => html(&page),
                _ => response,
            }
        }
    }))
}

fn is_no_answer(status: StatusCode) -> bool {
    matches!(status, StatusCode::NOT_FOUND | StatusCode::METHOD_NOT_ALLOWED)
}

/// Returns true if a client reads HTML: its `Accept` names HTML, or any type, or is missing.
fn wants_html(headers: &HeaderMap) -> bool {
    let mut accepts = headers.get_all(header::ACCEPT).iter().peekable();
    accepts.peek().is_none()
        || accepts.any(|value| {
            let value = String::from_utf8_lossy(value.as_bytes()).to_ascii_lowercase();
            ["text/html", "text/*", "*/*"].iter().any(|kind| value.contains(kind))
        })
}

fn html(page: &str) -> Response {
    let mut response = page.to_owned().into_response();
    for (name, value) in [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::CACHE_CONTROL, "no-store"),
    ] {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_debug_build_on_this_machine_has_the_page() {
        for (address, is_debug_build, expected) in [
            ("127.0.0.1:8000", true, true),
            ("[::1]:8000", true, true),
            ("127.0.0.1:8000", false, false),
            ("0.0.0.0:8000", true, false),
            ("192.168.0.9:8000", true, false),
            ("[::]:8000", true, false),
        ] {
            let address: SocketAddr = address.parse().unwrap();
            assert_eq!(in_development(address, is_debug_build).is_some(), expected, "{address}");
        }
    }

    #[test]
    fn texts_of_a_program_are_text() {
        let agent =
            ListedAgent { path: "/a'b".to_owned(), name: "chef", description: "Cooks <b>\"fast\" & well" };
        let page = written(&[agent], "127.0.0.1:1".parse().unwrap(), false);
        assert!(page.contains("<p>Cooks &lt;b&gt;&quot;fast&quot; &amp; well</p>"), "{page}");
        assert!(page.contains("<pre tabindex=\"0\" aria-label=\"Command that sends chef a message\">curl -N &#39;http://127.0.0.1:1/a&#39;\\&#39;&#39;b&#39; -H"), "{page}");
        assert!(!page.contains("manifest.json"));
    }

    #[test]
    fn programs_that_read_no_html_get_none() {
        for (accept, expected) in [
            (None, true),
            (Some("text/html,application/xhtml+xml;q=0.9"), true),
            (Some("*/*"), true),
            (Some("text/event-stream"), false),
            (Some("application/json"), false),
        ] {
            let headers: HeaderMap =
                accept.iter().map(|value| (header::ACCEPT, HeaderValue::from_static(value))).collect();
            assert_eq!(wants_html(&headers), expected, "{accept:?}");
        }
    }
}

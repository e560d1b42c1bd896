//! All routes behind one address, for pages with `useSingleEndpoint`: a POST whose body names the route.

use std::borrow::Cow;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::response::Response;
use axum::routing::post;
use bytes::Bytes;
use http::{Method, Uri, header};
use tower_service::Service;

use super::info::single_info;
use super::refusal::CopilotRefusal;
use super::routes::CopilotRoutes;
use crate::protocol::forms::scan::JsonScanner;
use crate::server::limits::held_text::held_text;
use crate::server::request::input_bytes::check_content_type;

/// The one address, and the routes behind it.
#[derive(Clone)]
struct SingleRoute {
    served: Arc<CopilotRoutes>,
    below: Router,
}

/// Adds the one address to the routes.
pub(super) fn route(served: Arc<CopilotRoutes>, below: Router) -> Router {
    let single = SingleRoute { served, below: below.clone() };
    below.merge(Router::new().route("/", post(answer)).with_state(single))
}

/// The members of a request's body, as JSON text.
#[derive(Default)]
struct RouteEnvelope<'t> {
    method: Option<Cow<'t, str>>,
    params: RouteParameters<'t>,
    body: Option<&'t str>,
}

#[derive(Default)]
struct RouteParameters<'t> {
    agent: Option<Cow<'t, str>>,
    thread: Option<Cow<'t, str>>,
    path: Option<Cow<'t, str>>,
    http_method: Option<Cow<'t, str>>,
}

async fn answer(
    State(SingleRoute { served, mut below }): State<SingleRoute>,
    request: Request,
) -> Result<Response, CopilotRefusal> {
    let (mut parts, body) = request.into_parts();
    check_content_type(&parts.headers)?;
    let (bytes, share) = served.body(&parts, body, served.settings.limits.body_size).await?;
    let text = std::str::from_utf8(&bytes).map_err(|_| CopilotRefusal::invalid("Invalid JSON payload"))?;
    let envelope = envelope(text).ok_or_else(|| CopilotRefusal::invalid("Invalid JSON payload"))?;
    let Some((method, path)) = target(&envelope)? else { return Ok(single_info(&served)) };
    let inner = match envelope.body {
        Some(body) if method != Method::GET => held_text(body.as_bytes().to_vec(), share),
        _ => Bytes::new(),
    };
    parts.uri = path.parse::<Uri>().map_err(|_| not_below())?;
    parts.method = method;
    parts.headers.remove(header::EXPECT);
    parts.headers.insert(header::CONTENT_LENGTH, inner.len().into());
    drop(bytes);
    let Ok(response) = below.call(Request::from_parts(parts, Body::from(inner))).await;
    Ok(response)
}

/// Returns the method and path below the base for an envelope; `None` for the information about the server.
fn target(envelope: &RouteEnvelope<'_>) -> Result<Option<(Method, String)>, CopilotRefusal> {
    let RouteEnvelope { method, params, .. } = envelope;
    let method = method.as_deref().ok_or_else(|| CopilotRefusal::invalid("Missing method field"))?;
    let agent = || named(params.agent.as_deref(), "agentId").map(segment);
    let path = match method {
        "info" => return Ok(None),
        "agent/run" => format!("/agent/{}/run", agent()?),
        "agent/suggest" => format!("/agent/{}/suggest", agent()?),
        "agent/connect" => format!("/agent/{}/connect", agent()?),
        "agent/stop" => {
            format!("/agent/{}/stop/{}", agent()?, segment(named(params.thread.as_deref(), "threadId")?))
        }
        "resource/request" => return resource(params).map(Some),
        "transcribe" | "inspector/metadata" | "inspector/learning" => return Err(CopilotRefusal::platform()),
        _ => return Err(CopilotRefusal::invalid("Unsupported method")),
    };
    Ok(Some((Method::POST, path)))
}

/// Returns the method and path of a request about threads.
fn resource(params: &RouteParameters<'_>) -> Result<(Method, String), CopilotRefusal> {
    let path = named(params.path.as_deref(), "path")?;
    let method = named(params.http_method.as_deref(), "httpMethod")?.to_ascii_uppercase();
    let method = method.parse().map_err(|_| CopilotRefusal::invalid("Invalid parameter 'httpMethod'"))?;
    let is_resource = ["/threads", "/memories", "/annotate"].iter().any(|root| {
        path.strip_prefix(root).is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '?']))
    });
    if is_resource { Ok((method, path.to_owned())) } else { Err(not_below()) }
}

fn not_below() -> CopilotRefusal {
    CopilotRefusal::invalid("expected the path of a resource of this server, such as `/threads`")
}

fn named<'p>(value: Option<&'p str>, name: &str) -> Result<&'p str, CopilotRefusal> {
    let value = value.filter(|value| !value.trim().is_empty());
    value.ok_or_else(|| CopilotRefusal::invalid(format!("Missing or invalid parameter '{name}'")))
}

/// Writes a text as one segment of a path.
fn segment(text: &str) -> String {
    let mut written = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' => written.push(char::from(byte)),
            _ => written.push_str(&format!("%{byte:02X}")),
        }
    }
    written
}

/// Reads an envelope. `None` for what is no object.
fn envelope(text: &str) -> Option<RouteEnvelope<'_>> {
    let mut read = RouteEnvelope::default();
    each_member(text, |key, value| match key {
        "method" => read.method = string(value),
        "body" => read.body = (value != "null").then_some(value),
        "params" => {
            let known = each_member(value, |key, value| match key {
                "agentId" => read.params.agent = string(value),
                "threadId" => read.params.thread = string(value),
                "path" => read.params.path = string(value),
                "httpMethod" => read.params.http_method = string(value),
                _ => {}
            });
            // Parameters of another kind name nothing.
            let _ = known;
        }
        _ => {}
    })?;
    Some(read)
}

fn each_member<'t>(text: &'t str, mut take: impl FnMut(&str, &'t str)) -> Option<()> {
    let mut scanner = JsonScanner::checked(text);
    scanner.space();
    scanner.open(b'{')?;
    let mut first = true;
    while scanner.element(&mut first, b'}')? {
        let key = scanner.any_key()?;
        let value = scanner.value_text()?;
        take(&key, value);
    }
    Some(())
}

fn string(value: &str) -> Option<Cow<'_, str>> {
    serde_json::from_str::<String>(value).ok().map(Cow::Owned)
}

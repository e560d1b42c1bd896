//! The client's frames.

use std::borrow::Cow;

use axum::body::Body;
use axum::extract::Request;
use bytes::Bytes;
use http::{HeaderName, HeaderValue, StatusCode, header};
use tokio_tungstenite::tungstenite::Utf8Bytes;

use super::handshake::{SocketAgents, SocketCaller};
use crate::quoted::quoted;
use crate::server::manifest;
use crate::server::response::rejection::Rejection;
use crate::wire::websocket::{ClientFrame, ClientFrameKind, Format, MAX_ID};
use crate::wire::{proto, sse};

/// Headers that a frame may add to the handshake's, because a browser cannot add them there. Other headers could imitate a proxy's
/// headers; a proxy sees only the handshake.
const ADDED: [HeaderName; 5] = [
    header::AUTHORIZATION,
    header::ACCEPT_LANGUAGE,
    manifest::HEADER,
    HeaderName::from_static("traceparent"),
    HeaderName::from_static("tracestate"),
];

/// A client's request.
pub(super) enum SocketRequest {
    Run { id: String, window: Option<u32>, request: Result<Box<Request>, Rejection> },
    Cancel { id: String },
    Window { id: String, more: u32 },
}

/// Parses a frame.
pub(super) fn parse_frame(
    text: &Utf8Bytes,
    reached: &SocketAgents,
    caller: &SocketCaller,
) -> Result<SocketRequest, String> {
    let frame: ClientFrame<'_> = serde_json::from_str(text).map_err(|error| error.to_string())?;
    if frame.id.is_empty() || frame.id.len() > MAX_ID {
        return Err(format!("expected an `id` of 1 to {MAX_ID} bytes"));
    }
    let id = frame.id.clone().into_owned();
    match frame.kind {
        ClientFrameKind::Cancel => Ok(SocketRequest::Cancel { id }),
        ClientFrameKind::Window => match frame.more {
            Some(more) => Ok(SocketRequest::Window { id, more }),
            None => Err("expected `more` frames".to_owned()),
        },
        ClientFrameKind::Run => {
            let (Some(path), Some(input)) = (&frame.path, frame.input) else {
                return Err("expected the `path` of an agent and an `input`".to_owned());
            };
            // Not copied: the message is as long as the input.
            let bytes: &Bytes = text.as_ref();
            let input = bytes.slice_ref(input.get().as_bytes());
            let request = request(path, input, &frame, reached, caller).map(Box::new);
            Ok(SocketRequest::Run { id, window: frame.window, request })
        }
    }
}

/// Returns a run's request, in the form that HTTP would deliver.
fn request(
    path: &str,
    input: Bytes,
    frame: &ClientFrame<'_>,
    reached: &SocketAgents,
    caller: &SocketCaller,
) -> Result<Request, Rejection> {
    if !reached.paths.contains(path) {
        let message = format!("no agent is at `{path}`");
        return Err(Rejection::new(StatusCode::NOT_FOUND, "not_found", message));
    }
    let mut request = Request::new(Body::from(input));
    *request.method_mut() = http::Method::POST;
    // The paths of agents are checked when the server is built.
    *request.uri_mut() = path.parse().map_err(|_| invalid_header(path))?;
    *request.extensions_mut() = caller.extensions.clone();
    let headers = request.headers_mut();
    headers.clone_from(&caller.headers);
    for (name, value) in frame.headers.iter().flatten() {
        let known = HeaderName::try_from(&**name).ok().filter(|name| ADDED.contains(name));
        let known = known.filter(|name| !headers.contains_key(name)).ok_or_else(|| invalid_header(name))?;
        headers.insert(known, HeaderValue::try_from(&**value).map_err(|_| invalid_header(name))?);
    }
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(
        header::ACCEPT,
        HeaderValue::from_static(match frame.format.unwrap_or_default() {
            Format::Json => sse::CONTENT_TYPE,
            Format::Binary => proto::CONTENT_TYPE,
        }),
    );
    if let Some(id) = frame.last_event_id.as_deref().map(Cow::Borrowed) {
        let id = HeaderValue::try_from(&*id).map_err(|_| invalid_header("last-event-id"))?;
        headers.insert(HeaderName::from_static("last-event-id"), id);
    }
    Ok(request)
}

fn invalid_header(name: &str) -> Rejection {
    let names: Vec<_> = ADDED.iter().map(|name| format!("`{name}`")).collect();
    let message = format!(
        "a frame cannot have the header `{}`: it may add {} to those of the handshake, and change none of them",
        quoted(name),
        names.join(", "),
    );
    Rejection::new(StatusCode::BAD_REQUEST, "invalid_header", message)
}

//! The response to an agent card request.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::response::Response;
use http::uri::Authority;
use http::{HeaderValue, StatusCode, header};

use super::TaskDesk;
use crate::a2a::AgentInterface;
use crate::server::response::rejection::json_response;

pub(super) async fn card_endpoint(State(desk): State<Arc<TaskDesk>>, request: Request) -> Response {
    let mut card = desk.card.clone();
    if card.supported_interfaces.is_empty() {
        let url = desk.url.clone().unwrap_or_else(|| address(&desk.path, &request));
        let both = [AgentInterface::json_rpc(&url), AgentInterface::http_json(&url)];
        card.supported_interfaces.extend(both);
    }
    let mut response = json_response(StatusCode::OK, &card);
    // The address depends on the host that the request names.
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    response
}

/// Returns the agent's address, with the host that the request names.
fn address(path: &str, request: &Request) -> String {
    let named = request.headers().get(header::HOST).and_then(|host| host.to_str().ok());
    let host = named.or_else(|| request.uri().authority().map(Authority::as_str)).unwrap_or("localhost");
    format!("http://{host}{path}")
}

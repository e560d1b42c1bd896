//! The HTTP exchange with a provider: one request, and the response bytes.

use std::time::Duration;

use agui_runtime_core::__leaf::shared_tls_config;
use agui_runtime_core::model::ModelError;
use agui_runtime_core::provider::ModelConfigError;
use agui_runtime_core::wire::sse;
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderValue};
use reqwest::{Client, RequestBuilder, Response};
use serde_json::{Map, Value};

use super::address::ProviderAddress;
use super::config::ModelTarget;
use super::failure;

/// The most bytes read from an error body.
const LONGEST_REFUSAL: usize = 64 << 10;

/// Returns the client for a provider. Redirects are not followed: the key must not reach another address.
pub(super) fn client(address: &ProviderAddress) -> Result<Client, ModelConfigError> {
    let failed = |error: Box<dyn std::error::Error + Send + Sync>| ModelConfigError::Client(error);
    let trust = shared_tls_config(address.is_encrypted()).map_err(|error| failed(Box::new(error)))?;
    Client::builder()
        .tls_backend_preconfigured(trust)
        .redirect(reqwest::redirect::Policy::none())
        .connect_timeout(Duration::from_secs(10))
        .build()
        .map_err(|error| failed(Box::new(error)))
}

/// An open response; dropping the value closes the connection.
pub(super) struct HttpExchange {
    response: Response,
}

impl HttpExchange {
    /// Sends a request, and waits for the response head.
    pub(super) async fn begin(
        client: &Client,
        target: &ModelTarget,
        body: Map<String, Value>,
    ) -> Result<Self, ModelError> {
        let response = request(client, target, body)?.send().await.map_err(lost)?;
        if !response.status().is_success() {
            return Err(refusal(response, target.key.as_deref()).await);
        }
        Ok(Self { response })
    }

    /// Returns the `Content-Type` header; empty if the server sent none.
    pub(super) fn content_type(&self) -> &str {
        self.response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    /// Waits for response bytes; `None` at the end.
    pub(super) async fn next(&mut self) -> Result<Option<impl AsRef<[u8]>>, ModelError> {
        self.response.chunk().await.map_err(lost)
    }
}

fn request(
    client: &Client,
    target: &ModelTarget,
    body: Map<String, Value>,
) -> Result<RequestBuilder, ModelError> {
    let ModelTarget { dialect, model, address, .. } = target;
    let mut request = client
        .post(address.endpoint(&dialect.path(model)))
        .header(CONTENT_TYPE, "application/json")
        .header(ACCEPT, sse::CONTENT_TYPE)
        .body(Value::Object(body).to_string());
    if let Some((name, version)) = dialect.version() {
        request = request.header(name, version);
    }
    if let Some((name, value)) = target.key_header() {
        let mut value = HeaderValue::from_str(&value)
            .map_err(|_| ModelError::Unauthorized("the key cannot be the value of a header".to_owned()))?;
        value.set_sensitive(true);
        request = request.header(name, value);
    }
    Ok(request)
}

/// Reads the reason from the body of an error response.
async fn refusal(mut response: Response, key: Option<&str>) -> ModelError {
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    let mut body = Vec::new();
    while body.len() < LONGEST_REFUSAL {
        // A reason that is cut off tells more than none.
        let Ok(Some(bytes)) = response.chunk().await else { break };
        body.extend_from_slice(&bytes);
    }
    let mut body = String::from_utf8_lossy(&body).into_owned();
    // Some servers repeat the key that they refuse.
    if let Some(key) = key.filter(|key| !key.is_empty()) {
        body = body.replace(key, "…");
    }
    failure::from_response(status, &body, &headers)
}

fn lost(mut error: reqwest::Error) -> ModelError {
    // A query may have a key.
    if let Some(url) = error.url_mut() {
        url.set_query(None);
    }
    match error.is_builder() {
        true => ModelError::Failed(error.to_string()),
        false => ModelError::Unreachable(Box::new(error)),
    }
}

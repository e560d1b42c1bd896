//! Status, content type and text of a response without result.

use std::borrow::Cow;

use http::StatusCode;
use http::header::{CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use reqwest::Response;
use rmcp::transport::streamable_http_client::{
    HttpStatusError, StreamableHttpError, StreamableHttpResponseLimits,
};

use super::failure::{HttpFailure, McpHttpError};
use super::token::McpTokenChallenge;

pub(super) const JSON: &str = "application/json";
pub(super) const EVENTS: &str = "text/event-stream";

/// Converts an error status, with the `Retry-After` header.
pub(super) fn status_error(response: &Response) -> HttpStatusError {
    let pause = response.headers().get(RETRY_AFTER).and_then(|pause| pause.to_str().ok());
    HttpStatusError::new(response.status().as_u16(), pause.map(str::to_owned))
}

pub(super) fn unexpected(text: String) -> McpHttpError {
    StreamableHttpError::UnexpectedServerResponse(Cow::Owned(text))
}

pub(super) fn is_about_rights(status: StatusCode) -> bool {
    matches!(status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN)
}

/// Returns an error if the response demands credentials, or broader ones.
pub(super) fn check_rights(response: &Response) -> Result<(), McpHttpError> {
    if is_about_rights(response.status()) && response.headers().contains_key(WWW_AUTHENTICATE) {
        return Err(HttpFailure::Unauthorized(McpTokenChallenge::from_response(response)).into());
    }
    Ok(())
}

/// The first 256 characters of a body, for an error text.
pub(super) fn preview(body: &str) -> &str {
    let end = body.char_indices().nth(256).map_or(body.len(), |(end, _)| end);
    body.get(..end).unwrap_or_default()
}

pub(super) fn is_kind(given: &str, kind: &str) -> bool {
    given.split(';').next().is_some_and(|given| given.trim().eq_ignore_ascii_case(kind))
}

pub(super) fn is_type(response: &Response, kind: &str) -> bool {
    let given = response.headers().get(CONTENT_TYPE).and_then(|given| given.to_str().ok());
    given.is_some_and(|given| is_kind(given, kind))
}

/// Reads a body: a JSON message whole, any other error text up to the limit.
pub(super) async fn read(
    mut response: Response,
    limits: &StreamableHttpResponseLimits,
) -> Result<String, McpHttpError> {
    let is_message = is_type(&response, JSON);
    let most = if is_message { limits.max_json_response_size } else { limits.max_error_response_size };
    let mut body = Vec::new();
    while let Some(bytes) = response.chunk().await.map_err(HttpFailure::from)? {
        body.extend_from_slice(&bytes);
        if body.len() > most {
            if is_message {
                return Err(StreamableHttpError::ResponseBodyTooLarge { max_size: most });
            }
            break;
        }
    }
    Ok(String::from_utf8_lossy(&body).into_owned())
}

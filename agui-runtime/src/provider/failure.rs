//! The failures of providers as errors of a model.

use std::time::Duration;

use reqwest::header::HeaderMap;
use serde_json::Value;

use super::dialect::text;
use crate::date;
use crate::model::ModelError;
use crate::quoted::quoted;

/// Returns the error of a status that is no success.
pub(super) fn refused(status: u16, body: &str, headers: &HeaderMap) -> ModelError {
    let retry_after = retry_after(headers);
    let error = serde_json::from_str::<Value>(body).ok();
    let error =
        error.as_ref().map(|body| body.get("error").or_else(|| body.pointer("/0/error")).unwrap_or(body));
    let message = match error.and_then(|error| text(error, "/message").or_else(|| error.as_str())) {
        Some(message) => quoted(message).to_string(),
        None => quoted(body).to_string(),
    };
    match status {
        401 | 403 => ModelError::Unauthorized(message),
        429 => ModelError::RateLimited { retry_after },
        413 => ModelError::TooLong(message),
        408 | 500 | 502 | 503 | 504 | 520..=529 => ModelError::Overloaded { retry_after },
        _ if is_too_long(error, &message) => ModelError::TooLong(message),
        _ => ModelError::Refused { status, message },
    }
}

/// Returns the error that a provider reports within a stream.
pub(super) fn reported(error: &Value) -> ModelError {
    let message =
        text(error, "/message").or_else(|| error.as_str()).unwrap_or("the provider gives no reason");
    let message = quoted(message).to_string();
    if is_too_long(Some(error), &message) {
        return ModelError::TooLong(message);
    }
    let retry_after = None;
    if let Some(code) = error.get("code").and_then(Value::as_u64) {
        match code {
            401 | 403 => return ModelError::Unauthorized(message),
            429 => return ModelError::RateLimited { retry_after },
            500..=599 => return ModelError::Overloaded { retry_after },
            _ => {}
        }
    }
    for member in ["/type", "/code", "/status"] {
        match text(error, member) {
            Some(
                "overloaded_error"
                | "api_error"
                | "server_error"
                | "internal_server_error"
                | "UNAVAILABLE"
                | "INTERNAL",
            ) => {
                return ModelError::Overloaded { retry_after };
            }
            Some("rate_limit_error" | "rate_limit_exceeded" | "RESOURCE_EXHAUSTED") => {
                return ModelError::RateLimited { retry_after };
            }
            Some(
                "authentication_error"
                | "permission_error"
                | "invalid_api_key"
                | "UNAUTHENTICATED"
                | "PERMISSION_DENIED",
            ) => {
                return ModelError::Unauthorized(message);
            }
            _ => {}
        }
    }
    ModelError::Failed(message)
}

/// The providers have no status of their own for this.
fn is_too_long(error: Option<&Value>, message: &str) -> bool {
    let code = error.and_then(|error| text(error, "/code"));
    let message = message.to_ascii_lowercase();
    code == Some("context_length_exceeded")
        || [
            "prompt is too long",
            "maximum context length",
            "input token count",
            "context window",
            "exceeds the maximum number of tokens",
        ]
        .iter()
        .any(|words| message.contains(words))
}

/// Returns the time that the provider asks to wait, in one of the three forms in use.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let value = |name: &str| headers.get(name)?.to_str().ok().map(str::trim);
    match value("retry-after-ms").and_then(|milliseconds| milliseconds.parse::<f64>().ok()) {
        Some(milliseconds) => Duration::try_from_secs_f64(milliseconds / 1000.0).ok(),
        None => date::wait(value("retry-after")?),
    }
}

#[cfg(test)]
mod tests {
    use reqwest::header::HeaderValue;

    use super::*;

    fn wait(name: &'static str, value: &str) -> Option<u64> {
        let mut headers = HeaderMap::new();
        headers.insert(name, HeaderValue::from_str(value).unwrap());
        retry_after(&headers).map(|wait| wait.as_secs())
    }

    #[test]
    fn a_wait_is_seconds_milliseconds_or_a_date() {
        assert_eq!(wait("retry-after", " 7 "), Some(7));
        assert_eq!(wait("retry-after-ms", "1500"), Some(1));
        assert_eq!(wait("retry-after", "Wed, 21 Oct 2015 07:28:00 GMT"), Some(0));
        assert!(wait("retry-after", "Fri, 21 Oct 2146 07:28:00 GMT") > Some(1_000_000));
        assert_eq!(
            (wait("retry-after", "soon"), wait("retry-after", "-1"), wait("other", "1")),
            (None, None, None)
        );
    }
}

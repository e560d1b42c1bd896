//! Maps provider failures to model errors.

use std::time::Duration;

use agui_runtime_core::__leaf::{quoted_up_to, retry_after_delay};
use agui_runtime_core::model::ModelError;
use reqwest::header::HeaderMap;
use serde_json::Value;

/// The most characters in a reason.
const LONGEST_REASON: usize = 500;

/// A failure class.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FailureClass {
    Quota,
    TooLong,
    Unauthorized,
    RateLimited,
    Overloaded,
}

/// Error codes and types that providers and gateways send.
const CODES: [(FailureClass, &[&str]); 5] = [
    (
        FailureClass::Quota,
        &[
            "insufficient_quota",
            "insufficient_balance",
            "insufficient_credits",
            "insufficient_user_quota",
            "exceeded_current_quota_error",
            "1113",
            "billing_hard_limit_reached",
            "billing_error",
            "billing_not_active",
            "payment_required",
            "arrearage",
            "402",
        ],
    ),
    (
        FailureClass::TooLong,
        &[
            "context_length_exceeded",
            "context_window_exceeded",
            "exceed_context_size_error",
            "model_context_window_exceeded",
            "string_above_max_length",
            "request_too_large",
            "413",
        ],
    ),
    (
        FailureClass::Unauthorized,
        &[
            "authentication_error",
            "permission_error",
            "invalid_api_key",
            "invalidapikey",
            "invalid_authentication_error",
            "unauthorized",
            "unauthenticated",
            "permission_denied",
            "401",
            "403",
        ],
    ),
    (
        FailureClass::RateLimited,
        &[
            "rate_limit_error",
            "rate_limit_exceeded",
            "rate_limit_reached_error",
            "rate_limited",
            "requests",
            "tokens",
            "too_many_requests",
            "resource_exhausted",
            "throttling",
            "429",
        ],
    ),
    (
        FailureClass::Overloaded,
        &[
            "overloaded_error",
            "overloaded",
            "engine_overloaded_error",
            "api_error",
            "server_error",
            "server_overloaded",
            "internal_error",
            "internal_server_error",
            "internalservererror",
            "service_unavailable",
            "unavailable",
            "internal",
            "timeout_error",
            "408",
        ],
    ),
];

/// Phrases for an empty account, unless the error names a delay: Gemini uses them for a per-minute limit too.
const EMPTY_FOR_A_TIME: [&str; 2] = ["exceeded your current token quota", "exceeded your current quota"];

/// Phrases for an empty account.
const EMPTY_ACCOUNT: [&str; 8] = [
    "insufficient balance",
    "balance is insufficient",
    "insufficient funds",
    "insufficient credit",
    "insufficient quota",
    "credit balance is too low",
    "out of credits",
    "more credits",
];

/// Phrases for a prompt that is too long.
const TOO_LONG: [&str; 20] = [
    "context limit",
    "model token limit",
    "range of input length",
    "prompt token count",
    "prompt is too long",
    "prompt too long",
    "input is too long",
    "input too long",
    "request too large",
    "maximum context length",
    "maximum input length",
    "maximum prompt length",
    "context length",
    "context size",
    "context window",
    "input token count",
    "exceeds the maximum number of tokens",
    "max_model_len",
    "reduce the length",
    "too many input tokens",
];

/// Returns the error for an HTTP status other than success.
pub(super) fn from_response(status: u16, body: &str, headers: &HeaderMap) -> ModelError {
    let read = serde_json::from_str::<Value>(body).unwrap_or_else(|_| Value::from(body.trim()));
    let error = read.pointer("/0").unwrap_or(&read);
    let error = error.get("error").filter(|inner| !inner.is_null() && !says_more(error)).unwrap_or(error);
    classified(error, Some(status), retry_after(headers))
}

/// Returns the error that a provider reports inside a response.
pub(super) fn from_error_json(error: &Value) -> ModelError {
    classified(error, None, None)
}

/// Returns the error in a frame, in any known form. `content_members` are the dialect's frame members: a frame without them but with a
/// reason is an error.
pub(super) fn in_frame(frame: &Value, content_members: &[&str]) -> Option<ModelError> {
    let is_there = |name: &&str| {
        frame
            .get(name)
            .is_some_and(|member| !member.is_null() && member.as_array().is_none_or(|list| !list.is_empty()))
    };
    if let Some(error) = frame.get("error").filter(|error| says_something(error)) {
        // A status beside the reason says more.
        return Some(from_error_json(if says_more(frame) { frame } else { error }));
    }
    let is_error = |name: &str| frame.get(name).and_then(Value::as_str) == Some("error");
    if is_error("object") || is_error("type") || is_error("status") {
        return Some(from_error_json(frame));
    }
    if content_members.iter().any(is_there) {
        return None;
    }
    if frame.pointer("/base_resp/status_code").and_then(Value::as_i64).is_some_and(|code| code != 0) {
        return frame.get("base_resp").map(from_error_json);
    }
    let has_reason =
        ["message", "msg", "error_msg", "errors", "detail", "error_message", "reason"].iter().any(is_there);
    has_reason.then(|| from_error_json(frame))
}

/// Removes the key from an error; some servers repeat the key.
pub(super) fn without_key(mut error: ModelError, key: Option<&str>) -> ModelError {
    let message = match &mut error {
        ModelError::Failed(message)
        | ModelError::Malformed(message)
        | ModelError::QuotaExhausted(message)
        | ModelError::TooLong(message)
        | ModelError::Unauthorized(message)
        | ModelError::RateLimited { message, .. }
        | ModelError::Overloaded { message, .. }
        | ModelError::Refused { message, .. } => message,
        _ => return error,
    };
    if let Some(key) = key.filter(|key| !key.is_empty() && message.contains(*key)) {
        *message = message.replace(key, "…");
    }
    error
}

/// True if the members beside `error` say more, because `error` is a single word or only signals failure.
fn says_more(frame: &Value) -> bool {
    let beside = ["message", "msg", "error_description", "error_message", "detail", "reason"];
    let has_text = beside.iter().any(|name| frame.get(name).is_some_and(Value::is_string));
    match frame.get("error") {
        Some(Value::String(_)) => {
            has_text || frame.get("code").or_else(|| frame.get("status_code")).is_some()
        }
        Some(Value::Bool(_) | Value::Number(_)) => has_text,
        _ => false,
    }
}

fn says_something(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => false,
        Value::String(text) => !text.is_empty(),
        Value::Object(members) => !members.is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Bool(true) | Value::Number(_) => true,
    }
}

fn classified(error: &Value, status: Option<u16>, retry_after: Option<Duration>) -> ModelError {
    let message = quoted_up_to(LONGEST_REASON, reason(error)).to_string();
    let retry_after = retry_after.or_else(|| delay(error));
    match class(error, &message, status, retry_after.is_some()) {
        Some(FailureClass::Quota) => ModelError::QuotaExhausted(message),
        Some(FailureClass::TooLong) => ModelError::TooLong(message),
        Some(FailureClass::Unauthorized) => ModelError::Unauthorized(message),
        Some(FailureClass::RateLimited) => ModelError::RateLimited { message, retry_after },
        Some(FailureClass::Overloaded) => ModelError::Overloaded { message, retry_after },
        None => match status.or_else(|| codes(error).iter().find_map(|code| code.parse().ok())) {
            Some(status) if (300..600).contains(&status) => ModelError::Refused { status, message },
            _ => ModelError::Failed(message),
        },
    }
}

fn class(error: &Value, message: &str, status: Option<u16>, names_a_wait: bool) -> Option<FailureClass> {
    let codes = codes(error);
    let coded = |class: FailureClass| {
        let known = CODES.iter().filter(|(of, _)| *of == class).flat_map(|(_, known)| known.iter());
        known.into_iter().any(|known| codes.iter().any(|code| code == known)).then_some(class)
    };
    let message = message.to_ascii_lowercase();
    let says = |words: &[&str]| words.iter().any(|words| message.contains(words));
    let empty =
        (says(&EMPTY_ACCOUNT) || !names_a_wait && says(&EMPTY_FOR_A_TIME)).then_some(FailureClass::Quota);
    let of_status = |status: u16| match status {
        402 => Some(FailureClass::Quota),
        401 | 403 => Some(FailureClass::Unauthorized),
        429 => Some(FailureClass::RateLimited),
        413 => Some(FailureClass::TooLong),
        408 | 500 | 502 | 503 | 504 | 520..=529 => Some(FailureClass::Overloaded),
        _ => None,
    };
    let long = says(&TOO_LONG).then_some(FailureClass::TooLong);
    // Codes of a class that is final come first: a status may be more general.
    let final_code = coded(FailureClass::Quota).or(empty).or_else(|| coded(FailureClass::TooLong));
    let passing = coded(FailureClass::RateLimited).filter(|_| status != Some(413));
    final_code
        .or_else(|| coded(FailureClass::Unauthorized))
        .or(passing)
        .or(long)
        .or_else(|| status.and_then(of_status))
        .or_else(|| coded(FailureClass::Overloaded))
        .or_else(|| codes.iter().find_map(|code| code.parse().ok()).and_then(of_status))
}

/// Returns an error's codes and types in lower case, from strings or numbers.
fn codes(error: &Value) -> Vec<String> {
    let mut codes = Vec::new();
    for place in [
        "/code",
        "/type",
        "/status",
        "/status_code",
        "/error_type",
        "/error_code",
        "/error/code",
        "/error/type",
    ] {
        match error.pointer(place) {
            Some(Value::String(code)) => codes.push(code.to_ascii_lowercase()),
            Some(Value::Number(code)) => codes.push(code.to_string()),
            _ => {}
        }
    }
    codes
}

/// Returns an error's reason: the message, or the whole JSON.
fn reason(error: &Value) -> String {
    let text = |place: &str| error.pointer(place).and_then(Value::as_str).filter(|text| !text.is_empty());
    let message = [
        "",
        "/message",
        "/error/message",
        "/error_description",
        "/reason",
        "/error",
        "/msg",
        "/status_msg",
        "/error_msg",
        "/error_message",
        "/detail",
        "/detail/0/msg",
        "/detail/message",
        "/errors/0/message",
        "/errors/0",
    ]
    .into_iter()
    .find_map(text);
    match (message, text("/metadata/raw")) {
        // A gateway's own words say nothing about the cause.
        (Some(message), Some(raw)) => format!("{message}: {raw}"),
        (Some(message), None) => message.to_owned(),
        (None, _) if says_something(error) => error.to_string(),
        (None, _) => "the provider gives no reason".to_owned(),
    }
}

/// Returns the retry delay in a Gemini error.
fn delay(error: &Value) -> Option<Duration> {
    let details = error.get("details")?.as_array()?;
    let delay = details.iter().find_map(|detail| detail.get("retryDelay")?.as_str())?;
    Duration::try_from_secs_f64(delay.strip_suffix('s')?.parse().ok()?).ok()
}

/// Returns the delay that the provider requests, from any header form in use: milliseconds, seconds, or a date.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let value = |name: &str| headers.get(name)?.to_str().ok().map(str::trim);
    match value("retry-after-ms").and_then(|milliseconds| milliseconds.parse::<f64>().ok()) {
        Some(milliseconds) => Duration::try_from_secs_f64(milliseconds / 1000.0).ok(),
        None => retry_after_delay(value("retry-after")?),
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

//! Reads an HTTP request into an input's bytes.

use axum::body::{Body, BodyDataStream};
use bytes::Bytes;
use futures_util::StreamExt;
use http::{HeaderMap, StatusCode, header};

use crate::quoted::quoted;
use crate::server::limits::body_time::BodyTimeout;
use crate::server::limits::budget::BodyShare;
use crate::server::metrics;
use crate::server::metrics::TimeoutKind;
use crate::server::response::rejection::Rejection;

/// Checks that the body declares JSON. A missing type is refused too, because browsers send a body without a type without a
/// preflight.
pub(in crate::server) fn check_content_type(headers: &HeaderMap) -> Result<(), Rejection> {
    let said = headers.get(header::CONTENT_TYPE).map(|value| String::from_utf8_lossy(value.as_bytes()));
    let media = said.as_deref().and_then(|said| said.split(';').next()).unwrap_or_default();
    let media = media.trim().to_ascii_lowercase();
    let is_json = media == "application/json"
        || media.strip_prefix("application/").is_some_and(|subtype| subtype.ends_with("+json"));
    // JSON is UTF-8 (RFC 8259, section 8.1): a body of another charset would be read as other text than was meant.
    if let Some(charset) = said.as_deref().and_then(foreign_charset).filter(|_| is_json) {
        let message = format!("expected JSON in UTF-8, found the charset `{}`", quoted(charset));
        return Err(Rejection::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported_media_type", message));
    }
    if is_json {
        return Ok(());
    }
    let found = if media.is_empty() { "nothing".to_owned() } else { format!("`{media}`") };
    Err(Rejection::new(
        StatusCode::UNSUPPORTED_MEDIA_TYPE,
        "unsupported_media_type",
        format!("expected the `Content-Type` header to say `application/json`, found {found}"),
    ))
}

/// Returns a content type's charset that is not JSON's. Given several, readers differ in which charset they take, and RFC 8187
/// adds `charset*`.
fn foreign_charset(said: &str) -> Option<&str> {
    let parameters = said.split(';').skip(1).filter_map(|written| written.split_once('='));
    let mut charsets = parameters
        .filter(|(name, _)| name.trim().trim_end_matches('*').eq_ignore_ascii_case("charset"))
        .map(|(_, value)| value.trim().trim_matches('"'));
    let is_utf_8 =
        |charset: &str| ["utf-8", "utf8", "us-ascii"].iter().any(|known| charset.eq_ignore_ascii_case(known));
    charsets.find(|charset| !is_utf_8(charset))
}

/// Reads the whole body and takes its bytes from the shared body budget. Refuses a body longer than `limit` bytes, or than the
/// remaining budget.
pub(in crate::server) async fn read_body(
    headers: &HeaderMap,
    body: Body,
    limit: usize,
    share: BodyShare,
) -> Result<(Bytes, BodyShare), Rejection> {
    let announced = headers
        .get(header::CONTENT_LENGTH)
        .and_then(|length| length.to_str().ok()?.parse::<u64>().ok())
        .unwrap_or_default();
    let announced = usize::try_from(announced).unwrap_or(usize::MAX);
    let mut body = body.into_data_stream();
    if let Err(refusal) = check_len(announced, limit).and_then(|()| share.check(announced)) {
        // A client that expects `100 Continue` has sent nothing yet, and reading would invite the body.
        if !headers.contains_key(header::EXPECT) {
            discard(&mut body, limit).await;
        }
        return Err(refusal);
    }
    // The announced length is not trusted: the buffer grows with the received bytes.
    let most = if announced == 0 { limit } else { announced };
    let mut bytes = Vec::new();
    while let Some(piece) = body.next().await {
        let piece = piece.map_err(|error| unreadable(&error))?;
        let len = bytes.len().saturating_add(piece.len());
        if let Err(refusal) = check_len(len, limit).and_then(|()| share.grow(piece.len())) {
            drop((bytes, piece, share));
            discard(&mut body, limit).await;
            return Err(refusal);
        }
        make_room(&mut bytes, piece.len(), most);
        bytes.extend_from_slice(&piece);
    }
    Ok((bytes.into(), share))
}

/// Reserves capacity for more bytes: doubles the buffer, up to `most` in all unless more bytes are there.
fn make_room(bytes: &mut Vec<u8>, more: usize, most: usize) {
    let wanted = bytes.len().saturating_add(more);
    if wanted > bytes.capacity() {
        let room = wanted.max(bytes.len().saturating_mul(2).min(most));
        bytes.reserve_exact(room - bytes.len());
    }
}

fn unreadable(error: &axum::Error) -> Rejection {
    if BodyTimeout::is_cause_of(error) {
        metrics::timed_out(TimeoutKind::Body);
        return Rejection::new(
            StatusCode::REQUEST_TIMEOUT,
            "body_timeout",
            "the body did not arrive in time",
        );
    }
    Rejection::new(StatusCode::BAD_REQUEST, "body_unreadable", format!("the body ended early: {error}"))
}

/// Reads the body's rest, up to a limit: a client that is cut off while it writes often never reads the response.
async fn discard(body: &mut BodyDataStream, mut room: usize) {
    while let Some(Ok(piece)) = body.next().await {
        match room.checked_sub(piece.len()) {
            Some(left) => room = left,
            None => return,
        }
    }
}

fn check_len(len: usize, limit: usize) -> Result<(), Rejection> {
    if len <= limit {
        return Ok(());
    }
    Err(Rejection::new(
        StatusCode::PAYLOAD_TOO_LARGE,
        "body_too_large",
        format!("expected a body of at most {limit} bytes"),
    ))
}

//! From an HTTP request to the bytes of an input.

use axum::body::{Body, BodyDataStream};
use bytes::Bytes;
use futures::StreamExt;
use http::{HeaderMap, StatusCode, header};

use super::rejection::Rejection;

/// The body must say that it is JSON. Saying nothing is refused too: what a browser sends without a type, it sends
/// without asking whether it may.
pub(super) fn check_content_type(headers: &HeaderMap) -> Result<(), Rejection> {
    let said = headers.get(header::CONTENT_TYPE).map(|value| String::from_utf8_lossy(value.as_bytes()));
    let media = said.as_deref().and_then(|said| said.split(';').next()).unwrap_or_default();
    let media = media.trim().to_ascii_lowercase();
    let is_json = media == "application/json"
        || media.strip_prefix("application/").is_some_and(|subtype| subtype.ends_with("+json"));
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

/// Reads the whole body, or refuses it when it is longer than `limit` bytes.
pub(super) async fn read_body(headers: &HeaderMap, body: Body, limit: usize) -> Result<Bytes, Rejection> {
    let announced = headers
        .get(header::CONTENT_LENGTH)
        .and_then(|length| length.to_str().ok()?.parse::<u64>().ok())
        .unwrap_or_default();
    let announced = usize::try_from(announced).unwrap_or(usize::MAX);
    let too_large = announced > limit;
    let mut body = body.into_data_stream();
    if too_large {
        // Who asks first has sent nothing yet; reading would invite the body in.
        if !headers.contains_key(header::EXPECT) {
            discard(&mut body, limit).await;
        }
        return Err(refuse(limit));
    }
    // What is announced is not believed before it comes: room grows with what is there.
    let most = if announced == 0 { limit } else { announced };
    let mut bytes = Vec::new();
    while let Some(piece) = body.next().await {
        let piece = piece.map_err(|error| {
            Rejection::new(
                StatusCode::BAD_REQUEST,
                "body_unreadable",
                format!("the body ended early: {error}"),
            )
        })?;
        if bytes.len().saturating_add(piece.len()) > limit {
            drop(bytes);
            discard(&mut body, limit).await;
            return Err(refuse(limit));
        }
        make_room(&mut bytes, piece.len(), most);
        bytes.extend_from_slice(&piece);
    }
    Ok(bytes.into())
}

/// Makes room for more bytes: for twice as many as there are, but for no more than `most` in all unless there are more.
fn make_room(bytes: &mut Vec<u8>, more: usize, most: usize) {
    let wanted = bytes.len().saturating_add(more);
    if wanted > bytes.capacity() {
        let room = wanted.max(bytes.len().saturating_mul(2).min(most));
        bytes.reserve_exact(room - bytes.len());
    }
}

/// Lets the client finish: one that is cut off while it writes often never reads why. Not without end, though.
async fn discard(body: &mut BodyDataStream, mut room: usize) {
    while let Some(Ok(piece)) = body.next().await {
        match room.checked_sub(piece.len()) {
            Some(left) => room = left,
            None => return,
        }
    }
}

fn refuse(limit: usize) -> Rejection {
    Rejection::new(
        StatusCode::PAYLOAD_TOO_LARGE,
        "body_too_large",
        format!("expected a body of at most {limit} bytes"),
    )
}

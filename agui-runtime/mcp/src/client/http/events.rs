//! Server-sent events in an HTTP response: bounded in size, and mended one by one.

use futures_util::stream::{self, BoxStream};
use futures_util::{StreamExt, TryStreamExt};
use rmcp::transport::streamable_http_client::SseError;
use serde_json::Value;
use sse_stream::{Sse, SseStream};

use super::super::meant::mend;
use super::failure::HttpFailure;

/// The events in a response.
pub(super) type SseEvents = BoxStream<'static, Result<Sse, SseError>>;

/// An event exceeds the size limit.
#[derive(Debug, thiserror::Error)]
#[error("an event is longer than {most} bytes")]
struct OversizedSseEvent {
    most: usize,
}

/// Returns a response's events, each at most `most` bytes long. JSON-RPC responses in the stream get the id of the HTTP request
/// that opened the stream, if there is one.
pub(super) fn sse_events(response: reqwest::Response, most: usize, id: Option<Value>) -> SseEvents {
    let mut size = SseEventSize::default();
    let bytes = response
        .bytes_stream()
        .map_err(|error| Box::<dyn std::error::Error + Send + Sync>::from(HttpFailure::from(error)));
    let bounded = bytes.and_then(move |bytes| {
        let is_short = size.add(&bytes) <= most;
        std::future::ready(if is_short { Ok(bytes) } else { Err(OversizedSseEvent { most }.into()) })
    });
    // After a failure nothing follows.
    let bounded = stream::unfold(Some(bounded.map_err(SseStreamError).boxed()), async |stream| {
        let mut stream = stream?;
        let item = stream.next().await?;
        let rest = item.is_ok().then_some(stream);
        Some((item, rest))
    })
    .fuse();
    SseStream::from_bytes_stream(bounded).map_ok(move |event| mended(event, id.as_ref())).boxed()
}

/// A stream failure, as one error type.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
struct SseStreamError(Box<dyn std::error::Error + Send + Sync>);

fn mended(mut event: Sse, id: Option<&Value>) -> Sse {
    let Some(data) = event.data.take_if(|data| !data.trim().is_empty()) else { return event };
    event.data = Some(match serde_json::from_str::<Value>(&data) {
        Ok(mut message) => {
            pair(&mut message, id);
            message.to_string()
        }
        Err(_) => data,
    });
    event
}

/// Mends a message, and gives a JSON-RPC response the id of the matching request.
pub(super) fn pair(message: &mut Value, id: Option<&Value>) {
    if let Value::Array(messages) = message {
        // 2025-03-26 had batches.
        let is_answer = |message: &Value| message.get("method").is_none();
        if let Some(answer) = messages.iter().position(is_answer) {
            *message = messages.swap_remove(answer);
        }
    }
    mend(message);
    let is_answer = message.get("result").is_some() || message.get("error").is_some();
    if let (true, Some(id)) = (is_answer, id) {
        message["id"] = id.clone();
    }
}

/// Counts the bytes in the current event.
#[derive(Default)]
struct SseEventSize {
    event: usize,
    line: usize,
    after_cr: bool,
}

impl SseEventSize {
    /// Returns the size of the largest event so far that includes some of the bytes.
    fn add(&mut self, bytes: &[u8]) -> usize {
        let mut largest = 0;
        for &byte in bytes {
            let is_end = byte == b'\r' || byte == b'\n' && !self.after_cr;
            if is_end && self.line == 0 {
                self.event = 0;
            } else if is_end {
                self.line = 0;
            } else if byte != b'\n' {
                self.line += 1;
                self.event += 1;
                largest = largest.max(self.event);
            }
            self.after_cr = byte == b'\r';
        }
        largest
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_empty_line_ends_an_event() {
        for (text, largest) in [
            ("data: 1\n\ndata: 22\n\n", 8),
            ("data: 1\r\n\r\ndata: 22\r\n\r\n", 8),
            ("data: 1\ndata: 2\n\n", 14),
            ("data: 1\rdata: 2\r\r", 14),
            ("", 0),
        ] {
            assert_eq!(SseEventSize::default().add(text.as_bytes()), largest, "{text:?}");
        }
    }

    #[test]
    fn an_answer_is_that_of_its_request() {
        let mut batch = json!([{ "method": "a" }, { "id": 9, "result": {} }]);
        pair(&mut batch, Some(&json!(7)));
        assert_eq!(batch, json!({ "jsonrpc": "2.0", "id": 7, "result": {} }));
        let mut notification = json!({ "jsonrpc": "2.0", "method": "a" });
        pair(&mut notification, Some(&json!(7)));
        assert_eq!(notification, json!({ "jsonrpc": "2.0", "method": "a" }));
    }
}

//! Runs for hosts that have neither axum nor tower: from request bytes to response bytes.

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use futures_util::Stream;

use crate::agent::{Agent, EventStream, RunOptions, start};
use crate::protocol::RunAgentInput;
use crate::quoted::quoted_up_to;
use crate::wire::sse;

/// Events that are ready at once share a piece up to about this many bytes; no event waits for another.
const PIECE: usize = 16 * 1024;

/// Maximum characters in an input's refusal reason, which quotes the client.
const MAX_SHOWN: usize = 200;

/// Starts a run from a request body (AG-UI 1.0, section "HTTP exchange"), and returns the response body, as server-sent events.
///
/// For hosts with their own interface: functions as a service, other frameworks, programs in the browser. No executor and no
/// feature is needed. The host checks who may call, limits body sizes and run times, and responds with status 200 and the header
/// `content-type:` [`text/event-stream`](sse::CONTENT_TYPE), or with status 400. Where the feature `server` can be used,
/// `Server::router` does all this: it is a `tower::Service` on `http` types.
///
/// Polling the stream runs the agent, and dropping the stream cancels the agent, as with [`start`].
///
/// # Errors
/// [`InvalidInput`] if the body is no AG-UI input.
///
/// ```
/// use std::sync::Arc;
///
/// use agui_runtime::RunOptions;
/// use agui_runtime::prelude::*;
/// use agui_runtime::runs::start_bytes;
/// use futures::StreamExt;
///
/// /// Greets.
/// #[agent]
/// async fn greeter(run: &mut Run<Greeter>, _: Input<Greeter>) -> Result<(), Stop> {
///     run.say("Hello!").await;
///     Ok(())
/// }
///
/// let body = br#"{"threadId":"t","runId":"r","messages":[],"protocolVersion":"1.0"}"#;
/// let mut answer = start_bytes(Arc::new(Greeter::new()), body, RunOptions::default())?;
/// # futures::executor::block_on(async {
/// let mut text = Vec::new();
/// while let Some(piece) = answer.next().await {
///     text.extend(piece); // a host sends it
/// }
/// assert!(text.starts_with(b"data: {\"type\":\"RUN_STARTED\""));
/// # });
/// # Ok::<(), agui_runtime::runs::InvalidInput>(())
/// ```
pub fn start_bytes<A: Agent>(
    agent: Arc<A>,
    body: &[u8],
    options: RunOptions,
) -> Result<ByteStream, InvalidInput> {
    let mut json = serde_json::Deserializer::from_slice(body);
    let input: RunAgentInput = serde_path_to_error::deserialize(&mut json).map_err(|error| {
        // Where the text breaks off, no place is known.
        let path = Some(error.path().to_string()).filter(|path| !path.contains('?'));
        let path = path.unwrap_or_else(|| ".".to_owned());
        InvalidInput { path, reason: quoted_up_to(MAX_SHOWN, error.inner()).to_string() }
    })?;
    json.end().map_err(|error| InvalidInput { path: ".".to_owned(), reason: error.to_string() })?;
    Ok(ByteStream { events: Some(start(agent, input, options)) })
}

/// A response body, in pieces; created by [`start_bytes`], whose example reads one.
#[must_use = "the run happens while its stream is polled"]
pub struct ByteStream {
    /// `None` after the last event.
    events: Option<EventStream>,
}

impl Stream for ByteStream {
    type Item = Vec<u8>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Vec<u8>>> {
        let mut piece = Vec::new();
        while let Some(events) = &mut self.events
            && piece.len() < PIECE
        {
            match Pin::new(events).poll_next(cx) {
                Poll::Ready(Some(event)) => sse::encode(&event, &mut piece),
                Poll::Ready(None) => self.events = None,
                Poll::Pending if piece.is_empty() => return Poll::Pending,
                Poll::Pending => break,
            }
        }
        Poll::Ready((!piece.is_empty()).then_some(piece))
    }
}

impl fmt::Debug for ByteStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ByteStream").field("events", &self.events).finish()
    }
}

/// Error for a request body that is no run input: respond with status 400; see [`start_bytes`].
#[derive(Debug, thiserror::Error)]
#[error("`{path}`: {reason}")]
pub struct InvalidInput {
    path: String,
    reason: String,
}

impl InvalidInput {
    /// Returns the JSON path: `messages[0].content`, or `.` for the root.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }
}

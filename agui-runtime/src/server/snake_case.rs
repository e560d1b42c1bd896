//! The snake_case dialect, served (AG-UI 1.0, section "The snake_case dialect"): its requests become inputs, and runs are made sayable in it.

use futures::stream::BoxStream;
use futures::{Stream, StreamExt, stream};
use http::StatusCode;

use super::rejection::Rejection;
use super::{input, place};
use crate::Serial;
use crate::protocol::{Event, PROTOCOL_VERSION, RunAgentInput, RunErrorEvent};
use crate::quoted::quoted;
use crate::random;
use crate::receive::Chunks;
use crate::wire::snake_case::{ChatRequest, DialectError};

/// Reads the body of a request. What the dialect leaves out is made up: the run, and the thread where a conversation begins.
pub(super) fn read(bytes: &[u8]) -> Result<RunAgentInput, Rejection> {
    let value = input::parse(bytes)?;
    // A derived reader takes a list for an object whose members have no names.
    if !value.is_object() {
        return Err(refuse("expected an object".to_owned()).at(place::ROOT));
    }
    let request: ChatRequest = serde_path_to_error::deserialize(&value)
        .map_err(|error| refuse(error.inner().to_string()).at(place::written(error.path())))?;
    let prefix = random::prefix();
    let input = request.into_input(format!("thread-{prefix}"), format!("run-{prefix}"));
    // Agents here are of 1.0, and what a client of the dialect does not know is not said to it.
    Ok(input.map_err(|error| refuse_block(&error))?.with_protocol_version(PROTOCOL_VERSION))
}

fn refuse(message: String) -> Rejection {
    Rejection::new(StatusCode::BAD_REQUEST, "invalid_input", message)
}

fn refuse_block(error: &DialectError) -> Rejection {
    let refusal = refuse(error.to_string());
    match error {
        DialectError::NoMimeType { message, block } | DialectError::NoSource { message, block } => {
            refusal.at(format!("messages[{message}].content[{block}]"))
        }
        _ => refusal,
    }
}

/// A run with its chunks expanded, one message or call after the other: the dialect's texts have neither ids nor ends, so that those of
/// two messages must not mix.
pub(super) fn sayable(
    events: impl Stream<Item = Event> + Send + Unpin + 'static,
) -> BoxStream<'static, Event> {
    let expanded = stream::unfold((events, Some(Chunks::new())), |(mut events, chunks)| async {
        let (mut chunks, event) = (chunks?, events.next().await?);
        let (expanded, chunks) = match chunks.expand(event) {
            Ok(expanded) => (expanded.collect(), Some(chunks)),
            Err(error) => {
                tracing::error!(error = %quoted(error), "a chunk of the run stands for nothing");
                (
                    vec![RunErrorEvent::new("the agent failed").with_code("forwarded_event_refused").into()],
                    None,
                )
            }
        };
        Some((stream::iter::<Vec<Event>>(expanded), (events, chunks)))
    });
    Serial::new(expanded.flatten().boxed()).boxed()
}

//! The snake_case dialect, served (AG-UI 1.0, section "The snake_case dialect"): its requests become inputs, and runs are made sayable in it.

use bytes::Bytes;
use futures::stream::BoxStream;
use futures::{Stream, StreamExt, stream};
use http::StatusCode;

use super::admit::News;
use super::input_limits::InputLimits;
use super::rejection::Rejection;
use super::{input, place};
use crate::Serial;
use crate::protocol::{Event, PROTOCOL_VERSION, RunAgentInput, RunErrorEvent};
use crate::random;
use crate::receive::Chunks;
use crate::wire::snake_case::{ChatRequest, DialectError};

/// So many values any request of the dialect may have, and one more for each of so many bytes: its readers put unknown blocks and
/// members into memory before they leave them out, where a value takes up to 300 bytes.
const NODES: usize = 10_000;
const BYTES: usize = 64;

/// Reads the body of a request. What the dialect leaves out is made up: the run, and the thread where a conversation begins.
pub(super) fn read(body: Bytes, limits: &InputLimits) -> Result<RunAgentInput, Rejection> {
    let nodes = limits.nodes.min(NODES + body.len() / BYTES);
    let checked = input::check(body, &limits.nodes(nodes), None)?;
    let text = checked.as_str()?;
    // A derived reader takes a list for an object whose members have no names.
    if !text.trim_start().starts_with('{') {
        return Err(refuse("expected an object".to_owned()).at(place::ROOT));
    }
    let mut json = serde_json::Deserializer::from_str(text);
    let request: ChatRequest = serde_path_to_error::deserialize(&mut json)
        .map_err(|error| refuse(crate::json::message(error.inner())).at(place::written(error.path())))?;
    drop(checked);
    let prefix = random::prefix();
    let mut news = News::default();
    let input =
        request.into_input_with(format!("thread-{prefix}"), format!("run-{prefix}"), &mut |warning| {
            news.say(warning);
        });
    news.log();
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
                tracing::error!(%error, "a chunk of the run stands for nothing");
                (vec![RunErrorEvent::new("the agent failed").into()], None)
            }
        };
        Some((stream::iter::<Vec<Event>>(expanded), (events, chunks)))
    });
    Serial::new(expanded.flatten().boxed()).boxed()
}

//! Server for the snake_case dialect (AG-UI 1.0, section "The snake_case dialect"): requests become inputs, and runs are made
//! expressible in the dialect.

use std::sync::Arc;

use bytes::Bytes;
use futures_util::stream::BoxStream;
use futures_util::{Stream, StreamExt, stream};
use http::StatusCode;

use super::Server;
use super::mount::{AgentOffer, RouteProtocol};
use super::request::admit::InputFindings;
use super::request::input::ParsedInput;
use super::request::input_limits::InputLimits;
use super::request::{input, json_path};
use super::response::rejection::Rejection;
use crate::agent::{Agent, IntoDynAgent};
use crate::dialect::snake_case::{ChatRequest, DialectError};
use crate::emit::SerialStream;
use crate::protocol::{Event, PROTOCOL_VERSION, RunErrorEvent};
use crate::quoted::quoted;
use crate::random;
use crate::receive::ChunkExpander;

impl Server {
    /// Serves an agent to clients that do not speak AG-UI but the [snake_case dialect](crate::dialect::snake_case) (AG-UI 1.0,
    /// section "The snake_case dialect"): at [`CHAT_PATH`](crate::dialect::snake_case::CHAT_PATH), at
    /// [`AGENT_PATH`](crate::dialect::snake_case::AGENT_PATH), or at any path that the clients use.
    ///
    /// The agent does not notice: its input declares 1.0, has generated ids where the dialect has none, and `agent_id`, `model_id`
    /// and `enable_deep_thinking` as forwarded props. The client gets the events that the dialect can express, one message or call
    /// at a time; state, activities, steps, subagents and metadata are left out, and a run that is interrupted or cancelled ends
    /// as an error. Every malformed request gets status 400. Capabilities are not declared.
    ///
    /// ```
    /// # use agui_runtime::Agent;
    /// use agui_runtime::Server;
    /// use agui_runtime::dialect::snake_case::CHAT_PATH;
    ///
    /// # fn example(chef: impl Agent) {
    /// let server = Server::new().snake_case_agent(CHAT_PATH, chef);
    /// # }
    /// ```
    pub fn snake_case_agent<A: Agent>(self, path: &str, agent: A) -> Self {
        self.dyn_snake_case_agent(path, Arc::new(agent))
    }

    /// Serves an agent as [`snake_case_agent`](Self::snake_case_agent) does, as a trait object, or one that also has a path for
    /// AG-UI clients.
    pub fn dyn_snake_case_agent(self, path: &str, agent: impl IntoDynAgent) -> Self {
        let agent = agent.into_dyn_agent();
        self.mount(path.to_owned(), agent.describe(), AgentOffer::One(agent), RouteProtocol::SnakeCase)
    }
}

/// Values that any request in the dialect may have, plus one for each [`BYTES`] bytes. The dialect's readers keep unknown blocks
/// and members in memory before they leave them out, and a value takes up to 400 bytes there. So a request takes at most eight
/// body lengths plus 4 MiB.
const NODES: usize = 10_000;
const BYTES: usize = 96;
const NODE: usize = 400;

/// Parses a request body. Ids that the dialect lacks are generated: the run's, and the thread's for a new conversation.
pub(super) fn read(body: Bytes, limits: &InputLimits) -> Result<ParsedInput, Rejection> {
    let nodes = limits.nodes.min(NODES + body.len() / BYTES);
    let checked = input::check(body, &limits.nodes(nodes), None)?;
    let trees = checked.found.nodes.saturating_mul(NODE);
    let text = checked.as_str()?;
    // A derived reader would accept a list for an object.
    if !text.trim_start().starts_with('{') {
        return Err(refuse("expected an object".to_owned()).at(json_path::ROOT));
    }
    let mut json = serde_json::Deserializer::from_str(text);
    let request: ChatRequest = serde_path_to_error::deserialize(&mut json)
        .map_err(|error| refuse(crate::json::message(error.inner())).at(json_path::written(error.path())))?;
    drop(checked);
    let prefix = format!("{:016x}{:016x}", random::number(()), random::number(()));
    let mut findings = InputFindings::default();
    let input =
        request.into_input_with(format!("thread-{prefix}"), format!("run-{prefix}"), &mut |warning| {
            findings.push(warning);
        });
    findings.log();
    // Agents here speak 1.0; events that a client of the dialect does not know are left out later.
    let input = input.map_err(|error| refuse_block(&error))?.with_protocol_version(PROTOCOL_VERSION);
    Ok(ParsedInput { input, trees })
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

/// Expands a run's chunks, and sends one message or call at a time: the dialect's texts have neither ids nor ends, so two
/// messages' texts must not mix.
pub(super) fn expressible(
    events: impl Stream<Item = Event> + Send + Unpin + 'static,
) -> BoxStream<'static, Event> {
    let expanded = stream::unfold((events, Some(ChunkExpander::new())), |(mut events, chunks)| async {
        let (mut chunks, event) = (chunks?, events.next().await?);
        let (expanded, chunks) = match chunks.expand(event) {
            Ok(expanded) => (expanded.collect(), Some(chunks)),
            Err(error) => {
                tracing::error!(error = %quoted(error), "a chunk of the run cannot be expanded");
                (
                    vec![RunErrorEvent::new("the agent failed").with_code("forwarded_event_refused").into()],
                    None,
                )
            }
        };
        Some((stream::iter::<Vec<Event>>(expanded), (events, chunks)))
    });
    SerialStream::new(expanded.flatten().boxed()).boxed()
}

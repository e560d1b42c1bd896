//! Threads as CopilotKit's pages read them.

use std::sync::Arc;

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Request, State};
use axum::response::Response;
use serde::Serialize;
use serde_json::Value;

use super::refusal::CopilotRefusal;
use super::routes::CopilotRoutes;
use super::runs::decoded;
use crate::protocol::{Content, Event, JsonObject, Message, MessageId, ProtocolVersion, Role, ToolCallId};
use crate::server::limits::held_text::held_json;
use crate::server::response::rejection::unserializable;
use crate::server::threads::{ReadThread, no_thread, query_parameter};

type ThreadPath = Result<Path<String>, PathRejection>;

/// A message, as CopilotKit's pages inspect it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct InspectedMessage<'a> {
    id: &'a MessageId,
    role: Role,
    #[serde(skip_serializing_if = "Option::is_none")]
    content: Option<InspectedContent<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_calls: Vec<InspectedCall<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_call_id: Option<&'a ToolCallId>,
}

/// A message's content, as the message has it.
#[derive(Serialize)]
#[serde(untagged)]
enum InspectedContent<'a> {
    Text(&'a str),
    Parts(&'a Content),
    Activity(&'a JsonObject),
}

#[derive(Serialize)]
struct InspectedCall<'a> {
    id: &'a ToolCallId,
    name: &'a str,
    args: &'a str,
}

impl<'a> From<&'a Message> for InspectedMessage<'a> {
    fn from(message: &'a Message) -> Self {
        let text = |text: &'a str| Some(InspectedContent::Text(text));
        let (content, tool_call_id) = match message {
            Message::Developer(message) => (text(&message.content), None),
            Message::System(message) => (text(&message.content), None),
            Message::Assistant(message) => (message.content.as_deref().and_then(text), None),
            Message::User(message) => (Some(InspectedContent::Parts(&message.content)), None),
            Message::Tool(message) => {
                (Some(InspectedContent::Parts(&message.content)), Some(&message.tool_call_id))
            }
            Message::Activity(message) => (Some(InspectedContent::Activity(&message.content)), None),
            Message::Reasoning(message) => (text(&message.content), None),
        };
        let calls = message.tool_calls().iter();
        let tool_calls = calls
            .map(|call| InspectedCall {
                id: &call.id,
                name: &call.function.name,
                args: &call.function.arguments,
            })
            .collect();
        Self { id: message.id(), role: message.role(), content, tool_calls, tool_call_id }
    }
}

/// Handles `GET base/threads/{thread}/messages`.
pub(super) async fn messages(
    State(served): State<Arc<CopilotRoutes>>,
    thread: ThreadPath,
    request: Request,
) -> Result<Response, CopilotRefusal> {
    #[derive(Serialize)]
    struct MessageList<'a> {
        messages: Vec<InspectedMessage<'a>>,
    }

    view(&served, thread, request, |ReadThread { thread, .. }, _| {
        json_text(&MessageList { messages: thread.messages().iter().map(InspectedMessage::from).collect() })
    })
    .await
}

/// Handles `GET base/threads/{thread}/events`.
pub(super) async fn events(
    State(served): State<Arc<CopilotRoutes>>,
    thread: ThreadPath,
    request: Request,
) -> Result<Response, CopilotRefusal> {
    #[derive(Serialize)]
    struct EventList {
        events: Vec<Event>,
    }

    view(&served, thread, request, |ReadThread { thread, .. }, version| {
        let mut events = thread.prelude();
        events.retain_mut(|event| event.restrict(version).is_some());
        for event in &mut events {
            if let Event::RunStarted(started) = event {
                started.declare(version);
            }
        }
        json_text(&EventList { events })
    })
    .await
}

/// Handles `GET base/threads/{thread}/state`.
pub(super) async fn state(
    State(served): State<Arc<CopilotRoutes>>,
    thread: ThreadPath,
    request: Request,
) -> Result<Response, CopilotRefusal> {
    #[derive(Serialize)]
    struct ThreadState<'a> {
        state: Option<&'a Value>,
    }

    view(&served, thread, request, |ReadThread { thread, .. }, _| {
        json_text(&ThreadState { state: thread.state().filter(|state| state.is_object()) })
    })
    .await
}

/// Responds with a text about a thread, for the version that the page speaks.
async fn view(
    served: &CopilotRoutes,
    thread: ThreadPath,
    request: Request,
    text: impl FnOnce(&ReadThread, ProtocolVersion) -> Result<Vec<u8>, CopilotRefusal>,
) -> Result<Response, CopilotRefusal> {
    let (read, version) = read(served, thread, request).await?;
    let text = text(&read, version)?;
    // Only the text is held until the client has it.
    let ReadThread { thread, place } = read;
    drop(thread);
    let place = place.keep(text.len());
    Ok(held_json(text, place))
}

/// Reads a thread of any agent, because the pages name none, and the version that the page speaks.
async fn read(
    served: &CopilotRoutes,
    thread: ThreadPath,
    request: Request,
) -> Result<(ReadThread, ProtocolVersion), CopilotRefusal> {
    let thread = decoded(thread)?;
    let (parts, _) = request.into_parts();
    let [named, declared] =
        ["agentId", "protocolVersion"].map(|parameter| query_parameter(&parts.uri, parameter));
    let agents: Vec<_> = match named.as_deref() {
        Some(id) => vec![served.agent(id)?],
        None => served.agents.values().collect(),
    };
    for agent in agents {
        let version = agent.threads.follower(declared.as_deref())?.version();
        if let Some(read) = agent.threads.read(&parts, &thread).await? {
            return Ok((read, version));
        }
    }
    Err(no_thread().into())
}

pub(super) fn json_text(value: &impl Serialize) -> Result<Vec<u8>, CopilotRefusal> {
    serde_json::to_vec(value).map_err(|error| unserializable(&error).into())
}

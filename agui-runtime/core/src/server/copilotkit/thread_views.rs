//! Threads as CopilotKit's pages list and read them.

use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Request, State};
use axum::response::Response;
use http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::refusal::CopilotRefusal;
use super::routes::CopilotRoutes;
use super::runs::decoded;
use crate::protocol::{Content, Event, JsonObject, Message, MessageId, ProtocolVersion, Role, ToolCallId};
use crate::server::limits::held_text::held_json;
use crate::server::response::rejection::{json_response, unserializable};
use crate::server::threads::{ReadThread, ThreadListQuery, no_thread, query_parameter};

/// The most bytes of a request to delete a thread.
const DELETE_BODY: usize = 4096;

type ThreadPath = Result<Path<String>, PathRejection>;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ThreadList {
    threads: Vec<ListedThread>,
    next_cursor: Option<String>,
}

/// A thread in a list. Members that CopilotKit's platform alone fills are empty, as in CopilotKit's local runtime.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ListedThread {
    id: String,
    name: Option<String>,
    agent_id: String,
    organization_id: &'static str,
    created_by_id: &'static str,
    archived: bool,
    created_at: Option<String>,
    updated_at: Option<String>,
}

/// Handles `GET base/threads`.
pub(super) async fn list(
    State(served): State<Arc<CopilotRoutes>>,
    request: Request,
) -> Result<Response, CopilotRefusal> {
    let (parts, _) = request.into_parts();
    let named = query_parameter(&parts.uri, "agentId");
    let agent = served.named(named.as_deref())?;
    let agent_id = super::mount::agent_id(&agent.endpoint().path);
    let query = ThreadListQuery {
        after: query_parameter(&parts.uri, "cursor").filter(|cursor| !cursor.is_empty()),
        limit: query_parameter(&parts.uri, "limit"),
    };
    let page = agent.threads.list(parts, query).await?;
    let threads = page.threads.into_iter().map(|thread| ListedThread {
        agent_id: agent_id.clone(),
        name: None,
        organization_id: "",
        created_by_id: "",
        archived: false,
        created_at: date(thread.created_at),
        updated_at: date(thread.updated_at),
        id: thread.thread_id,
    });
    let list = ThreadList { threads: threads.collect(), next_cursor: page.next };
    let text = json_text(&list)?;
    let copy = agent.threads.hold(text.len())?;
    Ok(held_json(text, (page.place, copy)))
}

/// Handles `DELETE base/threads/{thread}`.
pub(super) async fn delete(
    State(served): State<Arc<CopilotRoutes>>,
    thread: ThreadPath,
    request: Request,
) -> Result<Response, CopilotRefusal> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct DeleteRequest {
        agent_id: String,
    }

    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct DeleteResponse {
        thread_id: String,
        deleted: bool,
    }

    let thread_id = decoded(thread)?;
    let (parts, body) = request.into_parts();
    let (body, _share) = served.body(&parts, body, DELETE_BODY).await?;
    let DeleteRequest { agent_id } =
        serde_json::from_slice(&body).map_err(|_| CopilotRefusal::invalid("Valid agentId is required"))?;
    served.agent(&agent_id)?.threads.delete(parts, &thread_id).await?;
    Ok(json_response(StatusCode::OK, &DeleteResponse { thread_id, deleted: true }))
}

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

fn json_text(value: &impl Serialize) -> Result<Vec<u8>, CopilotRefusal> {
    serde_json::to_vec(value).map_err(|error| unserializable(&error).into())
}

/// Writes milliseconds since the Unix epoch as a date; `None` after the year 9999.
fn date(millis: u64) -> Option<String> {
    crate::date::write(UNIX_EPOCH.checked_add(Duration::from_millis(millis))?)
}

//! Threads as CopilotKit's pages list, rename, archive and delete them.

use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Request, State};
use axum::response::Response;
use http::StatusCode;
use http::request::Parts;
use serde::Serialize;
use serde_json::{Map, Value};

use super::mount::{CopilotAgent, agent_id};
use super::refusal::CopilotRefusal;
use super::routes::CopilotRoutes;
use super::runs::decoded;
use super::thread_views::json_text;
use crate::server::limits::held_text::held_json;
use crate::server::response::rejection::json_response;
use crate::server::threads::{DescriptionChange, ListedThread, ThreadListQuery, query_parameter};

/// The most bytes of a request to change a thread.
const CHANGE_BODY: usize = 4096;

type ThreadPath = Result<Path<String>, PathRejection>;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ThreadList {
    threads: Vec<CopilotThread>,
    next_cursor: Option<String>,
}

/// A thread in a list. Members that CopilotKit's platform alone fills are empty, as in CopilotKit's local runtime.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CopilotThread {
    id: String,
    name: Option<String>,
    agent_id: String,
    organization_id: &'static str,
    created_by_id: &'static str,
    archived: bool,
    created_at: Option<String>,
    updated_at: Option<String>,
}

impl CopilotThread {
    fn new(agent_id: String, thread: ListedThread) -> Self {
        Self {
            id: thread.thread_id,
            name: thread.title,
            agent_id,
            organization_id: "",
            created_by_id: "",
            archived: thread.archived,
            created_at: date(thread.created_at),
            updated_at: date(thread.updated_at),
        }
    }
}

/// Handles `GET base/threads`.
pub(super) async fn list(
    State(served): State<Arc<CopilotRoutes>>,
    request: Request,
) -> Result<Response, CopilotRefusal> {
    let (parts, _) = request.into_parts();
    let named = query_parameter(&parts.uri, "agentId");
    let agent = served.named(named.as_deref())?;
    let agent_id = agent_id(&agent.endpoint().path);
    let mut query = ThreadListQuery::from_request(&parts, "cursor");
    query.after = query.after.filter(|cursor| !cursor.is_empty());
    let page = agent.threads.list(parts, query).await?;
    let threads = page.threads.into_iter().map(|thread| CopilotThread::new(agent_id.clone(), thread));
    let list = ThreadList { threads: threads.collect(), next_cursor: page.next };
    let text = json_text(&list)?;
    let copy = agent.threads.hold(text.len())?;
    Ok(held_json(text, (page.place, copy)))
}

/// A request to change a thread.
struct ThreadRequest<'s> {
    parts: Parts,
    thread_id: String,
    agent: &'s CopilotAgent,
    members: Map<String, Value>,
}

impl<'s> ThreadRequest<'s> {
    async fn read(
        served: &'s CopilotRoutes,
        thread: ThreadPath,
        request: Request,
    ) -> Result<Self, CopilotRefusal> {
        let thread_id = decoded(thread)?;
        let (parts, body) = request.into_parts();
        let (body, _share) = served.body(&parts, body, CHANGE_BODY).await?;
        let members: Map<String, Value> =
            serde_json::from_slice(&body).map_err(|_| CopilotRefusal::invalid("Invalid request body"))?;
        let agent_id = members.get("agentId").and_then(Value::as_str).filter(|id| !id.trim().is_empty());
        let agent_id = agent_id.ok_or_else(|| CopilotRefusal::invalid("Valid agentId is required"))?;
        Ok(Self { parts, thread_id, agent: served.agent(agent_id)?, members })
    }

    async fn change(self, change: DescriptionChange) -> Result<CopilotThread, CopilotRefusal> {
        let Self { parts, thread_id, agent, .. } = self;
        let changed = agent.threads.change(parts, &thread_id, &change).await?;
        Ok(CopilotThread::new(agent_id(&agent.endpoint().path), changed))
    }
}

/// Handles `PATCH base/threads/{thread}`. Members that CopilotKit's runtime does not read are ignored, as there.
pub(super) async fn update(
    State(served): State<Arc<CopilotRoutes>>,
    thread: ThreadPath,
    request: Request,
) -> Result<Response, CopilotRefusal> {
    let mut request = ThreadRequest::read(&served, thread, request).await?;
    let mut change = DescriptionChange::default();
    change = match request.members.get_mut("name").map(Value::take) {
        None => change,
        Some(Value::Null) => change.title(None)?,
        Some(Value::String(name)) => change.title(Some(name))?,
        Some(_) => return Err(CopilotRefusal::invalid("Valid name is required: a text, or null")),
    };
    change = match request.members.get("archived") {
        None => change,
        Some(Value::Bool(archived)) => change.archived(*archived),
        Some(_) => return Err(CopilotRefusal::invalid("Valid archived is required: true or false")),
    };
    Ok(json_response(StatusCode::OK, &request.change(change).await?))
}

/// Handles `POST base/threads/{thread}/archive`.
pub(super) async fn archive(
    State(served): State<Arc<CopilotRoutes>>,
    thread: ThreadPath,
    request: Request,
) -> Result<Response, CopilotRefusal> {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct ArchiveResponse {
        thread_id: String,
        archived: bool,
    }

    let request = ThreadRequest::read(&served, thread, request).await?;
    let changed = request.change(DescriptionChange::default().archived(true)).await?;
    let response = ArchiveResponse { thread_id: changed.id, archived: changed.archived };
    Ok(json_response(StatusCode::OK, &response))
}

/// Handles `DELETE base/threads/{thread}`.
pub(super) async fn delete(
    State(served): State<Arc<CopilotRoutes>>,
    thread: ThreadPath,
    request: Request,
) -> Result<Response, CopilotRefusal> {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct DeleteResponse {
        thread_id: String,
        deleted: bool,
    }

    let ThreadRequest { parts, thread_id, agent, .. } = ThreadRequest::read(&served, thread, request).await?;
    agent.threads.delete(parts, &thread_id).await?;
    Ok(json_response(StatusCode::OK, &DeleteResponse { thread_id, deleted: true }))
}

/// Writes milliseconds since the Unix epoch as a date; `None` after the year 9999.
fn date(millis: u64) -> Option<String> {
    crate::date::write(UNIX_EPOCH.checked_add(Duration::from_millis(millis))?)
}

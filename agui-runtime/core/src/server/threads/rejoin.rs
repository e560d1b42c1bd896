//! A request that repeats messages for a run which has ended, or whose connection was lost.

use std::sync::Arc;

use futures_util::{StreamExt, stream};

use super::conversation::note::ThreadNote;
use super::readers::join::join;
use super::readers::reader::thread_body;
use super::response::ThreadResponse;
use super::start::format_of;
use super::steer::start_again;
use super::store::ServerThreads;
use crate::agent::DynAgent;
use crate::protocol::RunAgentInput;
use crate::server::request::ag_ui_input::AgUiInput;
use crate::server::request::head::ThreadRequest;
use crate::server::response::body::BodySource;
use crate::server::response::rejection::Rejection;
use crate::thread::{LogHead, ThreadCursor, ThreadKey};

/// True if a message of the input waits for a run.
pub(super) async fn has_waiting(
    threads: &Arc<ServerThreads>,
    key: &ThreadKey,
    (head, note): (&LogHead, &ThreadNote),
    input: &RunAgentInput,
) -> Result<bool, Rejection> {
    let _fold = threads.fold_for_run(note).await;
    let thread = threads.folded(key, head.clone(), note.clone()).await?;
    Ok(thread.is_none_or(|thread| input.messages.iter().any(|message| thread.has_waiting(message.id()))))
}

/// Responds to a repeated request whose messages have joined a run: with the thread's newest run.
pub(super) async fn rejoin(
    threads: &Arc<ServerThreads>,
    key: ThreadKey,
    cursor: Option<ThreadCursor>,
    input: AgUiInput,
) -> Result<ThreadResponse, Rejection> {
    let format = format_of(&input);
    let events = events_after(threads, key, cursor, &input).await?;
    // Without events, the client has all.
    let events = events.unwrap_or_else(|| BodySource::Thread(stream::empty().boxed()));
    Ok(ThreadResponse::new(events, format, input.reply.settings).of_earlier_run())
}

/// Starts the run that a repeated request's messages wait for. The client first gets what it missed of the run before, which has
/// ended.
pub(super) async fn restart_after(
    threads: &Arc<ServerThreads>,
    (path, key): (&str, ThreadKey),
    cursor: ThreadCursor,
    agent: Arc<dyn DynAgent>,
    request: ThreadRequest,
) -> Result<ThreadResponse, Rejection> {
    let missed = events_after(threads, key, Some(cursor), &request.input).await?;
    let next = start_again(Arc::clone(threads), path.to_owned(), agent, request).await?;
    let Some(missed) = missed else { return Ok(next) };
    let (events, missed) = (next.events, ThreadResponse { events: missed, ..next });
    Ok(missed.of_earlier_run().then(async move { Some(events) }))
}

async fn events_after(
    threads: &Arc<ServerThreads>,
    key: ThreadKey,
    cursor: Option<ThreadCursor>,
    input: &AgUiInput,
) -> Result<Option<BodySource>, Rejection> {
    let format = format_of(input);
    let reader = threads.readers.admit(input.reply.slot.client().cloned(), Some(&key))?;
    let part = join(threads, key, cursor, false, format, reader).await?;
    Ok(part.map(|part| thread_body(threads, part, format)))
}

//! Requests to read a thread: connect and events.

use std::borrow::Cow;
use std::sync::Arc;

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Request, State};
use axum::response::{IntoResponse, Response};
use http::StatusCode;

use super::legacy::{LegacyStart, StateShare};
use super::past::ThreadPoint;
use super::reader::thread_body;
use super::slice::{EventFormat, ResponseEnd, ThreadPrelude, ThreadSlice};
use super::tail::ThreadEpochs;
use crate::kernel::Peer;
use crate::protocol::ProtocolVersion;
use crate::server::limits::budget::ClientKey;
use crate::server::limits::readers::ReaderSlot;
use crate::server::mount::RouteProtocol;
use crate::server::request::accept;
use crate::server::request::ag_ui_input::AgUiInput;
use crate::server::request::head::RunRequestHead;
use crate::server::request::version;
use crate::server::response::ag_ui_reply::respond;
use crate::server::response::rejection::Rejection;
use crate::server::threads::conversation::note::ThreadNote;
use crate::server::threads::conversation::record::event_record;
use crate::server::threads::refusal::{invalid_cursor, trimmed};
use crate::server::threads::routes::{AgentThreads, parameter, path_thread};
use crate::server::threads::store::ServerThreads;
use crate::thread;
use crate::thread::{ThreadCursor, ThreadKey};

/// Answers `POST path/connect`.
pub(in crate::server::threads) async fn connect(
    State(served): State<Arc<AgentThreads>>,
    request: Request,
) -> Response {
    served.connect(request).await
}

impl AgentThreads {
    /// Responds with what a thread has, and then with what comes; status 204 if there is nothing.
    pub(in crate::server) async fn connect(&self, request: Request) -> Response {
        connect_response(self, request).await.unwrap_or_else(IntoResponse::into_response)
    }
}

async fn connect_response(served: &AgentThreads, request: Request) -> Result<Response, Rejection> {
    let (parts, body) = request.into_parts();
    let agent = served.endpoint.offer.agent(&parts)?;
    let settings = &served.endpoint.settings;
    let head = RunRequestHead::read(parts, RouteProtocol::AgUi, Arc::clone(settings))?;
    agent.check(head.options())?;
    let asked = head.on_thread(body).await?;
    let AgUiInput { input, options, reply, .. } = asked.input;
    let peer = options.chosen_peer().unwrap_or(reply.peer);
    let key = served.key(asked.owner, input.thread_id.as_str());
    let cursor = asked.cursor.as_deref().map(parse).transpose()?;
    let format = EventFormat { peer, encoding: reply.encoding, serial: settings.serial };
    let reader = served.threads.readers.admit(reply.slot.client().cloned(), Some(&key))?;
    let Some(part) = join(&served.threads, key, cursor, false, format, reader).await? else {
        return Ok(StatusCode::NO_CONTENT.into_response());
    };
    // A reader is no run.
    drop(reply.slot);
    let events = thread_body(&served.threads, part, format);
    let span = tracing::Span::current();
    Ok(respond(events, peer, reply.encoding, settings, span).into_response())
}

/// Handles `GET path/threads/{thread}/events`.
pub(in crate::server::threads) async fn events(
    State(served): State<Arc<AgentThreads>>,
    thread: Result<Path<String>, PathRejection>,
    request: Request,
) -> Response {
    events_response(&served, thread, request).await.unwrap_or_else(IntoResponse::into_response)
}

async fn events_response(
    served: &AgentThreads,
    thread: Result<Path<String>, PathRejection>,
    request: Request,
) -> Result<Response, Rejection> {
    let thread = path_thread(thread)?;
    let (parts, _) = request.into_parts();
    let header = parts.headers.get("last-event-id").map(|id| String::from_utf8_lossy(id.as_bytes()));
    // A browser that connects again sends the header, and the address of the first time.
    let header = header.filter(|id| !id.is_empty()).map(Cow::into_owned);
    let cursor = header.or_else(|| parameter(&parts.uri, "after"));
    let cursor = cursor.as_deref().map(parse).transpose()?;
    let peer =
        follower(parameter(&parts.uri, "protocolVersion").as_deref(), served.endpoint.settings.assumed_peer)?;
    let format = EventFormat { peer, encoding: accept::choose(&parts.headers), serial: false };
    let client = ClientKey::from_request(&parts, served.endpoint.settings.identity(&parts).as_deref());
    let key = served.key(served.owner(parts)?, &thread);
    let reader = served.threads.readers.admit(client, Some(&key))?;
    let part = join(&served.threads, key, cursor, true, format, reader).await?;
    let Some(part) = part else { return Ok(StatusCode::NO_CONTENT.into_response()) };
    let events = thread_body(&served.threads, part, format);
    let span = tracing::Span::current();
    Ok(respond(events, format.peer, format.encoding, &served.endpoint.settings, span).into_response())
}

/// Returns the version for a client that follows a thread. A client that declares none is current, unless the server is configured
/// otherwise (AG-UI 1.0, section "Negotiation"): clients of the drafts do not know the route.
pub(in crate::server::threads) fn follower(declared: Option<&str>, assumed: Peer) -> Result<Peer, Rejection> {
    version::check(declared)?;
    Ok(match (declared, assumed) {
        (Some(declared), _) => Peer::Speaks(ProtocolVersion::from_declared(declared)),
        (None, Peer::Legacy) => Peer::CURRENT,
        (None, assumed) => assumed,
    })
}

pub(in crate::server::threads) fn parse(cursor: &str) -> Result<ThreadCursor, Rejection> {
    cursor.parse().map_err(|_| invalid_cursor("the cursor is malformed"))
}

/// Returns the response for a client that joins a thread; `None` if there is nothing to send and the client does not follow the
/// thread.
pub(in crate::server::threads) async fn join(
    threads: &Arc<ServerThreads>,
    key: ThreadKey,
    cursor: Option<ThreadCursor>,
    follows: bool,
    format: EventFormat,
    reader: ReaderSlot,
) -> Result<Option<ThreadSlice>, Rejection> {
    threads.maintain();
    loop {
        let (head, note) = threads.head(&key).await?;
        let epochs = ThreadEpochs { born: note.born, epoch: head.at.epoch };
        let Some(last) = note.runs.last() else {
            return match cursor {
                Some(_) => Err(invalid_cursor("the thread has no such event")),
                None if !follows => Ok(None),
                None => {
                    let (run, read_run) = ("".into(), "".into());
                    let (prelude, until, legacy_start) =
                        (ThreadPrelude::none(), ResponseEnd::Never, LegacyStart::default());
                    let (epochs, reader) = (ThreadEpochs::default(), Some(reader));
                    Ok(Some(ThreadSlice {
                        key,
                        prelude,
                        after: 0,
                        until,
                        run,
                        read_run,
                        epochs,
                        legacy_start,
                        reader,
                    }))
                }
            };
        };
        let (run, end) = (last.id.clone(), head.at.seq);
        let until = match (follows, last.last) {
            (true, _) => ResponseEnd::Never,
            (false, None) => ResponseEnd::RunEnd(end),
            (false, Some(_)) => ResponseEnd::Record(end),
        };
        if let Some(cursor) = &cursor {
            let after = check(&head, &note, cursor)?;
            if until == ResponseEnd::Record(after) {
                return Ok(None);
            }
            let from = cursor.run().clone();
            let legacy_start = match note.run(&from) {
                Some(run) if format.peer == Peer::Legacy => {
                    LegacyStart::after_record(run, threads, &key, (&head, &note), after).await?
                }
                _ => LegacyStart::default(),
            };
            let (prelude, reader) = (ThreadPrelude::none(), Some(reader));
            return Ok(Some(ThreadSlice {
                key,
                prelude,
                after,
                until,
                run: from,
                read_run: run,
                epochs,
                legacy_start,
                reader,
            }));
        }
        let mut share = None;
        let prelude = if format.as_stored() {
            let end = ThreadPoint { key: &key, head: &head, note: &note, run: &run };
            let Some(past) = threads.past(end, format.peer.version()).await? else { continue };
            ThreadPrelude::Past(past)
        } else {
            let mut fold = threads.fold_for_reader(&note).await?;
            let Some(thread) = threads.folded(&key, head, note).await? else { continue };
            if format.peer == Peer::Legacy {
                share = Some(StateShare::reserve(&threads.readers, &thread.state())?);
            }
            let events = thread.prelude();
            // The events, and their text.
            let bytes = events.iter().map(|event| event_record(event).len()).sum::<usize>();
            ThreadPrelude::Events(events, fold.keep(bytes.saturating_mul(2)))
        };
        let legacy_start = LegacyStart { after: end, share, ..LegacyStart::default() };
        let (read_run, reader) = (run.clone(), Some(reader));
        return Ok(Some(ThreadSlice {
            key,
            prelude,
            after: end,
            until,
            run,
            read_run,
            epochs,
            legacy_start,
            reader,
        }));
    }
}

/// Checks that a cursor names an event of the thread, and that the events after it are kept.
pub(in crate::server::threads) fn check(
    head: &thread::LogHead,
    note: &ThreadNote,
    cursor: &ThreadCursor,
) -> Result<u64, Rejection> {
    let seq = cursor.seq();
    if seq > head.at.seq || seq == 0 {
        return Err(invalid_cursor("the thread has no such event"));
    }
    if seq < head.first {
        return Err(trimmed());
    }
    match note.run(cursor.run()) {
        Some(run) if run.has(seq) => Ok(seq),
        None if note.runs.first().is_some_and(|first| seq < first.first) => Err(trimmed()),
        _ => Err(invalid_cursor("the cursor is of another run")),
    }
}

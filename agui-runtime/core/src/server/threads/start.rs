//! A request for a run on a stored thread: the request attaches to a run, waits for one, or claims the thread.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use hmac_sha256::Hash as Sha256;
use http::StatusCode;
use tokio::time::{Instant, sleep, timeout};
use tracing::Instrument;

use super::conversation::fold::{FoldError, FoldedThread};
use super::conversation::input::{CompletedInput, complete_input};
use super::conversation::note::{NotedRun, ThreadNote};
use super::options::BusyThread;
use super::pump::LOOK;
use super::readers::join::{check, parse};
use super::readers::legacy::{LegacyStart, StateShare};
use super::readers::reader::thread_body;
use super::readers::slice::{EventFormat, ResponseEnd, ThreadPrelude, ThreadSlice};
use super::readers::tail::ThreadEpochs;
use super::refusal::{
    busy, changed, invalid_cursor, no_run, parent_trimmed, run_exists, trimmed, unavailable,
};
use super::rejoin::{has_waiting, rejoin, restart_after};
use super::response::ThreadResponse;
use super::restart::RecoveryFailure;
use super::reused::own_id;
use super::run_start::{RunStart, StartOutcome};
use super::steer::{SteeringOutcome, SteeringRequest};
use super::store::ServerThreads;
use crate::agent::DynAgent;
use crate::hex::hex;
use crate::kernel::Peer;
use crate::protocol::{ProtocolVersion, RunAgentInput, RunId};
use crate::server::metrics::{QueueWait, RunQueue};
use crate::server::request::ag_ui_input::AgUiInput;
use crate::server::request::head::{RunRequestHead, ThreadRequest};
use crate::server::response::ag_ui_reply::AgUiResponse;
use crate::server::response::rejection::Rejection;
use crate::thread;
use crate::thread::{ThreadCursor, ThreadKey};

/// Handles `POST path` for an agent with stored threads.
pub(in crate::server) async fn start(
    threads: &Arc<ServerThreads>,
    path: &str,
    agent: Arc<dyn DynAgent>,
    head: RunRequestHead,
    body: Body,
) -> Result<AgUiResponse, Rejection> {
    threads.maintain();
    start_read(threads, path, agent, head.on_thread(body).await?).await
}

/// Starts the run for a parsed request, or attaches to the run that the same request started.
pub(in crate::server) async fn start_read(
    threads: &Arc<ServerThreads>,
    path: &str,
    agent: Arc<dyn DynAgent>,
    request: ThreadRequest,
) -> Result<AgUiResponse, Rejection> {
    Ok(start_thread(threads, path, agent, request).await?.into_response())
}

/// As [`start_read`], before the response is encoded.
pub(super) async fn start_thread(
    threads: &Arc<ServerThreads>,
    path: &str,
    agent: Arc<dyn DynAgent>,
    request: ThreadRequest,
) -> Result<ThreadResponse, Rejection> {
    let ThreadRequest { mut input, owner, cursor, webhook, busy, waiting: message, still } = request;
    check_ids(&input.input)?;
    let policy = busy.unwrap_or_else(|| threads.options.busy_at(path));
    let key = ThreadKey::new(owner, path, input.input.thread_id.as_str());
    let cursor = cursor.as_deref().map(parse).transpose()?;
    let request = message.as_ref().map_or_else(|| digest(&input.input), |message| message.request.clone());
    // Fetched before the claim, which nothing that can fail may follow.
    let interrupt_key = threads.interrupt_key().await?;
    let (mut is_counted, mut place, mut waiting) = (false, None, None);
    loop {
        let (head, note) = threads.head(&key).await?;
        if let Some(id) = own_id(&note, &input.input, cursor.as_ref(), &request) {
            input.input.run_id = id;
        }
        // A message that waits takes its run by the digest; a client's request may be one that steered.
        let steering = note.steering(&input.input.run_id).filter(|_| message.is_none());
        if let Some(run) = note.run(&input.input.run_id) {
            let is_of_steered_run = cursor.as_ref().is_some_and(|cursor| *cursor.run() != run.id);
            if is_of_steered_run && steering.is_some_and(|steering| steering.request == request) {
                return rejoin(threads, key, cursor, input).await;
            }
            return attach(threads, key, (&head, &note), run, cursor.as_ref(), &request, input).await;
        }
        if still.as_ref().is_some_and(|still| !still(&note)) {
            return Err(changed());
        }
        if let Some(steering) = steering {
            if steering.request != request {
                return Err(run_exists());
            }
            let is_waiting = has_waiting(threads, &key, (&head, &note), &input.input).await?;
            match cursor {
                _ if !is_waiting => return rejoin(threads, key, cursor, input).await,
                Some(_) if note.open().is_some() => return rejoin(threads, key, cursor, input).await,
                Some(cursor) => {
                    // The run that the message waited for is lost, and nothing else starts the next.
                    let owner = key.owner().to_owned();
                    let request =
                        ThreadRequest { input, owner, cursor: None, webhook, busy, waiting: None, still };
                    return restart_after(threads, (path, key), cursor, agent, request).await;
                }
                None => {}
            }
        }
        if let Some(cursor) = &cursor {
            let oldest = note.runs.first();
            let is_forgotten = oldest.is_some_and(|oldest| cursor.seq() < oldest.first);
            return Err(if is_forgotten { trimmed() } else { no_run() });
        }
        if policy == BusyThread::Steer && note.open().is_some() {
            let steering = SteeringRequest {
                threads: Arc::clone(threads),
                path: path.to_owned(),
                key: key.clone(),
                agent: Arc::clone(&agent),
                digest: request.clone(),
                webhook: webhook.clone(),
            };
            input = match steering.steer(input, head.clone(), note.clone()).await? {
                SteeringOutcome::Response(response) => return Ok(response),
                SteeringOutcome::Changed(unchanged) => {
                    input = *unchanged;
                    continue;
                }
                SteeringOutcome::Waits(input) => *input,
            };
        }
        let is_waiting = note.open().is_some() || threads.queues.has_queue(&key);
        if is_waiting && place.is_none() && policy != BusyThread::Reject {
            if let (Some(open), BusyThread::CancelFirst) = (note.open(), policy) {
                // Also for those that wait.
                threads.stop(&key, |run| *run == open.id).await?;
            }
            waiting = Some(QueueWait::begin(RunQueue::BusyThread));
            place = Some(threads.queues.first_place(&key).await);
            continue;
        }
        if let Some(open) = note.open() {
            if head.lease.is_some_and(|left| left.is_zero()) && !threads.local_runs.has_run(&key, &open.id) {
                return Err(unavailable(&RecoveryFailure::Busy));
            }
            wait(threads, &key, &open.id, policy).await?;
            continue;
        }
        drop(waiting.take());
        if !is_counted && message.is_none() {
            // Only now: a client that reads its run again is no second run.
            let identity = (!key.owner().is_empty()).then(|| key.owner());
            input.reply.slot = input.reply.slot.for_identity(identity).await?;
            is_counted = true;
        }
        let fold = threads.fold_for_run(&note).await;
        let Some(thread) = threads.folded(&key, head, note).await? else { continue };
        if let Some(message) = &message {
            if !thread.has_waiting(&message.id) || thread.leaves_turn_to_user() {
                return Err(changed());
            }
            let identity = (!key.owner().is_empty()).then(|| key.owner());
            if !is_counted && !input.reply.slot.take_again(identity) {
                // A request behind this one may have the slot, and takes the message too.
                (place, waiting) = (None, None);
                drop(fold);
                sleep(LOOK).await;
                continue;
            }
            is_counted = true;
        }
        let mut filled =
            filled(threads, &key, input.input.clone(), peer_of(&input).version(), &thread).await?;
        if !filled.resumed_ids.is_empty() {
            let options = input.options.clone().or(&input.server).store_key(interrupt_key.clone());
            // The claim would use them up, though the run refuses them.
            if agent.check_resume_entries(&filled.input, &options).is_err() {
                filled.leave_open(&thread);
            }
        }
        if let Some(trace) = input.options.trace_context() {
            filled.trace(trace);
        }
        let begin = RunStart {
            threads: Arc::clone(threads),
            key: key.clone(),
            agent: Arc::clone(&agent),
            request: request.clone(),
            interrupt_key: interrupt_key.clone(),
            webhook: webhook.clone(),
        };
        drop(fold);
        // A client that leaves while the claim is written must not leave a claim without a run.
        let begun = tokio::spawn(begin.begin(thread, filled, input).in_current_span());
        input = match begun.await {
            Ok(StartOutcome::Response(response)) => return response,
            Ok(StartOutcome::Lost(input)) => *input,
            Err(error) => match error.try_into_panic() {
                Ok(panic) => std::panic::resume_unwind(panic),
                Err(stopped) => return Err(unavailable(&stopped)),
            },
        };
    }
}

/// The interval at which the waiting request asks for the open run's readers.
const QUESTIONS: Duration = Duration::from_secs(2);

/// The maximum length of a thread id in bytes: percent-encoded, the id must fit in the path of a read or delete request. Also for
/// run ids, which the thread's note and each reader hold.
const LONGEST_ID: usize = 1024;

/// Refuses a thread id that no later request could name, and a run id that readers could not hold.
fn check_ids(input: &RunAgentInput) -> Result<(), Rejection> {
    let (thread, run) = (input.thread_id.as_str().len(), input.run_id.as_str().len());
    let (code, path, message) = if !(1..=LONGEST_ID).contains(&thread) {
        let message = format!("the id of a stored thread has 1 to {LONGEST_ID} bytes, not {thread}");
        ("invalid_thread_id", "threadId", message)
    } else if run > LONGEST_ID {
        let message = format!("the id of a run on a stored thread has at most {LONGEST_ID} bytes, not {run}");
        ("invalid_run_id", "runId", message)
    } else {
        return Ok(());
    };
    Err(Rejection::new(StatusCode::BAD_REQUEST, code, message).at(path.to_owned()))
}

/// Waits until the open run has ended, as the policy demands.
async fn wait(
    threads: &Arc<ServerThreads>,
    key: &ThreadKey,
    run: &RunId,
    policy: BusyThread,
) -> Result<(), Rejection> {
    match policy {
        BusyThread::Reject => return Err(busy()),
        BusyThread::CancelFirst => {
            threads.stop(key, |open| open == run).await?;
        }
        BusyThread::ReplaceUnread | BusyThread::Queue | BusyThread::Steer => {}
    }
    let (mut seen, mut next_question) = (None, Instant::now());
    loop {
        if policy == BusyThread::ReplaceUnread && next_question <= Instant::now() {
            threads.stop_unread(key, run).await?;
            next_question = Instant::now() + QUESTIONS;
        }
        let head = threads.log.head(key).await?;
        if seen.replace(head.at) == Some(head.at) {
            // The notice came too early: the next may too.
            sleep(LOOK).await;
        }
        let note = ThreadNote::read(&head.note)?;
        let goes_on = note.open().is_some_and(|open| open.id == *run);
        let is_lost = head.lease.is_none_or(|left| left.is_zero()) && !threads.local_runs.has_run(key, run);
        if !goes_on || is_lost {
            return Ok(());
        }
        // A run whose server is lost appends nothing.
        let pause = if policy == BusyThread::ReplaceUnread { QUESTIONS } else { threads.options.lease };
        let _ = timeout(pause, threads.log.changed(key, head.at.seq)).await;
    }
}

/// Completes the input from the thread, or from the run that the input branches from.
async fn filled(
    threads: &Arc<ServerThreads>,
    key: &ThreadKey,
    input: RunAgentInput,
    version: ProtocolVersion,
    thread: &FoldedThread,
) -> Result<CompletedInput, Rejection> {
    let parent = input.parent_run_id.as_ref().and_then(|parent| thread.note.run(parent));
    match parent.and_then(|parent| parent.last).filter(|last| *last < thread.seq) {
        Some(last) => {
            let point = match FoldedThread::load_until(&threads.log, key, last).await {
                Err(FoldError::Trimmed { .. }) => return Err(parent_trimmed()),
                point => point?,
            };
            Ok(complete_input(input, version, &point, thread)?)
        }
        None => Ok(complete_input(input, version, thread, thread)?),
    }
}

/// Responds with the events of a stored run.
async fn attach(
    threads: &Arc<ServerThreads>,
    key: ThreadKey,
    (head, note): (&thread::LogHead, &ThreadNote),
    run: &NotedRun,
    cursor: Option<&ThreadCursor>,
    request: &str,
    input: AgUiInput,
) -> Result<ThreadResponse, Rejection> {
    let after = match cursor {
        Some(cursor) if *cursor.run() == run.id => check(head, note, cursor)?,
        Some(_) => return Err(invalid_cursor("the cursor is of another run")),
        None if run.request == request => run.first,
        None => return Err(run_exists()),
    };
    if after < head.first {
        return Err(trimmed());
    }
    let until = run.last.map_or(ResponseEnd::RunEnd(after + 1), ResponseEnd::Record);
    // Before anything is read for the client.
    let reader = Some(threads.readers.admit(input.reply.slot.client().cloned(), Some(&key))?);
    let legacy_start = match (cursor, peer_of(&input)) {
        (_, Peer::Speaks(_)) => LegacyStart { after, ..LegacyStart::default() },
        (Some(_), Peer::Legacy) => LegacyStart::after_record(run, threads, &key, (head, note), after).await?,
        (None, Peer::Legacy) => {
            let (state, allowance) = (input.input.state.clone(), input.reply.allowance.clone());
            LegacyStart {
                share: Some(StateShare::reserve(&threads.readers, &state)?),
                after,
                state,
                allowance,
            }
        }
    };
    let epochs = ThreadEpochs { born: note.born, epoch: head.at.epoch };
    let (run, read_run) = (run.id.clone(), run.id.clone());
    let part = ThreadSlice {
        key,
        prelude: ThreadPrelude::none(),
        after,
        until,
        run,
        read_run,
        epochs,
        legacy_start,
        reader,
    };
    let format = format_of(&input);
    let events = thread_body(threads, part, format);
    Ok(ThreadResponse::new(events, format, input.reply.settings).of_earlier_run())
}

pub(super) fn peer_of(input: &AgUiInput) -> Peer {
    input.options.chosen_peer().unwrap_or(input.reply.peer)
}

/// Returns the format in which the client reads events.
pub(super) fn format_of(input: &AgUiInput) -> EventFormat {
    let reply = &input.reply;
    EventFormat { peer: peer_of(input), encoding: reply.encoding, serial: reply.settings.serial }
}

/// Returns a digest of the request content, which recognises a repeated request.
pub(super) fn digest(input: &RunAgentInput) -> String {
    let text = serde_json::to_vec(input).unwrap_or_default();
    hex(&Sha256::hash(&text))
}

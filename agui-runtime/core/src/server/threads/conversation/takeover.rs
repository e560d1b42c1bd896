//! Runs whose owner is lost: they end, or another server restarts them.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;

use super::claim::size_of;
use super::claiming::{ClaimAttempt, ClaimError, ClaimParameters, RestartRecords, commit};
use super::fold::{FoldError, FoldedThread, PAGE};
use super::last_message::LastMessage;
use super::note::ThreadNote;
use super::record::{ControlRecord, control_record, event_record};
use super::resumed::{ResumedInterrupts, abandoned_result};
use crate::emit::PlacedPrivateTurn;
use crate::order::OpenSpan;
use crate::protocol::{
    Message, MessageId, NonNull, RunAgentInput, RunErrorEvent, SpanKind, ToolCallId, UserMessage,
};
use crate::thread::{LogAppend, LogHead, LogReadError, ThreadKey, ThreadLog};

/// The maximum number of restarts. Without a limit, a run that crashes a server would crash one server after the other.
const RESTARTS: u64 = 3;

/// A lost run that could not be ended or restarted.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RecoverError {
    #[error(transparent)]
    Fold(#[from] FoldError),
    #[error(transparent)]
    Claim(#[from] ClaimError),
}

/// A lost run that this server restarts if the claim succeeds.
pub(crate) struct RunTakeover {
    pub(crate) claiming: ClaimAttempt,
    /// The run's input with the current conversation and state.
    pub(crate) input: RunAgentInput,
    /// Backend tool calls without a result.
    pub(crate) lost_calls: HashSet<ToolCallId>,
    pub(crate) resumed: ResumedInterrupts,
    /// User messages that the lost server did not take.
    pub(crate) steered: Vec<UserMessage>,
    /// The thread's turns that the model reads, and no client.
    pub(crate) private: Vec<PlacedPrivateTurn>,
}

/// The decision about a run whose owner seems lost.
pub(crate) enum TakeoverVerdict {
    Takeover(Box<RunTakeover>),
    /// The thread has an owner, or no open run.
    IsNotLost,
    /// The run must end: a client asked the run to stop, the restart limit is reached, or the agent does not allow restarts.
    Ends,
}

/// Returns the thread's head and note if the owner is lost.
async fn lost_run(
    log: &Arc<dyn ThreadLog>,
    key: &ThreadKey,
) -> Result<Option<(LogHead, ThreadNote)>, RecoverError> {
    let head = log.head(key).await.map_err(FoldError::from)?;
    let note = ThreadNote::read(&head.note).map_err(FoldError::from)?;
    let is_lost = note.open().is_some() && head.lease == Some(Duration::ZERO);
    Ok(is_lost.then_some((head, note)))
}

/// Ends the run whose owner is lost: closes open spans, gives calls to the tools that `is_of_agent` names a result, and sends
/// RUN_ERROR with code `node_lost`. Returns false if no such run exists.
pub(crate) async fn end_lost_run(
    log: &Arc<dyn ThreadLog>,
    key: &ThreadKey,
    nonce: String,
    new_epoch: u64,
    is_of_agent: impl Fn(&str) -> bool,
) -> Result<bool, RecoverError> {
    let Some((head, mut note)) = lost_run(log, key).await? else { return Ok(false) };
    let (at, Some(open)) = (head.at, note.open()) else { return Ok(false) };
    let claimed = ControlRecord::Claimed {
        run: open.id.clone(),
        nonce: nonce.clone(),
        resumed: Vec::new(),
        request: None,
    };
    let mut records = vec![control_record(&claimed).map_err(ClaimError::from)?];
    let (spans, bytes, mut resumed) = match FoldedThread::load_until(log, key, at.seq).await {
        Ok(thread) => {
            let resumed = ResumedInterrupts::from_lost_run(&thread).with_lost_calls(&thread, is_of_agent);
            note.last_message = LastMessage::from_messages(thread.messages());
            (thread.open(), thread.bytes(), resumed)
        }
        // The run of a thread that cannot be read must end too.
        Err(FoldError::Refused { .. } | FoldError::Record(_)) => {
            (Vec::new(), bytes_between(&**log, key, open.first, at.seq).await?, ResumedInterrupts::default())
        }
        Err(error) => return Err(error.into()),
    };
    records.extend(closing_records(spans));
    let error = RunErrorEvent::new("the server that ran the agent was lost").with_code("node_lost");
    let mut end = error.into();
    records.extend(resumed.close(&mut end, &nonce).iter().map(event_record));
    records.push(event_record(&end));
    note.end(at.seq + records.len() as u64);
    if let Some(run) = note.runs.last_mut() {
        run.bytes = bytes + size_of(&records);
    }
    let epoch = new_epoch.max(at.epoch + 1);
    let append = LogAppend { at, epoch, records, note: Some(note.to_bytes()), lease: None };
    match commit(&**log, key, &append, &nonce, &mut false).await {
        Ok(()) => Ok(true),
        // The owner came back, or another node was faster; or the next look tells.
        Err(ClaimError::Lost | ClaimError::Unknown(_)) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Returns the size of a record range in bytes; unreadable records count too.
async fn bytes_between(
    log: &dyn ThreadLog,
    key: &ThreadKey,
    first: u64,
    last: u64,
) -> Result<u64, FoldError> {
    let (mut bytes, mut after) = (0, first.saturating_sub(1));
    while after < last {
        let page = match log.read(key, after, PAGE).await {
            Ok(page) => page,
            Err(LogReadError::Trimmed { .. }) => return Err(FoldError::Trimmed { upto: after }),
            Err(LogReadError::Unavailable(error)) => return Err(error.into()),
        };
        let Some((end, _)) = page.records.last() else { break };
        after = *end;
        let of_run = page.records.iter().filter(|(seq, _)| (first..=last).contains(seq));
        bytes += of_run.map(|(_, record)| record.len() as u64).sum::<u64>();
    }
    Ok(bytes)
}

/// Prepares the claim that restarts a lost run here: closes open spans, and gives calls that cannot run any more a result.
///
/// `is_of_client` returns true if the client runs the tool.
pub(crate) async fn take_over(
    log: &Arc<dyn ThreadLog>,
    key: &ThreadKey,
    claimant: ClaimParameters,
    is_of_client: impl Fn(&RunAgentInput, &str) -> bool,
) -> Result<TakeoverVerdict, RecoverError> {
    let Some((head, mut note)) = lost_run(log, key).await? else { return Ok(TakeoverVerdict::IsNotLost) };
    if note.is_stopping {
        return Ok(TakeoverVerdict::Ends);
    }
    let Some(noted) = note.runs.last_mut().filter(|run| run.restarts < RESTARTS) else {
        return Ok(TakeoverVerdict::Ends);
    };
    let mut thread = match FoldedThread::load_until(log, key, head.at.seq).await {
        Err(FoldError::Refused { .. } | FoldError::Record(_)) => return Ok(TakeoverVerdict::Ends),
        thread => thread?,
    };
    let Some(request) = thread.request().cloned() else { return Ok(TakeoverVerdict::Ends) };
    noted.restarts += 1;
    noted.bytes = thread.bytes();
    let run = noted.id.clone();
    let claimed = ControlRecord::Claimed {
        run: run.clone(),
        nonce: claimant.nonce.clone(),
        resumed: Vec::new(),
        request: Some(Box::new(request.clone())),
    };
    let spans = thread.open();
    let (broken, cut_off) = broken_off(&spans);
    let mut lost_calls = HashSet::new();
    let mut given_up = Vec::new();
    for call in thread.calls_without_result() {
        // A page would act on arguments that are incomplete, and on a call that the agent makes again.
        if cut_off.contains(&call.id) || is_of_client(&request, &call.function.name) {
            given_up.push(call.id.clone());
        } else {
            lost_calls.insert(call.id.clone());
        }
    }
    let mut records = vec![control_record(&claimed).map_err(ClaimError::from)?];
    records.extend(closing_records(spans));
    records.extend(given_up.into_iter().map(|call| event_record(&abandoned_result(call, &claimant.nonce))));
    for (seq, record) in (head.at.seq + 1..).zip(&records) {
        if thread.take(seq, record).is_err() {
            return Ok(TakeoverVerdict::Ends);
        }
    }
    note.last_message = LastMessage::from_messages(thread.messages());
    let input = RunAgentInput {
        messages: thread
            .messages()
            .iter()
            .filter_map(|message| message_for_agent(message, &broken))
            .collect(),
        state: thread.state().cloned().and_then(NonNull::new),
        ..request
    };
    let resumed = ResumedInterrupts::from_lost_run(&thread);
    let (steered, private) = (thread.waiting().to_vec(), thread.private().to_vec());
    let claiming = ClaimAttempt::restart(log, key, &head, RestartRecords { run, note, records }, claimant);
    let takeover = RunTakeover { claiming, input, lost_calls, resumed, steered, private };
    Ok(TakeoverVerdict::Takeover(Box::new(takeover)))
}

/// Returns the records that close open spans, newest first.
fn closing_records(spans: Vec<OpenSpan>) -> impl Iterator<Item = Bytes> {
    spans.into_iter().rev().filter_map(OpenSpan::closing).map(|event| event_record(&event))
}

/// Returns the incomplete messages and calls.
fn broken_off(spans: &[OpenSpan]) -> (HashSet<MessageId>, HashSet<ToolCallId>) {
    let of = |wanted: &[SpanKind]| {
        let spans = spans.iter().filter(|span| wanted.contains(&span.scope));
        spans.map(|span| span.id.to_string()).collect::<Vec<_>>()
    };
    let messages = of(&[SpanKind::Text, SpanKind::ReasoningMessage]).into_iter().map(MessageId::from);
    (messages.collect(), of(&[SpanKind::ToolCall]).into_iter().map(ToolCallId::from).collect())
}

/// Returns a message as the restarted agent gets it: without a broken-off text, which the agent writes again.
fn message_for_agent(message: &Message, broken: &HashSet<MessageId>) -> Option<Message> {
    match message {
        Message::Activity(_) => None,
        Message::Assistant(assistant) if broken.contains(message.id()) => {
            let mut assistant = assistant.clone();
            assistant.content = None;
            (!assistant.tool_calls().is_empty()).then(|| assistant.into())
        }
        message => (!broken.contains(message.id())).then(|| message.clone()),
    }
}

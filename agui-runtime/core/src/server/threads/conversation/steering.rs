//! User messages for the run that works: which may join, and the record that keeps them until the run takes them.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use super::claiming::ClaimError;
use super::continuation::{is_prompt, is_same_message};
use super::fold::{FoldError, FoldedThread};
use super::input::InputContradiction;
use super::note::NotedSteering;
use super::record::{ControlRecord, control_record};
use crate::protocol::{Content, Message, MessageId, RunAgentInput, UserMessage};
use crate::thread::{AppendError, LogAppend, ThreadKey, ThreadLog};

/// The maximum number of messages that wait for one run.
const MOST_WAITING: usize = 64;

/// The decision about an input for a thread with an open run.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum SteeringDecision {
    /// The messages join the run.
    Join(Vec<UserMessage>),
    /// All messages wait already, or have joined: the last is this one.
    Known(MessageId),
    /// A run of its own must take the input, after the open run.
    Wait,
    /// The input changes the conversation, or has nothing new.
    Refuse,
}

/// Decides about an input whose messages are checked and restricted as those for a run.
///
/// # Errors
/// A contradiction for a message whose id belongs to a message with another role, and for a result: no call of a run that works is
/// open to clients.
pub(crate) fn decide(
    input: &RunAgentInput,
    thread: &FoldedThread,
) -> Result<SteeringDecision, InputContradiction> {
    let places: HashMap<&MessageId, usize> =
        thread.messages().iter().enumerate().map(|(at, message)| (message.id(), at)).collect();
    let (mut last_known, mut new, mut is_refused, mut waits) = (None, Vec::new(), false, false);
    let mut last_told = None;
    for (index, message) in input.messages.iter().enumerate() {
        let id = message.id();
        let role = || InputContradiction::Role { index, id: id.clone() };
        if let Some(at) = places.get(id) {
            let kept =
                thread.messages().get(*at).filter(|kept| kept.role() == message.role()).ok_or_else(role)?;
            is_refused |= thread.is_from_client(id) && !is_same_message(message, kept);
            // History behind a new message: the conversation would have another order.
            is_refused |= !new.is_empty();
            last_known = last_known.max(Some(*at));
            last_told = thread.has_joined(id).then_some(id);
            continue;
        }
        match message {
            Message::User(user) => {
                if let Some(kept) = thread.waiting().iter().find(|kept| kept.id == *id) {
                    is_refused |= !is_same_message(message, &Message::User(kept.clone()));
                    last_told = Some(id);
                    continue;
                }
                waits |= !is_plain_text(user);
                if !new.iter().any(|known: &UserMessage| known.id == *id) {
                    new.push(user.clone());
                }
            }
            _ if thread.has_waiting(id) => return Err(role()),
            Message::Tool(result) => {
                return Err(InputContradiction::Call { index, id: result.tool_call_id.clone() });
            }
            _ => waits = true,
        }
    }
    // Later messages that the client leaves out: an edit, unless another client has just added them.
    let left_out = last_known.map_or(0, |last| last + 1);
    let is_edit = |message: &Message| is_prompt(message) && !thread.has_joined(message.id());
    is_refused |= last_known.is_some() && thread.messages().iter().skip(left_out).any(is_edit);
    waits |= !input.resume().is_empty() || input.parent_run_id.is_some();
    Ok(match (is_refused, last_told) {
        (true, _) => SteeringDecision::Refuse,
        (false, _) if waits => SteeringDecision::Wait,
        (false, Some(id)) if new.is_empty() => SteeringDecision::Known(id.clone()),
        (false, _) if new.is_empty() || thread.waiting().len() + new.len() > MOST_WAITING => {
            SteeringDecision::Refuse
        }
        (false, _) => SteeringDecision::Join(new),
    })
}

/// True for a message that text events can add: other messages begin a run.
fn is_plain_text(message: &UserMessage) -> bool {
    matches!(message.content, Content::Text(_)) && message.encrypted_value.is_none()
}

/// The outcome of an attempt to record steering messages.
pub(crate) enum SteeringAppend {
    Recorded,
    /// The thread has changed: fold what came, and decide again.
    Conflict,
    /// The store may have the record: fold what came, and look.
    Unknown,
    /// The record has this many bytes, more than the store takes.
    TooLarge(usize),
}

/// Appends the messages for the open run at the folded end.
pub(crate) async fn record_messages(
    log: &Arc<dyn ThreadLog>,
    key: &ThreadKey,
    thread: &FoldedThread,
    (input, digest): (RunAgentInput, &str),
    lease: Duration,
) -> Result<SteeringAppend, ClaimError> {
    let mut note = thread.note.clone();
    let Some(open) = note.open() else { return Ok(SteeringAppend::Conflict) };
    let (run, id) = (open.id.clone(), input.run_id.clone());
    let record = ControlRecord::Steered { run, digest: digest.to_owned(), request: Box::new(input) };
    note.steer(NotedSteering { id, request: digest.to_owned() });
    let left = thread.head.lease;
    let append = LogAppend {
        at: thread.at(),
        epoch: thread.at().epoch,
        records: vec![control_record(&record)?],
        note: Some(note.to_bytes()),
        // As a stop: the owner may have extended the lease since the head was read.
        lease: left.map(|left| if left.is_zero() { left } else { left.max(lease) }),
    };
    match log.append(key, append).await {
        Ok(_) => Ok(SteeringAppend::Recorded),
        Err(AppendError::Conflict { .. }) => Ok(SteeringAppend::Conflict),
        Err(AppendError::Unknown(_)) => Ok(SteeringAppend::Unknown),
        Err(AppendError::TooLarge { bytes, .. }) => Ok(SteeringAppend::TooLarge(bytes)),
        Err(error) => Err(error.into()),
    }
}

/// Folds what came since, for another attempt. Returns false if the thread has no open run any more, or must be folded anew.
pub(crate) async fn catch_up(
    log: &Arc<dyn ThreadLog>,
    key: &ThreadKey,
    thread: &mut FoldedThread,
) -> Result<bool, FoldError> {
    Ok(thread.catch_up(log, key).await? && thread.note.open().is_some())
}

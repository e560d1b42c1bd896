//! A thread as a client knows the conversation: records folded by a client's stages.

use std::collections::HashSet;
use std::sync::Arc;

use super::continuation::is_activity;
use super::note::ThreadNote;
use super::record;
use super::record::{ControlRecord, ThreadRecord, UnreadableRecord};
use crate::emit::PlacedPrivateTurn;
use crate::order::OpenSpan;
use crate::protocol::{
    Event, EventEffect, Interrupt, Message, MessageId, MessagesSnapshotEvent, RunAgentInput,
    RunFinishedOutcome, RunId, RunStartedEvent, SpanKind, StateSnapshotEvent, ToolCall, ToolCallId,
    UserMessage,
};
use crate::receive::{FrameIntake, ReceiveError, ReceivePipeline};
use crate::thread::{LogError, LogHead, LogPosition, LogReadError, ThreadKey, ThreadLog};

/// The byte limit for one log read.
pub(crate) const PAGE: usize = 1024 * 1024;

/// A thread folded up to a record.
pub(crate) struct FoldedThread {
    pub(crate) head: LogHead,
    pub(crate) note: ThreadNote,
    /// The last folded record.
    pub(crate) seq: u64,
    intake: FrameIntake,
    pipeline: ReceivePipeline,
    /// The events that opened the open spans, oldest first.
    opened: Vec<Event>,
    started: Option<RunStartedEvent>,
    /// The event that ended the last run; `None` while the run goes on.
    ended: Option<Event>,
    has_state: bool,
    /// The last run's input, if another server may run the agent again.
    request: Option<Box<RunAgentInput>>,
    /// The last run that claimed the thread, and the size of that run's records in bytes.
    claimed: Option<(RunId, u64)>,
    /// The last run's calls, without calls of subagents.
    calls: Vec<ToolCallId>,
    asked: Vec<Interrupt>,
    /// The interrupts that the last run resumes.
    resuming: Vec<Interrupt>,
    /// Messages that clients wrote, and may change.
    of_clients: HashSet<MessageId>,
    /// User messages that no run has taken, oldest first.
    waiting: Vec<UserMessage>,
    /// The user messages that joined the last run after its start.
    joined: HashSet<MessageId>,
    /// Turns that the model reads, and no client.
    private: Vec<PlacedPrivateTurn>,
}

/// A thread that cannot be folded.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FoldError {
    #[error(transparent)]
    Log(#[from] LogError),
    #[error(transparent)]
    Record(#[from] UnreadableRecord),
    #[error("record {seq} of the thread does not follow from those before it: {refused}")]
    Refused { seq: u64, refused: ReceiveError },
    #[error("the records up to {upto} were trimmed")]
    Trimmed { upto: u64 },
}

impl FoldedThread {
    fn new(head: LogHead, note: ThreadNote) -> Self {
        Self {
            note,
            head,
            seq: 0,
            intake: FrameIntake::new(),
            pipeline: ReceivePipeline::new(),
            opened: Vec::new(),
            started: None,
            ended: None,
            has_state: false,
            request: None,
            claimed: None,
            calls: Vec::new(),
            asked: Vec::new(),
            resuming: Vec::new(),
            of_clients: HashSet::new(),
            waiting: Vec::new(),
            joined: HashSet::new(),
            private: Vec::new(),
        }
    }

    /// Folds a thread up to a head, with the head's note.
    pub(crate) async fn load(
        log: &Arc<dyn ThreadLog>,
        key: &ThreadKey,
        head: LogHead,
        note: ThreadNote,
    ) -> Result<Self, FoldError> {
        let upto = head.at.seq;
        let mut folded = Self::new(head, note);
        folded.extend(log, key, upto).await?;
        Ok(folded)
    }

    /// Folds a thread up to a record.
    pub(crate) async fn load_until(
        log: &Arc<dyn ThreadLog>,
        key: &ThreadKey,
        upto: u64,
    ) -> Result<Self, FoldError> {
        let head = log.head(key).await?;
        if upto < head.first {
            return Err(FoldError::Trimmed { upto });
        }
        let note = ThreadNote::read(&head.note)?;
        let mut folded = Self::new(head, note);
        folded.extend(log, key, upto).await?;
        Ok(folded)
    }

    async fn extend(
        &mut self,
        log: &Arc<dyn ThreadLog>,
        key: &ThreadKey,
        upto: u64,
    ) -> Result<(), FoldError> {
        while self.seq < upto {
            let page = match log.read(key, self.seq, PAGE).await {
                Ok(page) => page,
                // It was trimmed between two pages; what was folded stays right.
                Err(LogReadError::Trimmed { .. }) => return Err(FoldError::Trimmed { upto: self.seq }),
                Err(LogReadError::Unavailable(error)) => return Err(error.into()),
            };
            let Some((first, _)) = page.records.first() else {
                // The thread was deleted meanwhile.
                return Ok(());
            };
            if *first > upto {
                // The snapshot of a trim that came after the head was read.
                return Err(FoldError::Trimmed { upto });
            }
            for (seq, record) in page.records.into_iter().take_while(|(seq, _)| *seq <= upto) {
                self.take(seq, &record)?;
            }
        }
        Ok(())
    }

    /// Folds one record.
    pub(crate) fn take(&mut self, seq: u64, record: &[u8]) -> Result<(), FoldError> {
        let read = record::read(seq, record, &mut self.intake)?;
        self.seq = seq;
        if let Some((_, bytes)) = &mut self.claimed {
            *bytes += record.len() as u64;
        }
        match read {
            Some(ThreadRecord::Event(event)) => self.take_event(seq, event),
            Some(ThreadRecord::Control(ControlRecord::Snapshot { events, asked, of_clients, private })) => {
                for event in events {
                    self.take_event(seq, event)?;
                }
                self.asked = asked;
                self.of_clients = of_clients.into_iter().collect();
                self.private = private;
                Ok(())
            }
            Some(ThreadRecord::Control(ControlRecord::Private { turn })) => {
                // Activities are no part of an input.
                let last = self.messages().iter().rfind(|message| !is_activity(message));
                let after = last.map(|message| message.id().clone());
                self.private.push(PlacedPrivateTurn { after, turn });
                Ok(())
            }
            Some(ThreadRecord::Control(ControlRecord::Claimed { run, resumed, request, .. })) => {
                let asked = std::mem::take(&mut self.asked);
                let (resuming, asked) = asked.into_iter().partition(|asked| resumed.contains(&asked.id));
                self.asked = asked;
                // Another claim of the same run takes it over.
                if self.claimed.as_ref().is_none_or(|(claimed, _)| *claimed != run) {
                    self.claimed = Some((run, record.len() as u64));
                    self.resuming = resuming;
                }
                self.request = request;
                Ok(())
            }
            Some(ThreadRecord::Control(ControlRecord::Steered { request, .. })) => {
                let is_known = |id: &MessageId| self.messages().iter().any(|message| message.id() == id);
                let new: Vec<_> = user_messages(*request).filter(|message| !is_known(&message.id)).collect();
                for message in new {
                    if !self.has_waiting(&message.id) {
                        self.waiting.push(message);
                    }
                }
                Ok(())
            }
            Some(ThreadRecord::Control(
                ControlRecord::CancelAsked { .. }
                | ControlRecord::ReadersAsked { .. }
                | ControlRecord::ReaderFound { .. }
                | ControlRecord::NoteChanged,
            ))
            | None => Ok(()),
        }
    }

    fn take_event(&mut self, seq: u64, event: Event) -> Result<(), FoldError> {
        let Self {
            pipeline,
            opened,
            started,
            ended,
            has_state,
            calls,
            asked,
            of_clients,
            waiting,
            joined,
            ..
        } = self;
        let folded = pipeline.receive(event, |event, _, reducer| match event.event_type().effect() {
            EventEffect::StartRun => {
                if let Event::RunStarted(event) = event {
                    let echoed = event.input.iter().flat_map(|input| &input.messages);
                    of_clients.extend(echoed.map(|message| message.id().clone()));
                    // A run begins with all messages that waited.
                    waiting.retain(|message| !of_clients.contains(&message.id));
                    joined.clear();
                    *started = Some(RunStartedEvent { input: None, ..event.clone() });
                }
                (*ended, *opened, *calls) = (None, Vec::new(), Vec::new());
            }
            EventEffect::FinishRun | EventEffect::FailRun => {
                if let Event::RunFinished(_) = event {
                    *asked = reducer.pending_interrupts().to_vec();
                }
                *ended = Some(event.clone());
                opened.clear();
            }
            EventEffect::Open(_) => {
                if let Event::ToolCallStart(call) = event
                    && call.subagent_run_id.is_none()
                {
                    calls.push(call.tool_call_id.clone());
                }
                if let Event::TextMessageStart(text) = event
                    && let Some(at) = waiting.iter().position(|message| message.id == text.message_id)
                {
                    let message = waiting.remove(at);
                    of_clients.insert(message.id.clone());
                    joined.insert(message.id);
                }
                opened.push(event.clone());
            }
            EventEffect::Close(scope) => opened.retain(|opening| !closes(event, scope, opening)),
            EventEffect::Free => *has_state |= event.event_type().changes_state(),
            EventEffect::Within(_)
            | EventEffect::Chunk(_)
            | EventEffect::Create(_)
            | EventEffect::After(_)
            | EventEffect::Settle(_)
            | EventEffect::Attach
            | EventEffect::Restate => {}
        });
        folded.map_err(|refused| FoldError::Refused { seq, refused })
    }

    /// Returns the messages, activities included.
    pub(crate) fn messages(&self) -> &[Message] {
        self.pipeline.reducer().messages()
    }

    /// True if a client wrote the message.
    pub(crate) fn is_from_client(&self, message: &MessageId) -> bool {
        self.of_clients.contains(message)
    }

    /// Returns the user messages that no run has taken.
    pub(crate) fn waiting(&self) -> &[UserMessage] {
        &self.waiting
    }

    /// True if the message waits for a run.
    pub(crate) fn has_waiting(&self, message: &MessageId) -> bool {
        self.waiting.iter().any(|waiting| waiting.id == *message)
    }

    /// True if the message joined the last run after the run's start.
    pub(crate) fn has_joined(&self, message: &MessageId) -> bool {
        self.joined.contains(message)
    }

    /// Folds the records that were appended since. Returns false if the thread was trimmed or deleted meanwhile.
    pub(crate) async fn catch_up(
        &mut self,
        log: &Arc<dyn ThreadLog>,
        key: &ThreadKey,
    ) -> Result<bool, FoldError> {
        let head = log.head(key).await?;
        if head.at.epoch != self.head.at.epoch || head.at.seq < self.seq {
            return Ok(false);
        }
        self.note = ThreadNote::read(&head.note)?;
        let end = head.at.seq;
        self.head = head;
        match self.extend(log, key, end).await {
            Err(FoldError::Trimmed { .. }) => Ok(false),
            extended => extended.map(|()| self.seq == end),
        }
    }

    /// Returns the last run's input without messages and state, if another server may run the agent again.
    pub(crate) fn request(&self) -> Option<&RunAgentInput> {
        self.request.as_deref()
    }

    /// Returns the size of the last run's records in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        self.claimed.as_ref().map_or(0, |(_, bytes)| *bytes)
    }

    /// Returns the last run's calls without a result, except calls of subagents.
    pub(crate) fn calls_without_result(&self) -> impl Iterator<Item = &ToolCall> {
        let settled = self.messages().iter().filter_map(|message| match message {
            Message::Tool(result) => Some(&result.tool_call_id),
            _ => None,
        });
        let settled: HashSet<_> = settled.collect();
        let calls = self.messages().iter().flat_map(Message::tool_calls);
        calls.filter(move |call| self.calls.contains(&call.id) && !settled.contains(&call.id))
    }

    /// As [`leaves_turn_to_user`], for the last run.
    pub(crate) fn leaves_turn_to_user(&self) -> bool {
        let has_open_calls = || self.calls_without_result().next().is_some();
        self.ended.as_ref().is_some_and(|end| leaves_turn_to_user(end, has_open_calls))
    }

    /// Returns the shared state; `None` if no run sent one.
    pub(crate) fn state(&self) -> Option<&serde_json::Value> {
        self.has_state.then(|| self.pipeline.reducer().state())
    }

    /// Returns the turns that the model reads, and no client.
    pub(crate) fn private(&self) -> &[PlacedPrivateTurn] {
        &self.private
    }

    /// Returns the open interrupts.
    pub(crate) fn open_interrupts(&self) -> impl Iterator<Item = &Interrupt> {
        self.asked.iter()
    }

    /// Returns the interrupts that the last run resumes.
    pub(crate) fn resumed_interrupts(&self) -> &[Interrupt] {
        &self.resuming
    }

    /// Returns the calls without a result that the given interrupts are about.
    pub(crate) fn unsettled_calls(&self, questions: &[Interrupt]) -> Vec<ToolCallId> {
        let calls = questions.iter().filter_map(|question| question.tool_call_id.as_ref());
        let messages = || self.messages().iter();
        let is_made =
            |call: &ToolCallId| messages().flat_map(Message::tool_calls).any(|made| made.id == *call);
        let has_result = |call: &ToolCallId| {
            messages().any(|message| matches!(message, Message::Tool(result) if result.tool_call_id == *call))
        };
        calls.filter(|call| is_made(call) && !has_result(call)).cloned().collect()
    }

    /// Returns the folded log's end.
    pub(crate) fn at(&self) -> LogPosition {
        self.head.at
    }

    /// Returns the open spans, in opening order.
    pub(crate) fn open(&self) -> Vec<OpenSpan> {
        self.pipeline.open()
    }

    /// Returns events that give a new client the same conversation and the same open spans: a legal stream, which the records
    /// after this one continue.
    pub(crate) fn prelude(&self) -> Vec<Event> {
        let Some(started) = &self.started else { return Vec::new() };
        let mut events: Vec<Event> = vec![started.clone().into()];
        events.push(MessagesSnapshotEvent::new(self.messages().to_vec()).into());
        if let Some(state) = self.state() {
            events.push(StateSnapshotEvent::new(state.clone()).into());
        }
        events.extend(self.opened.iter().cloned());
        let mut ended = self.ended.clone();
        if let (Some(Event::RunError(error)), false) = (&mut ended, self.asked.is_empty()) {
            // A client that was not there when they were asked.
            error.restate_interrupts(&self.asked);
        }
        events.extend(ended);
        events
    }

    /// Returns the snapshot record that replaces all records so far. Only between two runs.
    pub(crate) fn snapshot(&self) -> Option<ControlRecord> {
        self.ended.as_ref()?;
        let is_kept = |message: &&Message| self.of_clients.contains(message.id());
        let of_clients = self.messages().iter().filter(is_kept).map(|message| message.id().clone()).collect();
        let (asked, private) = (self.asked.clone(), self.private.clone());
        Some(ControlRecord::Snapshot { events: self.prelude(), asked, of_clients, private })
    }
}

/// Returns the user messages in an input.
pub(crate) fn user_messages(input: RunAgentInput) -> impl Iterator<Item = UserMessage> {
    input.messages.into_iter().filter_map(|message| match message {
        Message::User(message) => Some(message),
        _ => None,
    })
}

/// True if the user stopped the run that `end` ends, or must settle what the run left open: no waiting message starts a run then.
pub(crate) fn leaves_turn_to_user(end: &Event, has_open_calls: impl FnOnce() -> bool) -> bool {
    let Event::RunFinished(finished) = end else { return false };
    match &finished.outcome {
        Some(RunFinishedOutcome::Cancelled(_) | RunFinishedOutcome::Interrupt(_)) => true,
        _ => has_open_calls(),
    }
}

/// Returns true if `event` closes what `opening` opened.
fn closes(event: &Event, scope: SpanKind, opening: &Event) -> bool {
    opening.event_type().effect() == EventEffect::Open(scope)
        && opening.scope_id() == event.scope_id()
        // Steps of several authors may have one name.
        && (scope != SpanKind::Step || opening.subagent_run_id() == event.subagent_run_id())
}

//! Spans opened by a foreign stream, with the slots and ids under which they go out.

use std::collections::{HashMap, HashSet};

use super::as_chunk::{boxed, take_fields};
use super::authors::ForeignAuthor;
use super::calls::ForeignCall;
use super::{DynamicError, state};
use crate::kernel::{RunKernel, SpanSlot, SubagentEnd, TextStart, WriteFields};
use crate::protocol::{
    ActivitySnapshotEvent, Event, EventType, ForwardedForm, MessageId, ReasoningEncryptedValueEvent,
    ReasoningEncryptedValueSubtype, RunAgentInput, SubagentFinishedOutcome, SubagentRunId, TextMessageRole,
    TextMessageStartEvent, ToolCallId, missing_code,
};

pub(super) type AuthorTag = Option<SubagentRunId>;

/// Keys are the stream's ids; slots and ids in the values are this run's.
#[derive(Debug)]
pub(super) struct ForeignSpans {
    pub(super) scope: SpanSlot,
    pub(super) authors: HashMap<SubagentRunId, ForeignAuthor>,
    pub(super) texts: HashMap<MessageId, ForeignSpan>,
    pub(super) thoughts: HashMap<MessageId, ForeignSpan>,
    brackets: HashMap<MessageId, ForeignSpan>,
    pub(super) calls: HashMap<ToolCallId, ForeignCall>,
    activities: HashMap<MessageId, SpanSlot>,
    steps: HashMap<(AuthorTag, String), SpanSlot>,
    /// Ids that the conversation already has.
    spent: HashSet<String>,
    /// The user interface's tools.
    pub(super) frontend: HashSet<String>,
}

/// A message or a reasoning span.
#[derive(Clone, Debug)]
pub(super) struct ForeignSpan {
    pub id: MessageId,
    pub by: AuthorTag,
    /// `None` while the span is closed, and for a span that goes out as chunks.
    pub slot: Option<SpanSlot>,
    /// True if the span goes out as chunks.
    pub passed: bool,
    /// The role and name from a text's opening: later chunks may have to repeat them.
    pub opener: Option<(TextMessageRole, Option<String>)>,
}

impl ForeignSpan {
    /// Builds a span that was named but not sent yet.
    fn new(id: MessageId, by: AuthorTag) -> Self {
        Self { id, by, slot: None, passed: false, opener: None }
    }
}

impl ForeignSpans {
    pub(super) fn new(scope: SpanSlot, input: &RunAgentInput) -> Self {
        let mut spent = HashSet::new();
        for message in &*input.messages {
            spent.insert(message.id().as_str().to_owned());
            spent.extend(message.tool_calls().iter().map(|call| call.id.as_str().to_owned()));
        }
        Self {
            scope,
            authors: HashMap::new(),
            texts: HashMap::new(),
            thoughts: HashMap::new(),
            brackets: HashMap::new(),
            calls: HashMap::new(),
            activities: HashMap::new(),
            steps: HashMap::new(),
            spent,
            frontend: input.tools().iter().map(|tool| tool.name.clone()).collect(),
        }
    }

    /// Sends a stream event, unless it concerns a span that the stream did not create. `passing` is true if chunks carry the
    /// event's content.
    pub(super) fn say(
        &mut self,
        kernel: &mut RunKernel,
        mut event: Event,
        passing: bool,
    ) -> Result<(), DynamicError> {
        let fields = boxed(take_fields(&mut event));
        match event.event_type().forwarded() {
            ForwardedForm::Translated => return self.translate(kernel, event, passing, fields),
            ForwardedForm::State => {
                let author = self.author(kernel, event.subagent_run_id());
                return state::say(kernel, author, event, fields);
            }
            ForwardedForm::Unchanged => {
                let author = self.author(kernel, event.subagent_run_id());
                kernel.send(author, event, fields);
            }
            // Not admitted, or expanded before.
            ForwardedForm::OwnRun | ForwardedForm::OwnConversation | ForwardedForm::Expanded => {}
        }
        Ok(())
    }

    fn translate(
        &mut self,
        kernel: &mut RunKernel,
        event: Event,
        passing: bool,
        fields: WriteFields,
    ) -> Result<(), DynamicError> {
        let tag = event.subagent_run_id().cloned();
        match event {
            Event::TextMessageStart(start) => self.open_text(kernel, start, passing, fields),
            Event::TextMessageContent(content) => {
                if let Some(slot) = open(&self.texts, &content.message_id) {
                    kernel.push_text(slot, content.delta, fields);
                }
            }
            Event::TextMessageEnd(end) => close(&mut self.texts, kernel, &end.message_id, fields),
            Event::ReasoningStart(start) => {
                let (id, by, author) = self.named(kernel, &start.message_id, tag, |items| &items.brackets);
                let slot = kernel.open_reasoning_as(author, id.clone(), fields);
                self.brackets
                    .insert(start.message_id, ForeignSpan { slot: Some(slot), ..ForeignSpan::new(id, by) });
            }
            Event::ReasoningEnd(end) => close(&mut self.brackets, kernel, &end.message_id, fields),
            Event::ReasoningMessageStart(start) => {
                let (id, by, author) = self.named(kernel, &start.message_id, tag, |items| &items.thoughts);
                let slot = (!passing).then(|| kernel.open_reasoning_message_as(author, id.clone(), fields));
                self.thoughts.insert(
                    start.message_id,
                    ForeignSpan { slot, passed: passing, ..ForeignSpan::new(id, by) },
                );
            }
            Event::ReasoningMessageContent(content) => {
                if let Some(slot) = open(&self.thoughts, &content.message_id) {
                    kernel.push_reasoning(slot, content.delta, fields);
                }
            }
            Event::ReasoningMessageEnd(end) => close(&mut self.thoughts, kernel, &end.message_id, fields),
            Event::StepStarted(start) => {
                let author = self.author(kernel, tag.as_ref());
                let slot = kernel.open_step(author, start.step_name.clone(), fields);
                self.steps.insert((tag, start.step_name), slot);
            }
            Event::StepFinished(end) => {
                if let Some(slot) = self.steps.remove(&(tag, end.step_name)) {
                    kernel.close(slot, fields);
                }
            }
            Event::ToolCallStart(start) => self.start_call(kernel, start, passing, fields),
            Event::ToolCallArgs(args) => self.push_arguments(kernel, args, fields),
            Event::ToolCallEnd(end) => self.end_call(kernel, &end.tool_call_id, fields),
            Event::ToolCallResult(result) => return self.add_result(kernel, result, fields),
            Event::ActivitySnapshot(snapshot) => self.say_activity(kernel, snapshot, tag.as_ref(), fields),
            Event::ActivityDelta(mut delta) => {
                let Some(&slot) = self.activities.get(&delta.message_id) else {
                    return Err(foreign(EventType::ActivityDelta, delta.message_id.as_str()));
                };
                let name = delta.message_id.clone();
                if let Some(id) = kernel.message_id_of(slot) {
                    delta.message_id = id.clone();
                }
                if !kernel.forward_activity(slot, delta.into(), fields) {
                    return Err(foreign(EventType::ActivityDelta, name.as_str()));
                }
            }
            Event::ReasoningEncryptedValue(value) => return self.encrypted(kernel, value, fields),
            Event::SubagentStarted(started) => self.start_subagent(kernel, started, fields),
            Event::SubagentFinished(finished) => {
                let end = match finished.outcome {
                    Some(SubagentFinishedOutcome::Suspended(outcome)) => {
                        SubagentEnd::Suspended { interrupts: outcome.interrupt_ids.unwrap_or_default() }
                    }
                    _ => SubagentEnd::Success { result: finished.result },
                };
                self.end_subagent(kernel, &finished.subagent_run_id, end, fields);
            }
            Event::SubagentError(error) => {
                let end = SubagentEnd::Failed { message: error.message, code: error.code };
                self.end_subagent(kernel, &error.subagent_run_id, end, fields);
            }
            event => missing_code("forwarded", event.event_type()),
        }
        Ok(())
    }

    /// Returns a span's id, present or new, with its owner and author.
    fn named(
        &mut self,
        kernel: &mut RunKernel,
        name: &MessageId,
        tag: AuthorTag,
        known: impl Fn(&Self) -> &HashMap<MessageId, ForeignSpan>,
    ) -> (MessageId, AuthorTag, SpanSlot) {
        let (id, by) = match known(self).get(name) {
            Some(item) => (item.id.clone(), item.by.clone()),
            None => (kernel.foreign_message(self.wanted(name.clone())), tag),
        };
        let author = self.author(kernel, by.as_ref());
        (id, by, author)
    }

    /// Returns a stream's id as the wanted id, unless the conversation already has the id: the span would change an existing
    /// message or call.
    pub(super) fn wanted<I: AsRef<str>>(&self, name: I) -> Option<I> {
        (!self.spent.contains(name.as_ref())).then_some(name)
    }

    fn open_text(
        &mut self,
        kernel: &mut RunKernel,
        start: TextMessageStartEvent,
        passing: bool,
        fields: WriteFields,
    ) {
        let (id, by, author) =
            self.named(kernel, &start.message_id, start.subagent_run_id, |items| &items.texts);
        let known = self.texts.get(&start.message_id).and_then(|item| item.opener.clone());
        let role = start.role.unwrap_or(TextMessageRole::Assistant);
        let opener = known.or_else(|| Some((role, start.name.clone())));
        let how = TextStart { role: start.role, name: start.name, id: None };
        let slot = (!passing).then(|| kernel.open_text_as(author, id.clone(), how, fields));
        self.texts.insert(
            start.message_id,
            ForeignSpan { slot, passed: passing, opener, ..ForeignSpan::new(id, by) },
        );
    }

    /// Returns the message that a call names as its parent. The message may be unsent, because several calls can share one.
    pub(super) fn parent(
        &mut self,
        kernel: &mut RunKernel,
        author: SpanSlot,
        name: &MessageId,
        by: &AuthorTag,
    ) -> MessageId {
        if let Some(item) = self.texts.get(name) {
            return item.id.clone();
        }
        let id = kernel.parent_of_calls(author, self.wanted(name.clone()));
        self.texts.insert(name.clone(), ForeignSpan::new(id.clone(), by.clone()));
        id
    }

    fn say_activity(
        &mut self,
        kernel: &mut RunKernel,
        mut snapshot: ActivitySnapshotEvent,
        tag: Option<&SubagentRunId>,
        fields: WriteFields,
    ) {
        let name = snapshot.message_id.clone();
        if let Some(&slot) = self.activities.get(&name) {
            if let Some(id) = kernel.message_id_of(slot) {
                snapshot.message_id = id.clone();
            }
            kernel.forward_activity(slot, snapshot.into(), fields);
            return;
        }
        let author = self.author(kernel, tag);
        let wanted = self.wanted(name.clone());
        let (slot, _) = kernel.open_foreign_activity(author, snapshot, wanted, fields);
        self.activities.insert(name, slot);
    }

    /// The event goes out without a tag, because the message or call may be another author's.
    fn encrypted(
        &mut self,
        kernel: &mut RunKernel,
        mut value: ReasoningEncryptedValueEvent,
        fields: WriteFields,
    ) -> Result<(), DynamicError> {
        let name = value.entity_id.as_str();
        let ours = match value.subtype {
            ReasoningEncryptedValueSubtype::ToolCall => {
                self.calls.get(&ToolCallId::from(name)).map(|call| call.id.as_str().to_owned())
            }
            ReasoningEncryptedValueSubtype::Message => {
                let name = MessageId::from(name);
                let item = self.texts.get(&name).or_else(|| self.thoughts.get(&name));
                item.map(|item| item.id.as_str().to_owned())
            }
        };
        let Some(ours) = ours else { return Err(foreign(EventType::ReasoningEncryptedValue, name)) };
        value.entity_id = ours;
        kernel.encrypt(self.scope, value, fields);
        Ok(())
    }
}

pub(super) fn foreign(event_type: EventType, id: &str) -> DynamicError {
    DynamicError::NotItsOwn { event_type, id: id.to_owned() }
}

fn open(items: &HashMap<MessageId, ForeignSpan>, name: &MessageId) -> Option<SpanSlot> {
    items.get(name)?.slot
}

fn close(
    items: &mut HashMap<MessageId, ForeignSpan>,
    kernel: &mut RunKernel,
    name: &MessageId,
    fields: WriteFields,
) {
    if let Some(slot) = items.get_mut(name).and_then(|item| item.slot.take()) {
        kernel.close(slot, fields);
    }
}

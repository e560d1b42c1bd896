//! The client's view of the conversation, as far as later events must agree with it: kind and author by id, and the calls with
//! results.

use std::collections::{HashMap, HashSet};

use super::RunSpan;
use super::messages::ParentMessage;
use crate::protocol::{
    AssistantMessage, Event, Message, MessageId, ReasoningEncryptedValueEvent,
    ReasoningEncryptedValueSubtype, RunAgentInput, SubagentRunId, TextMessageRole, ToolCallId,
};

/// Message kinds that a client keeps apart: an id belongs to one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ClientMessageKind {
    /// Text in any role, and messages that carry calls.
    Text,
    /// A tool result.
    Result,
    Thought,
    Activity,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct ClientConversation {
    /// Every input message by id. A sorted list, because a map takes up to twice the memory and a body may hold very many.
    of_input: Vec<(MessageId, KnownMessage)>,
    /// Every other message in this run.
    known: HashMap<MessageId, KnownMessage>,
    /// Messages in the restated conversation.
    messages: HashMap<MessageId, RestatedMessage>,
    calls: HashMap<ToolCallId, RestatedCall>,
    /// Every call in this run and in its input.
    known_calls: HashSet<ToolCallId>,
    /// Frontend tools.
    tools: HashSet<String>,
    /// Frontend calls that this run did not make.
    of_the_client: HashSet<ToolCallId>,
    /// Calls from earlier runs without a result, which this run may settle.
    left: HashSet<ToolCallId>,
}

#[derive(Clone, Debug)]
struct KnownMessage {
    kind: ClientMessageKind,
    /// Index among the input messages.
    at: u32,
    by: Option<SubagentRunId>,
}

#[derive(Clone, Debug)]
struct RestatedMessage {
    by: Option<SubagentRunId>,
    /// Role and name of a text.
    opener: Option<(TextMessageRole, Option<String>)>,
}

#[derive(Clone, Debug)]
struct RestatedCall {
    by: Option<SubagentRunId>,
    tool: String,
    carrier: MessageId,
}

impl ClientConversation {
    pub(super) fn from_input(input: &RunAgentInput) -> Self {
        let mut all = Self {
            tools: input.tools().iter().map(|tool| tool.name.clone()).collect(),
            of_input: Vec::with_capacity(input.messages.len()),
            ..Self::default()
        };
        for (at, message) in (0..).zip(&input.messages) {
            let known = KnownMessage {
                kind: ClientMessageKind::from_message(message),
                at,
                by: message.subagent_run_id().cloned(),
            };
            all.of_input.push((message.id().clone(), known));
            if let Message::Assistant(assistant) = message {
                all.learn_calls_of(assistant);
                all.left.extend(assistant.tool_calls().iter().map(|call| call.id.clone()));
            }
        }
        // The first of two messages with one id decides its kind.
        all.of_input.sort_unstable_by(|(a, one), (b, other)| (a, one.at).cmp(&(b, other.at)));
        all.of_input.dedup_by(|(later, _), (first, _)| later == first);
        for message in &input.messages {
            all.learn_result(message);
        }
        all.left.retain(|call| !all.of_the_client.contains(call));
        all
    }

    // ---- records

    /// Records the kind of an id, unless the id has a kind already.
    pub(super) fn learn(&mut self, id: MessageId, kind: ClientMessageKind, by: Option<&SubagentRunId>) {
        if self.known(id.as_str()).is_none() {
            self.known.insert(id, KnownMessage { kind, at: 0, by: by.cloned() });
        }
    }

    /// Records the message that a span builds.
    pub(super) fn learn_span(&mut self, span: &RunSpan, by: Option<&SubagentRunId>) {
        match span {
            RunSpan::Text { id, .. } => self.learn(id.clone(), ClientMessageKind::Text, by),
            RunSpan::ReasoningMessage { id } => self.learn(id.clone(), ClientMessageKind::Thought, by),
            RunSpan::Activity { id, .. } => self.learn(id.clone(), ClientMessageKind::Activity, by),
            RunSpan::Arguments { id, carrier, .. } => self.learn_call(id, carrier.as_ref(), by),
            _ => {}
        }
    }

    /// Records a call. A call that names no message is carried by a message with the call's id.
    pub(super) fn learn_call(
        &mut self,
        call: &ToolCallId,
        carrier: Option<&MessageId>,
        by: Option<&SubagentRunId>,
    ) {
        self.known_calls.insert(call.clone());
        self.learn(
            carrier.map_or_else(|| call.as_str().into(), MessageId::clone),
            ClientMessageKind::Text,
            by,
        );
    }

    /// Records a message in the restated conversation, under an id that is free for this kind.
    pub(super) fn restate(&mut self, message: &Message) {
        let by = message.subagent_run_id();
        self.learn(message.id().clone(), ClientMessageKind::from_message(message), by);
        let opener = match message {
            Message::Developer(message) => Some((TextMessageRole::Developer, &message.name)),
            Message::System(message) => Some((TextMessageRole::System, &message.name)),
            Message::User(message) => Some((TextMessageRole::User, &message.name)),
            Message::Assistant(message) => Some((TextMessageRole::Assistant, &message.name)),
            Message::Tool(_) | Message::Activity(_) | Message::Reasoning(_) => None,
        };
        let opener = opener.map(|(role, name)| (role, name.clone()));
        self.messages.insert(message.id().clone(), RestatedMessage { by: by.cloned(), opener });
        if let Message::Assistant(assistant) = message {
            self.learn_calls_of(assistant);
            for call in assistant.tool_calls() {
                let tool = call.function.name.clone();
                let restated = RestatedCall { by: by.cloned(), tool, carrier: assistant.id.clone() };
                self.calls.insert(call.id.clone(), restated);
            }
        }
        self.learn_result(message);
    }

    /// Records the client's calls in a conversation that is about to be restated.
    pub(super) fn learn_calls(&mut self, messages: &[Message]) {
        for message in messages {
            if let Message::Assistant(assistant) = message {
                self.learn_clients(assistant);
            }
        }
    }

    fn learn_calls_of(&mut self, message: &AssistantMessage) {
        self.known_calls.extend(message.tool_calls().iter().map(|call| call.id.clone()));
        self.learn_clients(message);
    }

    fn learn_clients(&mut self, message: &AssistantMessage) {
        let calls = message.tool_calls().iter().filter(|call| self.tools.contains(&call.function.name));
        self.of_the_client.extend(calls.map(|call| call.id.clone()));
    }

    fn learn_result(&mut self, message: &Message) {
        if let Message::Tool(answer) = message {
            self.left.remove(&answer.tool_call_id);
        }
    }

    // ---- queries

    fn known(&self, id: &str) -> Option<&KnownMessage> {
        let of_input = || self.of_input.binary_search_by(|(known, _)| known.as_str().cmp(id)).ok();
        let at_input = || self.of_input.get(of_input()?).map(|(_, known)| known);
        self.known.get(id).or_else(at_input)
    }

    /// True if a message or call in this run or in its input has the id.
    pub(crate) fn knows(&self, id: &str) -> bool {
        self.known(id).is_some() || self.known_calls.contains(id)
    }

    /// True if the id belongs to another kind of message.
    pub(super) fn has_other_kind(&self, id: &MessageId, kind: ClientMessageKind) -> bool {
        self.known(id.as_str()).is_some_and(|known| known.kind != kind)
    }

    /// True if this author may continue the message or call: the client attributes it to no other author.
    pub(super) fn is_by(&self, id: &str, tag: &Option<SubagentRunId>) -> bool {
        self.is_still_by(id, tag) && self.calls.get(id).is_none_or(|restated| restated.by == *tag)
    }

    /// True if the client knows the text from this run or from before.
    pub(super) fn has_text(&self, id: &MessageId) -> bool {
        self.known(id.as_str()).is_some_and(|known| known.kind == ClientMessageKind::Text)
    }

    /// True if the client knows the call from this run or from before.
    pub(super) fn has_call(&self, id: &ToolCallId) -> bool {
        self.known_calls.contains(id)
    }

    /// True if the entity of an encrypted value exists.
    pub(super) fn has_entity(&self, value: &ReasoningEncryptedValueEvent) -> bool {
        let id = value.entity_id.as_str();
        match value.subtype {
            ReasoningEncryptedValueSubtype::ToolCall => self.has_call(&id.into()),
            ReasoningEncryptedValueSubtype::Message => {
                let known = self.known(id);
                known.is_some_and(|known| {
                    matches!(known.kind, ClientMessageKind::Text | ClientMessageKind::Thought)
                })
            }
        }
    }

    /// Returns the message that this author's call may name as parent: a message by the same author, from this run or its input.
    pub(super) fn carrier(&self, tag: &Option<SubagentRunId>, parent: ParentMessage) -> Option<MessageId> {
        let known = self.known(parent.id.as_str())?;
        let same = known.kind == ClientMessageKind::Text && known.by == *tag && parent.tag == *tag;
        (same && self.is_still_by(parent.id.as_str(), tag)).then_some(parent.id)
    }

    /// True unless the restated conversation attributes the message to another author.
    pub(super) fn is_still_by(&self, message: &str, tag: &Option<SubagentRunId>) -> bool {
        self.restated_author(message).is_none_or(|restated| restated == tag)
    }

    /// Makes an event that reopens a message or call agree with the restated conversation.
    pub(super) fn fit(&self, opener: &mut Event) {
        match opener {
            Event::TextMessageStart(start) => {
                self.fit_text(&start.message_id, &mut start.role, &mut start.name);
            }
            Event::TextMessageChunk(chunk) => {
                if let Some(id) = &chunk.message_id {
                    self.fit_text(id, &mut chunk.role, &mut chunk.name);
                }
            }
            Event::ToolCallStart(start) => {
                if let Some(restated) = self.calls.get(&start.tool_call_id) {
                    start.tool_call_name.clone_from(&restated.tool);
                    fit(&mut start.parent_message_id, &restated.carrier);
                }
            }
            Event::ToolCallChunk(chunk) => {
                if let Some(restated) = chunk.tool_call_id.as_ref().and_then(|id| self.calls.get(id)) {
                    chunk.tool_call_name = Some(restated.tool.clone());
                    fit(&mut chunk.parent_message_id, &restated.carrier);
                }
            }
            _ => {}
        }
    }

    fn fit_text(&self, id: &MessageId, role: &mut Option<TextMessageRole>, name: &mut Option<String>) {
        let Some(restated) = self.messages.get(id) else { return };
        let (known_role, known_name) =
            restated.opener.as_ref().map_or((None, None), |(role, name)| (Some(*role), name.as_ref()));
        *role = role.filter(|role| Some(*role) == known_role);
        *name = name.take().filter(|name| Some(name) == known_name);
    }

    /// True if the user interface declares a tool under this name.
    pub(super) fn is_client_tool(&self, tool: &str) -> bool {
        self.tools.contains(tool)
    }

    /// True for a frontend call that this run did not make.
    pub(super) fn is_client_call(&self, call: &ToolCallId) -> bool {
        self.of_the_client.contains(call)
    }

    /// True if the call was left for this run to settle.
    pub(crate) fn is_left_call(&self, call: &ToolCallId) -> bool {
        self.left.contains(call)
    }

    /// Records that the call has a result, or gets one now.
    pub(super) fn mark_settled(&mut self, call: &ToolCallId) {
        self.left.remove(call);
    }

    /// Returns a message's author in the restated conversation.
    pub(crate) fn restated_author(&self, message: &str) -> Option<&Option<SubagentRunId>> {
        self.messages.get(message).map(|restated| &restated.by)
    }
}

impl ClientMessageKind {
    pub(super) fn from_message(message: &Message) -> Self {
        match message {
            Message::Tool(_) => Self::Result,
            Message::Reasoning(_) => Self::Thought,
            Message::Activity(_) => Self::Activity,
            _ => Self::Text,
        }
    }
}

/// Removes a parent that differs from the conversation's parent.
fn fit(parent: &mut Option<MessageId>, known: &MessageId) {
    *parent = parent.take().filter(|parent| parent == known);
}

//! The client's view of the conversation, as far as later events must agree with it: the kind and the author of each
//! id, and the calls that were answered.

use std::collections::{HashMap, HashSet};

use super::Span;
use super::messages::ParentMessage;
use crate::protocol::{
    AssistantMessage, Event, Message, MessageId, ReasoningEncryptedValueEvent,
    ReasoningEncryptedValueSubtype, RunAgentInput, SubagentRunId, TextMessageRole, ToolCallId,
};

/// The kinds of messages that a client keeps apart: an id belongs to one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Text of any role, and messages that carry calls.
    Text,
    /// The answer to a call.
    Result,
    Thought,
    Activity,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Conversation {
    /// Every message of the input, by id. A sorted list, because a map takes up to twice the memory and a body may hold
    /// very many.
    of_input: Vec<(MessageId, Known)>,
    /// Every other message of this run.
    known: HashMap<MessageId, Known>,
    /// The messages and calls of the restated conversation.
    messages: HashMap<MessageId, ToldMessage>,
    calls: HashMap<ToolCallId, RestatedCall>,
    /// Every call of this run and of its input.
    known_calls: HashSet<ToolCallId>,
    /// The tools of the user interface.
    tools: HashSet<String>,
    /// Calls of those tools that this run did not make.
    of_the_client: HashSet<ToolCallId>,
    /// Calls of earlier runs without an answer, which this run may answer.
    left: HashSet<ToolCallId>,
}

#[derive(Clone, Debug)]
struct Known {
    kind: Kind,
    /// Its index among the messages of the input.
    at: u32,
    by: Option<SubagentRunId>,
}

#[derive(Clone, Debug)]
struct ToldMessage {
    by: Option<SubagentRunId>,
    /// The role and name of a text.
    opener: Option<(TextMessageRole, Option<String>)>,
}

#[derive(Clone, Debug)]
struct RestatedCall {
    by: Option<SubagentRunId>,
    tool: String,
    carrier: MessageId,
}

impl Conversation {
    pub(super) fn of(input: &RunAgentInput) -> Self {
        let mut all = Self {
            tools: input.tools().iter().map(|tool| tool.name.clone()).collect(),
            of_input: Vec::with_capacity(input.messages.len()),
            ..Self::default()
        };
        for (at, message) in (0..).zip(&input.messages) {
            let known = Known { kind: Kind::of(message), at, by: message.subagent_run_id().cloned() };
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
            all.learn_answer(message);
        }
        all.left.retain(|call| !all.of_the_client.contains(call));
        all
    }

    // ---- records

    /// Records the kind of an id; an id keeps the kind that it has.
    pub(super) fn learn(&mut self, id: MessageId, kind: Kind, by: Option<&SubagentRunId>) {
        if self.known(id.as_str()).is_none() {
            self.known.insert(id, Known { kind, at: 0, by: by.cloned() });
        }
    }

    /// Records the message that a span builds.
    pub(super) fn learn_span(&mut self, span: &Span, by: Option<&SubagentRunId>) {
        match span {
            Span::Text { id, .. } => self.learn(id.clone(), Kind::Text, by),
            Span::ReasoningMessage { id } => self.learn(id.clone(), Kind::Thought, by),
            Span::Activity { id, .. } => self.learn(id.clone(), Kind::Activity, by),
            Span::Arguments { id, carrier, .. } => self.learn_call(id, carrier.as_ref(), by),
            _ => {}
        }
    }

    /// Records a call. A call that names no message is carried by one of its own id.
    pub(super) fn learn_call(
        &mut self,
        call: &ToolCallId,
        carrier: Option<&MessageId>,
        by: Option<&SubagentRunId>,
    ) {
        self.known_calls.insert(call.clone());
        self.learn(carrier.map_or_else(|| call.as_str().into(), MessageId::clone), Kind::Text, by);
    }

    /// Records a message as the conversation has it now, under an id that is free for its kind.
    pub(super) fn restate(&mut self, message: &Message) {
        let by = message.subagent_run_id();
        self.learn(message.id().clone(), Kind::of(message), by);
        let opener = match message {
            Message::Developer(message) => Some((TextMessageRole::Developer, &message.name)),
            Message::System(message) => Some((TextMessageRole::System, &message.name)),
            Message::User(message) => Some((TextMessageRole::User, &message.name)),
            Message::Assistant(message) => Some((TextMessageRole::Assistant, &message.name)),
            Message::Tool(_) | Message::Activity(_) | Message::Reasoning(_) => None,
        };
        let opener = opener.map(|(role, name)| (role, name.clone()));
        self.messages.insert(message.id().clone(), ToldMessage { by: by.cloned(), opener });
        if let Message::Assistant(assistant) = message {
            self.learn_calls_of(assistant);
            for call in assistant.tool_calls() {
                let tool = call.function.name.clone();
                let restated = RestatedCall { by: by.cloned(), tool, carrier: assistant.id.clone() };
                self.calls.insert(call.id.clone(), restated);
            }
        }
        self.learn_answer(message);
    }

    /// Records which calls of a conversation, about to be restated, belong to the client.
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

    fn learn_answer(&mut self, message: &Message) {
        if let Message::Tool(answer) = message {
            self.left.remove(&answer.tool_call_id);
        }
    }

    // ---- queries

    fn known(&self, id: &str) -> Option<&Known> {
        let of_input = || self.of_input.binary_search_by(|(known, _)| known.as_str().cmp(id)).ok();
        let at_input = || self.of_input.get(of_input()?).map(|(_, known)| known);
        self.known.get(id).or_else(at_input)
    }

    /// Returns true if a message or a call of this run or of its input has the id.
    pub(crate) fn knows(&self, id: &str) -> bool {
        self.known(id).is_some() || self.known_calls.contains(id)
    }

    /// Returns true if the id belongs to a message of another kind.
    pub(super) fn is_other(&self, id: &MessageId, kind: Kind) -> bool {
        self.known(id.as_str()).is_some_and(|known| known.kind != kind)
    }

    /// Returns true if a message or call may continue as this author's: the client does not attribute it to another.
    pub(super) fn is_by(&self, id: &str, tag: &Option<SubagentRunId>) -> bool {
        self.is_still_by(id, tag) && self.calls.get(id).is_none_or(|restated| restated.by == *tag)
    }

    /// Returns true if the client knows such a text, from this run or from before it.
    pub(super) fn has_text(&self, id: &MessageId) -> bool {
        self.known(id.as_str()).is_some_and(|known| known.kind == Kind::Text)
    }

    /// Returns true if the client knows such a call, from this run or from before it.
    pub(super) fn has_call(&self, id: &ToolCallId) -> bool {
        self.known_calls.contains(id)
    }

    /// Returns true if the entity of an encrypted value exists.
    pub(super) fn has_entity(&self, value: &ReasoningEncryptedValueEvent) -> bool {
        let id = value.entity_id.as_str();
        match value.subtype {
            ReasoningEncryptedValueSubtype::ToolCall => self.has_call(&id.into()),
            ReasoningEncryptedValueSubtype::Message => {
                let known = self.known(id);
                known.is_some_and(|known| matches!(known.kind, Kind::Text | Kind::Thought))
            }
        }
    }

    /// Returns the message that a call of this author may name as its parent: one of this run or of its input, by the
    /// same author.
    pub(super) fn carrier(&self, tag: &Option<SubagentRunId>, parent: ParentMessage) -> Option<MessageId> {
        let known = self.known(parent.id.as_str())?;
        let same = known.kind == Kind::Text && known.by == *tag && parent.tag == *tag;
        (same && self.is_still_by(parent.id.as_str(), tag)).then_some(parent.id)
    }

    /// Returns true if the restated conversation does not attribute the message to another author.
    pub(super) fn is_still_by(&self, message: &str, tag: &Option<SubagentRunId>) -> bool {
        self.restated_author(message).is_none_or(|restated| restated == tag)
    }

    /// Makes an event that opens a message or a call again agree with the restated conversation.
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

    /// Returns true if the user interface declares a tool of that name.
    pub(super) fn is_client_tool(&self, tool: &str) -> bool {
        self.tools.contains(tool)
    }

    /// Returns true if the call is of a tool of the user interface and this run did not make it.
    pub(super) fn is_of_the_client(&self, call: &ToolCallId) -> bool {
        self.of_the_client.contains(call)
    }

    /// Returns true if the call was left for this run to answer.
    pub(crate) fn is_left(&self, call: &ToolCallId) -> bool {
        self.left.contains(call)
    }

    /// Records that the call has an answer, or gets one now.
    pub(super) fn take(&mut self, call: &ToolCallId) {
        self.left.remove(call);
    }

    /// Returns the author of a message in the restated conversation.
    pub(crate) fn restated_author(&self, message: &str) -> Option<&Option<SubagentRunId>> {
        self.messages.get(message).map(|restated| &restated.by)
    }
}

impl Kind {
    pub(super) fn of(message: &Message) -> Self {
        match message {
            Message::Tool(_) => Self::Result,
            Message::Reasoning(_) => Self::Thought,
            Message::Activity(_) => Self::Activity,
            _ => Self::Text,
        }
    }
}

/// Removes a parent that differs from the one in the conversation.
fn fit(parent: &mut Option<MessageId>, known: &MessageId) {
    *parent = parent.take().filter(|parent| parent == known);
}

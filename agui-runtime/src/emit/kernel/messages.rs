//! Text, reasoning, steps, activities, and the conversation as a whole.

use super::{Fields, Kernel, Kind, Slot, Span, following};
use crate::protocol::{
    ActivityDeltaEvent, ActivitySnapshotEvent, Event, JsonObject, JsonPatch, Message, MessageId,
    MessagesSnapshotEvent, ReasoningEndEvent, ReasoningMessageContentEvent, ReasoningMessageEndEvent,
    ReasoningMessageStartEvent, ReasoningStartEvent, StepFinishedEvent, StepStartedEvent, SubagentRunId,
    TextMessageContentEvent, TextMessageEndEvent, TextMessageRole, TextMessageStartEvent,
};

/// How a text message begins.
#[derive(Clone, Debug, Default)]
pub(crate) struct TextStart {
    pub role: Option<TextMessageRole>,
    pub name: Option<String>,
    /// The id somebody else gave it; used if no other message of the run has it.
    pub id: Option<MessageId>,
}

impl Kernel {
    pub(crate) fn open_text(&mut self, by: Slot, start: TextStart, fields: Fields) -> Slot {
        let id = self.message_id(start.id.clone());
        self.open_text_as(by, id, start, fields)
    }

    /// A text under an id its author has already, or has used before.
    pub(crate) fn open_text_as(&mut self, by: Slot, id: MessageId, start: TextStart, fields: Fields) -> Slot {
        let role = start.role.unwrap_or(TextMessageRole::Assistant);
        let mut event = TextMessageStartEvent::new(id.clone()).with_role(role);
        event.name = start.name;
        self.open(by, Span::Text { id, role }, event.into(), fields)
    }

    pub(crate) fn push_text(&mut self, slot: Slot, delta: String, fields: Fields) {
        self.within(slot, fields, |span| match span {
            Span::Text { id, .. } => Some(TextMessageContentEvent::new(id.clone(), delta).into()),
            _ => None,
        });
    }

    pub(crate) fn open_reasoning(&mut self, by: Slot, id: Option<MessageId>, fields: Fields) -> Slot {
        let id = self.message_id(id);
        self.open_reasoning_as(by, id, fields)
    }

    /// A reasoning span under an id its author has already, or has used before.
    pub(crate) fn open_reasoning_as(&mut self, by: Slot, id: MessageId, fields: Fields) -> Slot {
        self.open(by, Span::Reasoning { id: id.clone() }, ReasoningStartEvent::new(id).into(), fields)
    }

    /// A reasoning message; inside a reasoning span when `by` is one.
    pub(crate) fn open_reasoning_message(&mut self, by: Slot, id: Option<MessageId>, fields: Fields) -> Slot {
        let id = self.message_id(id);
        self.open_reasoning_message_as(by, id, fields)
    }

    /// A reasoning message under an id its author has already, or has used before.
    pub(crate) fn open_reasoning_message_as(&mut self, by: Slot, id: MessageId, fields: Fields) -> Slot {
        let start = ReasoningMessageStartEvent::new(id.clone());
        self.open(by, Span::ReasoningMessage { id }, start.into(), fields)
    }

    pub(crate) fn push_reasoning(&mut self, slot: Slot, delta: String, fields: Fields) {
        self.within(slot, fields, |span| match span {
            Span::ReasoningMessage { id } => {
                Some(ReasoningMessageContentEvent::new(id.clone(), delta).into())
            }
            _ => None,
        });
    }

    /// Opens a step under a name no other open step of its author has.
    pub(crate) fn open_step(&mut self, by: Slot, name: String, fields: Fields) -> Slot {
        let Some(tag) = self.author(by) else { return self.next_slot() };
        let name = self.free_step_name(self.step_author(tag), name);
        self.open(by, Span::Step { name: name.clone() }, StepStartedEvent::new(name).into(), fields)
    }

    fn free_step_name(&mut self, author: Option<SubagentRunId>, stem: String) -> String {
        let mut key = (author, stem);
        if let Some(&last) = self.steps.get(&key) {
            let stem = key.1.clone();
            let mut number = last;
            let free = loop {
                number += 1;
                key.1 = format!("{stem}#{number}");
                if !self.steps.contains_key(&key) {
                    break key.1.clone();
                }
            };
            self.steps.insert((key.0.clone(), stem), number);
            self.steps.insert(key, 1);
            return free;
        }
        let name = key.1.clone();
        self.steps.insert(key, 1);
        name
    }

    /// A peer that does not read tags sees all steps as one author's.
    fn step_author(&self, tag: Option<SubagentRunId>) -> Option<SubagentRunId> {
        tag.filter(|_| self.peer.reads_tags())
    }

    pub(super) fn close_plain(&mut self, span: Span, tag: Option<SubagentRunId>, fields: Fields) {
        let end: Event = match span {
            Span::Text { id, .. } => TextMessageEndEvent::new(id).into(),
            Span::Reasoning { id } => ReasoningEndEvent::new(id).into(),
            Span::ReasoningMessage { id } => ReasoningMessageEndEvent::new(id).into(),
            Span::Step { name } => {
                let key = (self.step_author(tag.clone()), name);
                self.steps.remove(&key);
                StepFinishedEvent::new(key.1).into()
            }
            _ => return,
        };
        self.put(end, tag, fields);
    }

    pub(crate) fn open_activity(
        &mut self,
        by: Slot,
        kind: std::borrow::Cow<'static, str>,
        content: JsonObject,
        id: Option<MessageId>,
        fields: Fields,
    ) -> Slot {
        let id = self.message_id(id);
        let start =
            ActivitySnapshotEvent::new(id.clone(), kind.clone(), Box::new(content)).with_replace(true);
        self.open(by, Span::Activity { id, kind, is_lost: false }, start.into(), fields)
    }

    /// An activity of somebody else's stream, as it says it.
    pub(crate) fn open_foreign_activity(
        &mut self,
        by: Slot,
        mut snapshot: ActivitySnapshotEvent,
        wanted: Option<MessageId>,
        fields: Fields,
    ) -> (Slot, MessageId) {
        let id = self.message_id(wanted);
        snapshot.message_id = id.clone();
        let kind = snapshot.activity_type.clone().into();
        let span = Span::Activity { id: id.clone(), kind, is_lost: false };
        (self.open(by, span, snapshot.into(), fields), id)
    }

    /// What somebody else's stream says of its activity, as it says it. Whether the client holds what it is about.
    pub(crate) fn forward_activity(&mut self, slot: Slot, event: Event, fields: Fields) -> bool {
        match &event {
            Event::ActivityDelta(_) if self.is_lost(slot) => return false,
            Event::ActivityDelta(_) => {}
            _ => self.find_activity(slot),
        }
        self.within(slot, fields, |span| matches!(span, Span::Activity { .. }).then_some(event));
        true
    }

    /// Whether the client was told of other activities since, so that it must be shown this one whole.
    fn is_lost(&self, slot: Slot) -> bool {
        matches!(self.spans.get(&slot).map(|open| &open.span), Some(Span::Activity { is_lost: true, .. }))
    }

    fn find_activity(&mut self, slot: Slot) {
        if let Some(Span::Activity { is_lost, .. }) = self.spans.get_mut(&slot).map(|open| &mut open.span) {
            *is_lost = false;
        }
    }

    pub(crate) fn restart_activity(&mut self, slot: Slot, content: JsonObject, fields: Fields) {
        self.find_activity(slot);
        self.within(slot, fields, |span| match span {
            Span::Activity { id, kind, .. } => Some(
                ActivitySnapshotEvent::new(id.clone(), kind.clone(), Box::new(content))
                    .with_replace(true)
                    .into(),
            ),
            _ => None,
        });
    }

    /// Gives the fields back where the client does not hold what the patch is for.
    pub(crate) fn change_activity(&mut self, slot: Slot, patch: JsonPatch, fields: Fields) -> Result<(), Fields> {
        if self.is_lost(slot) {
            return Err(fields);
        }
        self.within(slot, fields, |span| match span {
            Span::Activity { id, kind, .. } => {
                Some(ActivityDeltaEvent::new(id.clone(), kind.clone(), patch).into())
            }
            _ => None,
        });
        Ok(())
    }

    /// Restates the conversation, unless something of it is open that another author may still write: then the messages
    /// come back. What the author itself left open it cannot reach any more, so that is closed.
    pub(crate) fn restate(
        &mut self,
        by: Slot,
        messages: Vec<Message>,
        fields: Fields,
    ) -> Result<(), (Vec<Message>, Fields)> {
        if self.author(by).is_none() {
            return Ok(());
        }
        self.close_all_in(by);
        if self.spans.values().any(|open| open.span.is_of_the_conversation()) {
            return Err((messages, fields));
        }
        // A call that was cut off is open at the client until the run has failed, which is all that can come now.
        if self.cut_off.is_empty() {
            self.say_restated(messages, fields);
        }
        Ok(())
    }

    pub(super) fn say_restated(&mut self, mut messages: Vec<Message>, fields: Fields) {
        for message in &mut messages {
            if self.conversation.is_other(message.id(), Kind::of(message)) {
                *id_mut(message) = self.new_message();
                self.renamed += 1;
            }
            self.taken.insert(message.id().as_str().to_owned());
            if let Message::Assistant(assistant) = &*message {
                self.taken.extend(assistant.tool_calls().iter().map(|call| call.id.as_str().to_owned()));
            }
            if let Message::Tool(answer) = &*message {
                self.is_answered(&answer.tool_call_id);
            }
            self.conversation.restate(message);
        }
        if messages.iter().any(|message| matches!(message, Message::Activity(_))) {
            self.lose_activities();
        }
        self.put(MessagesSnapshotEvent::new(messages).into(), None, fields);
    }

    /// A client that is told of activities drops those it held, and what it holds of the others may have changed.
    fn lose_activities(&mut self) {
        for open in self.spans.values_mut() {
            if let Span::Activity { is_lost, .. } = &mut open.span {
                *is_lost = true;
            }
        }
    }

    /// Takes an id for a message that somebody else's stream names.
    pub(crate) fn foreign_message(&mut self, wanted: Option<MessageId>) -> MessageId {
        self.message_id(wanted)
    }

    /// The same for one that is only named as the parent of a call.
    pub(crate) fn foreign_parent(&mut self, by: Slot, wanted: Option<MessageId>) -> MessageId {
        let id = self.message_id(wanted);
        if let Some(tag) = self.author(by) {
            self.conversation.learn(id.clone(), Kind::Said, tag.as_ref());
        }
        id
    }

    /// The id a new message gets: the one somebody else chose, if it is free.
    pub(super) fn message_id(&mut self, wanted: Option<MessageId>) -> MessageId {
        match wanted {
            Some(id) if self.claim(id.as_str()) => id,
            _ => self.new_message(),
        }
    }

    pub(super) fn new_message(&mut self) -> MessageId {
        loop {
            let id = self.ids.message();
            if !self.taken.contains(id.as_str()) {
                return id;
            }
        }
    }

    /// Whether an id chosen elsewhere is free; it is not afterwards.
    pub(super) fn claim(&mut self, id: &str) -> bool {
        !self.ids.made(id) && self.taken.insert(id.to_owned())
    }

    /// What a receipt of an open text message says: its id, its role, its author.
    pub(crate) fn text_of(&self, slot: Slot) -> Option<(MessageId, TextMessageRole, Option<SubagentRunId>)> {
        let open = self.spans.get(&slot)?;
        match &open.span {
            Span::Text { id, role } => Some((id.clone(), *role, open.tag.clone())),
            _ => None,
        }
    }

    /// The id of an open span that builds a message, or brackets some.
    pub(crate) fn message_id_of(&self, slot: Slot) -> Option<&MessageId> {
        match &self.spans.get(&slot)?.span {
            Span::Text { id, .. }
            | Span::Reasoning { id }
            | Span::ReasoningMessage { id }
            | Span::Activity { id, .. } => Some(id),
            _ => None,
        }
    }

    /// An id nobody has seen, for what was never said.
    pub(crate) fn unseen_message(&mut self) -> MessageId {
        self.new_message()
    }

    /// A whole text message.
    pub(crate) fn say(&mut self, by: Slot, text: String, start: TextStart, fields: Fields) -> Slot {
        let later = following(&fields);
        let slot = self.open_text(by, start, fields);
        if !text.is_empty() {
            self.push_text(slot, text, later);
        }
        slot
    }
}

fn id_mut(message: &mut Message) -> &mut MessageId {
    match message {
        Message::Developer(message) => &mut message.id,
        Message::System(message) => &mut message.id,
        Message::Assistant(message) => &mut message.id,
        Message::User(message) => &mut message.id,
        Message::Tool(message) => &mut message.id,
        Message::Activity(message) => &mut message.id,
        Message::Reasoning(message) => &mut message.id,
    }
}

/// The message that carries a call: its id and its author.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ParentMessage {
    pub id: MessageId,
    pub tag: Option<SubagentRunId>,
}

//! Text and reasoning, appended to messages; metadata and encrypted values, attached to messages.

use super::{CompletedSpan, ReduceWarning, Reducer, ReducerChange, ReducerUpdate};
use crate::protocol::{
    AssistantMessage, Content, DeveloperMessage, EventType, Message, MessageId, Metadata,
    ReasoningEncryptedValueEvent, ReasoningEncryptedValueSubtype, ReasoningMessage,
    ReasoningMessageStartEvent, Role, SubagentRunId, SystemMessage, TextMessageRole, TextMessageStartEvent,
    UserMessage,
};

impl Reducer {
    pub(super) fn start_text(&mut self, event: &TextMessageStartEvent) -> ReducerUpdate {
        let TextMessageStartEvent { message_id: id, role, name, metadata, subagent_run_id, .. } = event;
        if let Some(known) = self.reopen(EventType::TextMessageStart, id, metadata.as_ref()) {
            return known;
        }
        let mut message = empty(id, role.unwrap_or(TextMessageRole::Assistant), name.clone());
        self.begin(&mut message, subagent_run_id.as_ref(), metadata.as_ref());
        ReducerChange::Added { at: self.conversation.push(message) }.into()
    }

    pub(super) fn start_reasoning(&mut self, event: &ReasoningMessageStartEvent) -> ReducerUpdate {
        let ReasoningMessageStartEvent { message_id: id, metadata, subagent_run_id, .. } = event;
        if let Some(known) = self.reopen(EventType::ReasoningMessageStart, id, metadata.as_ref()) {
            return known;
        }
        let mut message = ReasoningMessage::new(id, "").into();
        self.begin(&mut message, subagent_run_id.as_ref(), metadata.as_ref());
        ReducerChange::Added { at: self.conversation.push(message) }.into()
    }

    /// Reopens a known message, whose members stay whatever the start says.
    fn reopen(
        &mut self,
        event_type: EventType,
        id: &MessageId,
        metadata: Option<&Metadata>,
    ) -> Option<ReducerUpdate> {
        let (at, message) = self.conversation.find(id.as_str())?;
        Some(match not_for_text(event_type, message) {
            Some(warning) => warning.into(),
            None => {
                ReducerUpdate::when(merge(message.metadata_mut(), metadata), ReducerChange::Message { at })
            }
        })
    }

    fn begin(&self, message: &mut Message, tag: Option<&SubagentRunId>, metadata: Option<&Metadata>) {
        *message.subagent_run_id_mut() = tag.cloned();
        *message.metadata_mut() = metadata.cloned();
    }

    /// Returns the message to which text is added, and the message's index.
    fn text(
        &mut self,
        event_type: EventType,
        id: &MessageId,
    ) -> Result<(usize, &mut Message), ReduceWarning> {
        let Some((at, message)) = self.conversation.find(id.as_str()) else {
            return Err(ReduceWarning::NoMessage { event_type, id: id.clone() });
        };
        not_for_text(event_type, message).map_or(Ok((at, message)), Err)
    }

    pub(super) fn add_text(
        &mut self,
        event_type: EventType,
        id: &MessageId,
        delta: &str,
        metadata: Option<&Metadata>,
    ) -> ReducerUpdate {
        let (at, message) = match self.text(event_type, id) {
            Ok(text) => text,
            Err(warning) => return warning.into(),
        };
        append(message, delta);
        merge(message.metadata_mut(), metadata);
        ReducerChange::Text { at }.into()
    }

    pub(super) fn end_text(
        &mut self,
        event_type: EventType,
        id: &MessageId,
        metadata: Option<&Metadata>,
    ) -> ReducerUpdate {
        let (at, message) = match self.text(event_type, id) {
            Ok(text) => text,
            Err(warning) => return warning.into(),
        };
        ReducerUpdate::when(merge(message.metadata_mut(), metadata), ReducerChange::Message { at })
            .completing(CompletedSpan::Message { at })
    }

    pub(super) fn encrypt(&mut self, event: &ReasoningEncryptedValueEvent) -> ReducerUpdate {
        let ReasoningEncryptedValueEvent {
            subtype, entity_id, encrypted_value, encrypted_value_type, ..
        } = event;
        let found = match subtype {
            ReasoningEncryptedValueSubtype::ToolCall => {
                let found = self.conversation.find_call(entity_id);
                found.map(|(place, call)| {
                    (call.encrypted_members(), ReducerChange::Call { at: place.at, call: place.call })
                })
            }
            ReasoningEncryptedValueSubtype::Message => {
                let found = self.conversation.find(entity_id);
                found.and_then(|(at, message)| {
                    Some((message.encrypted_members()?, ReducerChange::Message { at }))
                })
            }
        };
        let Some((members, change)) = found else {
            return ReduceWarning::NothingToEncrypt { id: entity_id.clone() }.into();
        };
        members.replace(encrypted_value, encrypted_value_type.as_deref());
        change.into()
    }
}

/// Merges metadata key by key; returns true if there was anything to merge.
pub(super) fn merge(target: &mut Option<Metadata>, metadata: Option<&Metadata>) -> bool {
    match metadata {
        Some(metadata) => {
            target.get_or_insert_default().merge(metadata.clone());
            true
        }
        None => false,
    }
}

fn empty(id: &MessageId, role: TextMessageRole, name: Option<String>) -> Message {
    match role {
        TextMessageRole::Assistant => {
            let mut message = AssistantMessage::new(id).with_content("");
            message.name = name;
            message.into()
        }
        TextMessageRole::User => {
            let mut message = UserMessage::new(id, "");
            message.name = name;
            message.into()
        }
        TextMessageRole::System => {
            let mut message = SystemMessage::new(id, "");
            message.name = name;
            message.into()
        }
        TextMessageRole::Developer => {
            let mut message = DeveloperMessage::new(id, "");
            message.name = name;
            message.into()
        }
    }
}

/// Returns a warning for an activity: the content is an object, to which no text can be added.
fn not_for_text(event_type: EventType, message: &Message) -> Option<ReduceWarning> {
    match message {
        Message::Activity(activity) => {
            Some(ReduceWarning::OtherRole { event_type, id: activity.id.clone(), role: Role::Activity })
        }
        _ => None,
    }
}

/// Appends to a text; content in parts is replaced by the text.
fn append(message: &mut Message, delta: &str) {
    let content = match message {
        Message::User(message) => &mut message.content,
        Message::Tool(message) => &mut message.content,
        Message::Developer(message) => return message.content.push_str(delta),
        Message::System(message) => return message.content.push_str(delta),
        Message::Reasoning(message) => return message.content.push_str(delta),
        Message::Assistant(message) => {
            return message.content.get_or_insert_default().push_str(delta);
        }
        Message::Activity(_) => return,
    };
    match content {
        Content::Text(text) => text.push_str(delta),
        Content::Parts(_) => *content = Content::Text(delta.to_owned()),
    }
}

//! The conversation as a message to an A2A agent.

use crate::a2a::wire::{A2aMessage, A2aPart, A2aPartContent, A2aRole};
use crate::protocol::{Content, ContentPart, Message, PartSource};

/// Returns the message for the agent: the last consecutive user messages. The agent remembers earlier ones through the context.
/// `None` if the user said nothing.
pub(super) fn message(messages: &[Message], id: String) -> Option<A2aMessage> {
    // Calls of tools may follow: one of them may be what asks the agent.
    let users = messages.iter().rev().skip_while(|message| !matches!(message, Message::User(_)));
    let mut said: Vec<_> = users.map_while(content).collect();
    said.reverse();
    let parts: Vec<A2aPart> = said.into_iter().flat_map(parts).collect();
    (!parts.is_empty()).then(|| A2aMessage::new(id, A2aRole::User, parts))
}

fn content(message: &Message) -> Option<&Content> {
    match message {
        Message::User(user) => Some(&user.content),
        _ => None,
    }
}

fn parts(content: &Content) -> Vec<A2aPart> {
    match content {
        Content::Text(text) => vec![A2aPart::text(text)],
        Content::Parts(parts) => parts.iter().map(part).collect(),
    }
}

fn part(part: &ContentPart) -> A2aPart {
    let source = match part {
        ContentPart::Text(part) => return A2aPart::text(&part.text),
        ContentPart::Image(part) => &part.source,
        ContentPart::Audio(part) => &part.source,
        ContentPart::Video(part) => &part.source,
        ContentPart::Document(part) => &part.source,
    };
    let (content, media) = match source {
        PartSource::Data(data) => (A2aPartContent::Raw(data.value.clone()), Some(data.mime_type.clone())),
        PartSource::Url(url) => (A2aPartContent::Url(url.value.clone()), url.mime_type.clone()),
        // A handle at a model provider means nothing to another agent.
        PartSource::File(_) => (A2aPartContent::Data(serde_json::to_value(part).unwrap_or_default()), None),
    };
    let mut part = A2aPart::new(content);
    part.media_type = media;
    part
}

//! The conversation as a message to an A2A agent.

use crate::a2a::wire::{A2aMessage, A2aRole, Part, PartContent};
use crate::protocol::{Content, ContentPart, Message, PartSource};

/// Returns the message for the agent: what the user said after the last message of another. The agent remembers the rest by its
/// context.
pub(super) fn message(messages: &[Message], id: String) -> A2aMessage {
    let from = messages.iter().rposition(|message| !matches!(message, Message::User(_)));
    let said = messages.get(from.map_or(0, |at| at + 1)..).unwrap_or_default();
    let parts = said.iter().flat_map(|message| match message {
        Message::User(user) => parts(&user.content),
        _ => Vec::new(),
    });
    A2aMessage::new(id, A2aRole::User, parts)
}

fn parts(content: &Content) -> Vec<Part> {
    match content {
        Content::Text(text) => vec![Part::text(text)],
        Content::Parts(parts) => parts.iter().map(part).collect(),
    }
}

fn part(part: &ContentPart) -> Part {
    let source = match part {
        ContentPart::Text(part) => return Part::text(&part.text),
        ContentPart::Image(part) => &part.source,
        ContentPart::Audio(part) => &part.source,
        ContentPart::Video(part) => &part.source,
        ContentPart::Document(part) => &part.source,
    };
    let (content, media) = match source {
        PartSource::Data(data) => (PartContent::Raw(data.value.clone()), Some(data.mime_type.clone())),
        PartSource::Url(url) => (PartContent::Url(url.value.clone()), url.mime_type.clone()),
        // A handle at a model provider means nothing to another agent.
        PartSource::File(_) => (PartContent::Data(serde_json::to_value(part).unwrap_or_default()), None),
    };
    let mut part = Part::of(content);
    part.media_type = media;
    part
}

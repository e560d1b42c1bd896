//! The excerpt that a list of threads shows: the last text by the user or the agent.

use serde::{Deserialize, Serialize};

use crate::kernel::{awaited_author, begins_awaited_text};
use crate::protocol::{Event, Message, MessageId, TextMessageRole};

/// The maximum length of an excerpt in characters.
const MAX_EXCERPT: usize = 200;

/// A thread's last message with text, by the user or the agent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::server) struct LastMessage {
    pub(in crate::server) id: MessageId,
    /// `user` or `assistant`. A text, so that a role from a newer version does not make the note unreadable.
    pub(in crate::server) role: String,
    /// The text's beginning, on one line.
    pub(in crate::server) text: String,
}

impl LastMessage {
    /// Returns the excerpt for the last message with text.
    pub(in crate::server::threads) fn from_messages(messages: &[Message]) -> Option<Self> {
        messages.iter().rev().filter(|message| is_for_user(message)).find_map(|message| {
            let text = match message {
                Message::User(user) => user.content.text(),
                Message::Assistant(assistant) => assistant.content.as_deref().unwrap_or_default().into(),
                _ => return None,
            };
            let text = excerpt(&text, MAX_EXCERPT);
            let role = message.role().as_str().to_owned();
            (!text.is_empty()).then(|| Self { id: message.id().clone(), role, text })
        })
    }
}

/// True if the user reads the message as part of the conversation. A subagent's text for a call is no reply to the user; the text by
/// an agent that took the conversation over is one.
pub(in crate::server::threads) fn is_for_user(message: &Message) -> bool {
    awaited_author(message).is_none()
}

/// Returns the beginning of a text with at most `most` characters. Each run of whitespace becomes one space, and control
/// characters are left out.
pub(in crate::server::threads) fn excerpt(text: &str, most: usize) -> String {
    let mut line = LineExcerpt::default();
    line.push(text, most);
    line.text
}

/// The beginning of a text that grows.
#[derive(Default)]
struct LineExcerpt {
    text: String,
    characters: usize,
    /// True if the next word needs a space before it.
    is_between_words: bool,
}

impl LineExcerpt {
    fn push(&mut self, text: &str, most: usize) {
        for character in text.chars() {
            if self.characters >= most {
                return;
            }
            if character.is_whitespace() {
                self.is_between_words = !self.text.is_empty();
            } else if !character.is_control() {
                if std::mem::take(&mut self.is_between_words) {
                    if self.characters + 1 >= most {
                        // The space would be the last character.
                        self.characters = most;
                        return;
                    }
                    self.text.push(' ');
                    self.characters += 1;
                }
                self.text.push(character);
                self.characters += 1;
            }
        }
    }
}

/// Follows a run's events to the last message with text.
#[derive(Default)]
pub(in crate::server::threads) struct LastMessageTracker {
    /// The last message before the growing one.
    before: Option<LastMessage>,
    growing: Option<GrowingMessage>,
}

struct GrowingMessage {
    id: MessageId,
    role: &'static str,
    line: LineExcerpt,
}

impl LastMessageTracker {
    /// Starts with the last message before the run's events.
    pub(in crate::server::threads) fn new(before: Option<LastMessage>) -> Self {
        Self { before, growing: None }
    }

    /// Records an event. Chunks must be expanded before.
    pub(in crate::server::threads) fn observe(&mut self, event: &Event) {
        match event {
            // As `is_for_user` says.
            Event::TextMessageStart(start) if !begins_awaited_text(start) => {
                let role = match start.role {
                    None | Some(TextMessageRole::Assistant) => "assistant",
                    Some(TextMessageRole::User) => "user",
                    Some(_) => return,
                };
                // An ended message may go on.
                if self.growing.as_ref().is_none_or(|growing| growing.id != start.message_id) {
                    self.before = self.last();
                    let (id, line) = (start.message_id.clone(), LineExcerpt::default());
                    self.growing = Some(GrowingMessage { id, role, line });
                }
            }
            Event::TextMessageContent(content) => {
                if let Some(growing) = &mut self.growing
                    && growing.id == content.message_id
                {
                    growing.line.push(&content.delta, MAX_EXCERPT);
                }
            }
            Event::MessagesSnapshot(snapshot) => {
                *self = Self::new(LastMessage::from_messages(&snapshot.messages));
            }
            _ => {}
        }
    }

    /// Returns the last message with text so far.
    pub(in crate::server::threads) fn last(&self) -> Option<LastMessage> {
        let growing = self.growing.as_ref().filter(|growing| !growing.line.text.is_empty());
        let last = growing.map(|GrowingMessage { id, role, line }| LastMessage {
            id: id.clone(),
            role: (*role).to_owned(),
            text: line.text.clone(),
        });
        last.or_else(|| self.before.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::{
        AssistantMessage, MessagesSnapshotEvent, TextMessageContentEvent, TextMessageEndEvent,
        TextMessageStartEvent, ToolMessage, UserMessage,
    };

    #[test]
    fn an_excerpt_is_one_line_that_ends_at_a_character() {
        for (text, expected) in [
            ("", ""),
            (" \n\t ", ""),
            ("one\r\n\r\n  two\u{7}\u{2003}three ", "one two three"),
            ("ab cd", "ab"),
            ("abcdefgh", "abcd"),
            ("grüße", "grüß"),
            ("🦀🦀🦀🦀🦀", "🦀🦀🦀🦀"),
        ] {
            let most = if text.len() > 20 && text.starts_with("one") { 99 } else { 4 };
            let most = if text == "ab cd" { 3 } else { most };
            assert_eq!(excerpt(text, most), expected, "{text:?}");
        }
        assert_eq!(excerpt(&"x".repeat(9_000), MAX_EXCERPT).len(), MAX_EXCERPT);
    }

    #[test]
    fn the_last_message_is_the_last_with_text() {
        let messages = [
            UserMessage::new("u-1", "Where is my parcel?").into(),
            AssistantMessage { content: Some(" ".to_owned()), ..AssistantMessage::new("m-1") }.into(),
            ToolMessage::new("t-1", "c", "in the van").into(),
        ];
        let last = LastMessage::from_messages(&messages).unwrap();
        assert_eq!((last.id.as_str(), &*last.role, &*last.text), ("u-1", "user", "Where is my parcel?"));
        assert_eq!(LastMessage::from_messages(&messages[1..]), None);
    }

    #[test]
    fn the_text_of_a_called_subagent_is_no_last_message_but_that_of_an_agent_after_a_handoff() {
        let said = |id: &str, author: Option<&str>, text: &str| -> Message {
            let mut message =
                AssistantMessage { content: Some(text.to_owned()), ..AssistantMessage::new(id) };
            message.subagent_run_id = author.map(Into::into);
            message.into()
        };
        // A legacy client's messages have their author in the id.
        for (id, author, is_last) in [
            ("m-2", Some("called-c"), false),
            ("m-2@called-c", None, false),
            ("m-2", Some("handoff-c"), true),
            ("m-2@handoff-c", None, true),
        ] {
            let messages = [said("m-1", None, "One moment."), said(id, author, "It is paid.")];
            let expected = if is_last { "It is paid." } else { "One moment." };
            assert_eq!(LastMessage::from_messages(&messages).unwrap().text, expected, "{id} {author:?}");

            let mut tracker = LastMessageTracker::default();
            tracker.observe(&MessagesSnapshotEvent::new(messages[..1].to_vec()).into());
            let start = TextMessageStartEvent {
                subagent_run_id: author.map(Into::into),
                ..TextMessageStartEvent::new(id)
            };
            tracker.observe(&start.into());
            tracker.observe(&TextMessageContentEvent::new(id, "It is paid.").into());
            assert_eq!(tracker.last().unwrap().text, expected, "{id} {author:?}");
            tracker.observe(&MessagesSnapshotEvent::new(messages.to_vec()).into());
            assert_eq!(tracker.last().unwrap().text, expected, "{id} {author:?}");
        }
    }

    #[test]
    fn a_tracker_finds_the_message_that_a_fold_would_find() {
        let mut tracker = LastMessageTracker::default();
        let said =
            |tracker: &LastMessageTracker| tracker.last().map(|last| format!("{}: {}", last.id, last.text));
        assert_eq!(said(&tracker), None);
        let (start, text) = (TextMessageStartEvent::new, TextMessageContentEvent::new);
        tracker.observe(&start("m-1").into());
        tracker.observe(&text("m-1", "In  ").into());
        tracker.observe(&text("m-1", " the van").into());
        tracker.observe(&TextMessageEndEvent::new("m-1").into());
        tracker.observe(&text("other", "nothing").into());
        assert_eq!(said(&tracker).as_deref(), Some("m-1: In the van"));
        // A message without text is no last message.
        tracker.observe(&start("m-2").into());
        tracker.observe(&start("m-3").with_role(TextMessageRole::System).into());
        assert_eq!(said(&tracker).as_deref(), Some("m-1: In the van"));
        tracker.observe(&text("m-2", &"x".repeat(10_000)).into());
        assert_eq!(tracker.last().unwrap().text.len(), MAX_EXCERPT);
        let snapshot = MessagesSnapshotEvent::new(vec![UserMessage::new("u-1", "Hello").into()]);
        tracker.observe(&snapshot.into());
        assert_eq!(said(&tracker).as_deref(), Some("u-1: Hello"));
    }
}

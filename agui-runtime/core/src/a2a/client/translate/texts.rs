//! Artifact texts as messages in the run.

use std::collections::HashMap;

use crate::protocol::{
    Event, MessageId, TextMessageContentEvent, TextMessageEndEvent, TextMessageStartEvent,
};

/// Texts shown as messages, by artifact id.
#[derive(Default)]
pub(super) struct ArtifactTexts {
    shown: HashMap<String, ArtifactMessage>,
}

/// A text shown as a message.
struct ArtifactMessage {
    message: MessageId,
    text: String,
    is_open: bool,
    /// The number of replacements so far.
    version: usize,
}

impl ArtifactTexts {
    pub(super) fn has(&self, id: &str) -> bool {
        self.shown.contains_key(id)
    }

    /// Marks all texts as shown by an earlier run.
    pub(super) fn forget_messages(&mut self) {
        for shown in self.shown.values_mut() {
            // An earlier run may have shown the text as several messages. The length of it names none of them.
            shown.version = shown.text.len();
        }
    }

    /// Shows an artifact's text: only the rest, if the text continues the message.
    pub(super) fn show(&mut self, id: &str, text: &str, append: bool, events: &mut Vec<Event>) {
        let Some(shown) = self.shown.get_mut(id) else {
            self.open(id, text, 0, events);
            return;
        };
        let more = if append { Some(text) } else { text.strip_prefix(shown.text.as_str()) };
        match more {
            Some("") => {}
            Some(more) if shown.is_open => {
                shown.text.push_str(more);
                let event = TextMessageContentEvent::new(shown.message.clone(), more);
                events.push(event.into());
            }
            // It has ended, or says something else now: another message does.
            _ => {
                let (text, version) = (more.filter(|_| append).unwrap_or(text).to_owned(), shown.version + 1);
                self.end(id, events);
                self.open(id, &text, version, events);
            }
        }
    }

    fn open(&mut self, id: &str, text: &str, version: usize, events: &mut Vec<Event>) {
        if text.is_empty() {
            return;
        }
        let message: MessageId = match version {
            0 => id.into(),
            version => format!("{id}:{version}").into(),
        };
        events.push(TextMessageStartEvent::new(message.clone()).into());
        events.push(TextMessageContentEvent::new(message.clone(), text).into());
        let shown = ArtifactMessage { message, text: text.to_owned(), is_open: true, version };
        self.shown.insert(id.to_owned(), shown);
    }

    pub(super) fn end(&mut self, id: &str, events: &mut Vec<Event>) {
        if let Some(shown) = self.shown.get_mut(id)
            && std::mem::take(&mut shown.is_open)
        {
            events.push(TextMessageEndEvent::new(shown.message.clone()).into());
        }
    }

    pub(super) fn end_all(&mut self, events: &mut Vec<Event>) {
        let mut open: Vec<String> =
            self.shown.iter().filter(|(_, shown)| shown.is_open).map(|(id, _)| id.clone()).collect();
        open.sort_unstable();
        for id in open {
            self.end(&id, events);
        }
    }
}

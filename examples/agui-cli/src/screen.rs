//! The output of a turn.

use std::collections::{HashMap, HashSet};
use std::fmt::Display;
use std::io::{self, Write};

use agui_runtime::client::{RunOutcome, Session};
use agui_runtime::protocol::{Content, Event, Message, MessageId, ToolCallId};
use serde_json::Value;

use crate::aside;
use crate::diff::{Difference, Short, diff};
use crate::paint::{Paint, Painted};

/// Begins each line of reasoning.
const REASONING: &str = "reasoning: ";

/// A terminal, or another writer.
pub struct Screen<W> {
    out: W,
    paint: Paint,
    /// The message of the unfinished line.
    line: Option<MessageId>,
    /// The messages and calls that were shown, or existed before the turn.
    seen: HashSet<String>,
    /// The activities as they were shown last, by message.
    activities: HashMap<MessageId, Value>,
    /// True if the messages of the user are shown too, because this program did not send them.
    shows_users: bool,
}

impl<W: Write> Screen<W> {
    pub fn new(out: W, paint: Paint) -> Self {
        Self { out, paint, line: None, seen: HashSet::new(), activities: HashMap::new(), shows_users: false }
    }

    /// Begins a turn that restates a conversation of which nothing was shown.
    pub fn begin_history(&mut self) {
        self.shows_users = true;
    }

    /// Begins a turn with these messages.
    pub fn begin(&mut self, messages: &[Message]) {
        self.shows_users = false;
        self.seen.extend(messages.iter().flat_map(names).map(str::to_owned));
        for message in messages {
            self.keep_activity(message);
        }
    }

    /// Shows an event after it was applied.
    pub fn event<S>(&mut self, event: &Event, session: &Session<S>) -> io::Result<()> {
        let paint = self.paint;
        self.see(event);
        match event {
            Event::MessagesSnapshot(event) => event.messages.iter().try_for_each(|told| self.message(told)),
            Event::TextMessageContent(event) => {
                self.say(&event.message_id, &event.delta, |paint, text| paint.plain(text))
            }
            Event::ReasoningMessageContent(event) => self.reason(&event.message_id, &event.delta),
            Event::TextMessageEnd(event) => self.end(&event.message_id),
            Event::ReasoningMessageEnd(event) => self.end(&event.message_id),
            Event::ToolCallEnd(event) => match call(session, &event.tool_call_id) {
                Some((name, arguments)) => self.note(&paint.deed(format_args!("⚙ {name} {arguments}"))),
                None => Ok(()),
            },
            Event::ToolCallResult(event) => {
                self.note(&paint.deed(format_args!("  → {}", text(&event.content))))
            }
            Event::StepStarted(event) => self.note(&paint.dim(format_args!("· {}", event.step_name))),
            Event::ActivitySnapshot(event) => {
                let content = Value::Object(event.content.as_ref().clone());
                self.note(&paint.deed(format_args!("▤ {} {}", event.activity_type, Short(&content))))?;
                self.keep_activity_of(session.messages(), &event.message_id);
                Ok(())
            }
            Event::ActivityDelta(event) => {
                self.note(&paint.deed(format_args!("▤ {} changes", event.activity_type)))?;
                let before = self.activities.remove(&event.message_id).unwrap_or_default();
                self.keep_activity_of(session.messages(), &event.message_id);
                match self.activities.get(&event.message_id).cloned() {
                    Some(after) => self.state(&before, &after),
                    None => Ok(()),
                }
            }
            Event::SubagentStarted(event) => self.note(&paint.dim(format_args!("▸ {}", event.name))),
            Event::SubagentError(event) => {
                self.note(&paint.removed(format_args!("▸ the subagent failed: {}", event.message)))
            }
            Event::Custom(event) => {
                self.note(&paint.deed(format_args!("✦ {} {}", event.name, Short(&event.value))))
            }
            _ => Ok(()),
        }
    }

    /// Shows the unseen part of a message in a restated conversation.
    fn message(&mut self, message: &Message) -> io::Result<()> {
        let paint = self.paint;
        let is_new = !self.seen.contains(message.id().as_str());
        match message {
            Message::Assistant(message) => {
                let text = message.content.as_deref().filter(|text| is_new && !text.is_empty());
                text.map_or(Ok(()), |text| self.note(&paint.plain(text)))?;
                for call in message.tool_calls.iter().flatten() {
                    if self.seen.insert(call.id.to_string()) {
                        let (name, arguments) = (&call.function.name, &call.function.arguments);
                        self.note(&paint.deed(format_args!("⚙ {name} {arguments}")))?;
                    }
                }
            }
            Message::Tool(message) if is_new => {
                self.note(&paint.deed(format_args!("  → {}", text(&message.content))))?;
            }
            Message::Reasoning(message) if is_new => {
                let text = format!("{REASONING}{}", message.content.replace('\n', &format!("\n{REASONING}")));
                self.note(&paint.dim(text))?;
            }
            Message::Activity(message) if is_new => {
                let content = Value::Object(message.content.clone().into_inner());
                self.note(&paint.deed(format_args!("▤ {} {}", message.activity_type, Short(&content))))?;
            }
            Message::User(message) if is_new && self.shows_users => {
                self.break_line()?;
                aside::say(format_args!("> {}", text(&message.content)));
            }
            _ => {}
        }
        self.seen.insert(message.id().to_string());
        self.keep_activity(message);
        Ok(())
    }

    /// Remembers the content of a message that is an activity.
    fn keep_activity(&mut self, message: &Message) {
        if let Message::Activity(activity) = message {
            let content = Value::Object(activity.content.clone().into_inner());
            self.activities.insert(activity.id.clone(), content);
        }
    }

    fn keep_activity_of(&mut self, messages: &[Message], id: &MessageId) {
        if let Some(message) = messages.iter().rev().find(|message| message.id() == id) {
            self.keep_activity(message);
        }
    }

    /// Remembers the messages and calls that an event adds piece by piece.
    fn see(&mut self, event: &Event) {
        let names: &[&str] = match event {
            Event::TextMessageStart(event) => &[event.message_id.as_str()],
            Event::ReasoningMessageStart(event) => &[event.message_id.as_str()],
            Event::ActivitySnapshot(event) => &[event.message_id.as_str()],
            Event::ToolCallResult(event) => &[event.message_id.as_str()],
            Event::ToolCallStart(event) => {
                let parent = event.parent_message_id.as_ref();
                &[event.tool_call_id.as_str(), parent.map_or(event.tool_call_id.as_str(), |id| id.as_str())]
            }
            _ => &[],
        };
        self.seen.extend(names.iter().map(|name| (*name).to_owned()));
    }

    /// Shows the end of a turn, unless it went well; returns true if it did.
    pub fn outcome(&mut self, outcome: &RunOutcome) -> io::Result<bool> {
        self.break_line()?;
        let said = match outcome {
            RunOutcome::Success { .. } | RunOutcome::Interrupted { .. } => return Ok(true),
            RunOutcome::Cancelled => "the run is stopped".to_owned(),
            RunOutcome::Failed { message, code: Some(code) } => format!("the run failed: {message} ({code})"),
            RunOutcome::Failed { message, code: None } => format!("the run failed: {message}"),
            RunOutcome::Truncated => "the stream stopped before the run ended".to_owned(),
        };
        aside::say(said);
        Ok(false)
    }

    /// Shows the differences of two documents: of the state, or of an activity.
    pub fn state(&mut self, before: &Value, after: &Value) -> io::Result<()> {
        const MOST: usize = 24;
        let found = diff(before, after);
        for difference in found.iter().take(MOST) {
            let line = match difference {
                Difference { after: None, .. } => self.paint.removed(difference),
                Difference { before: None, .. } => self.paint.added(difference),
                _ => self.paint.dim(difference),
            };
            self.note(&line)?;
        }
        match found.len().checked_sub(MOST) {
            Some(more @ 1..) => self.note(&self.paint.dim(format_args!("… and {more} more"))),
            _ => Ok(()),
        }
    }

    /// Shows a line of its own, as it is.
    pub fn line(&mut self, text: impl Display) -> io::Result<()> {
        self.note(&self.paint.plain(text))
    }

    /// Shows a line of its own.
    pub fn note(&mut self, text: &Painted) -> io::Result<()> {
        self.break_line()?;
        writeln!(self.out, "{}", text.as_str())?;
        self.out.flush()
    }

    /// Shows a piece of reasoning. Each of its lines says so: colours are lost in a pipe, and are not seen by everyone.
    fn reason(&mut self, whose: &MessageId, text: &str) -> io::Result<()> {
        let is_new = self.line.as_ref() != Some(whose);
        let text = text.replace('\n', &format!("\n{REASONING}"));
        let text = if is_new { format!("{REASONING}{}", text.trim_start_matches(' ')) } else { text };
        self.say(whose, &text, |paint, text| paint.dim(text))
    }

    fn say(&mut self, whose: &MessageId, text: &str, paint: fn(Paint, &str) -> Painted) -> io::Result<()> {
        let mut text = text;
        if self.line.as_ref() != Some(whose) {
            // A space between two words becomes the line end.
            self.break_line()?;
            self.line = Some(whose.clone());
            text = text.trim_start_matches(' ');
        }
        write!(self.out, "{}", paint(self.paint, text).as_str())?;
        self.out.flush()
    }

    fn end(&mut self, whose: &MessageId) -> io::Result<()> {
        if self.line.as_ref() == Some(whose) { self.break_line() } else { Ok(()) }
    }

    /// Ends the unfinished line, if there is one.
    pub fn break_line(&mut self) -> io::Result<()> {
        if self.line.take().is_some() {
            writeln!(self.out)?;
        }
        self.out.flush()
    }
}

/// The ids of the message and its calls.
fn names(message: &Message) -> impl Iterator<Item = &str> {
    let calls = match message {
        Message::Assistant(message) => message.tool_calls.as_deref().unwrap_or_default(),
        _ => &[],
    };
    std::iter::once(message.id().as_str()).chain(calls.iter().map(|call| call.id.as_str()))
}

fn text(content: &Content) -> String {
    content.text().into_owned()
}

/// The name and the arguments of a call.
pub fn call<'s, S>(session: &'s Session<S>, id: &ToolCallId) -> Option<(&'s str, &'s str)> {
    let call = session.tool_call(id)?;
    Some((&call.function.name, &call.function.arguments))
}

#[cfg(test)]
mod tests {
    use agui_runtime::client::Replay;
    use agui_runtime::protocol::{
        AssistantMessage, CustomEvent, FunctionCall, MessagesSnapshotEvent, TextMessageContentEvent,
        TextMessageStartEvent, ToolCall, ToolMessage, UserMessage,
    };
    use serde_json::json;

    use super::*;

    #[test]
    fn new_messages_of_a_restated_conversation_are_shown() {
        let mut out = Vec::new();
        let mut screen = Screen::new(&mut out, Paint::none());
        let session: Session = Session::new(Replay::default());
        let before: [Message; 1] = [UserMessage::new("u", "What does rice cost?").into()];
        screen.begin(&before);
        let call = ToolCall::new("c", FunctionCall::new("price", "{}"));
        let told: [Message; 4] = [
            before[0].clone(),
            AssistantMessage::new("a").with_content("Let me see.").with_tool_calls(vec![call]).into(),
            ToolMessage::new("t", "180", "c").into(),
            AssistantMessage::new("b").with_content("It is 1.80.").into(),
        ];
        let events: [Event; 4] = [
            TextMessageStartEvent::new("a").into(),
            TextMessageContentEvent::new("a", "Let me see.").into(),
            MessagesSnapshotEvent::new(told.to_vec()).into(),
            MessagesSnapshotEvent::new(told.to_vec()).into(),
        ];
        for event in &events {
            screen.event(event, &session).unwrap();
        }
        assert_eq!(String::from_utf8(out).unwrap(), "Let me see.\n⚙ price {}\n  → 180\nIt is 1.80.\n");
    }

    #[test]
    fn nothing_an_agent_says_is_obeyed_by_the_terminal() {
        let mut out = Vec::new();
        let mut screen = Screen::new(&mut out, Paint::none());
        let session: Session = Session::new(Replay::default());
        let events: [Event; 3] = [
            TextMessageContentEvent::new("m", "a\u{1b}[2J").into(),
            TextMessageContentEvent::new("m", "\r\n\tb").into(),
            CustomEvent::new("\u{1b}c", json!("\u{9b}")).into(),
        ];
        for event in &events {
            screen.event(event, &session).unwrap();
        }
        let failed = RunOutcome::Failed { message: "\u{7}".to_owned(), code: None };
        assert!(!screen.outcome(&failed).unwrap());
        screen.state(&json!({}), &json!({ "\u{1b}": "\u{7f}" })).unwrap();
        let shown = "a␛[2J␍\n\tb\n✦ ␛c \"\\u009b\"\n+ /␛: \"\\u007f\"\n";
        assert_eq!(String::from_utf8(out).unwrap(), shown);
    }
}

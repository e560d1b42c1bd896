//! What is shown of a turn.

use std::fmt::Display;
use std::io::{self, Write};

use agui_runtime::client::{Outcome, Session};
use agui_runtime::protocol::{Content, Event, MessageId, ToolCallId};
use serde_json::Value;

use crate::diff::{Difference, Short, diff};
use crate::paint::{Paint, Painted};

/// A terminal, or whatever reads what goes there.
pub struct Screen<W> {
    out: W,
    paint: Paint,
    /// Whose text the line that is being written belongs to.
    line: Option<MessageId>,
}

impl<W: Write> Screen<W> {
    pub fn new(out: W, paint: Paint) -> Self {
        Self { out, paint, line: None }
    }

    /// Shows an event that has taken effect.
    pub fn event<S>(&mut self, event: &Event, session: &Session<S>) -> io::Result<()> {
        let paint = self.paint;
        match event {
            Event::TextMessageContent(event) => {
                self.say(&event.message_id, &event.delta, |paint, text| paint.plain(text))
            }
            Event::ReasoningMessageContent(event) => {
                self.say(&event.message_id, &event.delta, |paint, text| paint.dim(text))
            }
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
                self.note(&paint.deed(format_args!("▤ {} {}", event.activity_type, Short(&content))))
            }
            Event::ActivityDelta(event) => {
                self.note(&paint.deed(format_args!("▤ {} changes", event.activity_type)))
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

    /// Shows how a turn ended, unless it ended well; whether it did.
    pub fn outcome(&mut self, outcome: &Outcome) -> io::Result<bool> {
        self.break_line()?;
        let said = match outcome {
            Outcome::Success { .. } | Outcome::Interrupted { .. } => return Ok(true),
            Outcome::Cancelled => "the run was cancelled".to_owned(),
            Outcome::Failed { message, code: Some(code) } => format!("the run failed: {message} ({code})"),
            Outcome::Failed { message, code: None } => format!("the run failed: {message}"),
            Outcome::Truncated => "the stream stopped before the run ended".to_owned(),
        };
        self.note(&self.paint.removed(said))?;
        Ok(false)
    }

    /// Shows what is different in the state.
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

    fn say(&mut self, whose: &MessageId, text: &str, paint: fn(Paint, &str) -> Painted) -> io::Result<()> {
        let mut text = text;
        if self.line.as_ref() != Some(whose) {
            // What was between two words is the end of the line now.
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

    fn break_line(&mut self) -> io::Result<()> {
        if self.line.take().is_some() {
            writeln!(self.out)?;
        }
        self.out.flush()
    }
}

fn text(content: &Content) -> String {
    content.text().into_owned()
}

/// What is called, and with what.
pub fn call<'s, S>(session: &'s Session<S>, id: &ToolCallId) -> Option<(&'s str, &'s str)> {
    let call = session.tool_call(id)?;
    Some((&call.function.name, &call.function.arguments))
}

#[cfg(test)]
mod tests {
    use agui_runtime::client::Replay;
    use agui_runtime::protocol::{CustomEvent, TextMessageContentEvent};
    use serde_json::json;

    use super::*;

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
        let failed = Outcome::Failed { message: "\u{7}".to_owned(), code: None };
        assert!(!screen.outcome(&failed).unwrap());
        screen.state(&json!({}), &json!({ "\u{1b}": "\u{7f}" })).unwrap();
        let shown = "a␛[2J␍\n\tb\n✦ ␛c \"\\u009b\"\nthe run failed: ␇\n+ /␛: \"\\u007f\"\n";
        assert_eq!(String::from_utf8(out).unwrap(), shown);
    }
}

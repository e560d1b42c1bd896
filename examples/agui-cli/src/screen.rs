//! What is shown of a turn.

use std::io::{self, Write};

use agui_runtime::client::{Outcome, Session};
use agui_runtime::protocol::{Content, Event, MessageId, ToolCallId};
use serde_json::Value;

use crate::diff::{Difference, Short, diff};
use crate::paint::Paint;

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
            Event::TextMessageContent(event) => self.say(&event.message_id, &event.delta),
            Event::ReasoningMessageContent(event) => self.say(&event.message_id, &paint.dim(&event.delta)),
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

    /// Shows a line of its own.
    pub fn note(&mut self, text: &str) -> io::Result<()> {
        self.break_line()?;
        writeln!(self.out, "{text}")?;
        self.out.flush()
    }

    fn say(&mut self, whose: &MessageId, text: &str) -> io::Result<()> {
        if self.line.as_ref() == Some(whose) {
            write!(self.out, "{text}")?;
        } else {
            // What was between two words is the end of the line now.
            self.break_line()?;
            self.line = Some(whose.clone());
            write!(self.out, "{}", text.trim_start_matches(' '))?;
        }
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

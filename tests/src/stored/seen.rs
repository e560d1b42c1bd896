//! The text that one client received from one stream.

use agui_runtime::protocol::Event;
use agui_runtime::thread::ThreadCursor;

use super::conversation::{Conversation, try_fold};

/// The text that one client received from one stream.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// True for a stream that begins with events that stand for the past.
    pub has_prelude: bool,
    pub text: String,
}

impl Seen {
    /// The frames that arrived whole: a cut in the middle of a frame leaves a part of it.
    pub fn frames(&self) -> impl Iterator<Item = (Option<&str>, &str)> {
        let complete = self.text.rfind("\n\n").map_or("", |end| &self.text[..end]);
        complete.split("\n\n").filter(|frame| !frame.is_empty() && !frame.starts_with(':')).map(|frame| {
            let member = |name: &str| frame.lines().find_map(|line| line.strip_prefix(name));
            (member("id: "), member("data: ").unwrap_or_default())
        })
    }

    /// Returns the frames that arrived whole in a number of bytes.
    #[must_use]
    pub fn cut(&self, at: usize) -> Self {
        let arrived = &self.text.as_bytes()[..at.min(self.text.len())];
        let whole = arrived.windows(2).rposition(|end| end == b"\n\n").map_or(0, |end| end + 2);
        Self { has_prelude: self.has_prelude, text: self.text[..whole].to_owned() }
    }

    /// Returns what a client has seen that came back after this, and then saw more.
    #[must_use]
    pub fn and(&self, more: &Self) -> Self {
        Self { text: format!("{}{}", self.cut(usize::MAX).text, more.text), ..self.clone() }
    }

    /// Returns the place of the last event.
    pub fn last_id(&self) -> Option<&str> {
        self.frames().filter_map(|(id, _)| id).last()
    }

    /// Returns the events as text.
    pub fn events(&self) -> impl Iterator<Item = &str> {
        self.frames().map(|(_, event)| event)
    }

    /// Returns true if the last event ends a run.
    pub fn has_end(&self) -> bool {
        let ends = [r#"{"type":"RUN_FINISHED""#, r#"{"type":"RUN_ERROR""#];
        self.events().last().is_some_and(|event| ends.iter().any(|end| event.starts_with(end)))
    }

    /// Returns the question that the last event asks.
    pub fn question(&self) -> Option<String> {
        let last = self.events().last().filter(|event| event.contains(r#""type":"interrupt""#))?;
        let last: serde_json::Value = serde_json::from_str(last).ok()?;
        last["outcome"]["interrupts"][0]["id"].as_str().map(str::to_owned)
    }

    /// Fails unless a legacy client can read the events: they are legal by themselves, patches apply, no two open steps
    /// have one name, and no subagent is named.
    pub fn is_readable_by_older(&self) -> Result<(), String> {
        let mut steps = std::collections::BTreeSet::new();
        let mut read = Vec::new();
        for event in self.events() {
            if event.contains("SUBAGENT_") || event.contains("subagentRunId") {
                return Err(format!("a subagent: {event}"));
            }
            let event: Event = serde_json::from_str(event).map_err(|error| format!("{error} in {event}"))?;
            let is_legal = match &event {
                Event::StepStarted(step) => steps.insert(step.step_name.clone()),
                Event::StepFinished(step) => steps.remove(&step.step_name),
                Event::RunStarted(_) | Event::RunFinished(_) | Event::RunError(_) => {
                    steps.clear();
                    true
                }
                _ => true,
            };
            if !is_legal {
                return Err(format!("{event:?} while these steps are open: {steps:?}"));
            }
            read.push(event);
        }
        try_fold(read).map(drop)
    }

    /// Fails unless the client saw consecutive events of the conversation, and has the messages and the state of a client
    /// that saw all of them.
    pub fn is_part_of(&self, conversation: &Conversation) -> Result<(), String> {
        let mut frames = self.frames();
        let mut prelude = Vec::new();
        let mut last = None;
        if self.has_prelude {
            for (id, event) in frames.by_ref() {
                prelude.push(event);
                if let Some(id) = id {
                    last = Some(seq(id)?);
                    break;
                }
            }
            if last.is_none() {
                return Ok(());
            }
        }
        let mut rest = Vec::new();
        for (id, event) in frames {
            let seq = seq(id.ok_or_else(|| format!("{event} has no id"))?)?;
            let kept =
                conversation.event(seq).ok_or_else(|| format!("event {seq} is not in the log: {event}"))?;
            if kept != event.as_bytes() {
                return Err(format!("event {seq} is {event}, and in the log {kept:?}"));
            }
            if let Some(last) = last
                && conversation.next(last) != Some(seq)
            {
                return Err(format!("there is a gap between {last} and {seq}"));
            }
            last = Some(seq);
            rest.push(event);
        }
        let Some(last) = last.filter(|_| self.has_prelude) else { return Ok(()) };
        let read = |event: &&str| serde_json::from_str::<Event>(event).unwrap();
        let seen = try_fold(prelude.iter().chain(&rest).map(read))?;
        let kept = conversation.folded(last);
        if seen == kept {
            Ok(())
        } else {
            Err(format!("folded up to {last}: {seen:#?}, and in the log {kept:#?}"))
        }
    }
}

fn seq(id: &str) -> Result<u64, String> {
    id.parse::<ThreadCursor>().map(|cursor| cursor.seq()).map_err(|error| format!("{id}: {error}"))
}

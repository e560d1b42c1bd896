//! Joining of two streams of one run: the second one begins with the conversation as it is now.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::client::{ClientError, Frame};

/// A kind of span: the event that opens it, the events that close it, and the member with its id.
struct Kind {
    opening: &'static str,
    closing: &'static [&'static str],
    member: &'static str,
}

const KINDS: [Kind; 6] = [
    Kind { opening: "TEXT_MESSAGE_START", closing: &["TEXT_MESSAGE_END"], member: "messageId" },
    Kind { opening: "TOOL_CALL_START", closing: &["TOOL_CALL_END"], member: "toolCallId" },
    Kind { opening: "REASONING_START", closing: &["REASONING_END"], member: "messageId" },
    Kind { opening: "REASONING_MESSAGE_START", closing: &["REASONING_MESSAGE_END"], member: "messageId" },
    Kind { opening: "STEP_STARTED", closing: &["STEP_FINISHED"], member: "stepName" },
    Kind {
        opening: "SUBAGENT_STARTED",
        closing: &["SUBAGENT_FINISHED", "SUBAGENT_ERROR"],
        member: "subagentRunId",
    },
];

/// The members of an event that say which span it opens or closes.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Mark<'f> {
    #[serde(borrow, rename = "type")]
    event_type: Cow<'f, str>,
    message_id: Option<String>,
    tool_call_id: Option<String>,
    step_name: Option<String>,
    subagent_run_id: Option<String>,
    run_id: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Span {
    /// The place in [`KINDS`].
    kind: usize,
    id: String,
    /// The subagent that opened it; steps of two subagents may have one name.
    owner: Option<String>,
}

enum Effect {
    Begins(String),
    Opens(Span),
    Closes(Span),
    Ends,
    Nothing,
}

/// The run as far as it was delivered.
#[derive(Debug, Default)]
pub(super) struct Delivered {
    run: Option<String>,
    /// The open spans, the first opened first.
    open: Vec<Span>,
    is_over: bool,
}

impl Delivered {
    /// Returns true after the last event of the run.
    pub(super) fn is_over(&self) -> bool {
        self.is_over
    }

    /// Notes a frame that is delivered.
    pub(super) fn note(&mut self, frame: &Frame) {
        match effect(frame) {
            Effect::Begins(run) => self.run = Some(run),
            Effect::Opens(span) => self.open.push(span),
            Effect::Closes(span) => self.open.retain(|open| *open != span),
            Effect::Ends => self.is_over = true,
            Effect::Nothing => {}
        }
    }

    /// Joins a stream that begins again: the conversation as it is now, and an opening event for each open span.
    /// Returns the frames that lead from what was delivered to that: no second beginning, the ends of the spans
    /// that are not open any more, the beginnings of those that are new.
    pub(super) fn join(&mut self, prelude: Vec<Frame>) -> Result<Vec<Frame>, ClientError> {
        let (mut frames, mut opened, mut last) = (Vec::new(), Vec::new(), None);
        for frame in prelude {
            match effect(&frame) {
                Effect::Begins(run) => match &self.run {
                    Some(known) if *known != run => {
                        return Err(ClientError::Superseded { run: known.clone() });
                    }
                    Some(_) => {}
                    None => {
                        self.run = Some(run);
                        frames.push(frame);
                    }
                },
                Effect::Opens(span) => opened.push((span, frame)),
                Effect::Ends => last = Some(frame),
                Effect::Closes(_) | Effect::Nothing => frames.push(frame),
            }
        }
        let is_open = |span: &Span| opened.iter().any(|(open, _)| open == span);
        frames.extend(self.open.iter().rev().filter(|span| !is_open(span)).map(Span::end));
        let (spans, openings): (Vec<_>, Vec<_>) = opened.into_iter().unzip();
        let new = spans.iter().zip(openings).filter(|(span, _)| !self.open.contains(span));
        frames.extend(new.map(|(_, frame)| frame));
        self.open = spans;
        self.is_over = last.is_some();
        frames.extend(last);
        Ok(frames)
    }
}

/// Returns true for the last event of a run.
pub(super) fn is_end(frame: &Frame) -> bool {
    matches!(effect(frame), Effect::Ends)
}

impl Span {
    fn of(kind: usize, mark: Mark<'_>) -> Option<Self> {
        let owner = mark.subagent_run_id;
        let (id, owner) = match KINDS.get(kind)?.member {
            "messageId" => (mark.message_id?, owner),
            "toolCallId" => (mark.tool_call_id?, owner),
            "stepName" => (mark.step_name?, owner),
            _ => (owner?, None),
        };
        Some(Self { kind, id, owner })
    }

    fn end(&self) -> Frame {
        let mut event = Map::new();
        if let Some(kind) = KINDS.get(self.kind) {
            event.insert("type".to_owned(), kind.closing.first().copied().into());
            event.insert(kind.member.to_owned(), self.id.as_str().into());
        }
        if let Some(owner) = &self.owner {
            event.insert("subagentRunId".to_owned(), owner.as_str().into());
        }
        Frame::Json(Value::Object(event))
    }
}

fn effect(frame: &Frame) -> Effect {
    let Frame::Text(text) = frame else { return Effect::Nothing };
    if !may_have_effect(text) {
        return Effect::Nothing;
    }
    let Ok(mark) = serde_json::from_str::<Mark<'_>>(text) else { return Effect::Nothing };
    match &*mark.event_type {
        "RUN_STARTED" => mark.run_id.map_or(Effect::Nothing, Effect::Begins),
        "RUN_FINISHED" | "RUN_ERROR" => Effect::Ends,
        name => {
            let opens = KINDS.iter().position(|kind| kind.opening == name);
            let closes = KINDS.iter().position(|kind| kind.closing.contains(&name));
            match (opens, closes) {
                (Some(kind), _) => Span::of(kind, mark).map_or(Effect::Nothing, Effect::Opens),
                (None, Some(kind)) => Span::of(kind, mark).map_or(Effect::Nothing, Effect::Closes),
                (None, None) => Effect::Nothing,
            }
        }
    }
}

/// Looks at the type of an event that has it first, as nearly all do, so that most events are not parsed here.
fn may_have_effect(text: &str) -> bool {
    let Some(name) = text.strip_prefix("{\"type\":\"").and_then(|rest| rest.split('"').next()) else {
        return true;
    };
    ["START", "END", "STARTED", "FINISHED", "ERROR"].iter().any(|ending| name.ends_with(ending))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frames(events: &[&str]) -> Vec<Frame> {
        events.iter().map(|event| Frame::Text((*event).to_owned())).collect()
    }

    const STARTED: &str = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#;
    const SNAPSHOT: &str = r#"{"type":"MESSAGES_SNAPSHOT","messages":[]}"#;

    fn joined(before: &[&str], prelude: &[&str]) -> Result<Vec<String>, ClientError> {
        let mut delivered = Delivered::default();
        frames(before).iter().for_each(|frame| delivered.note(frame));
        let joined = delivered.join(frames(prelude))?;
        Ok(joined.iter().map(|frame| frame.to_text().unwrap().into_owned()).collect())
    }

    #[test]
    fn spans_that_ended_meanwhile_are_closed_and_new_ones_opened() {
        let step = r#"{"stepName":"plan","subagentRunId":"s","type":"STEP_STARTED"}"#;
        let before = [
            STARTED,
            r#"{"type":"TEXT_MESSAGE_START","messageId":"a"}"#,
            step,
            r#"{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"x"}"#,
        ];
        let call = r#"{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"x"}"#;
        let new = r#"{"type":"REASONING_START","messageId":"a"}"#;
        assert_eq!(
            joined(&before, &[STARTED, SNAPSHOT, call, new]).unwrap(),
            [
                SNAPSHOT,
                r#"{"type":"STEP_FINISHED","stepName":"plan","subagentRunId":"s"}"#,
                r#"{"type":"TEXT_MESSAGE_END","messageId":"a"}"#,
                new
            ]
        );
        let end = r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#;
        assert_eq!(
            joined(&before[..2], &[STARTED, SNAPSHOT, end]).unwrap(),
            [SNAPSHOT, r#"{"type":"TEXT_MESSAGE_END","messageId":"a"}"#, end]
        );
        assert_eq!(joined(&[], &[STARTED, SNAPSHOT]).unwrap(), [STARTED, SNAPSHOT]);
    }

    #[test]
    fn another_run_cannot_continue_this_one() {
        let other = r#"{"type":"RUN_STARTED","threadId":"t","runId":"q"}"#;
        let refused = joined(&[STARTED], &[other, SNAPSHOT]).unwrap_err();
        assert!(matches!(refused, ClientError::Superseded { run } if run == "r"));
    }
}

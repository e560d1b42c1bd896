//! Joins two streams of one run: the second stream begins with the current conversation.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::client::{ClientError, Frame};
use crate::protocol::{EventEffect, EventType, SpanKind};

/// Returns the member with the id of a span; `None` for what no event closes.
fn id_member(scope: SpanKind) -> Option<&'static str> {
    match scope {
        SpanKind::Text | SpanKind::ReasoningSpan | SpanKind::ReasoningMessage => Some("messageId"),
        SpanKind::ToolCall => Some("toolCallId"),
        SpanKind::Step => Some("stepName"),
        SpanKind::Subagent => Some("subagentRunId"),
        SpanKind::Activity => None,
    }
}

/// Returns the event that closes a span which did not fail: the first of its scope in the table of events.
fn closing(scope: SpanKind) -> Option<EventType> {
    EventType::ALL.iter().copied().find(|event| event.effect() == EventEffect::Close(scope))
}

/// The event members that identify the opened or closed span.
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
    scope: SpanKind,
    id: String,
    /// The opening subagent; two subagents' steps may share a name.
    owner: Option<String>,
}

/// A frame's effect on the run's spans.
enum Part {
    Begins(String),
    Opens(Span),
    Closes(Span),
    Ends,
    Nothing,
}

/// The delivered part of a run.
#[derive(Debug, Default)]
pub(super) struct Delivered {
    run: Option<String>,
    /// The open spans in opening order.
    open: Vec<Span>,
    is_over: bool,
}

impl Delivered {
    /// True after the run's last event.
    pub(super) fn is_over(&self) -> bool {
        self.is_over
    }

    /// Records a delivered frame.
    pub(super) fn note(&mut self, frame: &Frame) {
        match part_of(frame) {
            Part::Begins(run) => self.run = Some(run),
            Part::Opens(span) => self.open.push(span),
            Part::Closes(span) => self.open.retain(|open| *open != span),
            Part::Ends => self.is_over = true,
            Part::Nothing => {}
        }
    }

    /// Joins a restarted stream, which has the current conversation and an opening event for each open span.
    ///
    /// Returns the frames that lead from the delivered part to the new stream: no second run start, an end for each span that is
    /// not open any more, a beginning for each new span.
    pub(super) fn join(&mut self, prelude: Vec<Frame>) -> Result<Vec<Frame>, ClientError> {
        let (mut frames, mut opened, mut last) = (Vec::new(), Vec::new(), None);
        for frame in prelude {
            match part_of(&frame) {
                Part::Begins(run) => match &self.run {
                    Some(known) if *known != run => {
                        return Err(ClientError::Superseded { run: known.clone() });
                    }
                    Some(_) => {}
                    None => {
                        self.run = Some(run);
                        frames.push(frame);
                    }
                },
                Part::Opens(span) => opened.push((span, frame)),
                Part::Ends => last = Some(frame),
                Part::Closes(_) | Part::Nothing => frames.push(frame),
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

/// True for a run's last event.
pub(super) fn is_end(frame: &Frame) -> bool {
    matches!(part_of(frame), Part::Ends)
}

impl Span {
    fn of(scope: SpanKind, mark: Mark<'_>) -> Option<Self> {
        let owner = mark.subagent_run_id;
        let (id, owner) = match scope {
            SpanKind::Text | SpanKind::ReasoningSpan | SpanKind::ReasoningMessage => {
                (mark.message_id?, owner)
            }
            SpanKind::ToolCall => (mark.tool_call_id?, owner),
            SpanKind::Step => (mark.step_name?, owner),
            SpanKind::Subagent => (owner?, None),
            SpanKind::Activity => return None,
        };
        Some(Self { scope, id, owner })
    }

    fn end(&self) -> Frame {
        let mut event = Map::new();
        if let (Some(closing), Some(member)) = (closing(self.scope), id_member(self.scope)) {
            event.insert("type".to_owned(), closing.as_str().into());
            event.insert(member.to_owned(), self.id.as_str().into());
        }
        if let Some(owner) = &self.owner {
            event.insert("subagentRunId".to_owned(), owner.as_str().into());
        }
        Frame::Json(Value::Object(event))
    }
}

fn part_of(frame: &Frame) -> Part {
    let Frame::Text(text) = frame else { return Part::Nothing };
    if !may_have_effect(text) {
        return Part::Nothing;
    }
    let Ok(mark) = serde_json::from_str::<Mark<'_>>(text) else { return Part::Nothing };
    let Ok(event) = mark.event_type.parse::<EventType>() else { return Part::Nothing };
    match event.effect() {
        EventEffect::StartRun => mark.run_id.map_or(Part::Nothing, Part::Begins),
        EventEffect::FinishRun | EventEffect::FailRun => Part::Ends,
        EventEffect::Open(scope) => Span::of(scope, mark).map_or(Part::Nothing, Part::Opens),
        EventEffect::Close(scope) => Span::of(scope, mark).map_or(Part::Nothing, Part::Closes),
        EventEffect::Within(_)
        | EventEffect::Chunk(_)
        | EventEffect::Create(_)
        | EventEffect::After(_)
        | EventEffect::Settle(_)
        | EventEffect::Attach
        | EventEffect::Restate
        | EventEffect::Free => Part::Nothing,
    }
}

/// Checks the type in texts that begin with the type, as nearly all do, so that most events need no parsing here.
fn may_have_effect(text: &str) -> bool {
    let name = text.strip_prefix("{\"type\":\"").and_then(|rest| rest.split('"').next());
    let Some(Ok(event)) = name.map(str::parse::<EventType>) else { return true };
    matches!(
        event.effect(),
        EventEffect::StartRun
            | EventEffect::FinishRun
            | EventEffect::FailRun
            | EventEffect::Open(_)
            | EventEffect::Close(_)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frames(events: &[&str]) -> Vec<Frame> {
        events.iter().map(|event| Frame::Text((*event).to_owned())).collect()
    }

    const STARTED: &str = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#;
    const SNAPSHOT: &str = r#"{"type":"MESSAGES_SNAPSHOT","messages":[]}"#;

    /// Parses the texts: the members' order differs between builds.
    fn events(texts: &[&str]) -> Vec<Value> {
        texts.iter().map(|text| serde_json::from_str(text).unwrap()).collect()
    }

    fn joined(before: &[&str], prelude: &[&str]) -> Result<Vec<Value>, ClientError> {
        let mut delivered = Delivered::default();
        frames(before).iter().for_each(|frame| delivered.note(frame));
        let joined = delivered.join(frames(prelude))?;
        let texts: Vec<_> = joined.iter().map(|frame| frame.to_text().unwrap()).collect();
        Ok(events(&texts.iter().map(AsRef::as_ref).collect::<Vec<_>>()))
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
            events(&[
                SNAPSHOT,
                r#"{"type":"STEP_FINISHED","stepName":"plan","subagentRunId":"s"}"#,
                r#"{"type":"TEXT_MESSAGE_END","messageId":"a"}"#,
                new
            ])
        );
        let end = r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#;
        assert_eq!(
            joined(&before[..2], &[STARTED, SNAPSHOT, end]).unwrap(),
            events(&[SNAPSHOT, r#"{"type":"TEXT_MESSAGE_END","messageId":"a"}"#, end])
        );
        assert_eq!(joined(&[], &[STARTED, SNAPSHOT]).unwrap(), events(&[STARTED, SNAPSHOT]));
    }

    #[test]
    fn every_span_of_the_protocol_is_closed_with_its_id() {
        for opening in EventType::ALL {
            let EventEffect::Open(scope) = opening.effect() else { continue };
            assert!(closing(scope).is_some() && id_member(scope).is_some(), "{opening}");
        }
    }

    #[test]
    fn another_run_cannot_continue_this_one() {
        let other = r#"{"type":"RUN_STARTED","threadId":"t","runId":"q"}"#;
        let refused = joined(&[STARTED], &[other, SNAPSHOT]).unwrap_err();
        assert!(matches!(refused, ClientError::Superseded { run } if run == "r"));
    }
}

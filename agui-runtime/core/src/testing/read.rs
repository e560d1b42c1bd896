//! Readers of event lists for assertions.

use std::collections::HashMap;
use std::fmt::Write;

use serde_json::Value;

use crate::protocol::forms::print::JsonPrint as _;
use crate::protocol::{Event, EventType, Interrupt, MessageId, RunFinishedOutcome, ToolCallId};

/// Formats one line per event: its type, then its members in their JSON form. For assertions on a whole
/// stream, and for reading one.
///
/// ```
/// use agui_runtime::protocol::StepStartedEvent;
///
/// let events = [StepStartedEvent::new("plan").into()];
/// assert_eq!(agui_runtime::testing::lines(&events), r#"STEP_STARTED stepName="plan""#);
/// ```
#[must_use]
pub fn lines(events: &[Event]) -> String {
    let lines: Vec<String> = events.iter().map(line).collect();
    lines.join("\n")
}

fn line(event: &Event) -> String {
    let mut line = event.event_type().to_string();
    let mut json = Vec::new();
    event.print(&mut json);
    match serde_json::from_slice(&json) {
        Ok(Value::Object(members)) => {
            for (name, value) in members.iter().filter(|(name, _)| *name != "type") {
                // Writing to a string does not fail.
                let _ = write!(line, " {name}={value}");
            }
        }
        Ok(other) => line.push_str(&format!(" {other}")),
        Err(error) => line.push_str(&format!(" has no JSON form: {error}")),
    }
    line
}

/// Returns the types of the events.
///
/// ```
/// use agui_runtime::protocol::{EventType, StepStartedEvent};
///
/// assert_eq!(agui_runtime::testing::types(&[StepStartedEvent::new("plan").into()]), [EventType::StepStarted]);
/// ```
#[must_use]
pub fn types(events: &[Event]) -> Vec<EventType> {
    events.iter().map(Event::event_type).collect()
}

/// Returns the text of each message, in the order in which the messages began, those of subagents included.
///
/// ```
/// use agui_runtime::protocol::{TextMessageContentEvent, TextMessageEndEvent, TextMessageStartEvent};
///
/// let events = [
///     TextMessageStartEvent::new("m").into(),
///     TextMessageContentEvent::new("m", "One ").into(),
///     TextMessageContentEvent::new("m", "rice.").into(),
///     TextMessageEndEvent::new("m").into(),
/// ];
/// assert_eq!(agui_runtime::testing::texts(&events), ["One rice."]);
/// ```
#[must_use]
pub fn texts(events: &[Event]) -> Vec<String> {
    let mut texts: Vec<String> = Vec::new();
    let mut places: HashMap<&MessageId, usize> = HashMap::new();
    for event in events {
        match event {
            Event::TextMessageStart(start) => {
                places.insert(&start.message_id, texts.len());
                texts.push(String::new());
            }
            Event::TextMessageContent(content) => {
                if let Some(text) = places.get(&content.message_id).and_then(|place| texts.get_mut(*place)) {
                    text.push_str(&content.delta);
                }
            }
            _ => {}
        }
    }
    texts
}

/// The end of a stream; see [`end`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RunEnd<'e> {
    /// RUN_FINISHED `success`, or without an outcome.
    Success {
        /// The result of the agent.
        result: Option<&'e Value>,
        /// The calls that the user interface must answer.
        pending: &'e [ToolCallId],
    },
    /// RUN_FINISHED `interrupt`, with its interrupts.
    Interrupt(&'e [Interrupt]),
    /// RUN_FINISHED `cancelled`.
    Cancelled,
    /// RUN_ERROR.
    Failed {
        /// The text for people.
        message: &'e str,
        /// The code for programs.
        code: Option<&'e str>,
    },
    /// The stream stopped without a terminal event.
    Truncated,
}

/// Returns how a stream ended.
///
/// ```
/// use agui_runtime::protocol::RunErrorEvent;
/// use agui_runtime::testing::{RunEnd, end};
///
/// let events = [RunErrorEvent::new("no rice").with_code("RICE").into()];
/// assert_eq!(end(&events), RunEnd::Failed { message: "no rice", code: Some("RICE") });
/// assert_eq!(end(&[]), RunEnd::Truncated);
/// ```
#[must_use]
pub fn end(events: &[Event]) -> RunEnd<'_> {
    match events.last() {
        Some(Event::RunError(error)) => {
            RunEnd::Failed { message: &error.message, code: error.code.as_deref() }
        }
        Some(Event::RunFinished(finished)) => {
            let result = finished.result.as_deref();
            match &finished.outcome {
                None => RunEnd::Success { result, pending: &[] },
                Some(RunFinishedOutcome::Success(success)) => {
                    let pending = success.pending_tool_call_ids.as_deref().unwrap_or_default();
                    RunEnd::Success { result, pending }
                }
                Some(RunFinishedOutcome::Interrupt(interrupt)) => RunEnd::Interrupt(&interrupt.interrupts),
                Some(RunFinishedOutcome::Cancelled(_)) => RunEnd::Cancelled,
            }
        }
        _ => RunEnd::Truncated,
    }
}

/// Asserts the types of a stream's events, in order. Write the types as the variants of
/// [`EventType`](crate::protocol::EventType), so a misspelt one does not compile. A failure prints the
/// whole stream.
///
/// ```
/// use agui_runtime::assert_events;
/// use agui_runtime::protocol::{Event, StepFinishedEvent, StepStartedEvent};
///
/// let events: [Event; 2] = [StepStartedEvent::new("plan").into(), StepFinishedEvent::new("plan").into()];
/// assert_events!(events, [StepStarted, StepFinished]);
/// ```
#[macro_export]
macro_rules! assert_events {
    ($events:expr, [$($kind:ident),* $(,)?] $(,)?) => {
        $crate::testing::assert_types(&($events)[..], &[$($crate::protocol::EventType::$kind),*])
    };
}

#[doc(hidden)]
#[track_caller]
pub fn assert_types(events: &[Event], expected: &[EventType]) {
    assert!(
        types(events) == expected,
        "the event types differ\n  expected: {}\n     found: {}\n{}",
        names(expected),
        names(&types(events)),
        lines(events),
    );
}

fn names(types: &[EventType]) -> String {
    let names: Vec<String> = types.iter().map(|name| format!("{name:?}")).collect();
    names.join(", ")
}

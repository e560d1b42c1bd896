//! Legal streams with many open items at once; every event carries its index as timestamp.

use agui_runtime::protocol::{
    CustomEvent, Event, RawEvent, ReasoningMessageContentEvent, ReasoningMessageEndEvent,
    ReasoningMessageStartEvent, RunErrorEvent, RunFinishedEvent, RunStartedEvent, StateSnapshotEvent,
    StepFinishedEvent, StepStartedEvent, TextMessageContentEvent, TextMessageEndEvent, TextMessageRole,
    TextMessageStartEvent, Timestamp, ToolCallArgsEvent, ToolCallEndEvent, ToolCallResultEvent,
    ToolCallStartEvent,
};
use proptest::prelude::*;
use serde_json::json;

pub(super) type Op = (u8, usize);

pub(super) fn ops(most: usize) -> impl Strategy<Value = Vec<Op>> {
    prop::collection::vec((0..8_u8, 0..6_usize), 0..most)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Finished,
    /// RUN_ERROR after everything is closed.
    FailedClosed,
    /// RUN_ERROR with everything open.
    Failed,
    Truncated,
}

pub(super) fn end() -> impl Strategy<Value = End> {
    prop_oneof![Just(End::Finished), Just(End::FailedClosed), Just(End::Failed), Just(End::Truncated)]
}

#[derive(Clone)]
enum Item {
    Text(String),
    Call(String),
    Thought(String),
}

impl Item {
    fn start(&self) -> Event {
        match self {
            Self::Text(id) => {
                TextMessageStartEvent::new(id.as_str()).with_role(TextMessageRole::Assistant).into()
            }
            Self::Call(id) => ToolCallStartEvent::new(id.as_str(), "search").into(),
            Self::Thought(id) => ReasoningMessageStartEvent::new(id.as_str()).into(),
        }
    }

    fn content(&self) -> Event {
        match self {
            Self::Text(id) => TextMessageContentEvent::new(id.as_str(), "x").into(),
            Self::Call(id) => ToolCallArgsEvent::new(id.as_str(), "1").into(),
            Self::Thought(id) => ReasoningMessageContentEvent::new(id.as_str(), "x").into(),
        }
    }

    fn end(&self) -> Event {
        match self {
            Self::Text(id) => TextMessageEndEvent::new(id.as_str()).into(),
            Self::Call(id) => ToolCallEndEvent::new(id.as_str()).into(),
            Self::Thought(id) => ReasoningMessageEndEvent::new(id.as_str()).into(),
        }
    }
}

/// The stream these operations make. Ops: 0 text, 1 call, 2 thought (a text unless `reasoning`), 3 content, 4 end, 5 an
/// event of its own, 6 a step opens or ends, 7 an ended item opens again.
pub(super) fn interleaved(ops: &[Op], end: End, reasoning: bool) -> Vec<Event> {
    let mut events: Vec<Event> = vec![RunStartedEvent::new("thread", "run").into()];
    let (mut open, mut ended, mut steps) = (Vec::<Item>::new(), Vec::<Item>::new(), Vec::<String>::new());
    for (number, &(op, which)) in ops.iter().enumerate() {
        match op {
            0..=2 => {
                // One string may name an open text and an open call.
                let item = match op {
                    1 => Item::Call(format!("i{}", number + 1)),
                    2 if reasoning => Item::Thought(format!("i{}", number + 2)),
                    _ => Item::Text(format!("i{number}")),
                };
                events.push(item.start());
                open.push(item);
            }
            3 if !open.is_empty() => events.push(open[which % open.len()].content()),
            4 if !open.is_empty() => {
                let item = open.remove(which % open.len());
                events.push(item.end());
                ended.push(item);
            }
            5 => events.push(alone(which, number, &ended)),
            6 if which % 2 == 0 || steps.is_empty() => {
                let name = format!("step-{number}");
                events.push(StepStartedEvent::new(name.clone()).into());
                steps.push(name);
            }
            6 => events.push(StepFinishedEvent::new(steps.remove(which % steps.len())).into()),
            7 if !ended.is_empty() => {
                let item = ended.remove(which % ended.len());
                events.push(item.start());
                open.push(item);
            }
            _ => {}
        }
    }
    if matches!(end, End::Finished | End::FailedClosed) {
        events.extend(open.iter().rev().map(Item::end));
        events.extend(steps.into_iter().map(|name| StepFinishedEvent::new(name).into()));
    }
    match end {
        End::Finished => events.push(RunFinishedEvent::new("thread", "run").into()),
        End::FailedClosed | End::Failed => events.push(RunErrorEvent::new("boom").into()),
        End::Truncated => {}
    }
    for (index, event) in events.iter_mut().enumerate() {
        *event.timestamp_mut() = Some(Timestamp::from_millis(index as i64).unwrap());
    }
    events
}

fn alone(which: usize, number: usize, ended: &[Item]) -> Event {
    let call = ended.iter().find_map(|item| match item {
        Item::Call(id) => Some(id.as_str()),
        _ => None,
    });
    match (which, call) {
        (0, _) => StateSnapshotEvent::new(json!({ "n": number })).into(),
        (1, _) => CustomEvent::new("ping", json!(number)).into(),
        (2, _) => RawEvent::new(json!({ "n": number })).into(),
        (3, Some(call)) => ToolCallResultEvent::new(format!("r{number}"), call, "42").into(),
        _ => CustomEvent::new("pong", json!(null)).into(),
    }
}

//! Events of any kind about few things, so that they collide.

use agui_runtime::protocol::{
    ActivityDeltaEvent, ActivitySnapshotEvent, CustomEvent, Event, JsonPatch, MessagesSnapshotEvent,
    Metadata, NonNull, PatchOperation, RawEvent, ReasoningEncryptedValueEvent,
    ReasoningEncryptedValueSubtype, ReasoningEndEvent, ReasoningMessageChunkEvent,
    ReasoningMessageContentEvent, ReasoningMessageEndEvent, ReasoningMessageStartEvent, ReasoningStartEvent,
    RunFinishedEvent, StateDeltaEvent, StateSnapshotEvent, StepFinishedEvent, StepStartedEvent,
    SubagentErrorEvent, SubagentFinishedEvent, SubagentRunId, SubagentStartedEvent, TextMessageChunkEvent,
    TextMessageContentEvent, TextMessageEndEvent, TextMessageStartEvent, ToolCallArgsEvent,
    ToolCallChunkEvent, ToolCallEndEvent, ToolCallResultEvent, ToolCallStartEvent,
};
use proptest::prelude::*;
use serde_json::json;

use super::program::Play;

/// The parts of an event: its kind, its subject, its author, and a choice of its own.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seed {
    kind: u8,
    about: u8,
    by: u8,
    choice: u8,
}

const KINDS: u8 = 27;

pub(crate) fn seed() -> impl Strategy<Value = Seed> {
    // Calls need several events in a row, so they get a larger share.
    let kind = prop_oneof![
        3 => 0..KINDS,
        1 => prop::sample::select(vec![0, 3, 7, 9, 14]),
        2 => prop::sample::select(vec![1, 4, 5, 5, 6, 6, 6, 10, 18, 23]),
    ];
    (kind, 0..3_u8, 0..4_u8, 0..6_u8).prop_map(|(kind, about, by, choice)| Seed { kind, about, by, choice })
}

pub(super) fn plays(most: usize, mixed: bool) -> impl Strategy<Value = Vec<Play>> {
    let play = prop_oneof![
        12 => seed().prop_map(move |seed| Play::Feed(seed.event(0, mixed))),
        1 => Just(Play::Open),
        1 => Just(Play::Push),
        1 => Just(Play::Close),
        1 => Just(Play::Step),
        1 => Just(Play::Again),
    ];
    prop::collection::vec(play, 0..most).prop_map(|mut plays| {
        // Results are messages of their own.
        for (number, play) in plays.iter_mut().enumerate() {
            if let Play::Feed(Event::ToolCallResult(result)) = play
                && result.message_id.as_str().starts_with('r')
            {
                result.message_id = format!("r{number}").into();
            }
        }
        plays
    })
}

impl Seed {
    pub(super) fn is_chunk(self) -> bool {
        matches!(self.kind, 22..=24)
    }

    pub(super) fn into_chunk(mut self) -> Self {
        self.kind = 22 + self.kind % 3;
        self
    }

    /// Returns true if the event may stand anywhere.
    pub(super) fn is_free(self) -> bool {
        matches!(self.kind, 17 | 20 | 21)
    }

    /// `mixed` uses the same ids for everything.
    pub(crate) fn event(self, number: usize, mixed: bool) -> Event {
        let id =
            |space: &str| if mixed { format!("i{}", self.about) } else { format!("{space}{}", self.about) };
        let pick = |yes: u8| self.choice == yes;
        let mut event: Event = match self.kind {
            0 => TextMessageStartEvent::new(id("t")).into(),
            1 => TextMessageContentEvent::new(id("t"), if pick(0) { "" } else { "x" }).into(),
            2 => TextMessageEndEvent::new(id("t")).into(),
            3 => {
                let tool = if self.choice < 2 { "confirm" } else { "search" };
                let mut start = ToolCallStartEvent::new(id("c"), tool);
                start.parent_message_id = (self.choice % 2 == 1).then(|| id("t").into());
                start.into()
            }
            4 => ToolCallArgsEvent::new(id("c"), "{}").into(),
            5 => ToolCallEndEvent::new(id("c")).into(),
            6 => {
                let message = if mixed && pick(0) { id("t") } else { format!("r{number}") };
                ToolCallResultEvent::new(message, id("c"), "42").into()
            }
            7 => ReasoningStartEvent::new(id("s")).into(),
            8 => ReasoningEndEvent::new(id("s")).into(),
            9 => ReasoningMessageStartEvent::new(id("h")).into(),
            10 => ReasoningMessageContentEvent::new(id("h"), "x").into(),
            11 => ReasoningMessageEndEvent::new(id("h")).into(),
            12 => StepStartedEvent::new(id("p")).into(),
            13 => StepFinishedEvent::new(id("p")).into(),
            14 => {
                let mut started = SubagentStartedEvent::new(subagent(self.about), "helper");
                started.parent_subagent_run_id = (self.choice > 3).then(|| subagent(self.by));
                started.into()
            }
            15 => SubagentFinishedEvent::new(subagent(self.about)).into(),
            16 => SubagentErrorEvent::new(subagent(self.about), "no").into(),
            17 => {
                let snapshot = ActivitySnapshotEvent::new(id("a"), "plan", Box::default());
                if pick(0) { snapshot.with_replace(false).into() } else { snapshot.into() }
            }
            18 => ActivityDeltaEvent::new(id("a"), "plan", JsonPatch::default()).into(),
            19 => {
                let (subtype, id) = match self.choice {
                    0 | 1 => (ReasoningEncryptedValueSubtype::ToolCall, id("c")),
                    2 | 3 => (ReasoningEncryptedValueSubtype::Message, id("h")),
                    _ => (ReasoningEncryptedValueSubtype::Message, id("t")),
                };
                ReasoningEncryptedValueEvent::new(subtype, id, "secret").into()
            }
            20 => CustomEvent::new("ping", json!(self.choice)).into(),
            21 if pick(0) => StateSnapshotEvent::new(json!({ "n": 1 })).into(),
            21 if pick(1) => {
                let add = PatchOperation::add("/n".parse().expect("a pointer"), 2);
                StateDeltaEvent::new(JsonPatch::from([add])).into()
            }
            21 => RawEvent::new(json!({ "n": self.about })).into(),
            22 => {
                let mut chunk = TextMessageChunkEvent::new();
                chunk.message_id = (self.choice > 1).then(|| id("t").into());
                chunk.delta = (self.choice != 5).then(|| "x".to_owned());
                chunk.into()
            }
            23 => {
                let mut chunk = ToolCallChunkEvent::new();
                chunk.tool_call_id = (self.choice > 0).then(|| id("c").into());
                chunk.tool_call_name =
                    (self.choice > 1).then(|| if pick(2) { "confirm" } else { "search" }.to_owned());
                chunk.delta = (self.choice != 5).then(|| "1".to_owned());
                chunk.into()
            }
            24 => {
                let mut chunk = ReasoningMessageChunkEvent::new();
                chunk.message_id = (self.choice > 1).then(|| id("h").into());
                chunk.delta = (self.choice != 5).then(|| "x".to_owned());
                chunk.into()
            }
            25 => RunFinishedEvent::new("thread", "run").into(),
            _ => MessagesSnapshotEvent::new(vec![]).into(),
        };
        if let Some(tag) = event.subagent_run_id_mut() {
            *tag = (self.by > 1).then(|| subagent(self.by));
        }
        if pick(3) && self.is_chunk() {
            *event.raw_event_mut() = NonNull::new(json!(number));
        }
        if self.choice == 4 {
            let mut metadata = Metadata::new();
            metadata.insert("n".to_owned(), json!(number));
            *event.metadata_mut() = Some(metadata);
        }
        event
    }
}

fn subagent(number: u8) -> SubagentRunId {
    format!("sub{}", number % 3).into()
}

//! Events over a few ids, so that they collide.

use std::collections::HashSet;

use agui_runtime::protocol::{
    ActivityDeltaEvent, ActivityMessage, ActivitySnapshotEvent, AssistantMessage, Content, CustomEvent,
    DeveloperMessage, EncryptedValue, Event, FunctionCall, ImagePart, Interrupt, InterruptList, JsonObject,
    JsonPatch, JsonPointer, Message, MessagesSnapshotEvent, Metadata, NonNull, PatchOperation, RawEvent,
    ReasoningEncryptedValueEvent, ReasoningEncryptedValueSubtype, ReasoningEndEvent, ReasoningMessage,
    ReasoningMessageChunkEvent, ReasoningMessageContentEvent, ReasoningMessageEndEvent,
    ReasoningMessageStartEvent, ReasoningStartEvent, RunAgentInput, RunErrorEvent,
    RunFinishedCancelledOutcome, RunFinishedEvent, RunFinishedInterruptOutcome, RunFinishedOutcome,
    RunFinishedSuccessOutcome, RunStartedEvent, StateDeltaEvent, StateSnapshotEvent, StepFinishedEvent,
    StepStartedEvent, SubagentErrorEvent, SubagentFinishedEvent, SubagentStartedEvent, SystemMessage,
    TextMessageChunkEvent, TextMessageContentEvent, TextMessageEndEvent, TextMessageRole,
    TextMessageStartEvent, TextPart, Timestamp, ToolCall, ToolCallArgsEvent, ToolCallChunkEvent,
    ToolCallEndEvent, ToolCallResultEvent, ToolCallStartEvent, ToolMessage, UrlSource, UserMessage,
};
use serde_json::{Value, json};

use super::dice::Dice;

const ROLES: [TextMessageRole; 4] =
    [TextMessageRole::Assistant, TextMessageRole::User, TextMessageRole::System, TextMessageRole::Developer];

/// Encrypted values, each with its type: another type beside a value is one that was not replaced with the value.
const ENCRYPTED: [(&str, Option<&str>); 4] =
    [("s", Some("acme.s")), ("t", Some("acme.t")), ("y", None), ("z", None)];

fn encrypted(dice: &mut Dice) -> EncryptedValue {
    let (value, value_type) = ENCRYPTED[dice.below(ENCRYPTED.len())];
    let encrypted = EncryptedValue::new(value);
    value_type.map_or(encrypted.clone(), |value_type| encrypted.with_type(value_type))
}

fn with_encrypted(message: Message, encrypted: EncryptedValue) -> Message {
    match message {
        Message::Developer(message) => message.with_encrypted(encrypted).into(),
        Message::System(message) => message.with_encrypted(encrypted).into(),
        Message::Assistant(message) => message.with_encrypted(encrypted).into(),
        Message::User(message) => message.with_encrypted(encrypted).into(),
        Message::Tool(message) => message.with_encrypted(encrypted).into(),
        Message::Reasoning(message) => message.with_encrypted(encrypted).into(),
        Message::Activity(_) => message,
    }
}

/// The number of different ids; true if messages and calls share them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct World {
    pub(crate) ids: usize,
    pub(crate) shared: bool,
    /// The share of events of a subagent, in percent.
    pub(crate) tagged: usize,
}

impl World {
    pub(crate) fn new(dice: &mut Dice) -> Self {
        Self { ids: 1 + dice.below(4), shared: dice.percent(40), tagged: [0, 15, 60][dice.below(3)] }
    }

    fn id(self, dice: &mut Dice, space: &str) -> String {
        let number = dice.below(self.ids);
        match number {
            3 if dice.percent(30) => String::new(),
            _ if self.shared => format!("i{number}"),
            _ => format!("{space}{number}"),
        }
    }

    fn message(self, dice: &mut Dice) -> String {
        self.id(dice, "m")
    }

    fn call(self, dice: &mut Dice) -> String {
        self.id(dice, "c")
    }

    fn reasoning(self, dice: &mut Dice) -> String {
        self.id(dice, "h")
    }

    fn activity(self, dice: &mut Dice) -> String {
        if dice.percent(10) { self.message(dice) } else { self.id(dice, "a") }
    }

    fn subagent(self, dice: &mut Dice) -> &'static str {
        dice.of(&["a", "b", ""])
    }

    fn tag(self, dice: &mut Dice) -> Option<String> {
        dice.maybe(self.tagged, |dice| self.subagent(dice).to_owned())
    }

    /// Any event except those that start or end a run.
    pub(crate) fn event(self, dice: &mut Dice) -> Event {
        let delta = |dice: &mut Dice| dice.of(&["", "x", "{\"a\":", "1}", "e\u{301}"]).to_owned();
        let mut event: Event = match dice.below(100) {
            0..=7 => {
                let mut start = TextMessageStartEvent::new(self.message(dice));
                start.role = dice.maybe(40, |dice| ROLES[dice.below(4)]);
                start.name = dice.maybe(15, |dice| dice.of(&["n", "o"]).to_owned());
                start.into()
            }
            8..=17 => TextMessageContentEvent::new(self.message(dice), delta(dice)).into(),
            18..=22 => TextMessageEndEvent::new(self.message(dice)).into(),
            23..=29 => {
                let mut start = ToolCallStartEvent::new(self.call(dice), dice.of(&["t", "u"]));
                start.parent_message_id = dice.maybe(45, |dice| self.message(dice).into());
                start.into()
            }
            30..=36 => ToolCallArgsEvent::new(self.call(dice), delta(dice)).into(),
            37..=41 => ToolCallEndEvent::new(self.call(dice)).into(),
            42..=45 => {
                let id = if dice.percent(90) { format!("r{}", dice.below(30)) } else { self.message(dice) };
                ToolCallResultEvent::new(id, self.call(dice), content(dice)).into()
            }
            46..=48 => StateSnapshotEvent::new(document(dice)).into(),
            49..=54 => StateDeltaEvent::new(patch(dice)).into(),
            55..=57 => {
                let mut snapshot = MessagesSnapshotEvent::new(self.conversation(dice));
                snapshot.metadata = dice.maybe(25, claim);
                return snapshot.into();
            }
            58..=60 => {
                let content = object(dice);
                let kind = dice.of(&["plan", "search"]);
                let mut snapshot = ActivitySnapshotEvent::new(self.activity(dice), kind, content);
                snapshot.replace = dice.maybe(50, |dice| dice.percent(40));
                snapshot.into()
            }
            61..=63 => {
                let kind = dice.of(&["plan", "search"]);
                ActivityDeltaEvent::new(self.activity(dice), kind, patch(dice)).into()
            }
            64..=65 => ReasoningStartEvent::new(self.reasoning(dice)).into(),
            66..=67 => ReasoningEndEvent::new(self.reasoning(dice)).into(),
            68..=69 => ReasoningMessageStartEvent::new(self.reasoning(dice)).into(),
            70..=72 => ReasoningMessageContentEvent::new(self.reasoning(dice), delta(dice)).into(),
            73..=74 => ReasoningMessageEndEvent::new(self.reasoning(dice)).into(),
            75..=77 => {
                let (subtype, id) = match dice.below(3) {
                    0 => (ReasoningEncryptedValueSubtype::ToolCall, self.call(dice)),
                    1 => (ReasoningEncryptedValueSubtype::Message, self.message(dice)),
                    _ => (ReasoningEncryptedValueSubtype::Message, self.reasoning(dice)),
                };
                let encrypted = encrypted(dice);
                let mut event = ReasoningEncryptedValueEvent::new(subtype, id, encrypted.value);
                event.encrypted_value_type = encrypted.value_type;
                event.into()
            }
            78..=79 => StepStartedEvent::new(dice.of(&["p", "q"])).into(),
            80..=81 => StepFinishedEvent::new(dice.of(&["p", "q"])).into(),
            82..=83 => {
                let mut started = SubagentStartedEvent::new(self.subagent(dice), "helper");
                started.parent_subagent_run_id = dice.maybe(30, |dice| self.subagent(dice).into());
                started.into()
            }
            84 => SubagentFinishedEvent::new(self.subagent(dice)).into(),
            85 => SubagentErrorEvent::new(self.subagent(dice), "no").into(),
            86 => RawEvent::new(json!({ "n": 1 })).into(),
            87 => CustomEvent::new("ping", json!(null)).into(),
            88..=93 => {
                let mut chunk = TextMessageChunkEvent::new();
                chunk.message_id = dice.maybe(50, |dice| self.message(dice).into());
                chunk.role = dice.maybe(15, |dice| ROLES[dice.below(2)]);
                chunk.name = dice.maybe(10, |dice| dice.of(&["n", "o"]).to_owned());
                chunk.delta = dice.maybe(80, delta);
                chunk.into()
            }
            94..=97 => {
                let mut chunk = ToolCallChunkEvent::new();
                chunk.tool_call_id = dice.maybe(50, |dice| self.call(dice).into());
                chunk.tool_call_name = dice.maybe(60, |dice| dice.of(&["t", "t", "u"]).to_owned());
                chunk.parent_message_id = dice.maybe(20, |dice| self.message(dice).into());
                chunk.delta = dice.maybe(80, delta);
                chunk.into()
            }
            _ => {
                let mut chunk = ReasoningMessageChunkEvent::new();
                chunk.message_id = dice.maybe(50, |dice| self.reasoning(dice).into());
                chunk.delta = dice.maybe(80, delta);
                chunk.into()
            }
        };
        self.adorn(dice, &mut event);
        event
    }

    fn adorn(self, dice: &mut Dice, event: &mut Event) {
        if let Some(tag) = event.subagent_run_id_mut() {
            *tag = self.tag(dice).map(Into::into);
        }
        if dice.percent(15) {
            *event.metadata_mut() = Some(metadata(dice));
        }
        if dice.percent(5) {
            *event.raw_event_mut() = Some(NonNull::from("raw"));
        }
        if dice.percent(5) {
            *event.timestamp_mut() = Some(Timestamp::from(7));
        }
    }

    pub(crate) fn run_started(self, dice: &mut Dice) -> Event {
        let mut started = RunStartedEvent::new("t", dice.of(&["r", "r-2"]));
        started.input =
            dice.maybe(20, |dice| Box::new(RunAgentInput::new("t", "r", self.conversation(dice))));
        started.protocol_version = dice.maybe(30, |_| "1.0".to_owned());
        started.into()
    }

    pub(crate) fn run_ended(self, dice: &mut Dice) -> Event {
        if dice.percent(15) {
            return RunErrorEvent::new("no").into();
        }
        let mut finished = RunFinishedEvent::new("t", "r");
        finished.outcome = dice.maybe(60, |dice| -> RunFinishedOutcome {
            match dice.below(5) {
                0 => RunFinishedCancelledOutcome::new().into(),
                1 | 2 => {
                    let mut interrupts = InterruptList::from(Interrupt::new("i", "why"));
                    if dice.percent(30) {
                        interrupts.push(Interrupt::new("j", "why").with_metadata(metadata(dice)));
                    }
                    RunFinishedInterruptOutcome::new(interrupts).into()
                }
                _ => {
                    let mut outcome = RunFinishedSuccessOutcome::new();
                    outcome.pending_tool_call_ids =
                        dice.maybe(40, |dice| (0..dice.below(3)).map(|_| self.call(dice).into()).collect());
                    outcome.into()
                }
            }
        });
        finished.result = dice.maybe(30, |_| NonNull::from(42));
        finished.into()
    }

    /// Messages of all roles; one id may stand twice.
    pub(crate) fn conversation(self, dice: &mut Dice) -> Vec<Message> {
        let mut messages: Vec<Message> = (0..dice.below(5)).map(|_| self.any_message(dice)).collect();
        if dice.percent(80) {
            let mut ids = HashSet::new();
            messages.retain(|message| ids.insert(message.id().clone()));
        }
        messages
    }

    fn any_message(self, dice: &mut Dice) -> Message {
        let text = dice.of(&["", "said"]);
        let mut message: Message = match dice.below(9) {
            0..=2 => {
                let mut message = AssistantMessage::new(self.message(dice));
                message.content = dice.maybe(60, |_| text.to_owned());
                message.tool_calls = dice.maybe(50, |dice| {
                    let call = |dice: &mut Dice| {
                        let call =
                            ToolCall::new(self.call(dice), FunctionCall::new(dice.of(&["t", "u"]), "{}"));
                        match dice.maybe(20, encrypted) {
                            Some(encrypted) => call.with_encrypted(encrypted),
                            None => call,
                        }
                    };
                    (0..dice.below(3)).map(|_| call(dice)).collect()
                });
                message.into()
            }
            3 => UserMessage::new(self.message(dice), content(dice)).into(),
            4 => SystemMessage::new(self.message(dice), text).into(),
            5 => DeveloperMessage::new(self.message(dice), text).into(),
            6 => ToolMessage::new(self.id(dice, "r"), content(dice), self.call(dice)).into(),
            7 => {
                let kind = dice.of(&["plan", "search"]);
                ActivityMessage::new(self.activity(dice), kind, *object(dice)).into()
            }
            _ => ReasoningMessage::new(self.reasoning(dice), text).into(),
        };
        *message.subagent_run_id_mut() = self.tag(dice).map(Into::into);
        *message.metadata_mut() = dice.maybe(15, metadata);
        match dice.maybe(20, encrypted) {
            Some(encrypted) => with_encrypted(message, encrypted),
            None => message,
        }
    }
}

fn content(dice: &mut Dice) -> Content {
    match dice.below(4) {
        0 => Content::Parts(Vec::new()),
        1 => Content::from([
            TextPart::new("part").into(),
            ImagePart::new(UrlSource::new("https://example.com/x.png")).into(),
        ]),
        _ => "result".into(),
    }
}

fn metadata(dice: &mut Dice) -> Metadata {
    let keys = ["k", "l", "ag-ui"];
    (0..dice.below(3)).map(|_| (keys[dice.below(3)], json!(dice.of(&["v", "w"])))).collect()
}

/// A snapshot's claim about activities, readable or not.
fn claim(dice: &mut Dice) -> Metadata {
    let claims = [
        json!({ "authoritativeActivityTypes": null }),
        json!({ "authoritativeActivityTypes": ["plan"] }),
        json!({ "authoritativeActivityTypes": [] }),
        json!({ "authoritativeActivityTypes": ["plan", 5] }),
        json!({ "authoritativeActivityTypes": "plan" }),
        json!({}),
        json!(["plan"]),
        json!(null),
    ];
    Metadata::from_iter([("@ag-ui/client", claims[dice.below(claims.len())].clone())])
}

fn object(dice: &mut Dice) -> Box<JsonObject> {
    match document(dice) {
        Value::Object(object) => Box::new(object),
        other => Box::new(JsonObject::from_iter([("a".to_owned(), other)])),
    }
}

pub(crate) fn document(dice: &mut Dice) -> Value {
    let documents = [
        json!({}),
        json!({ "a": 1, "b": { "a": null, "c": "x" }, "list": [1, { "a": 2 }, [3]] }),
        json!({ "a": { "a": { "a": 0.5 } }, "list": [] }),
        json!({ "x/y": 1, "~": { "": [true] }, "list": [{}, {}, {}] }),
        json!([1, 2, { "a": [] }]),
        json!(null),
        json!(false),
        json!("text"),
    ];
    documents[if dice.percent(85) { dice.below(4) } else { dice.below(documents.len()) }].clone()
}

fn pointer(dice: &mut Dice) -> JsonPointer {
    const SEGMENTS: [&str; 14] =
        ["a", "a", "b", "c", "list", "list", "0", "1", "2", "-", "x/y", "~", "", "01"];
    let depth = [0, 1, 1, 1, 2, 2, 2, 3][dice.below(8)];
    (0..depth).fold(JsonPointer::root(), |pointer, _| pointer.child(SEGMENTS[dice.below(SEGMENTS.len())]))
}

fn patch(dice: &mut Dice) -> JsonPatch {
    let operation = |dice: &mut Dice| {
        let (path, from) = (pointer(dice), pointer(dice));
        match dice.below(12) {
            0..=3 => PatchOperation::add(path, document(dice)),
            4..=5 => PatchOperation::replace(path, document(dice)),
            6..=7 => PatchOperation::remove(path),
            8..=9 => PatchOperation::copy(from, path),
            10 => PatchOperation::move_(from, path),
            _ => PatchOperation::test(path, document(dice)),
        }
    };
    (0..[0, 1, 1, 1, 1, 2, 3][dice.below(7)]).map(|_| operation(dice)).collect()
}

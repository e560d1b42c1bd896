//! Streams: of our own agents, random ones that are legal or nearly so, and either with a mutation.

use agui_runtime::Policy;
use agui_runtime::order::{OrderStrictness, OrderVerifier, SpanOwner, StreamPhase};
use agui_runtime::protocol::{
    Event, EventEffect, EventType, Message, MessagesSnapshotEvent, ProtocolVersion, ReasoningEndEvent,
    ReasoningMessageEndEvent, SpanKind, StepFinishedEvent, SubagentFinishedEvent, TextMessageEndEvent,
    ToolCallEndEvent,
};
use agui_runtime::receive::ChunkExpander;
use agui_tests::outside::Stream;
use serde_json::{Value, json};

use super::dice::Dice;
use super::event::{World, document};
use super::program::{Play, Program};

/// The stream of a seed.
pub(crate) fn stream(seed: u64) -> Stream {
    let mut dice = Dice::new(seed);
    let world = World::new(&mut dice);
    let mut writer = Writer {
        world,
        verify: OrderVerifier::with_strictness(OrderStrictness::Client),
        chunks: ChunkExpander::new(),
        events: Vec::new(),
    };
    let of_an_agent = dice.percent(25);
    // An illegal event sometimes ends the stream for its reader.
    let slips = [0, 0, 1, 4][dice.below(4)];
    for _ in 0..=dice.below(3) {
        if of_an_agent {
            writer.events.extend(produced(world, &mut dice));
        } else {
            writer.run(&mut dice, slips);
        }
    }
    let mut events: Vec<Value> =
        writer.events.iter().map(|event| serde_json::to_value(event).unwrap()).collect();
    for _ in 0..[0, 0, 0, 1, 1, 2, 4][dice.below(7)] {
        mutate(&mut events, &mut dice);
    }
    let messages = if dice.percent(40) { world.conversation(&mut dice) } else { Vec::new() };
    let messages: Vec<Message> = messages.into_iter().map(without_types).collect();
    let state = if dice.percent(60) { document(&mut dice) } else { json!({}) };
    Stream { messages: json!(messages), state, events }
}

/// A message as a client of AG-UI 1.0 holds one: the official client does not check the messages that it begins with.
fn without_types(message: Message) -> Message {
    let mut snapshot = Event::from(MessagesSnapshotEvent::new(vec![message]));
    let _ = snapshot.restrict(ProtocolVersion::V1_0);
    let Event::MessagesSnapshot(mut snapshot) = snapshot else { unreachable!("it is a snapshot") };
    snapshot.messages.remove(0)
}

/// A run of an agent that forwards events and writes its own in between.
fn produced(world: World, dice: &mut Dice) -> Vec<Event> {
    let plays = (0..dice.below(24)).map(|_| match dice.below(12) {
        0 => Play::Open,
        1 => Play::Push,
        2 => Play::Close,
        3 => Play::Step,
        4 => Play::Again,
        _ => Play::Feed(world.event(dice)),
    });
    let plays: Vec<Play> = plays.collect();
    let program = Program::new(Policy::Repair).then(plays).failing(dice.percent(10));
    let program = if dice.percent(50) { program.passing_chunks() } else { program };
    program.play().events
}

struct Writer {
    world: World,
    verify: OrderVerifier,
    chunks: ChunkExpander,
    events: Vec<Event>,
}

impl Writer {
    fn run(&mut self, dice: &mut Dice, slips: usize) {
        let started = self.world.run_started(dice);
        self.offer(started);
        for _ in 0..dice.below(18) {
            if dice.percent(slips) {
                let event = self.world.event(dice);
                self.events.push(event);
                continue;
            }
            // Most random events have no place here; a few more tries usually find one that has.
            for _ in 0..8 {
                let event = self.world.event(dice);
                if self.offer(event) {
                    break;
                }
            }
        }
        if dice.percent(85) {
            self.close();
        }
        if dice.percent(90) {
            let ended = self.world.run_ended(dice);
            self.offer(ended);
        }
    }

    /// Adds an event, if it may come next.
    fn offer(&mut self, event: Event) -> bool {
        // A refused event changes nothing, so only a chunk, which may become several events, needs a trial.
        let chunk = matches!(event.event_type().effect(), EventEffect::Chunk(_));
        if !chunk && !self.chunks.is_building() {
            let accepted = self.verify.check(&event).is_ok();
            if accepted {
                self.events.push(event);
            }
            return accepted;
        }
        let mut verify = self.verify.clone();
        let mut chunks = self.chunks.clone();
        let Ok(mut expanded) = chunks.expand(event.clone()) else { return false };
        if !expanded.all(|event| verify.check(&event).is_ok()) {
            return false;
        }
        (self.verify, self.chunks) = (verify, chunks);
        self.events.push(event);
        true
    }

    /// Ends the open items, as their owners.
    fn close(&mut self) {
        if self.verify.phase() != StreamPhase::Active {
            return;
        }
        // The ends of subagents come last, because a finished one writes nothing.
        let mut open = self.verify.open();
        open.sort_by_key(|span| span.scope == SpanKind::Subagent);
        for span in open {
            let id = &*span.id;
            let mut end: Event = match span.scope {
                SpanKind::Text => TextMessageEndEvent::new(id).into(),
                SpanKind::ToolCall => ToolCallEndEvent::new(id).into(),
                SpanKind::Step => StepFinishedEvent::new(id).into(),
                SpanKind::ReasoningSpan => ReasoningEndEvent::new(id).into(),
                SpanKind::ReasoningMessage => ReasoningMessageEndEvent::new(id).into(),
                SpanKind::Subagent => SubagentFinishedEvent::new(id).into(),
                SpanKind::Activity => continue,
            };
            if let (Some(tag), SpanOwner::Subagent(owner)) = (end.subagent_run_id_mut(), &span.owner) {
                *tag = Some(owner.clone());
            }
            // Items of chunks end by themselves, perhaps earlier.
            self.offer(end);
        }
    }
}

/// Mutates a stream.
fn mutate(events: &mut Vec<Value>, dice: &mut Dice) {
    if events.is_empty() {
        return;
    }
    let at = dice.below(events.len());
    let other = dice.below(events.len());
    match dice.below(12) {
        0 => drop(events.remove(at)),
        1 => events.insert(at, events[other].clone()),
        2 => events.swap(at, other),
        3 if at > 0 => events.swap(at, at - 1),
        4 => {
            let event = events.remove(at);
            events.insert(other.min(events.len()), event);
        }
        5 => {
            let types = EventType::ALL;
            events[at]["type"] = json!(types[dice.below(types.len())].as_str());
        }
        6 => {
            let ids = ["messageId", "toolCallId", "parentMessageId", "entityId", "stepName", "runId"];
            let id = ids[dice.below(ids.len())];
            if events[at].get(id).is_some() {
                events[at][id] = json!(dice.of(&["m0", "m1", "c0", "c1", "h0", "i0", "i1", "p", "new", ""]));
            }
        }
        7 => match dice.below(3) {
            0 => drop(events[at].as_object_mut().unwrap().remove("subagentRunId")),
            _ => events[at]["subagentRunId"] = json!(dice.of(&["a", "b", "", "new"])),
        },
        8 => {
            let members = events[at].as_object_mut().unwrap();
            let keys: Vec<String> = members.keys().filter(|key| *key != "type").cloned().collect();
            if !keys.is_empty() {
                members.remove(&keys[dice.below(keys.len())]);
            }
        }
        9 => {
            let members = events[at].as_object_mut().unwrap();
            let keys: Vec<String> = members.keys().filter(|key| *key != "type").cloned().collect();
            if !keys.is_empty() {
                let wrong = [json!(5), json!("text"), json!([]), json!({}), json!(true)];
                members[&keys[dice.below(keys.len())]] = wrong[dice.below(wrong.len())].clone();
            }
        }
        10 => events[at]["unheardOf"] = json!({ "n": 1 }),
        _ => match chunk_of(&events[at]) {
            Some(chunk) => events[at] = chunk,
            None => events.insert(at, json!({ "type": "UNHEARD_OF", "messageId": "m0" })),
        },
    }
}

/// An explicit event as a chunk.
fn chunk_of(event: &Value) -> Option<Value> {
    let chunk = match event["type"].as_str()? {
        "TEXT_MESSAGE_START" | "TEXT_MESSAGE_CONTENT" => "TEXT_MESSAGE_CHUNK",
        "TOOL_CALL_START" | "TOOL_CALL_ARGS" => "TOOL_CALL_CHUNK",
        "REASONING_MESSAGE_START" | "REASONING_MESSAGE_CONTENT" => "REASONING_MESSAGE_CHUNK",
        _ => return None,
    };
    let mut event = event.clone();
    event["type"] = json!(chunk);
    Some(event)
}

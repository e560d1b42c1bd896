//! The cost of an event does not depend on the data so far.

use agui_runtime::client::{Replay, Session, TurnUpdate};
use agui_runtime::protocol::{
    Event, JsonPatch, JsonPointer, Message, PatchOperation, RunFinishedEvent, RunStartedEvent,
    StateDeltaEvent, StateSnapshotEvent, TextMessageContentEvent, TextMessageEndEvent, TextMessageStartEvent,
    ToolCallArgsEvent, ToolCallEndEvent, ToolCallStartEvent, UserMessage,
};
use futures::FutureExt as _;
use serde_json::{Value, json};

const DELTAS: usize = 400;

/// A run of many small things.
fn run() -> Vec<Event> {
    let patch = |at: usize| {
        let place = JsonPointer::root().child("rows").child("7").child("count");
        JsonPatch::from([PatchOperation::replace(place, u64::try_from(at).unwrap())])
    };
    let mut events: Vec<Event> = vec![
        RunStartedEvent::new("t", "r").into(),
        TextMessageStartEvent::new("m").into(),
        ToolCallStartEvent::new("c", "price").into(),
    ];
    for at in 0..DELTAS {
        events.push(TextMessageContentEvent::new("m", "word ").into());
        events.push(ToolCallArgsEvent::new("c", "1,").into());
        events.push(StateDeltaEvent::new(patch(at)).into());
    }
    events.push(TextMessageEndEvent::new("m").into());
    events.push(ToolCallEndEvent::new("c").into());
    events.push(RunFinishedEvent::new("t", "r").into());
    events
}

/// The bytes that are allocated for the deltas, in a conversation of `messages` messages and a state of `rows` rows.
fn allocated(messages: usize, rows: usize) -> u64 {
    let known = |at: usize| -> Message { UserMessage::new(format!("u{at}"), "something").into() };
    let rows: Vec<Value> = (0..rows).map(|at| json!({ "name": format!("row {at}"), "count": at })).collect();
    let mut session: Session<Value> = Session::new(Replay::of_events(run()));
    session.set_messages((0..messages).map(known).collect());
    let baseline = StateSnapshotEvent::new(json!({ "rows": rows }));
    session.set_state(baseline.snapshot.value().unwrap().into_owned());
    session.state().unwrap();
    let mut turn = session.start();
    let mut update = || turn.next().now_or_never().unwrap().unwrap();
    while !matches!(update(), Some(TurnUpdate::Event { event: Event::ToolCallStart(_), .. })) {}
    let mut seen = 0;
    let counted = allocation_counter::measure(|| {
        for _ in 0..3 * DELTAS {
            seen += usize::from(update().is_some());
        }
    });
    assert_eq!(seen, 3 * DELTAS);
    counted.bytes_total
}

#[test]
fn an_event_costs_the_same_in_a_long_conversation_and_with_a_large_state() {
    let (small, large) = (allocated(10, 10), allocated(10_000, 10_000));
    println!(
        "{} bytes for each of {} events, {} in the long conversation",
        small / 1200,
        3 * DELTAS,
        large / 1200
    );
    assert!(large <= small + small / 10, "{small} bytes became {large}");
}

//! Patches of a few bytes that make huge, or very deep documents.

use agui_runtime::json::patch::{MAX_COPIED, MAX_DEPTH, MAX_PATCH_STEPS, PatchFault};
use agui_runtime::protocol::{
    ActivityDeltaEvent, ActivitySnapshotEvent, Event, JsonPatch, JsonPointer, Message, MessagesSnapshotEvent,
    PatchOperation, RunStartedEvent, StateDeltaEvent, StateSnapshotEvent, UserMessage,
};
use agui_runtime::receive::Reducer;
use agui_runtime::receive::compact::compact_with;
use agui_runtime::receive::reduce::ReduceWarning;
use agui_runtime::state::{ApplyFault, apply};
use agui_tests::intake::fold;
use serde_json::{Value, json};

use crate::mutate::Dice;
use crate::times;

const LIMIT: usize = 1 << 16;

fn at(segments: &[&str]) -> JsonPointer {
    segments.iter().fold(JsonPointer::root(), |place, segment| place.child(segment))
}

fn reducer(state: Value) -> Reducer {
    let mut reducer = Reducer::new().with_state(state).with_copy_limit(LIMIT);
    reducer.apply(&RunStartedEvent::new("t", "r").into()).unwrap();
    reducer
}

/// Applies a delta, and returns the operation that failed, its place and the reason, if one did.
fn delta(reducer: &mut Reducer, operations: &[PatchOperation]) -> Option<(usize, String, PatchFault)> {
    let event: Event = StateDeltaEvent::new(JsonPatch::from_iter(operations.iter().cloned())).into();
    match reducer.apply(&event).unwrap().warning {
        None => None,
        Some(ReduceWarning::StatePatch(error)) => Some((error.op, error.path, error.fault)),
        Some(other) => panic!("{other}"),
    }
}

fn held(value: &Value) -> usize {
    value.to_string().len()
}

#[test]
fn doubling_ends_at_the_limit_and_nothing_of_the_patch_is_left() {
    let mut reducer = reducer(json!({ "a": "0123456789", "l": [] }));
    let double = PatchOperation::copy(JsonPointer::root(), at(&["l", "-"]));
    let (op, path, fault) = delta(&mut reducer, &vec![double.clone(); 60]).unwrap();
    assert!((6..12).contains(&op), "{op}");
    assert_eq!((path.as_str(), fault), ("/l/-", PatchFault::TooMuch { limit: LIMIT }));
    assert_eq!(*reducer.state(), json!({ "a": "0123456789", "l": [] }));

    // Applied one after the other, they meet the same limit.
    let refused = (0..60).filter(|_| delta(&mut reducer, std::slice::from_ref(&double)).is_some()).count();
    assert!((48..55).contains(&refused), "{refused}");
    assert!(held(reducer.state()) <= LIMIT, "{}", held(reducer.state()));
}

#[test]
fn removed_parts_make_room_again() {
    let mut reducer = reducer(json!({ "text": "x".repeat(1 << 12) }));
    let around = [PatchOperation::copy(at(&["text"]), at(&["copy"])), PatchOperation::remove(at(&["copy"]))];
    for round in 0..1_000 {
        assert_eq!(delta(&mut reducer, &around), None, "{round}");
    }
    reducer
        .apply(&StateSnapshotEvent::new(json!({ "text": "x".repeat(1 << 12), "list": [] })).into())
        .unwrap();
    let append = PatchOperation::copy(at(&["text"]), at(&["list", "-"]));
    let refused = (0..100).filter(|_| delta(&mut reducer, std::slice::from_ref(&append)).is_some()).count();
    assert!((80..90).contains(&refused), "{refused}");
    let anew = PatchOperation::replace(at(&["list"]), json!([]));
    assert_eq!(delta(&mut reducer, &[anew]), None);
    assert_eq!(delta(&mut reducer, &[append]), None);
}

#[test]
fn activities_and_the_state_have_one_limit() {
    let mut reducer = reducer(json!({}));
    let double: JsonPatch = [PatchOperation::copy(JsonPointer::root(), at(&["l", "-"]))].into();
    let mut refused = 0;
    for number in 0..20 {
        let id = format!("a{number}");
        let content = json!({ "a": "0123456789", "l": [] }).as_object().unwrap().clone();
        reducer.apply(&ActivitySnapshotEvent::new(id.as_str(), "plan", content).into()).unwrap();
        for _ in 0..20 {
            let event = ActivityDeltaEvent::new(id.as_str(), "plan", double.clone());
            match reducer.apply(&event.into()).unwrap().warning {
                None => {}
                Some(ReduceWarning::ActivityPatch { error, .. }) => {
                    assert_eq!(error.fault, PatchFault::TooMuch { limit: LIMIT });
                    refused += 1;
                }
                Some(other) => panic!("{other}"),
            }
        }
    }
    assert!(refused > 100, "{refused}");
    assert!(held(&json!(reducer.messages())) < 2 * LIMIT);
}

#[test]
fn moving_and_copying_inwards_ends_before_the_stack_does() {
    let mut state = reducer(json!({ "a": {} }));
    let deeper = [
        PatchOperation::add(at(&["b"]), json!({})),
        PatchOperation::move_(at(&["a"]), at(&["b", "x"])),
        PatchOperation::move_(at(&["b"]), at(&["a"])),
    ];
    let mut refused = None;
    for _ in 0..100_000 {
        refused = refused.or(delta(&mut state, &deeper));
    }
    assert_eq!(refused, Some((1, "/b/x".to_owned(), PatchFault::TooDeep { limit: MAX_DEPTH })));

    let mut state = reducer(json!({ "x": {} }));
    let mut levels = 1;
    let refused = loop {
        let inwards = vec!["x"; levels + 1];
        if let Some(refused) = delta(&mut state, &[PatchOperation::copy(at(&["x"]), at(&inwards))]) {
            break refused;
        }
        levels *= 2;
    };
    assert_eq!(refused.2, PatchFault::TooDeep { limit: MAX_DEPTH });

    let mut state = reducer(json!({ "x": {} }));
    let mut way = vec!["x"];
    let refused = loop {
        way.push("x");
        if let Some((_, _, fault)) = delta(&mut state, &[PatchOperation::add(at(&way), json!({}))]) {
            break fault;
        }
    };
    assert_eq!((refused, way.len()), (PatchFault::TooDeep { limit: MAX_DEPTH }, MAX_DEPTH));
}

#[test]
fn typed_states_have_limits_too() {
    let mut state = json!({ "a": "x".repeat(1 << 10), "l": [] });
    let double = vec![PatchOperation::copy(JsonPointer::root(), at(&["l", "-"])); 60];
    let before = state.clone();
    let error = apply(&mut state, &double).unwrap_err();
    assert!(
        matches!(error.fault, ApplyFault::Operation(PatchFault::TooMuch { .. })) && error.path == "/l/-",
        "{error}"
    );
    assert!((12..20).contains(&error.op), "{error}");
    assert_eq!(state, before);

    let mut lists: Vec<Vec<String>> = vec![vec!["x".repeat(1 << 20)]];
    let more = vec![PatchOperation::copy(at(&["0"]), at(&["-"])); 200];
    let error = apply(&mut lists, &more).unwrap_err();
    assert!(
        matches!(error.fault, ApplyFault::Operation(PatchFault::TooMuch { .. }))
            && error.op == 63
            && lists.len() == 1,
        "{error}"
    );

    let mut state = json!({ "a": {} });
    let deeper = [
        PatchOperation::add(at(&["b"]), json!({})),
        PatchOperation::move_(at(&["a"]), at(&["b", "x"])),
        PatchOperation::move_(at(&["b"]), at(&["a"])),
    ];
    let refused = (0..1_000).find_map(|_| apply(&mut state, &deeper).err()).unwrap();
    assert!(
        matches!(refused.fault, ApplyFault::Operation(PatchFault::TooDeep { limit: MAX_DEPTH }))
            && refused.op == 1,
        "{refused}"
    );
}

#[test]
fn whatever_patches_say_documents_stay_within_their_limits() {
    let mut dice = Dice::new(81);
    let places = ["", "/a", "/a/a", "/b", "/b/x", "/a/b", "/l", "/l/-", "/l/0", "/l/0/l/-"];
    for _ in 0..200 * times() {
        let mut run = String::new();
        for _ in 0..40 {
            let operations: Vec<Value> = (0..1 + dice.below(8))
                .map(|_| {
                    let (from, path) = (*dice.pick(&places), *dice.pick(&places));
                    match dice.below(6) {
                        0 => json!({ "op": "add", "path": path, "value": { "a": {}, "l": [1e300] } }),
                        1 => json!({ "op": "remove", "path": path }),
                        2 => json!({ "op": "move", "from": from, "path": path }),
                        _ => json!({ "op": "copy", "from": from, "path": path }),
                    }
                })
                .collect();
            let event = match dice.below(12) {
                0 => {
                    json!({ "type": "STATE_SNAPSHOT", "snapshot": { "a": {}, "b": {}, "l": [{ "l": [] }] } })
                }
                1 => {
                    json!({ "type": "ACTIVITY_SNAPSHOT", "messageId": "m", "activityType": "p", "content": { "a": {}, "l": [] } })
                }
                2..5 => {
                    json!({ "type": "ACTIVITY_DELTA", "messageId": "m", "activityType": "p", "patch": operations })
                }
                _ => json!({ "type": "STATE_DELTA", "delta": operations }),
            };
            run.push_str(&format!("{event}\n"));
        }
        fold(run.as_bytes());
    }
}

#[test]
fn compaction_makes_no_more_of_copies_than_reading_does() {
    let place = |n: usize| at(&[&format!("copy{n}")]);
    let long = "x".repeat(1 << 20);
    let mut events: Vec<Event> =
        vec![RunStartedEvent::new("t", "r").into(), StateSnapshotEvent::new(json!({ "long": long })).into()];
    // Each delta is within the limit, all together are not.
    events.extend((0..200).map(|n| {
        StateDeltaEvent::new(JsonPatch::from([PatchOperation::copy(at(&["long"]), place(n))])).into()
    }));
    let mut warnings = Vec::new();
    let short = compact_with(events, &mut |warning| warnings.push(warning));
    let Some(Event::StateSnapshot(snapshot)) = short.last() else { panic!("no snapshot") };
    let held = held(&snapshot.snapshot.value().unwrap());
    assert!(held > MAX_COPIED / 2 && held < 2 * MAX_COPIED, "{held}");
    let too_much = |warning: &ReduceWarning| matches!(warning, ReduceWarning::StatePatch(error) if matches!(error.fault, PatchFault::TooMuch { .. }));
    assert!(warnings.len() > 100 && warnings.iter().all(too_much), "{:?}", warnings.first());
}

#[test]
fn copies_of_one_message_into_many_of_its_id_are_limited() {
    let many: Vec<Message> = (0..1000).map(|_| UserMessage::new("x", "").into()).collect();
    let mut reducer = reducer(json!({}));
    reducer.apply(&MessagesSnapshotEvent::new(many).into()).unwrap();
    assert_eq!(reducer.messages().len(), 1000, "unknown messages are taken as they are");
    let long = UserMessage::new("x", "y".repeat(LIMIT / 8));
    let said = reducer.apply(&MessagesSnapshotEvent::new([long.into()]).into()).unwrap();
    let expected = ReduceWarning::TooManyOfOneId { id: "x".into(), limit: LIMIT };
    assert_eq!(said.warning, Some(expected));
    let held: usize = reducer.messages().iter().map(|message| held(&json!(message))).sum();
    assert!(held < 2 * LIMIT + 1000 * 60, "{held}");
    let is_long =
        |message: &&Message| matches!(message, Message::User(message) if !message.content.text().is_empty());
    let restated = reducer.messages().iter().filter(is_long).count();
    assert!((4..=9).contains(&restated), "{restated}");
}

/// A list of this length, and the operation of 42 bytes that moves all its elements.
fn list(length: u64) -> (Value, PatchOperation) {
    ((0..length).collect(), PatchOperation::move_(at(&["0"]), at(&["-"])))
}

#[test]
fn one_patch_moves_no_more_than_it_may() {
    const LENGTH: usize = 100_000;
    let (state, to_the_end) = list(LENGTH as u64);
    let mut reducer = reducer(state.clone());
    assert_eq!(delta(&mut reducer, &vec![to_the_end.clone(); 100]), None, "a hundred are in order");
    assert_eq!(reducer.state()[0], 100);
    let (op, path, fault) = delta(&mut reducer, &vec![to_the_end; 10_000]).unwrap();
    assert_eq!((path.as_str(), fault), ("/-", PatchFault::TooManySteps { limit: MAX_PATCH_STEPS }));
    assert_eq!(op, MAX_PATCH_STEPS / LENGTH, "steps are elements that are moved aside");
    assert_eq!(reducer.state()[0], 100, "nothing of the patch was applied");
}

#[test]
fn all_patches_of_a_run_move_no_more_than_they_may() {
    let (state, to_the_end) = list(1000);
    let limit = 50_000;
    let mut reducer = reducer(state).with_step_limit(limit);
    let applied =
        (0..100).filter(|_| delta(&mut reducer, std::slice::from_ref(&to_the_end)).is_none()).count();
    assert_eq!(applied, limit / 1000);
    let (.., fault) = delta(&mut reducer, std::slice::from_ref(&to_the_end)).unwrap();
    assert_eq!(fault, PatchFault::TooManySteps { limit });
    // Operations that cost nothing still apply, and so does the next run.
    assert_eq!(delta(&mut reducer, &[PatchOperation::replace(at(&["3"]), 0)]), None);
    reducer.apply(&RunStartedEvent::new("t", "r2").into()).unwrap();
    assert_eq!(delta(&mut reducer, &[to_the_end]), None);
}

#[test]
fn patches_that_fail_cost_steps_too() {
    let big: Value = vec![0; 1000].into();
    let never = PatchOperation::test(at(&["nothing"]), 1);
    let rows = [
        ("a copy", PatchOperation::copy(at(&["big"]), at(&["copy"]))),
        ("a move that looks how deep it gets", PatchOperation::move_(at(&["big"]), at(&["in", "it"]))),
        ("an insertion", PatchOperation::add(at(&["big", "0"]), 1)),
        ("a removal", PatchOperation::remove(at(&["big", "0"]))),
    ];
    for (name, operation) in rows {
        let state = json!({ "big": big, "in": {} });
        let mut reducer = reducer(state.clone()).with_copy_limit(MAX_COPIED).with_step_limit(10_000);
        let patch = [operation, never.clone()];
        let missing =
            (0..9).filter(|_| delta(&mut reducer, &patch).unwrap().2 == PatchFault::Missing).count();
        assert_eq!(missing, 9, "{name}");
        let faults: Vec<_> = (0..3).map(|_| delta(&mut reducer, &patch).unwrap().2).collect();
        assert!(faults.contains(&PatchFault::TooManySteps { limit: 10_000 }), "{name}: {faults:?}");
        assert_eq!(*reducer.state(), state, "{name}");
    }
}

#[test]
fn a_patch_of_a_whole_activity_costs_what_it_keeps() {
    let content = json!({ "steps": vec![0; 1000] });
    let mut reducer = reducer(json!({})).with_step_limit(5_000);
    let Value::Object(members) = content else { unreachable!() };
    reducer.apply(&ActivitySnapshotEvent::new("a", "plan", members).into()).unwrap();
    let whole = JsonPatch::from([PatchOperation::test(JsonPointer::root(), json!([]))]);
    let event: Event = ActivityDeltaEvent::new("a", "plan", whole).into();
    let faults: Vec<_> = (0..6)
        .map(|_| match reducer.apply(&event).unwrap().warning {
            Some(ReduceWarning::ActivityPatch { error, .. }) => error.fault,
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(faults[0], PatchFault::Different);
    assert_eq!(faults[5], PatchFault::TooManySteps { limit: 5_000 });
}

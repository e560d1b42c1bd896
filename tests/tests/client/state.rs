//! The state as a type, read on demand.

use agui_runtime::State;
use agui_runtime::client::{LocalAgent, Replay, Session, TurnUpdate};
use agui_runtime::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::in_time;

/// A shopping list.
#[derive(State, Serialize, Deserialize, JsonSchema, Clone, Default, Debug, PartialEq)]
struct List {
    items: Vec<Item>,
    note: Option<String>,
}

/// An item of the list.
#[derive(State, Serialize, Deserialize, JsonSchema, Clone, Default, Debug, PartialEq)]
struct Item {
    name: String,
    count: u32,
}

/// Keeps a list.
#[agent(state = List)]
async fn keeper(run: &mut Run<Keeper>, input: Input<Keeper>) -> Result<(), Stop> {
    let list = run.state().adopt_or_snapshot(&input).await?;
    for number in 0..40 {
        list.update(|list| list.items.push(Item { name: format!("item {number}"), count: 1 })).await?;
        list.update(|list| list.items[number / 2].count += 1).await?;
        if number % 7 == 0 {
            list.update(|list| list.note = Some(number.to_string())).await?;
            list.update(|list| list.items.swap(0, number / 3)).await?;
        }
    }
    Ok(())
}

#[tokio::test]
async fn after_every_event_the_typed_state_is_the_document() {
    let mut session: Session<List> = Session::new(LocalAgent::new(Keeper::new())).with_fixed_ids("a");
    let mut compared = 0;
    for _ in 0..2 {
        let mut turn = session.start();
        while let Some(update) = in_time(turn.next()).await.unwrap() {
            assert!(matches!(update, TurnUpdate::Event { .. }));
            let session = turn.session();
            let expected: Option<List> = serde_json::from_value(session.state_value().clone()).ok();
            assert_eq!(session.state().unwrap(), expected.as_ref());
            compared += 1;
        }
    }
    assert!(compared > 150, "{compared}");
}

fn replaying(events: serde_json::Value) -> Replay {
    let mut lines = json!({ "type": "RUN_STARTED", "threadId": "t", "runId": "r" }).to_string();
    for event in events.as_array().unwrap() {
        lines = format!("{lines}\n{event}");
    }
    Replay::from_lines(&lines)
}

#[tokio::test]
async fn a_state_of_another_type_is_reported_with_its_place_and_the_turn_continues() {
    let replay = replaying(json!([
        { "type": "STATE_SNAPSHOT", "snapshot": { "items": [{ "name": "rice", "count": 1 }] } },
        { "type": "STATE_DELTA", "delta": [{ "op": "replace", "path": "/items/0/count", "value": "many" }] },
        { "type": "STATE_DELTA", "delta": [{ "op": "replace", "path": "/items/0/count", "value": 2 }] },
    ]));
    let mut session: Session<List> = Session::new(replay);
    assert_eq!(session.state(), Ok(None), "an empty object is no state");
    let mut seen = Vec::new();
    let mut turn = session.start();
    while in_time(turn.next()).await.unwrap().is_some() {
        let state = turn.session().state();
        seen.push(state.map(|list| list.map(|list| list.items[0].count)).map_err(|error| error.path));
    }
    assert_eq!(seen, [Ok(None), Ok(Some(1)), Err("items[0].count".to_owned()), Ok(Some(2))]);
}

#[tokio::test]
async fn the_state_of_this_side_goes_with_the_input() {
    let mut session: Session<List> = Session::new(LocalAgent::new(Keeper::new()));
    let mine = List { items: vec![Item { name: "mine".to_owned(), count: 7 }], note: None };
    session.set_state(serde_json::to_value(&mine).unwrap());
    assert_eq!(session.state().unwrap(), Some(&mine));
    in_time(session.run()).await.unwrap();
    let names: Vec<_> =
        session.state().unwrap().unwrap().items.iter().map(|item| item.name.clone()).collect();
    assert!(names.len() == 41 && names.contains(&"mine".to_owned()), "{names:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_takes_its_turns_on_any_thread() {
    let mut session: Session<List> = Session::new(LocalAgent::new(Keeper::new()));
    let taken = tokio::spawn(async move {
        let done = session.run().await;
        done.map(|done| (done.runs, session))
    });
    let (runs, session) = in_time(taken).await.unwrap().unwrap();
    assert_eq!((runs, session.state().unwrap().unwrap().items.len()), (1, 40));
}

//! Flushes that do not reach the client: nothing of them is lost.

use agui_runtime::events::ActivityError;
use agui_runtime::prelude::*;
use agui_runtime::protocol::Event;
use agui_runtime::state::StateError;
use agui_runtime::testing;
use futures::executor::block_on;
use schemars::JsonSchema;
use serde::ser::SerializeStruct;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Value, json};

/// Raw text, as serde_json's own type for that: it is checked only when the event is made.
#[derive(Deserialize, JsonSchema, Debug, Clone, PartialEq)]
#[serde(from = "Value")]
#[schemars(with = "Value")]
struct Raw(String);

impl Serialize for Raw {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        const NAME: &str = "$serde_json::private::RawValue";
        let mut raw = out.serialize_struct(NAME, 1)?;
        raw.serialize_field(NAME, &self.0)?;
        raw.end()
    }
}

impl From<Value> for Raw {
    fn from(value: Value) -> Self {
        Self(value.to_string())
    }
}

#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone, Copy, PartialEq)]
enum Level {
    Low,
    #[serde(skip)]
    Unknown,
}

#[derive(Activity, Serialize, Deserialize, JsonSchema, Debug, Clone)]
#[activity(type = "DOC")]
struct Doc {
    text: String,
    n: u8,
    #[state(opaque)]
    raw: Raw,
    level: Level,
}

impl Doc {
    fn new() -> Self {
        let text = "long enough for one member to be shorter than half of the whole of it".to_owned();
        Self { text, n: 0, raw: Raw("1".to_owned()), level: Level::Low }
    }

    /// Makes the state fail in one of two ways: serde_json refuses it, or only the event refuses it.
    fn breaks(&mut self, way: usize) {
        match way {
            0 => self.level = Level::Unknown,
            1 => self.raw = Raw("{".to_owned()),
            _ => self.raw = Raw(String::new()),
        }
    }

    fn mends(&mut self) {
        (self.raw, self.level) = (Raw("2".to_owned()), Level::Low);
    }
}

const WAYS: usize = 3;

/// The updates that a client of the run or the activity sees: whole documents, or changes.
fn updates(events: &[Event]) -> Vec<Value> {
    let update = |event: &Event| match event {
        Event::StateSnapshot(event) => Some(json!(event.snapshot)),
        Event::StateDelta(event) => Some(json!(event.delta)),
        Event::ActivitySnapshot(event) => Some(json!(event.content)),
        Event::ActivityDelta(event) => Some(json!(event.patch)),
        _ => None,
    };
    events.iter().filter_map(update).collect()
}

fn whole(n: u8, raw: u8) -> Value {
    json!({ "text": Doc::new().text, "n": n, "raw": raw, "level": "Low" })
}

fn expected() -> Vec<Value> {
    vec![whole(0, 1), whole(1, 2), json!([{ "op": "add", "path": "/n", "value": 2 }])]
}

/// Keeps a document that sometimes cannot be sent.
#[agent(state = Doc)]
async fn keeper(run: &mut Run<Keeper>, _input: Input<Keeper>, way: &usize) -> Result<(), Stop> {
    let state = run.state().snapshot(&Doc::new()).await?;
    let failed = state.update(|doc| {
        doc.n = 1;
        doc.breaks(*way);
    });
    assert!(matches!(failed.await, Err(StateError::Json(_))));
    state.update(Doc::mends).await?;
    state.update(|doc| doc.n = 2).await?;
    Ok(())
}

#[test]
fn the_next_update_sends_a_change_that_failed() {
    for way in 0..WAYS {
        let events = block_on(testing::run(Keeper::new(way), testing::input("Hi")));
        assert_eq!(updates(&events), expected(), "way {way}");
    }
}

/// Resends the whole while it cannot be sent.
#[agent(state = Doc)]
async fn resender(run: &mut Run<Resender>, _input: Input<Resender>, way: &usize) -> Result<(), Stop> {
    let state = run.state().snapshot(&Doc::new()).await?;
    let failed = state.update(|doc| {
        doc.n = 1;
        doc.breaks(*way);
    });
    assert!(matches!(failed.await, Err(StateError::Json(_))));
    for _ in 0..2 {
        assert!(matches!(state.resend().await, Err(StateError::Json(_))));
    }
    state.update(Doc::mends).await?;
    state.update(|doc| doc.n = 2).await?;
    Ok(())
}

#[test]
fn the_next_update_sends_a_whole_state_that_failed() {
    for way in 0..WAYS {
        let events = block_on(testing::run(Resender::new(way), testing::input("Hi")));
        assert_eq!(updates(&events), expected(), "way {way}");
    }
}

/// Shows a document that sometimes cannot be sent.
#[agent(activities = [Doc])]
async fn shower(run: &mut Run<Shower>, _input: Input<Shower>, way: &usize) -> Result<(), Stop> {
    let mut shown = run.activity(Doc::new()).await?;
    let failed = shown.update(|doc| {
        doc.n = 1;
        doc.breaks(*way);
    });
    assert!(matches!(failed.await, Err(ActivityError::Json { .. })));
    shown.update(Doc::mends).await?;
    shown.update(|doc| doc.n = 2).await?;
    Ok(())
}

#[test]
fn the_next_change_sends_an_activity_that_failed() {
    for way in 0..WAYS {
        let events = block_on(testing::run(Shower::new(way), testing::input("Hi")));
        assert_eq!(updates(&events), expected(), "way {way}");
    }
}

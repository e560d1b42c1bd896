//! Whole runs: after any event, a client holds the state of that moment.

use std::fmt::Debug;

use agui_proofs::patching::{document, same_json};
use agui_proofs::zoo::{Sample, Source};
use agui_proofs::{for_each_of_the_zoo, zoo};
use agui_runtime::manifest::AgentSource;
use agui_runtime::prelude::*;
use agui_runtime::protocol::Event;
use agui_runtime::state::StateError;
use agui_runtime::{FinishedRun, RunOptions, testing};
use futures::executor::block_on;
use serde_json::Value;

use crate::{cases, say};

/// Goes through values: the first is the baseline.
struct Keeper<T>(Vec<T>);

impl<T: State + Sync> Agent for Keeper<T> {
    type State = T;
    type Request = ();
    type Output = ();

    async fn run<'r>(&self, run: &'r mut Run<Self>, _: Input<Self>) -> Result<FinishedRun<'r, ()>, Stop> {
        let state = run.state().snapshot(&self.0[0]).await?;
        for value in &self.0[1..] {
            let written = state.update(|state| state.clone_from(value)).await;
            assert_eq!(written.is_ok(), has_json(value));
            assert!(matches!(written, Ok(()) | Err(StateError::Json(_))));
        }
        Ok(run.finish(()))
    }

    fn source() -> AgentSource {
        AgentSource {
            description: "Goes through values",
            version: "0.0.0",
            rust_path: "state",
            ..AgentSource::new("keeper")
        }
    }
}

fn has_json<T: State>(value: &T) -> bool {
    serde_json::to_string(value).is_ok()
}

fn keeps_up<T: State + Sample + Sync + Debug>(source: &mut Source<'_>, last_snapshot: bool) {
    let mut value = T::sample(source);
    while !has_json(&value) {
        value = T::sample(source);
    }
    let mut values = vec![value.clone()];
    for _ in 0..8 {
        if source.once_in(10) {
            value = T::sample(source);
        }
        value.nudge(source);
        values.push(value.clone());
    }
    // At the end of a run that may be resumed the state is sent whole, so the last one must be writable.
    while !has_json(&value) {
        value = T::sample(source);
        values.push(value.clone());
    }
    let mut moments: Vec<Value> = Vec::new();
    for moment in values.iter().filter(|value| has_json(*value)).map(document) {
        if moments.last().is_none_or(|last| !same_json(last, &moment)) {
            moments.push(moment);
        }
    }

    let options = RunOptions::default().last_snapshot(last_snapshot);
    let events = block_on(testing::run_with(Keeper(values.clone()), testing::input("Hi"), options));
    let mut client = Value::Null;
    let (mut past, mut told, mut deltas) = (0, 0, 0);
    for event in &events {
        match event {
            Event::StateSnapshot(event) => {
                client = serde_json::to_value(&event.snapshot).unwrap();
                deltas = 0;
            }
            Event::StateDelta(event) => {
                let patch = serde_json::to_value(&event.delta).unwrap();
                let patch: json_patch::Patch = serde_json::from_value(patch).unwrap();
                json_patch::patch(&mut client, &patch).unwrap();
                deltas += 1;
            }
            _ => continue,
        }
        told += 1;
        past += usize::from(moments.get(past + 1).is_some_and(|next| same_json(&client, next)));
        assert!(same_json(&client, &moments[past]), "{client} instead of {}: {events:#?}", moments[past]);
    }
    assert_eq!(past, moments.len() - 1, "not everything was told: {events:#?}");
    // No change is sent twice, except for unreadable ones, the last state again on request, and the whole after a
    // change that could not be sent, whatever it is by then.
    let untold = values.iter().filter(|value| !has_json(*value)).count();
    let most = moments.len() + usize::from(last_snapshot) + untold;
    assert!(told <= most || T::CLASHES, "{moments:#?} {events:#?}");
    assert!(!last_snapshot || deltas == 0, "no last snapshot: {events:#?}");
    assert!(matches!(events.last(), Some(Event::RunFinished(_))), "{events:#?}");
}

#[test]
fn every_prefix_leaves_the_client_with_the_state_of_that_moment() {
    type Run = fn(&mut Source<'_>, bool);
    macro_rules! runs {
        ($($ty:ty),* $(,)?) => { [$(keeps_up::<$ty> as Run),*] };
    }
    let runs = for_each_of_the_zoo!(runs);
    let seeds = cases(300).div_ceil(runs.len());
    for seed in 0..seeds as u64 {
        for run in runs {
            run(&mut Source::seeded(9_000 + seed), seed % 2 == 1);
        }
    }
    say(&format!("state: {} whole runs of {} types, every prefix right", seeds * runs.len(), runs.len()));
}

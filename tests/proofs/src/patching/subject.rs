//! The types of the zoo as test subjects, without their type.

use std::fmt::Debug;

use agui_runtime::State;
use agui_runtime::protocol::{JsonPointer, PatchOperation};
use agui_runtime::state::Shadow;
use serde_json::Value;

use super::{Flush, Session, document, same_json};
use crate::for_each_of_the_zoo;
use crate::zoo::{self, Sample, Source};

/// A type of the zoo, and its tests.
#[derive(Debug, Clone, Copy)]
pub struct Subject {
    /// The name.
    pub name: &'static str,
    /// From one value to an unrelated one.
    pub pair: fn(&mut Source<'_>, &mut Source<'_>) -> Flush,
    /// From one value to a similar one.
    pub nudge: fn(&mut Source<'_>) -> Flush,
    /// Applies the operations between two values, and between a value and a similar one, to the typed value.
    pub apply: fn(&mut Source<'_>),
    /// Through a number of values, each slightly different from the one before.
    pub sequence: fn(&mut Source<'_>, usize) -> Vec<Flush>,
}

impl Subject {
    fn of<T: State + Sample + Debug>(name: &'static str) -> Self {
        Self { name, pair: pair::<T>, nudge: nudge::<T>, apply: apply::<T>, sequence: sequence::<T> }
    }
}

/// A first value. A value without a JSON form cannot be the first.
fn start<T: State + Sample + Debug>(source: &mut Source<'_>) -> (T, Session<T>) {
    let value = loop {
        let value = T::sample(source);
        if serde_json::to_string(&value).is_ok() {
            break value;
        }
        assert!(Shadow::start(&value).is_err(), "{value:?}");
    };
    let session = Session::new(&value).clashes(T::CLASHES);
    (value, session)
}

fn pair<T: State + Sample + Debug>(old: &mut Source<'_>, now: &mut Source<'_>) -> Flush {
    start::<T>(old).1.flush(&T::sample(now))
}

fn nudge<T: State + Sample + Debug>(source: &mut Source<'_>) -> Flush {
    let (mut value, mut session) = start::<T>(source);
    value.nudge(source);
    session.flush(&value)
}

fn apply<T: State + Sample + Debug>(source: &mut Source<'_>) {
    let old = T::sample(source);
    let mut now = if source.once_in(3) { T::sample(source) } else { old.clone() };
    now.nudge(source);
    let Ok(expected) = serde_json::from_value::<T>(document(&now)) else { return };
    let Ok(mut applied) = serde_json::from_value::<T>(document(&old)) else { return };
    if !same_json(&document(&applied), &document(&old)) {
        // serde reads another value than it wrote, so the operations have no document.
        return;
    }
    let flush = Session::new(&old).clashes(T::CLASHES).flush(&now);
    let context = || format!("\nfrom {old:?}\n  to {now:?}\npatch {}", flush.patch);
    let mut ops: Vec<PatchOperation> =
        serde_json::from_str(&flush.patch).unwrap_or_else(|cause| panic!("{cause}{}", context()));
    ops.push(PatchOperation::test(JsonPointer::root().child("no such member"), Value::Null));
    let error = agui_runtime::state::apply(&mut applied, &ops)
        .map_or_else(|error| error.to_string(), |()| String::new());
    assert!(error.starts_with(&format!("operation {} does not apply", flush.ops)), "{error}{}", context());
    assert!(same_json(&document(&applied), &flush.before), "all or none: {applied:?}{}", context());

    ops.pop();
    agui_runtime::state::apply(&mut applied, &ops).unwrap_or_else(|cause| panic!("{cause}{}", context()));
    assert!(same_json(&document(&applied), &document(&expected)), "gives {applied:?}{}", context());

    let mut again: T = serde_json::from_value(document(&old)).unwrap();
    let ops = agui_runtime::state::diff(&old, &now).unwrap_or_else(|cause| panic!("{cause}{}", context()));
    agui_runtime::state::apply(&mut again, &ops)
        .unwrap_or_else(|cause| panic!("{cause}: {ops:?}{}", context()));
    assert!(same_json(&document(&again), &document(&expected)), "diff gives {again:?}{}", context());
}

fn sequence<T: State + Sample + Debug>(source: &mut Source<'_>, steps: usize) -> Vec<Flush> {
    let (mut value, mut session) = start::<T>(source);
    let step = |_| {
        // A turn makes several changes, or sometimes replaces everything.
        if source.once_in(30) {
            value = T::sample(source);
        }
        for _ in 0..source.below(4) {
            value.nudge(source);
        }
        session.flush(&value)
    };
    (0..steps).map(step).collect()
}

/// Every type of the zoo.
#[must_use]
pub fn subjects() -> Vec<Subject> {
    macro_rules! all {
        ($($ty:ty),* $(,)?) => { vec![$(Subject::of::<$ty>(stringify!($ty))),*] };
    }
    for_each_of_the_zoo!(all)
}

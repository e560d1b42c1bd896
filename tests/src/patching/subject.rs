//! The types of the zoo as things to test, without their type.

use std::fmt::Debug;

use agui_runtime::State;
use serde_json::Value;

use super::{Flush, Session};
use crate::zoo::{self, Sample, Source};

/// A type of the zoo, and what can be tested of it.
#[derive(Debug, Clone, Copy)]
pub struct Subject {
    /// What it is called.
    pub name: &'static str,
    /// From one value to another that has nothing to do with it.
    pub pair: fn(&mut Source<'_>, &mut Source<'_>) -> Flush,
    /// From one value to one that differs a little.
    pub nudge: fn(&mut Source<'_>) -> Flush,
    /// Through as many values, each a little different from the one before.
    pub sequence: fn(&mut Source<'_>, usize) -> Vec<Flush>,
}

impl Subject {
    fn of<T: State + Sample + Debug>(name: &'static str) -> Self {
        Self { name, pair: pair::<T>, nudge: nudge::<T>, sequence: sequence::<T> }
    }
}

fn pair<T: State + Sample + Debug>(old: &mut Source<'_>, now: &mut Source<'_>) -> Flush {
    Session::new(&T::sample(old)).flush(&T::sample(now))
}

fn nudge<T: State + Sample + Debug>(source: &mut Source<'_>) -> Flush {
    let mut value = T::sample(source);
    let mut session = Session::new(&value);
    value.nudge(source);
    session.flush(&value)
}

fn sequence<T: State + Sample + Debug>(source: &mut Source<'_>, steps: usize) -> Vec<Flush> {
    let mut value = T::sample(source);
    let mut session = Session::new(&value);
    let step = |_| {
        // A turn does several things, or now and then replaces everything.
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
    all!(
        zoo::Plain,
        zoo::Presence,
        zoo::Wrapper,
        zoo::Transparent,
        zoo::Point,
        zoo::Marker,
        zoo::Generic<zoo::Plain>,
        zoo::Generic<Option<zoo::External>>,
        zoo::Paint,
        zoo::External,
        zoo::Internal,
        zoo::Adjacent,
        zoo::Untagged,
        zoo::FlatStruct,
        zoo::FlatMap,
        zoo::FlatOption,
        zoo::FlatEnum,
        zoo::Lists,
        zoo::Maps,
        zoo::Odd,
        zoo::Numbers,
        zoo::Opaques,
        zoo::Pointers,
        zoo::Node,
        zoo::Zoo,
        Value,
        Vec<u8>,
        Vec<zoo::Card>,
        Vec<zoo::Row>,
        Option<Option<zoo::Internal>>,
    )
}

//! Order rule tests.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "tests")]

mod client;
mod events;
mod laws;
mod producer;
mod spec;

use super::{OrderError, OrderRule, OrderStrictness, OrderVerifier};
use crate::protocol::Event;

/// Asserts that the last event in `events` breaks `rule` and no earlier event does, that stricter levels give the same verdict,
/// and that less strict levels accept all events.
#[track_caller]
fn breaks(rule: OrderRule, events: &[Event]) -> OrderError {
    breaks_for(&|verifier| verifier, rule, events)
}

#[track_caller]
fn breaks_for(
    setup: &dyn Fn(OrderVerifier) -> OrderVerifier,
    rule: OrderRule,
    events: &[Event],
) -> OrderError {
    let levels = [OrderStrictness::Client, OrderStrictness::Spec, OrderStrictness::Producer];
    let mut error = None;
    for level in levels {
        let mut verifier = setup(OrderVerifier::with_strictness(level));
        let (last, before) = events.split_last().unwrap();
        for event in before {
            assert_eq!(verifier.check(event), Ok(()), "{level:?}");
        }
        let same = verifier.clone();
        let verdict = verifier.check(last);
        if level < rule.strictness() {
            assert_eq!(verdict, Ok(()), "{level:?}");
            continue;
        }
        let refused = verdict.unwrap_err();
        assert_eq!((refused.rule(), refused.index()), (rule, before.len()), "{level:?}: {refused}");
        assert_eq!(refused.event_type(), Some(last.event_type()));
        assert!(refused.to_string().contains(rule.sentence()), "{refused}");
        assert_eq!(verifier, same, "a refused event changes nothing");
        error = Some(refused);
    }
    error.unwrap()
}

/// Asserts that every level accepts all `events`, and that a producer may stop there.
#[track_caller]
fn fine(events: &[Event]) {
    fine_for(&|verifier| verifier, events);
}

#[track_caller]
fn fine_for(setup: &dyn Fn(OrderVerifier) -> OrderVerifier, events: &[Event]) {
    for level in [OrderStrictness::Client, OrderStrictness::Spec, OrderStrictness::Producer] {
        let mut verifier = setup(OrderVerifier::with_strictness(level));
        if let Err(error) = verifier.check_all(events) {
            panic!("{level:?}: {error}");
        }
    }
}

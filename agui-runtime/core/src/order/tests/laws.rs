//! Properties that hold for all rules and every verifier.

use std::collections::{BTreeSet, HashSet};

use super::events::*;
use crate::order::{OrderRule, OrderStrictness, OrderVerifier};
use crate::protocol::Event;

fn after(events: &[Event]) -> OrderVerifier {
    let mut verifier = OrderVerifier::producer();
    events.iter().for_each(|event| verifier.check(event).unwrap());
    verifier
}

#[test]
fn codes_are_distinct_and_name_their_level() {
    let codes: BTreeSet<&str> = OrderRule::ALL.iter().map(|rule| rule.code()).collect();
    assert_eq!(codes.len(), OrderRule::ALL.len());
    for rule in OrderRule::ALL {
        let prefix = match rule.strictness() {
            OrderStrictness::Client => "V_",
            OrderStrictness::Spec => "SPEC_",
            OrderStrictness::Producer => "PRODUCER_",
        };
        assert!(rule.code().starts_with(prefix), "{rule}");
        assert_eq!(OrderRule::from_code(rule.code()), Some(*rule));
    }
    assert_eq!(OrderRule::from_code("V_NOTHING"), None);
}

#[test]
fn verifiers_with_the_same_verdicts_are_equal() {
    // The same state by another path, at another time.
    let short = after(&[start(), text("a"), end_text("a"), text("b"), end_text("b"), text("b"), text("a")]);
    let long = after(&[start(), text("b"), end_text("b"), text("a"), push("a"), text("b")]);
    assert_eq!(short, long);
    assert_eq!(HashSet::from([short, long]).len(), 1);

    let base = after(&[start(), text("a")]);
    let others = [
        after(&[start()]),
        after(&[start(), text("b")]),
        after(&[start(), by("s", text("a"))]),
        after(&[start(), text("a"), end_text("a")]),
        after(&[start(), text("a"), step("a")]),
        after(&[start(), text("a"), call("a")]),
        after(&[start_of("t", "other"), text("a")]),
        after(&[start(), text("a"), fail()]),
        OrderVerifier::new(),
        OrderVerifier::producer(),
    ];
    let all: HashSet<OrderVerifier> = others.into_iter().chain([base]).collect();
    assert_eq!(all.len(), 11);
}

#[test]
fn the_order_of_unanswered_calls_counts() {
    let calls =
        |first, second| after(&[start(), call(first), end_call(first), call(second), end_call(second)]);
    assert_ne!(calls("a", "b"), calls("b", "a"));
    let later = after(&[start(), call("x"), end_call("x"), result("x"), call("a"), end_call("a")]);
    let earlier = after(&[start(), call("a"), end_call("a"), call("x"), end_call("x"), result("x")]);
    assert_eq!(later, earlier);
}

#[test]
fn at_client_strictness_a_run_leaves_no_state() {
    let mut verifier = OrderVerifier::new();
    let events =
        [start(), by("a", text("m")), by("a", end_text("m")), subagent("s"), end_subagent("s"), finish()];
    events.iter().for_each(|event| verifier.check(event).unwrap());
    let mut fresh = OrderVerifier::new();
    [start(), finish()].iter().for_each(|event| fresh.check(event).unwrap());
    assert_eq!(verifier, fresh);
}

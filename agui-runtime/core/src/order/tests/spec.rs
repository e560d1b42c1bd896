//! The specification's rules for runs, one by one.

use super::events::*;
use super::{breaks, breaks_for, fine, fine_for};
use crate::order::{OrderRule, OrderStrictness, OrderVerifier};
use crate::protocol::{Interrupt, InterruptList, RunAgentInput, RunFinishedInterruptOutcome};

#[test]
fn a_run_finishes_under_its_own_ids() {
    let error = breaks(OrderRule::RunIdMismatch, &[start(), finish_of("t", "other")]);
    assert_eq!(error.id(), Some("other"));
    assert!(error.to_string().ends_with("(expected `r`)"), "{error}");
    breaks(OrderRule::ThreadIdMismatch, &[start(), finish_of("other", "r")]);
    breaks(OrderRule::RunIdMismatch, &[start(), finish(), start_of("t", "r2"), finish()]);
}

#[test]
fn the_runs_of_a_stream_share_a_thread_and_have_different_ids() {
    breaks(OrderRule::ThreadChanged, &[start(), finish(), start_of("other", "r2")]);
    breaks(OrderRule::RunIdReused, &[start(), fail(), start()]);
    fine(&[start(), finish(), start_of("t", "r2"), finish_of("t", "r2")]);
}

#[test]
fn the_first_run_has_the_requested_ids() {
    let input = RunAgentInput::new("t", "r", []);
    let answering = |verifier: OrderVerifier| verifier.for_input(&input);
    breaks_for(&answering, OrderRule::NotTheRequest, &[start_of("t", "other")]);
    breaks_for(&answering, OrderRule::NotTheRequest, &[start_of("other", "r")]);
    breaks_for(&answering, OrderRule::NotTheRequest, &[fail(), start_of("other", "r")]);
    fine_for(&answering, &[start(), finish(), start_of("t", "r2"), finish_of("t", "r2")]);
}

#[test]
fn interrupts_of_a_run_have_different_ids() {
    let interrupts = |ids: [&str; 2]| {
        let mut interrupts = InterruptList::from(Interrupt::new(ids[0], "why"));
        interrupts.push(Interrupt::new(ids[1], "why"));
        finish_as(RunFinishedInterruptOutcome::new(interrupts))
    };
    let error = breaks(OrderRule::DuplicateInterrupt, &[start(), interrupts(["i", "i"])]);
    assert_eq!(error.id(), Some("i"));
    fine(&[start(), interrupts(["i", "j"])]);
}

#[test]
fn a_stream_that_stops_in_a_run_is_truncated() {
    for events in [&[][..], &[start()], &[start(), finish(), start_of("t", "r2")]] {
        assert_eq!(OrderVerifier::new().check_all(events), Ok(()));
        for level in [OrderStrictness::Spec, OrderStrictness::Producer] {
            let error = OrderVerifier::with_strictness(level).check_all(events).unwrap_err();
            assert_eq!(
                (error.rule(), error.event_type(), error.index()),
                (OrderRule::Truncated, None, events.len())
            );
            assert!(error.to_string().starts_with(&format!("after {} events: ", events.len())), "{error}");
        }
    }
    fine(&[start(), finish()]);
    fine(&[start(), fail()]);
    fine(&[start(), finish(), fail()]);
}

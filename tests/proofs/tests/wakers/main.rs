//! The hub's wakers under loom: no waiting task is forgotten, whatever the threads' order.
//!
//! `AGUI_WAKER_PREEMPTIONS` sets how often a thread may be interrupted where it need not wait, 2 by default; with `all`
//! there is no bound. The sources are the runtime's own, with loom's lock in the place of the real one; beside them
//! stands the copy with the mutants of the kernel's test. The mutants that forget a waker must be found.

mod forgetful;
#[path = "../kernel/site.rs"]
mod site;
#[path = "../kernel/switch.rs"]
mod switch;

use std::io::Write as _;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use agui_runtime::{json, protocol};

use forgetful::FORGETFUL;
use site::number_of;

#[path = "../../../../agui-runtime/core/src/random.rs"]
#[allow(dead_code, reason = "the ids of the kernel need one function of it")]
mod random;

include!(concat!(env!("OUT_DIR"), "/wakers.rs"));

/// Returns the number of orders of the threads, with a mutant or without one.
fn explore(scenario: fn(), mutant: usize) -> usize {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = match std::env::var("AGUI_WAKER_PREEMPTIONS") {
        Ok(all) if all == "all" => None,
        Ok(bound) => Some(bound.parse().expect("AGUI_WAKER_PREEMPTIONS is a number, or `all`")),
        Err(_) => Some(2),
    };
    let orders = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&orders);
    model.check(move || {
        counted.fetch_add(1, Ordering::Relaxed);
        switch::choose(mutant);
        scenario();
    });
    orders.load(Ordering::Relaxed)
}

/// Prints a line of a passing test, which libtest would swallow.
fn say(line: &str) {
    std::io::stderr().write_all(format!("{line}\n").as_bytes()).expect("there is somebody to tell");
}

#[test]
fn no_waiting_task_is_forgotten() {
    for (name, scenario) in original::scenarios::SCENARIOS {
        let begun = Instant::now();
        let orders = explore(*scenario, 0);
        say(&format!("wakers: {name}: {orders} orders, no deadlock, {:.1?}", begun.elapsed()));
    }
}

/// A mutant and the number of a scenario: the task of one process.
const LOOK_AT: &str = "AGUI_WAKER_LOOK_AT";

/// In processes of their own, because loom cannot unwind out of a deadlock with wakers that take the lock when they are
/// dropped.
#[test]
fn every_forgotten_waker_is_found() {
    if let Ok(place) = std::env::var(LOOK_AT) {
        let (mutant, scenario) = place.split_once('/').expect("a mutant and a scenario");
        let [mutant, scenario] = [mutant, scenario].map(|number| number.parse::<usize>().expect("a number"));
        explore(mutated::scenarios::SCENARIOS[scenario].1, mutant);
        return;
    }
    for (name, function, operator, ordinal) in FORGETFUL {
        let mutant = number_of(function, operator, *ordinal);
        let mutant = mutant.unwrap_or_else(|| panic!("there is no mutant {function}: {operator}, {ordinal}"));
        let scenarios = mutated::scenarios::SCENARIOS.iter().enumerate();
        let found = scenarios.into_iter().find(|(scenario, _)| deadlocks(mutant, *scenario));
        match found {
            Some((_, (scenario, _))) => say(&format!("wakers: {name}: found by \"{scenario}\"")),
            None => panic!("{name} was not found"),
        }
    }
}

fn deadlocks(mutant: usize, number: usize) -> bool {
    let looked = Command::new(std::env::current_exe().expect("this test is a program"))
        .args(["--exact", "every_forgotten_waker_is_found", "--nocapture"])
        .env(LOOK_AT, format!("{mutant}/{number}"))
        .output()
        .expect("it can be run again");
    let said = String::from_utf8_lossy(&looked.stderr);
    assert!(looked.status.success() || said.contains("deadlock"), "{mutant}, scenario {number}: {said}");
    !looked.status.success()
}

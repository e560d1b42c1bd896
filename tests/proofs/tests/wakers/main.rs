//! The hub's wakers under loom: nobody who waits is forgotten, whatever the threads' order.
//!
//! `AGUI_WAKER_PREEMPTIONS` sets how often a thread may be interrupted where it need not wait, 2 when not said; with `all` there is
//! no bound. The sources are the runtime's own, with loom's lock in the place of the real one; beside them stand the mutants of the
//! kernel's test that forget a waker, each of which must be found.

use std::io::Write as _;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use agui_runtime::{manifest, protocol};

/// What each does, and how.
type Scenarios = &'static [(&'static str, fn())];

include!(concat!(env!("OUT_DIR"), "/wakers.rs"));

/// Gives how many orders of the threads there are.
fn explore(scenario: fn()) -> usize {
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
        scenario();
    });
    orders.load(Ordering::Relaxed)
}

/// Says something of a passing test, which libtest would swallow.
fn say(line: &str) {
    std::io::stderr().write_all(format!("{line}\n").as_bytes()).expect("there is somebody to tell");
}

#[test]
fn nobody_is_forgotten() {
    for (name, scenario) in original::scenarios::SCENARIOS {
        let begun = Instant::now();
        let orders = explore(*scenario);
        say(&format!("wakers: {name}: {orders} orders, no deadlock, {:.1?}", begun.elapsed()));
    }
}

/// A mutant and the number of a scenario: what a process of its own looks at.
const LOOK_AT: &str = "AGUI_WAKER_LOOK_AT";

/// In processes of their own, for loom cannot unwind out of a deadlock with wakers that take the lock when they are dropped.
#[test]
fn every_forgotten_waker_is_found() {
    if let Ok(place) = std::env::var(LOOK_AT) {
        let (mutant, number) = place.split_once('/').expect("a mutant and a number");
        let (_, scenarios) = MUTANTS.iter().find(|(name, _)| *name == mutant).expect("a mutant");
        explore(scenarios[number.parse::<usize>().expect("a number")].1);
        return;
    }
    for (mutant, scenarios) in MUTANTS {
        let found = scenarios.iter().enumerate().find(|(number, _)| deadlocks(mutant, *number));
        match found {
            Some((_, (name, _))) => say(&format!("wakers: {mutant}: found by \"{name}\"")),
            None => panic!("{mutant} was not found"),
        }
    }
}

fn deadlocks(mutant: &str, number: usize) -> bool {
    let looked = Command::new(std::env::current_exe().expect("this test is a program"))
        .args(["--exact", "every_forgotten_waker_is_found", "--nocapture"])
        .env(LOOK_AT, format!("{mutant}/{number}"))
        .output()
        .expect("it can be run again");
    let said = String::from_utf8_lossy(&looked.stderr);
    assert!(looked.status.success() || said.contains("deadlock"), "{mutant}, scenario {number}: {said}");
    !looked.status.success()
}

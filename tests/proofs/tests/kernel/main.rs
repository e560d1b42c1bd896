//! The kernel and the hub, taken from their sources: every state visited, every rule tested, every mutant killed.
//!
//! `AGUI_KERNEL_SPANS` sets how many spans may be open at once in the search, 3 when not said. The build script puts the sources
//! into one module as they are and into one with all mutants, each with the tests of the rules beside it.

mod equivalent;
#[path = "../wakers/forgetful.rs"]
mod forgetful;
mod mutants;
mod seeded;
mod site;
mod switch;

use agui_runtime::{json, protocol};

#[path = "../../../../agui-runtime/core/src/random.rs"]
#[allow(dead_code, reason = "the ids of the kernel need one function of it")]
mod random;

use original::Peer;
use original::explore::{Menu, Visited, explore};

include!(concat!(env!("OUT_DIR"), "/variants.rs"));

fn spans() -> usize {
    std::env::var("AGUI_KERNEL_SPANS")
        .map_or(3, |spans| spans.parse().expect("AGUI_KERNEL_SPANS is a number"))
}

#[test]
fn every_reachable_state_is_legal() {
    let spans = spans();
    let search = |menu, peer, spans| match explore(spans, peer, menu) {
        Ok(Visited { states, transitions }) => {
            println!(
                "kernel x verifier, {menu:?}, {peer:?} peer, up to {spans} open spans: {states} states, {transitions} \
                 transitions, closed"
            );
            assert!(states > 20 * spans, "the search went nowhere");
        }
        Err(path) => panic!("{path}"),
    };
    std::thread::scope(|scope| {
        scope.spawn(|| search(Menu::Plain, Peer::CURRENT, spans));
        scope.spawn(|| {
            search(Menu::Receipts, Peer::CURRENT, spans - 1);
            search(Menu::Foreign, Peer::CURRENT, spans - 1);
            search(Menu::Plain, Peer::Legacy, spans - 1);
        });
    });
}

#[test]
fn every_rule_holds() {
    for (rule, name, check) in original::rules::RULES {
        println!("rule {rule}: {name}");
        check();
    }
    for rule in 1..=11 {
        assert!(original::rules::RULES.iter().any(|(number, ..)| *number == rule), "rule {rule} has no test");
    }
}

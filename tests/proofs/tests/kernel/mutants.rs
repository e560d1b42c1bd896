//! Every mutant of the kernel, and whether a check kills it: the tests of the rules, and where none of them does, the search through
//! all states, with one open span. With `AGUI_MUTANT_SPANS`, that many spans may be open, and mutants that are listed as equivalent
//! are searched, too.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{panic, thread};

use crate::equivalent::EQUIVALENT;
use crate::forgetful::FORGETFUL;
use crate::mutated::kill::{rule_broken, state_broken};
use crate::seeded::SEEDED;
use crate::site::{SITES, number_of};

// The names of the changes that no operator makes.
include!(concat!(env!("OUT_DIR"), "/rewrites.rs"));

/// DueWakes a function with each number below `all`, on as many threads as there are processors.
fn on_all_processors<T: Send>(all: usize, act: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::with_capacity(all)));
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= all {
                return;
            }
            let result = act(number);
            done.lock().unwrap().push((number, result));
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    let mut done = done.into_inner().unwrap();
    done.sort_by_key(|(number, _)| *number);
    done.into_iter().map(|(_, result)| result).collect()
}

/// Runs `act` without the output of panics: a panic is a mutant that is killed.
fn in_silence<T>(act: impl FnOnce() -> T) -> T {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _held = ONE_AT_A_TIME.lock().unwrap();
    let loud = panic::take_hook();
    panic::set_hook(Box::new(|_| {}));
    let done = act();
    panic::set_hook(loud);
    done
}

/// The numbers of mutants that a table names; a row that names none fails.
fn numbers(rows: impl Iterator<Item = (&'static str, &'static str, usize)>) -> BTreeSet<usize> {
    let number = |(function, operator, ordinal): (&str, &str, usize)| {
        number_of(function, operator, ordinal)
            .unwrap_or_else(|| panic!("there is no mutant {function}: {operator}, {ordinal}"))
    };
    rows.map(number).collect()
}

#[test]
fn every_mutant_is_killed() {
    let spans = std::env::var("AGUI_MUTANT_SPANS").ok();
    let spans = spans.map(|spans| spans.parse().expect("AGUI_MUTANT_SPANS is a number"));
    let equivalent = numbers(EQUIVALENT.iter().map(|same| (same.function, same.operator, same.ordinal)));
    let forgetful =
        numbers(FORGETFUL.iter().map(|(_, function, operator, ordinal)| (*function, *operator, *ordinal)));
    assert!(EQUIVALENT.iter().all(|same| !same.reason.is_empty()));
    let killers = in_silence(|| {
        on_all_processors(SITES.len(), |place| {
            let number = place + 1;
            let rule = rule_broken(number, |_| true);
            let killer = rule.map(|(rule, name)| format!("the test of rule {rule}, \"{name}\""));
            let is_listed = equivalent.contains(&number) || forgetful.contains(&number);
            killer.or_else(|| {
                let spans = spans.or(if is_listed { None } else { Some(1) })?;
                state_broken(number, spans).map(|menu| format!("the search, {menu:?}"))
            })
        })
    });
    let (mut wrong, mut killed) = (Vec::new(), 0);
    for (place, (site, killer)) in SITES.iter().zip(&killers).enumerate() {
        let number = place + 1;
        match killer {
            Some(killer) if equivalent.contains(&number) => {
                wrong.push(format!("{site}: is not equivalent, but killed by {killer}"));
            }
            Some(killer) => {
                println!("{site}: killed by {killer}");
                killed += 1;
            }
            // The test of the wakers kills these.
            None if equivalent.contains(&number) || forgetful.contains(&number) => {}
            None => wrong.push(format!("{site}: survived")),
        }
    }
    println!("{} mutants, {killed} killed, {} equivalent", SITES.len(), equivalent.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The table of defects names mutants, and a mutant of a rule is killed by a test of that rule.
#[test]
fn every_rule_has_its_mutants() {
    numbers(SEEDED.iter().map(|seeded| (seeded.function, seeded.operator, seeded.ordinal)));
    for rule in 1..=11 {
        assert!(SEEDED.iter().any(|seeded| seeded.rule == rule), "rule {rule} has no mutant");
    }
    for name in REWRITES {
        let places = SITES.iter().filter(|site| site.operator == *name).count();
        assert_eq!(places, 1, "what `{name}` rewrites stands {places} times in its function");
        assert!(SEEDED.iter().any(|seeded| seeded.name == *name), "`{name}` has no rule");
    }
    let killers = in_silence(|| {
        on_all_processors(SEEDED.len(), |place| {
            let seeded = &SEEDED[place];
            let number =
                number_of(seeded.function, seeded.operator, seeded.ordinal).expect("it was found before");
            rule_broken(number, |rule| seeded.rule == 0 || rule == seeded.rule)
        })
    });
    let survivors: Vec<_> = SEEDED
        .iter()
        .zip(&killers)
        .filter(|(_, killer)| killer.is_none())
        .map(|(seeded, _)| format!("rule {}: {}", seeded.rule, seeded.name))
        .collect();
    assert!(survivors.is_empty(), "survived: {survivors:?}");
}

/// A run of all checks with no mutant chosen: the copy behaves as the kernel does.
#[test]
fn without_a_mutant_nothing_fails() {
    assert_eq!(rule_broken(0, |_| true), None);
    assert!(state_broken(0, 1).is_none());
}

//! Runs the checks on one copy of the kernel, and tells which one fails.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::Peer;
use super::explore::{Menu, explore};
use super::rules::RULES;

/// The first test of a rule that fails, if any.
pub fn rule_broken(number: usize, is_asked: impl Fn(u8) -> bool) -> Option<(u8, &'static str)> {
    let mut asked = RULES.iter().filter(|(rule, ..)| is_asked(*rule));
    let killer = asked.find(|(.., check)| {
        crate::switch::choose(number);
        catch_unwind(AssertUnwindSafe(check)).is_err()
    });
    killer.map(|(rule, name, _)| (*rule, *name))
}

/// Returns the menu in which the search through all states with `spans` open spans finds an illegal one, if it does.
pub fn state_broken(number: usize, spans: usize) -> Option<Menu> {
    let searches = [
        (Menu::Plain, Peer::CURRENT),
        (Menu::Receipts, Peer::CURRENT),
        (Menu::Foreign, Peer::CURRENT),
        (Menu::Plain, Peer::Legacy),
    ];
    let found = searches.into_iter().find(|(menu, peer)| {
        crate::switch::choose(number);
        !matches!(catch_unwind(AssertUnwindSafe(|| explore(spans, *peer, *menu))), Ok(Ok(_)))
    });
    found.map(|(menu, _)| menu)
}

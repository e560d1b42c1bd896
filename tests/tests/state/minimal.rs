//! Patches are as small as the best of the peers makes them.
//!
//! `peers.txt` holds what the peers' patches for the same changes come to, so that this needs no peer. It is recorded by
//! `tests/node/clients/peers.mjs` and `tests/python/clients/peers.py`, see there; a line is one change: the length of both
//! documents, to tell that it is still the same change, then bytes and operations of the best patch that was right.

use agui_tests::patching::nudges;

const PEERS: &str = include_str!("peers.txt");

#[derive(Debug, Default)]
struct Total {
    ours: usize,
    theirs: usize,
}

/// No right patch: numbers that JavaScript cannot tell apart, names that the official client's library refuses.
const NONE: usize = 1_000_000_000;

/// Changes for which a peer is smaller by more than 16 bytes, and by how much at most. Values that are opaque to us and
/// not to a peer are half of them, lists in which a key occurs more than once most of the others.
const KNOWN: (usize, usize) = (8, 160);

#[test]
fn no_change_costs_more_than_with_the_best_peer() {
    let peers: Vec<[usize; 5]> = PEERS.lines().filter(|line| !line.starts_with('#')).map(numbers).collect();
    let flushes = nudges(peers.len());
    let mut total = Total::default();
    let mut worse = Vec::new();
    for (i, (flush, [before, after, best, _, fewest])) in flushes.iter().zip(peers).enumerate() {
        let lengths = (flush.before.to_string().len(), flush.after.to_string().len());
        assert_eq!(lengths, (before, after), "change {i} is another one now: record the peers again");
        if best == NONE {
            continue;
        }
        assert!(flush.ops <= fewest, "{i}: {} operations, rfc6902 has {fewest}: {}", flush.ops, flush.patch);
        total.ours += flush.patch.len();
        total.theirs += best;
        if flush.patch.len() > best + 16 {
            worse.push((flush.patch.len() - best, i, flush.patch.clone()));
        }
    }
    worse.sort();
    println!("{total:?}; longer than the best peer's by more than 16 bytes: {}", worse.len());
    let most = worse.last().map_or(0, |(excess, ..)| *excess);
    assert!(worse.len() <= KNOWN.0 && most <= KNOWN.1, "{worse:#?}");
    // Most of these changes are one operation, which nobody can say shorter by more than a few bytes.
    assert!(total.ours * 100 <= total.theirs * 90, "{total:?}");
}

fn numbers(line: &str) -> [usize; 5] {
    let numbers: Vec<usize> = line.split_whitespace().map(|number| number.parse().unwrap()).collect();
    numbers.try_into().unwrap_or_else(|numbers| panic!("{numbers:?}"))
}

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

#[test]
fn no_change_costs_more_than_with_the_best_peer() {
    let mut bytes = Total::default();
    let mut worse = Vec::new();
    let peers: Vec<[usize; 5]> = PEERS.lines().filter(|line| !line.starts_with('#')).map(numbers).collect();
    let flushes = nudges(peers.len());
    for (i, (flush, [before, after, best, ops, fewest])) in flushes.iter().zip(peers).enumerate() {
        let lengths = (flush.before.to_string().len(), flush.after.to_string().len());
        assert_eq!(lengths, (before, after), "change {i} is another one now: record the peers again");
        let _ = ops;
        assert!(flush.ops <= fewest, "{i}: {} operations, rfc6902 has {fewest}: {}", flush.ops, flush.patch);
        bytes.ours += flush.patch.len();
        bytes.theirs += best;
        if flush.patch.len() > best + 16 {
            worse.push((i, flush.patch.len() - best, flush.patch.clone()));
        }
    }
    println!("{bytes:?}, {} above the best peer by more than 16 bytes", worse.len());
    assert!(
        worse.is_empty(),
        "{} of {} are longer: {:#?}",
        worse.len(),
        flushes.len(),
        &worse[..worse.len().min(5)]
    );
    assert!(bytes.ours * 100 <= bytes.theirs * 60, "{bytes:?}");
}

fn numbers(line: &str) -> [usize; 5] {
    let numbers: Vec<usize> = line.split_whitespace().map(|number| number.parse().unwrap()).collect();
    numbers.try_into().unwrap_or_else(|numbers| panic!("{numbers:?}"))
}

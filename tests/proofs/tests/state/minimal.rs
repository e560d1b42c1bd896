//! Patches are as small as the best of the peers'.
//!
//! `peers.txt` holds the size of the peers' patches for the same changes, so that this needs no peer.
//! `tests/node/clients/peers.mjs` and `tests/python/clients/peers.py` record it; a line is one change: the length of
//! both documents, which identifies the change, then bytes and operations of the best right patch.

use agui_proofs::patching::nudges;

const PEERS: &str = include_str!("peers.txt");

#[derive(Debug, Default)]
struct Total {
    ours: usize,
    theirs: usize,
}

/// No right patch: integers that JavaScript cannot tell apart, names that the official client's library refuses.
const NONE: usize = 1_000_000_000;

/// The changes for which a peer is smaller by more than 16 bytes, with the difference and the reason.
const KNOWN: [(usize, usize, &str); 5] = [
    (768, 19, "a value that is opaque to us is sent whole"),
    (823, 21, "a value that is opaque to us is sent whole"),
    (1096, 81, "a key that occurs twice in its list"),
    (2723, 19, "a value that is opaque to us is sent whole"),
    (2808, 17, "a value that is opaque to us is sent whole"),
];

#[test]
fn no_change_costs_more_than_with_the_best_peer() {
    let peers: Vec<[usize; 5]> = PEERS.lines().filter(|line| !line.starts_with('#')).map(numbers).collect();
    let flushes = nudges(peers.len());
    let mut total = Total::default();
    // Changes of one operation, which cannot be shorter by more than a few bytes; of two or three; of more.
    let mut classes = [Total::default(), Total::default(), Total::default()];
    let (mut worse, mut counted) = (Vec::new(), 0);
    for (i, (flush, [before, after, best, ops, fewest])) in flushes.iter().zip(peers).enumerate() {
        let lengths = (flush.before.to_string().len(), flush.after.to_string().len());
        assert_eq!(lengths, (before, after), "change {i} is another one now: record the peers again");
        assert!(flush.ops <= fewest, "{i}: {} operations, rfc6902 has {fewest}: {}", flush.ops, flush.patch);
        counted += usize::from(fewest < NONE);
        if best == NONE {
            continue;
        }
        for total in [&mut total, &mut classes[(ops / 2).min(2)]] {
            total.ours += flush.patch.len();
            total.theirs += best;
        }
        if flush.patch.len() > best + 16 {
            worse.push((i, flush.patch.len() - best));
        }
    }
    println!(
        "{counted} changes beside rfc6902; in all {total:?}; of 1, of 2 or 3, of more operations: {classes:?}"
    );
    assert!(counted > 2_600, "{counted}");
    assert_eq!(worse, KNOWN.map(|(change, excess, _)| (change, excess)));
    assert!(total.ours * 100 <= total.theirs * 84, "{total:?}");
    assert!(classes[2].ours * 100 <= classes[2].theirs * 80, "{classes:?}");
}

fn numbers(line: &str) -> [usize; 5] {
    let numbers: Vec<usize> = line.split_whitespace().map(|number| number.parse().unwrap()).collect();
    numbers.try_into().unwrap_or_else(|numbers| panic!("{numbers:?}"))
}

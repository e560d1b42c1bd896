//! Two values of a type, and the patch from one to the other.

use agui_proofs::patching::subjects;
use agui_proofs::zoo::Source;
use proptest::prelude::*;

use crate::{cases, say};

fn bytes() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), 0..400)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn any_value_becomes_any_other(subject in prop::sample::select(subjects()), old in bytes(), now in bytes()) {
        (subject.pair)(&mut Source::of(&old), &mut Source::of(&now));
    }

    #[test]
    fn a_value_becomes_a_similar_one(subject in prop::sample::select(subjects()), bytes in bytes()) {
        (subject.nudge)(&mut Source::of(&bytes));
    }
}

#[test]
fn many_of_each() {
    let subjects = subjects();
    let (mut pairs, mut patches) = (0, 0);
    for seed in 0..cases(6_000).div_ceil(2 * subjects.len()) as u64 {
        for subject in &subjects {
            let flushes = [
                (subject.pair)(&mut Source::seeded(seed << 1), &mut Source::seeded(seed << 1 | 1)),
                (subject.nudge)(&mut Source::seeded(seed)),
            ];
            pairs += flushes.len();
            patches += flushes.iter().filter(|flush| flush.ops > 0).count();
        }
    }
    say(&format!("state: {pairs} pairs of {} types, {patches} patches, 0 wrong", subjects.len()));
}

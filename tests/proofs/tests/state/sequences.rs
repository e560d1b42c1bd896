//! One change after the other: the client and the sent copy stay right.

use agui_proofs::patching::subjects;
use agui_proofs::zoo::Source;
use proptest::prelude::*;

use crate::{cases, say};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn the_client_keeps_up(
        subject in prop::sample::select(subjects()),
        bytes in prop::collection::vec(any::<u8>(), 0..1500),
    ) {
        (subject.sequence)(&mut Source::of(&bytes), 12);
    }
}

#[test]
fn many_steps_of_each() {
    let subjects = subjects();
    let (mut steps, mut patches) = (0, 0);
    for seed in 0..cases(6_000).div_ceil(20 * subjects.len()) as u64 {
        for subject in &subjects {
            let flushes = (subject.sequence)(&mut Source::seeded(1000 + seed), 20);
            steps += flushes.len();
            patches += flushes.iter().filter(|flush| flush.ops > 0).count();
        }
    }
    say(&format!(
        "state: {steps} steps of sequences of {} types, {patches} patches, 0 wrong",
        subjects.len()
    ));
}

//! One change after the other: the client, and the sent copy, stay what they should be.

use agui_tests::patching::subjects;
use agui_tests::zoo::Source;
use proptest::prelude::*;

use crate::cases;

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
    for seed in 0..cases(6_000).div_ceil(20 * subjects.len()) as u64 {
        for subject in &subjects {
            (subject.sequence)(&mut Source::seeded(1000 + seed), 20);
        }
    }
}

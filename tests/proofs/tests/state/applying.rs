//! Operations applied to typed values: the result is the same as reading the patched document.

use agui_proofs::patching::subjects;
use agui_proofs::zoo::Source;
use proptest::prelude::*;

use crate::cases;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn typed_values_follow_the_document(
        subject in prop::sample::select(subjects()),
        bytes in prop::collection::vec(any::<u8>(), 0..400),
    ) {
        (subject.apply)(&mut Source::of(&bytes).readable());
    }
}

#[test]
fn many_of_each() {
    let subjects = subjects();
    for seed in 0..cases(3_000).div_ceil(subjects.len()) as u64 {
        for subject in &subjects {
            (subject.apply)(&mut Source::seeded(4000 + seed).readable());
        }
    }
}

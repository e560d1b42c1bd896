//! Values and edits from the bytes of a fuzzer.

use super::subjects;
use crate::zoo::Source;

/// Makes a case of bytes: the first chooses the type, the second the length of the first of two byte strings, from
/// which two values are made. Fails unless all properties hold.
pub fn fuzz(data: &[u8]) {
    let [first, length, rest @ ..] = data else { return };
    let subjects = subjects();
    let subject = subjects[usize::from(*first) % subjects.len()];
    let (old, now) = rest.split_at(usize::from(*length).min(rest.len()));
    (subject.pair)(&mut Source::of(old), &mut Source::of(now));
    (subject.nudge)(&mut Source::of(rest));
    (subject.apply)(&mut Source::of(rest).readable());
    (subject.sequence)(&mut Source::of(rest), 3);
}

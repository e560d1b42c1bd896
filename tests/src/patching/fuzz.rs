use super::subjects;
use crate::zoo::Source;

/// A case out of bytes: the first chooses the type, the second how long the first of two byte strings is, from which two
/// values are made. Fails unless everything holds that must.
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

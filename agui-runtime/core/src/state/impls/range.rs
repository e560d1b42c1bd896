//! Ranges: objects with a start and an end.

use std::ops::{Range, RangeInclusive};

use super::super::StateNode;
use super::super::engine::{JsonOut, PatchText, StatePath, ValueToken, VisitedTypes};

/// Appends a range.
fn write<T: StateNode>(start: &T, end: &T, out: &mut JsonOut) {
    out.raw("{\"start\":");
    start.write(out);
    out.raw(",\"end\":");
    end.write(out);
    out.byte(b'}');
}

#[diagnostic::do_not_recommend]
impl<T: StateNode> StateNode for Range<T> {
    const MIN: usize = "{\"start\":,\"end\":}".len() + 2 * T::MIN;

    fn is_open(types: &mut VisitedTypes) -> bool {
        types.collection(T::is_open)
    }

    fn same(&self, now: &Self) -> bool {
        self.start.same(&now.start) && self.end.same(&now.end)
    }

    fn write(&self, out: &mut JsonOut) {
        write(&self.start, &self.end, out);
    }

    fn sync(&mut self, now: &Self, at: &StatePath<'_>, out: &mut PatchText) {
        if at.is_deep() {
            out.whole(self, now, at);
            return;
        }
        let mark = out.mark();
        self.start.sync(&now.start, &at.lit("/start"), out);
        self.end.sync(&now.end, &at.lit("/end"), out);
        out.settle(mark, at, now);
    }

    fn token(&self, token: &mut ValueToken) {
        self.start.token(token);
        self.end.token(token);
    }
}

/// Sent whole when the range changes, because the ends cannot be changed one by one.
#[diagnostic::do_not_recommend]
impl<T: StateNode> StateNode for RangeInclusive<T> {
    const MIN: usize = <Range<T> as StateNode>::MIN;

    fn is_open(types: &mut VisitedTypes) -> bool {
        types.collection(T::is_open)
    }

    /// A range that was iterated has the same text as before.
    fn same(&self, now: &Self) -> bool {
        self.start().same(now.start()) && self.end().same(now.end())
    }

    fn write(&self, out: &mut JsonOut) {
        write(self.start(), self.end(), out);
    }

    fn token(&self, token: &mut ValueToken) {
        self.start().token(token);
        self.end().token(token);
    }
}

#[cfg(test)]
mod tests {
    use crate::state::tests::check;

    #[test]
    fn an_end_changes_alone() {
        let long = "a text that is longer than an operation".to_owned();
        assert_eq!(
            check(&(long.clone().."b".to_owned()), &(long.."c".to_owned())),
            r#"[{"op":"add","path":"/end","value":"c"}]"#
        );
        check(&(1..3), &(0..5));
        check(&(0.5..=1.0), &(0.5..=2.0));
    }

    #[test]
    fn a_range_that_was_walked_over_is_the_same() {
        let mut walked = 1..=1;
        assert_eq!(walked.next(), Some(1));
        assert_ne!(walked, 1..=1);
        check(&walked, &(1..=1));
    }
}

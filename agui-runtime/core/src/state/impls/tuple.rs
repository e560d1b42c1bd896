//! Tuples and arrays: fixed positions, compared place by place.

use super::super::StateNode;
use super::super::engine::{JsonOut, PatchText, StatePath, ValueToken, VisitedTypes};

macro_rules! tuple {
    ($($count:literal: $($Part:ident $index:tt $name:literal)+;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($Part: StateNode),+> StateNode for ($($Part,)+) {
            const MIN: usize = 1 + $count $(+ $Part::MIN)+;

            fn is_open(types: &mut VisitedTypes) -> bool {
                $($Part::is_open(types))||+
            }

            #[inline]
            fn same(&self, now: &Self) -> bool {
                $(self.$index.same(&now.$index))&&+
            }

            fn write(&self, out: &mut JsonOut) {
                out.byte(b'[');
                $(
                    out.comma();
                    self.$index.write(out);
                )+
                out.byte(b']');
            }

            fn sync(&mut self, now: &Self, at: &StatePath<'_>, out: &mut PatchText) {
                let mark = out.mark();
                $(self.$index.sync(&now.$index, &at.index($index), out);)+
                out.settle(mark, at, now);
            }

            fn floor(&self) -> usize {
                1 + $count $(+ self.$index.floor())+
            }

            fn token(&self, token: &mut ValueToken) {
                $(self.$index.token(token);)+
            }
        }
    )*};
}

tuple! {
    1: A 0 "0";
    2: A 0 "0" B 1 "1";
    3: A 0 "0" B 1 "1" C 2 "2";
    4: A 0 "0" B 1 "1" C 2 "2" D 3 "3";
    5: A 0 "0" B 1 "1" C 2 "2" D 3 "3" E 4 "4";
    6: A 0 "0" B 1 "1" C 2 "2" D 3 "3" E 4 "4" F 5 "5";
    7: A 0 "0" B 1 "1" C 2 "2" D 3 "3" E 4 "4" F 5 "5" G 6 "6";
    8: A 0 "0" B 1 "1" C 2 "2" D 3 "3" E 4 "4" F 5 "5" G 6 "6" H 7 "7";
}

macro_rules! arrays {
    ($($length:literal)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<T: StateNode> StateNode for [T; $length] {
            const MIN: usize = if $length == 0 { 2 } else { 1 + $length * (1 + T::MIN) };

            fn is_open(types: &mut VisitedTypes) -> bool {
                types.collection(T::is_open)
            }

            #[inline]
            fn same(&self, now: &Self) -> bool {
                self.iter().zip(now).all(|(old, now)| old.same(now))
            }

            fn write(&self, out: &mut JsonOut) {
                super::list::write(self.iter(), out);
            }

            fn sync(&mut self, now: &Self, at: &StatePath<'_>, out: &mut PatchText) {
                if at.is_deep() {
                    out.whole(self, now, at);
                    return;
                }
                let mark = out.mark();
                for (index, (old, now)) in self.iter_mut().zip(now).enumerate() {
                    old.sync(now, &at.index(index), out);
                }
                out.settle(mark, at, now);
            }

            fn token(&self, token: &mut ValueToken) {
                self.iter().for_each(|part| part.token(token));
            }
        }
    )*};
}

// Serde and schemars know arrays up to this length.
arrays!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32);

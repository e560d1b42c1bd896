//! Sequences of every kind.

use std::collections::{BTreeSet, VecDeque};

use super::super::{Sample, Source};

impl<T: Sample> Sample for Vec<T> {
    fn sample(source: &mut Source<'_>) -> Self {
        source.deeper(|source| (0..source.len(6)).map(|_| T::sample(source)).collect())
    }

    /// Typical changes of lists: one or a few of push, insert, remove, move, swap, reverse, rotate, edit.
    fn nudge(&mut self, source: &mut Source<'_>) {
        for _ in 0..=source.below(3) {
            let len = self.len();
            let place = source.below(len.max(1));
            match source.below(9) {
                0 => self.push(T::sample(source)),
                1 => self.insert(place, T::sample(source)),
                _ if len == 0 => {}
                2 => drop(self.remove(place)),
                3 => {
                    let moved = self.remove(place);
                    self.insert(source.below(len), moved);
                }
                4 => self.swap(place, source.below(len)),
                5 if source.once_in(4) => self.reverse(),
                6 if source.once_in(4) => self.rotate_left(place),
                7 => self.truncate(len - place),
                _ => self[place].nudge(source),
            }
        }
    }
}

impl<T: Sample> Sample for VecDeque<T> {
    fn sample(source: &mut Source<'_>) -> Self {
        Vec::sample(source).into()
    }

    fn nudge(&mut self, source: &mut Source<'_>) {
        let mut list: Vec<T> = std::mem::take(self).into();
        list.nudge(source);
        *self = list.into();
    }
}

impl<T: Sample, const N: usize> Sample for [T; N] {
    fn sample(source: &mut Source<'_>) -> Self {
        std::array::from_fn(|_| T::sample(source))
    }

    fn nudge(&mut self, source: &mut Source<'_>) {
        self[source.below(N)].nudge(source);
    }
}

impl<T: Sample + Ord> Sample for BTreeSet<T> {
    fn sample(source: &mut Source<'_>) -> Self {
        Vec::sample(source).into_iter().collect()
    }

    fn nudge(&mut self, source: &mut Source<'_>) {
        if source.once_in(2) {
            self.pop_first();
        }
        self.insert(T::sample(source));
    }
}

macro_rules! tuples {
    ($(($($name:ident $place:tt),*);)*) => {$(
        impl<$($name: Sample),*> Sample for ($($name,)*) {
            fn sample(source: &mut Source<'_>) -> Self {
                ($($name::sample(source),)*)
            }
            fn nudge(&mut self, source: &mut Source<'_>) {
                $(if source.once_in(2) { self.$place.nudge(source); })*
            }
        }
    )*};
}

tuples! {
    (A 0);
    (A 0, B 1);
    (A 0, B 1, C 2);
}

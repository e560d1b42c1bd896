//! How values are made and changed.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::hash::Hash;
use std::sync::Arc;

use indexmap::IndexMap;
use serde_json::Value;

use super::Source;

/// A type whose values are made of bytes.
pub trait Sample: Sized {
    /// A value.
    fn sample(source: &mut Source<'_>) -> Self;

    /// A small change; may by chance be none.
    fn nudge(&mut self, source: &mut Source<'_>) {
        *self = Self::sample(source);
    }
}

/// Implements [`Sample`] for a struct by its fields, for an enum by its variants.
macro_rules! sample {
    (struct $name:ident $(<$param:ident>)? { $($field:tt),* $(,)? }) => {
        impl $(<$param: $crate::zoo::Sample>)? $crate::zoo::Sample for $name $(<$param>)? {
            #[allow(unused_variables)]
            fn sample(source: &mut $crate::zoo::Source<'_>) -> Self {
                source.deeper(|source| Self { $($field: $crate::zoo::Sample::sample(source)),* })
            }
            #[allow(unused_variables)]
            fn nudge(&mut self, source: &mut $crate::zoo::Source<'_>) {
                let nudges: &[fn(&mut Self, &mut $crate::zoo::Source<'_>)] =
                    &[$(|this, source| $crate::zoo::Sample::nudge(&mut this.$field, source)),*];
                if !nudges.is_empty() {
                    source.one_of(nudges)(self, source);
                }
            }
        }
    };
    (enum $name:ident { $($variant:ident { $($field:tt : $bound:ident),* $(,)? }),* $(,)? }) => {
        impl $crate::zoo::Sample for $name {
            fn sample(source: &mut $crate::zoo::Source<'_>) -> Self {
                #[allow(unused_variables)]
                let variants: &[fn(&mut $crate::zoo::Source<'_>) -> Self] =
                    &[$(|source| Self::$variant { $($field: $crate::zoo::Sample::sample(source)),* }),*];
                source.deeper(|source| source.one_of(variants)(source))
            }
            fn nudge(&mut self, source: &mut $crate::zoo::Source<'_>) {
                if source.once_in(4) {
                    *self = Self::sample(source);
                    return;
                }
                match self {
                    $(Self::$variant { $($field: $bound),* } => {
                        $(if source.once_in(2) { $crate::zoo::Sample::nudge($bound, source); })*
                    })*
                }
            }
        }
    };
}
pub(crate) use sample;

const TEXTS: [&str; 24] = [
    "",
    "a",
    "b",
    "c",
    "ab",
    "/",
    "~",
    "~1",
    "~0",
    "\"",
    "\\",
    "a/b~c",
    "-",
    "0",
    "01",
    "__proto__",
    "constructor",
    "prototype",
    "length",
    "toString",
    "\u{1}\n\t",
    "é\u{2028}𝄞",
    "\u{7f}<&>",
    "null",
];

impl Sample for String {
    fn sample(source: &mut Source<'_>) -> Self {
        match source.below(8) {
            0..6 => source.one_of(&TEXTS).to_owned(),
            6 => (0..source.below(12)).map(|_| char::from(b'a' + source.byte() % 26)).collect(),
            _ => source.one_of(&TEXTS).repeat(source.below(9)),
        }
    }

    fn nudge(&mut self, source: &mut Source<'_>) {
        match source.below(3) {
            0 => self.push('x'),
            1 => drop(self.pop()),
            _ => *self = Self::sample(source),
        }
    }
}

impl Sample for () {
    fn sample(_: &mut Source<'_>) -> Self {}
}

impl Sample for bool {
    fn sample(source: &mut Source<'_>) -> Self {
        source.below(2) == 1
    }
}

impl Sample for char {
    fn sample(source: &mut Source<'_>) -> Self {
        source.one_of(&['a', 'b', '"', '\\', '/', '~', '\0', '0', '-', 'é', '𝄞'])
    }
}

macro_rules! integers {
    ($($ty:ident)*) => {$(
        impl Sample for $ty {
            fn sample(source: &mut Source<'_>) -> Self {
                match source.below(10) {
                    0..8 => Self::try_from(source.below(9)).unwrap_or_default(),
                    8 => source.one_of(&[Self::MAX, Self::MIN]),
                    _ => Self::MAX / 7 * Self::try_from(source.below(6)).unwrap_or_default(),
                }
            }
            fn nudge(&mut self, source: &mut Source<'_>) {
                *self = if source.once_in(4) { Self::sample(source) } else { self.wrapping_add(1) };
            }
        }
    )*};
}

integers!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);

macro_rules! floats {
    ($($ty:ident)*) => {$(
        impl Sample for $ty {
            fn sample(source: &mut Source<'_>) -> Self {
                let readable = [0.0, 1.0, -0.0, 0.1, -1.5, 1e7, 1e21, 1e-9, $ty::MAX, $ty::MIN_POSITIVE];
                let unreadable = [$ty::NAN, $ty::INFINITY, $ty::NEG_INFINITY];
                if !source.is_readable() && source.once_in(6) {
                    source.one_of(&unreadable)
                } else {
                    source.one_of(&readable)
                }
            }
        }
    )*};
}

floats!(f32 f64);

impl<T: Sample> Sample for Option<T> {
    fn sample(source: &mut Source<'_>) -> Self {
        (source.below(3) > 0).then(|| T::sample(source))
    }

    fn nudge(&mut self, source: &mut Source<'_>) {
        match self {
            Some(value) if source.below(3) > 0 => value.nudge(source),
            Some(_) => *self = None,
            None => *self = Some(T::sample(source)),
        }
    }
}

macro_rules! through {
    ($($pointer:ident)*) => {$(
        impl<T: Sample + Clone> Sample for $pointer<T> {
            fn sample(source: &mut Source<'_>) -> Self {
                Self::new(T::sample(source))
            }
            fn nudge(&mut self, source: &mut Source<'_>) {
                let mut inner = T::clone(self);
                inner.nudge(source);
                *self = Self::new(inner);
            }
        }
    )*};
}

through!(Box Arc);

impl Sample for Arc<str> {
    fn sample(source: &mut Source<'_>) -> Self {
        String::sample(source).into()
    }
}

impl Sample for Cow<'static, str> {
    fn sample(source: &mut Source<'_>) -> Self {
        if source.once_in(2) { String::sample(source).into() } else { source.one_of(&TEXTS).into() }
    }
}

impl<T: Sample> Sample for Vec<T> {
    fn sample(source: &mut Source<'_>) -> Self {
        source.deeper(|source| (0..source.len(6)).map(|_| T::sample(source)).collect())
    }

    /// What people do to lists: one or a few of push, insert, remove, move, swap, reverse, rotate, edit.
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

macro_rules! maps {
    ($($map:ident: $($bound:ident)*;)*) => {$(
        impl<K: Sample + Clone $(+ $bound)*, V: Sample> Sample for $map<K, V> {
            fn sample(source: &mut Source<'_>) -> Self {
                source.deeper(|source| {
                    (0..source.len(5)).map(|_| (K::sample(source), V::sample(source))).collect()
                })
            }

            /// A member comes, goes, changes or gets another name.
            fn nudge(&mut self, source: &mut Source<'_>) {
                let place = source.below(self.len().max(1));
                let key = self.keys().nth(place).cloned();
                match (source.below(4), key) {
                    (0, _) | (_, None) => drop(self.insert(K::sample(source), V::sample(source))),
                    (1, Some(key)) => drop(taken(self, &key)),
                    (2, Some(key)) => {
                        if let Some(value) = taken(self, &key) {
                            self.insert(K::sample(source), value);
                        }
                    }
                    (_, Some(key)) => {
                        if let Some(value) = self.get_mut(&key) {
                            value.nudge(source);
                        }
                    }
                }
            }
        }
    )*};
}

/// What the maps here have in common that [`maps!`] needs.
trait Take<K, V> {
    fn take_out(&mut self, key: &K) -> Option<V>;
}

impl<K: Ord, V> Take<K, V> for BTreeMap<K, V> {
    fn take_out(&mut self, key: &K) -> Option<V> {
        self.remove(key)
    }
}

impl<K: Eq + Hash, V> Take<K, V> for HashMap<K, V> {
    fn take_out(&mut self, key: &K) -> Option<V> {
        self.remove(key)
    }
}

impl<K: Eq + Hash, V> Take<K, V> for IndexMap<K, V> {
    fn take_out(&mut self, key: &K) -> Option<V> {
        self.shift_remove(key)
    }
}

fn taken<K, V, M: Take<K, V>>(map: &mut M, key: &K) -> Option<V> {
    map.take_out(key)
}

maps! {
    BTreeMap: Ord;
    HashMap: Eq Hash;
    IndexMap: Eq Hash;
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

impl Sample for Value {
    fn sample(source: &mut Source<'_>) -> Self {
        match source.below(8) {
            0 => Self::Null,
            1 => bool::sample(source).into(),
            2 => i64::sample(source).into(),
            3 => serde_json::Number::from_f64(f64::sample(source)).map_or(Self::Null, Self::Number),
            4 => u64::sample(source).into(),
            5 => String::sample(source).into(),
            6 => Vec::<Self>::sample(source).into(),
            _ => Self::Object(BTreeMap::<String, Self>::sample(source).into_iter().collect()),
        }
    }

    fn nudge(&mut self, source: &mut Source<'_>) {
        match self {
            Self::Array(elements) if source.below(4) > 0 => elements.nudge(source),
            Self::Object(members) if source.below(4) > 0 => {
                let mut map: BTreeMap<String, Self> = std::mem::take(members).into_iter().collect();
                map.nudge(source);
                *members = map.into_iter().collect();
            }
            other => *other = Self::sample(source),
        }
    }
}

impl Sample for std::time::Duration {
    fn sample(source: &mut Source<'_>) -> Self {
        Self::new(source.below(3) as u64, source.below(3) as u32)
    }
}

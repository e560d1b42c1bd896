//! Texts, numbers and other values without parts.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use super::super::{Sample, Source};

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

impl Sample for Duration {
    fn sample(source: &mut Source<'_>) -> Self {
        Self::new(source.below(3) as u64, source.below(3) as u32)
    }
}

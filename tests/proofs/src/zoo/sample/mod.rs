//! The creation and the change of values.

mod lists;
mod maps;
mod pointers;
mod scalars;
mod value;

use super::Source;

/// A type whose values are made of bytes.
pub trait Sample: Sized {
    /// True if serde may write a name twice, of which a reader takes the last. Such unreadable values may be sent then.
    const CLASHES: bool = false;

    /// A value.
    fn sample(source: &mut Source<'_>) -> Self;

    /// A small change; may by chance change nothing.
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

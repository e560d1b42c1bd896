//! Values around one other value.

use std::sync::Arc;

use super::super::{Sample, Source};

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

//! Dirty bits of the fields of a root.

use std::cell::Cell;
use std::ops::{Deref, DerefMut};

/// A field that is marked when it is borrowed mutably.
pub struct Mut<'e, F> {
    field: &'e mut F,
    marks: &'e Cell<u64>,
    bit: u32,
}

impl<'e, F> Mut<'e, F> {
    /// The field with the given number.
    #[doc(hidden)]
    #[inline]
    pub fn new(field: &'e mut F, marks: &'e Cell<u64>, number: u32) -> Self {
        Self { field, marks, bit: number }
    }
}

impl<F> Deref for Mut<'_, F> {
    type Target = F;

    #[inline]
    fn deref(&self) -> &F {
        self.field
    }
}

impl<F> DerefMut for Mut<'_, F> {
    #[inline]
    fn deref_mut(&mut self) -> &mut F {
        self.marks.set(self.marks.get() | 1 << self.bit.min(63));
        self.field
    }
}

impl<F: std::fmt::Debug> std::fmt::Debug for Mut<'_, F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.field.fmt(f)
    }
}

/// A state with dirty bits.
#[derive(Debug, Clone)]
pub struct Live<T>(T);

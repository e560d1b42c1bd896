//! Values that only serde can write: sent whole, and compared by `==` where the type has it, otherwise by text.

use super::{JsonOut, PatchText, StatePath, ValueToken, WriteJson};

/// Writes the JSON for a field whose type is not a state: with a `with` module's function, or `Serialize`.
pub type FieldWriter<F> = fn(&F, &mut JsonOut);

/// A value and the function that writes it.
struct WrittenField<'a, F>(&'a F, FieldWriter<F>);

impl<F> WriteJson for WrittenField<'_, F> {
    fn json(&self, out: &mut JsonOut) {
        (self.1)(self.0, out);
    }

    fn least(&self) -> usize {
        1
    }
}

/// Returns true if both have the same JSON. `equal` is what `==` gave, or false if the type has no `==`. Values that differ may
/// still have the same text.
pub fn same<F>(old: &F, now: &F, equal: bool, write: FieldWriter<F>) -> bool {
    equal || same_written(&WrittenField(old, write), &WrittenField(now, write))
}

/// Works like [`Node::sync`](crate::state::engine::StateNode).
pub fn sync<F: Clone>(
    old: &mut F,
    now: &F,
    equal: bool,
    write: FieldWriter<F>,
    at: &StatePath<'_>,
    out: &mut PatchText,
) {
    if !same(old, now, equal, write) {
        out.set(at, &WrittenField(now, write));
        old.clone_from(now);
    }
}

/// Works like [`PatchText::gained`].
pub fn gained<F: Clone>(
    old: &mut F,
    now: &F,
    write: FieldWriter<F>,
    at: &StatePath<'_>,
    out: &mut PatchText,
) {
    out.insert(at, &WrittenField(now, write));
    old.clone_from(now);
}

/// Works like [`PatchText::lost`].
pub fn lost<F: Clone>(old: &mut F, now: &F, at: &StatePath<'_>, out: &mut PatchText) {
    out.remove(at);
    old.clone_from(now);
}

/// Works like [`Node::token`](crate::state::engine::StateNode).
pub fn token<F>(value: &F, write: FieldWriter<F>, token: &mut ValueToken) {
    token.written(&WrittenField(value, write));
}

/// Returns true if the value is written as `null`.
#[cold]
pub fn is_null(value: &dyn WriteJson) -> bool {
    let mut text = JsonOut::default();
    value.json(&mut text);
    text.take_error().is_none() && text.text == "null"
}

/// Returns true if the field's function writes `null`.
pub fn is_null_written<F>(value: &F, write: FieldWriter<F>) -> bool {
    is_null(&WrittenField(value, write))
}

/// Writes both values and returns true if they have the same JSON. Numbers are compared as numbers.
#[cold]
pub fn same_written(old: &dyn WriteJson, now: &dyn WriteJson) -> bool {
    let mut text = [JsonOut::default(), JsonOut::default()];
    let [old_text, now_text] = &mut text;
    old.json(old_text);
    now.json(now_text);
    if old_text.take_error().is_some() || now_text.take_error().is_some() {
        // The next function that writes the value reports the reason.
        return false;
    }
    old_text.text == now_text.text
        || crate::json::same_bytes(old_text.text.as_bytes(), now_text.text.as_bytes())
}

/// Selects `==` if a type has it: `(&EqualityProbe(&a, &b)).equal()`, with [`ViaEq`] and [`ViaText`] in scope.
#[derive(Debug)]
pub struct EqualityProbe<'a, T: ?Sized>(pub &'a T, pub &'a T);

/// The choice for a type that has `==`.
pub trait ViaEq {
    /// Returns true if both are equal.
    fn equal(&self) -> bool;
}

impl<T: PartialEq + ?Sized> ViaEq for EqualityProbe<'_, T> {
    fn equal(&self) -> bool {
        self.0 == self.1
    }
}

/// The choice for a type without `==`: only the texts can be compared.
pub trait ViaText {
    /// Returns false: nothing says that the values are equal.
    fn equal(&self) -> bool;
}

impl<T: ?Sized> ViaText for &EqualityProbe<'_, T> {
    fn equal(&self) -> bool {
        false
    }
}

//! Values that only serde can write: sent whole, compared by `==` where there is one, else by their text.

use super::{Json, Out, Patch, Path, Token};

/// How a field's JSON is written when its type is no state: by its `with` module, or by its `Serialize`.
pub type Write<F> = fn(&F, &mut Out);

/// A value and how it is written.
struct Written<'a, F>(&'a F, Write<F>);

impl<F> Json for Written<'_, F> {
    fn json(&self, out: &mut Out) {
        (self.1)(self.0, out);
    }

    fn least(&self) -> usize {
        1
    }
}

/// Whether both have the same JSON. `equal` is `==`, or false where the type has none: that two values differ does not
/// mean that their texts do.
pub fn same<F>(old: &F, now: &F, equal: bool, write: Write<F>) -> bool {
    equal || same_written(&Written(old, write), &Written(now, write))
}

/// Like [`Node::sync`](crate::state::Node).
pub fn sync<F: Clone>(old: &mut F, now: &F, equal: bool, write: Write<F>, at: &Path<'_>, out: &mut Patch) {
    if !same(old, now, equal, write) {
        out.set(at, &Written(now, write));
        old.clone_from(now);
    }
}

/// Like [`Patch::gained`].
pub fn gained<F: Clone>(old: &mut F, now: &F, write: Write<F>, at: &Path<'_>, out: &mut Patch) {
    out.insert(at, &Written(now, write));
    old.clone_from(now);
}

/// Like [`Patch::lost`].
pub fn lost<F: Clone>(old: &mut F, now: &F, at: &Path<'_>, out: &mut Patch) {
    out.remove(at);
    old.clone_from(now);
}

/// Like [`Node::token`](crate::state::Node).
pub fn token<F>(value: &F, write: Write<F>, token: &mut Token) {
    token.written(&Written(value, write));
}

/// Whether the value is written as `null`.
#[cold]
pub fn is_null(value: &dyn Json) -> bool {
    let mut text = Out::default();
    value.json(&mut text);
    text.take_error().is_none() && text.text == "null"
}

/// Whether a field is written as `null`, for a value that is written as that field.
pub fn is_null_written<F>(value: &F, write: Write<F>) -> bool {
    is_null(&Written(value, write))
}

/// Whether two values have the same JSON, found by writing both. Numbers are compared as numbers.
#[cold]
pub fn same_written(old: &dyn Json, now: &dyn Json) -> bool {
    let mut text = [Out::default(), Out::default()];
    let [old_text, now_text] = &mut text;
    old.json(old_text);
    now.json(now_text);
    if old_text.take_error().is_some() || now_text.take_error().is_some() {
        // Whoever writes it next reports why.
        return false;
    }
    old_text.text == now_text.text
        || crate::json::same_bytes(old_text.text.as_bytes(), now_text.text.as_bytes())
}

/// Asks for `==` where a type has it: `(&Equal(&a, &b)).equal()`, with [`ViaEq`] and [`ViaText`] in scope.
#[derive(Debug)]
pub struct Equal<'a, T: ?Sized>(pub &'a T, pub &'a T);

/// The type has `==`.
pub trait ViaEq {
    /// Whether both are equal.
    fn equal(&self) -> bool;
}

impl<T: PartialEq + ?Sized> ViaEq for Equal<'_, T> {
    fn equal(&self) -> bool {
        self.0 == self.1
    }
}

/// The type has none: only the texts can tell.
pub trait ViaText {
    /// False: not known to be equal.
    fn equal(&self) -> bool;
}

impl<T: ?Sized> ViaText for &Equal<'_, T> {
    fn equal(&self) -> bool {
        false
    }
}

//! The operations that the engine needs on a value, written by the derive and `impls/`.

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{JsonOut, PatchText, StatePath, ValueToken, VisitedTypes, least_operation, opaque};
use crate::bundle::bundle;

/// The operations that the engine needs on a value. `#[derive(State)]` implements the trait, which may change in any release.
///
/// The trait is separate from [`State`](trait@crate::State), so that none of these names become methods on user values.
///
/// The derived code walks the serialized fields in order. Names come in two forms: `"\"name\":"` with JSON escapes for
/// [`JsonOut::member`], and `"/name"` with pointer escapes (`~0`, `~1`) and then JSON escapes for [`StatePath::lit`]. Only `same` is
/// `#[inline]`. A container takes a [`mark`](Patch::mark) first and settles last; flattened parts do neither. A type that only
/// serde can write keeps all defaults.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be shared state",
    label = "not a `State`",
    note = "write `#[derive(State)]` on the type, or mark the field `#[state(opaque)]` to send it whole",
    note = "for a type of another crate, turn on the feature of `agui-runtime` that has its name (`uuid`, `chrono`, `jiff`, `url`, `bytes`, \
            `rust_decimal`), or mark the field `#[state(opaque)]`; a type without serde's and schemars' traits is wrapped in \
            a type of your own that has them"
)]
pub trait StateNode: StateData + 'static {
    /// The length of the shortest JSON text that the type has.
    const MIN: usize = 1;

    /// True if a list with this element type identifies elements by a key.
    const KEYED: bool = false;

    /// True if existing members are written with `replace`: `#[state(exact)]` on the root type.
    const EXACT: bool = false;

    /// Returns true if some part of the type is read from any JSON, whatever memory that takes. `types` are the enclosing types,
    /// and those visited before.
    fn is_open(types: &mut VisitedTypes) -> bool {
        let _ = types;
        false
    }

    /// Compares two values as JSON: true if a reader sees the same value in both texts.
    fn same(&self, now: &Self) -> bool {
        opaque::same_written(self, now)
    }

    /// Appends the JSON text, equal to serde_json's.
    fn write(&self, out: &mut JsonOut) {
        out.serde(self);
    }

    /// Writes the operations that turn this value into `now`, and makes this value equal to `now`.
    ///
    /// A value that is already the `same` may stay unchanged. Once the patch is over the limit, nothing more is written, but
    /// everything is still copied.
    fn sync(&mut self, now: &Self, at: &StatePath<'_>, out: &mut PatchText) {
        if !self.same(now) {
            out.set(at, now);
            self.clone_from(now);
        }
    }

    /// Returns true if the JSON text is `null`.
    fn is_null(&self) -> bool {
        false
    }

    /// Returns a cheap lower bound for the JSON text's length.
    fn floor(&self) -> usize {
        Self::MIN
    }

    /// Returns a cheap lower bound for the length of the operations that turn this value into `now`, if the path to the value has
    /// at least `path` bytes.
    fn least_change(&self, now: &Self, path: usize) -> usize {
        if self.same(now) { 0 } else { least_operation(path) }
    }

    /// Adds the value to a fingerprint. Values that are `same` should add the same.
    fn token(&self, token: &mut ValueToken) {
        token.written(self);
    }

    /// Returns the JSON value, as a reader sees the text.
    fn document(&self) -> Result<serde_json::Value, serde_json::Error> {
        crate::json::to_value(self)
    }

    /// Returns true if both have the same key; for types that are `KEYED`.
    fn key_same(&self, now: &Self) -> bool {
        self.same(now)
    }

    /// Adds the key to a fingerprint; for types that are `KEYED`.
    fn key_token(&self, token: &mut ValueToken) {
        self.token(token);
    }
}

/// The traits that a state builds on: serde's and schemars' derives, and `Clone`. Implemented for every type that has them.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a state or an activity",
    label = "does not implement all of `Serialize`, `Deserialize`, `JsonSchema` and `Clone`",
    note = "write `#[derive(Serialize, Deserialize, JsonSchema, Clone)]` on it, beside `State` or `Activity`",
    note = "`JsonSchema` is the trait of schemars 1: with `schemars = \"0.8\"` in `Cargo.toml`, the derive implements another one"
)]
pub trait StateData: Serialize + DeserializeOwned + JsonSchema + Clone {}

bundle!(StateData: Serialize + DeserializeOwned + JsonSchema + Clone);

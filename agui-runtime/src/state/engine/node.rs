//! The operations that the engine needs on a value, which the derive and `impls/` write.

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{Out, Patch, Path, Token, Types, least_operation, opaque};
use crate::bundle::bundle;

/// The operations that the engine needs on a value. `#[derive(State)]` implements it; it may change in any
/// release.
///
/// It is separate from [`State`](trait@crate::State), so that none of these names are methods of the user's values.
///
/// The derived code walks the serialized fields in order. Names come in two forms: `"\"name\":"` with
/// JSON's escapes for [`Out::member`], and `"/name"` with the escapes of the pointer (`~0`, `~1`) and then
/// those of JSON for [`Path::lit`]. Only `same` is `#[inline]`. A container takes a [`mark`](Patch::mark)
/// first and settles last; flattened parts do neither. A type that only serde can write keeps all the
/// defaults.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be shared state",
    label = "not a `State`",
    note = "write `#[derive(State)]` on the type, or mark the field `#[state(opaque)]` to send it whole",
    note = "for a type of another crate, turn on the feature of `agui-runtime` that has its name (`uuid`, `chrono`, `jiff`, `url`, `bytes`, \
            `rust_decimal`), or mark the field `#[state(opaque)]`; a type without serde's and schemars' traits is wrapped in \
            a type of your own that has them"
)]
pub trait Node: StateData + 'static {
    /// The length of the shortest JSON text of the type.
    const MIN: usize = 1;

    /// True if elements of a list of this type are identified by a key.
    const KEYED: bool = false;

    /// True if existing members are written with `replace`: `#[state(exact)]` on the type that is the whole
    /// state.
    const EXACT: bool = false;

    /// Returns true if some part of the type is read from any JSON, whatever memory that takes. `types` are those that
    /// enclose this one, or were visited before.
    fn is_open(types: &mut Types) -> bool {
        let _ = types;
        false
    }

    /// Compares two values as JSON: true if a reader of both texts sees the same value.
    fn same(&self, now: &Self) -> bool {
        opaque::same_written(self, now)
    }

    /// Appends the JSON text, equal to that of serde_json.
    fn write(&self, out: &mut Out) {
        out.serde(self);
    }

    /// Writes the operations that turn this value into `now`, and makes this value equal to `now`.
    ///
    /// A value that is already the `same` may be left as it is. Once the patch is over its limit, nothing
    /// more is written, but everything is still copied.
    fn sync(&mut self, now: &Self, at: &Path<'_>, out: &mut Patch) {
        if !self.same(now) {
            out.set(at, now);
            self.clone_from(now);
        }
    }

    /// Returns true if the JSON text is `null`.
    fn is_null(&self) -> bool {
        false
    }

    /// Returns a lower bound for the length of the JSON text that is cheap to compute.
    fn floor(&self) -> usize {
        Self::MIN
    }

    /// Returns a lower bound, cheap to compute, for the length of the operations that turn this value into
    /// `now`, if the path to it has at least `path` bytes.
    fn least_change(&self, now: &Self, path: usize) -> usize {
        if self.same(now) { 0 } else { least_operation(path) }
    }

    /// Adds the value to a fingerprint. Values that are `same` should add the same.
    fn token(&self, token: &mut Token) {
        token.written(self);
    }

    /// Returns the JSON value, as a reader of the text sees it.
    fn document(&self) -> Result<serde_json::Value, serde_json::Error> {
        crate::json::to_value(self)
    }

    /// Returns true if both have the same key; for types that are `KEYED`.
    fn key_same(&self, now: &Self) -> bool {
        self.same(now)
    }

    /// Adds the key to a fingerprint; for types that are `KEYED`.
    fn key_token(&self, token: &mut Token) {
        self.token(token);
    }
}

/// The traits a state builds on: the derives of serde and schemars, and `Clone`. Every type that has them
/// implements it.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a state or an activity",
    label = "does not implement all of `Serialize`, `Deserialize`, `JsonSchema` and `Clone`",
    note = "write `#[derive(Serialize, Deserialize, JsonSchema, Clone)]` on it, beside `State` or `Activity`",
    note = "`JsonSchema` is the trait of schemars 1: with `schemars = \"0.8\"` in `Cargo.toml`, the derive implements another one"
)]
pub trait StateData: Serialize + DeserializeOwned + JsonSchema + Clone {}

bundle!(StateData: Serialize + DeserializeOwned + JsonSchema + Clone);

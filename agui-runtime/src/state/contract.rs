//! The contract between the engine and the types it works on.

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::apply::Target;
use super::engine::{Out, Patch, Path, Token, least_operation, opaque};

/// A type that can be shared state, or part of it.
///
/// Every type with `#[derive(State)]` is one, and so are the types of the standard library that have a JSON form. The
/// derive wants serde's and schemars' derives beside it, for they decide the JSON.
///
/// ```
/// fn shared<S: agui_runtime::State>() {}
///
/// shared::<Vec<Option<String>>>();
/// shared::<std::collections::BTreeMap<u32, f64>>();
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be shared state",
    label = "not a `State`",
    note = "write `#[derive(State)]` on the type, or mark the field `#[state(opaque)]` to send it whole"
)]
pub trait State: Node + Send {}

impl<T: Node + Send> State for T {}

/// What the engine asks of a value. `#[derive(State)]` implements it; it may change in any release.
///
/// Apart from [`State`], so that none of these names are methods of the user's values.
///
/// What the derive writes walks the fields that are serialized, in order. Names come in two forms: `"\"name\":"` with
/// JSON's escapes for [`Out::member`], and `"/name"` with the pointer's (`~0`, `~1`) and then JSON's for [`Path::lit`].
/// Only `same` is `#[inline]`. A container takes a [`mark`](Patch::mark) first and settles last; flattened parts do
/// neither. A type that only serde can write keeps all the defaults.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be shared state",
    label = "not a `State`",
    note = "write `#[derive(State)]` on the type, or mark the field `#[state(opaque)]` to send it whole"
)]
pub trait Node: StateData + 'static {
    /// The length of the shortest JSON text of the type.
    const MIN: usize = 1;

    /// Whether elements of a list of these are told apart by a key.
    const KEYED: bool = false;

    /// Whether members that exist are written with `replace`: `#[state(exact)]` on the type that is the whole state.
    const EXACT: bool = false;

    /// Equality as JSON: whether a reader of both texts sees the same value.
    fn same(&self, now: &Self) -> bool {
        opaque::same_written(self, now)
    }

    /// Appends the JSON text, equal to serde_json's.
    fn write(&self, out: &mut Out) {
        out.serde(self);
    }

    /// Writes the operations that turn this value into `now`, and becomes `now`.
    ///
    /// What is `same` may be left as it is. Once the patch is over its limit nothing is written, but everything is still
    /// copied.
    fn sync(&mut self, now: &Self, at: &Path<'_>, out: &mut Patch) {
        if !self.same(now) {
            out.set(at, now);
            self.clone_from(now);
        }
    }

    /// Whether the JSON text is `null`.
    fn is_null(&self) -> bool {
        false
    }

    /// A lower bound for the length of the JSON text, cheap to tell.
    fn floor(&self) -> usize {
        Self::MIN
    }

    /// A lower bound, cheap to tell, for the length of the operations that turn this value into `now`, where the path to
    /// it has `path` bytes at least.
    fn least_change(&self, now: &Self, path: usize) -> usize {
        if self.same(now) { 0 } else { least_operation(path) }
    }

    /// Adds the value to a fingerprint. Values that are `same` should have the same.
    fn token(&self, token: &mut Token) {
        token.written(self);
    }

    /// The JSON value, as a reader of the text sees it.
    fn document(&self) -> Result<serde_json::Value, serde_json::Error> {
        crate::json::to_value(self)
    }

    /// Whether both have the same key; for types that are `KEYED`.
    fn key_same(&self, now: &Self) -> bool {
        self.same(now)
    }

    /// Adds the key to a fingerprint; for types that are `KEYED`.
    fn key_token(&self, token: &mut Token) {
        self.token(token);
    }

    /// The part that is at `segment` (unescaped) and is there now; `None` where the whole must be read anew to change
    /// what is there. With `absent`, also the place of a member that is not there now, for it may have been.
    fn child(&mut self, segment: &str, absent: bool) -> Option<&mut dyn Target> {
        let _ = (segment, absent);
        None
    }

    /// This value as something that operations reach.
    fn target(&mut self) -> &mut dyn Target {
        self
    }

    /// Adds, removes or moves what is directly below; `None` where the whole must be read anew for that.
    fn edit(
        &mut self,
        edit: super::apply::Edit<'_>,
    ) -> Option<Result<super::apply::Undo, super::apply::Fault>> {
        let _ = edit;
        None
    }
}

/// What a state builds on: serde's and schemars' derives, and `Clone`. Every type that has them is one.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be shared state",
    label = "has no JSON form that can be read back",
    note = "write `#[derive(State, Serialize, Deserialize, JsonSchema, Clone)]` on it"
)]
pub trait StateData: Serialize + DeserializeOwned + JsonSchema + Clone {}

impl<T: Serialize + DeserializeOwned + JsonSchema + Clone> StateData for T {}

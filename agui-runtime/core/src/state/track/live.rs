//! Dirty bits for a root's fields.

use std::cell::Cell;
use std::ops::{Deref, DerefMut};

use super::super::StateNode;
use super::super::engine::{MarkedState, PatchText, StatePath};
use super::stamp::{FlushStamp, RecordCoverage};
use super::transparent::{node_of_inner, transparent};

/// A state that records which fields were borrowed mutably, so that a flush compares only those.
///
/// Use it for large states that change often: an untouched field costs nothing. Put `#[state(live)]` beside `#[derive(State)]` on
/// the state's type, and declare the agent's state as `Live<Doc>`; JSON and schema are those of `Doc`.
///
/// ```
/// use agui_runtime::prelude::*;
/// use agui_runtime::state::{Live, Shadow, StateChange};
/// # use schemars::JsonSchema;
/// # use serde::{Deserialize, Serialize};
///
/// #[derive(State, Serialize, Deserialize, JsonSchema, Clone, Default)]
/// #[state(live)]
/// struct Doc {
///     version: u32,
///     title: String,
///     body: Vec<String>,
/// }
///
/// let mut doc = Live::new(Doc { body: vec!["a long text".to_owned(); 20], ..Doc::default() });
/// let (mut shadow, _snapshot) = Shadow::start(&doc)?;
///
/// *doc.edit().version += 1; // only `version` is compared
/// assert_eq!(shadow.flush(&doc)?, StateChange::Delta(r#"[{"op":"add","path":"/version","value":1}]"#));
///
/// doc.title.push_str("Risotto"); // without `edit` everything is compared, so nothing is ever missed
/// assert_eq!(shadow.flush(&doc)?, StateChange::Delta(r#"[{"op":"add","path":"/title","value":"Risotto"}]"#));
/// # Ok::<(), agui_runtime::state::StateError>(())
/// ```
#[derive(Clone)]
pub struct Live<T: MarkedState> {
    value: T,
    marks: u64,
    stamp: FlushStamp,
}

impl<T: MarkedState> Live<T> {
    /// Wraps a state in [`Live`]; no field counts as sent.
    pub fn new(value: T) -> Self {
        Self { value, marks: 0, stamp: FlushStamp::new() }
    }

    /// Returns the fields; each is marked when it is borrowed mutably.
    pub fn edit(&mut self) -> T::Edit<'_> {
        self.begin();
        MarkedState::edit(&mut self.value, Cell::from_mut(&mut self.marks))
    }

    /// Returns the state without its marks.
    pub fn into_inner(self) -> T {
        self.value
    }

    #[inline]
    fn begin(&mut self) {
        if self.stamp.begin() {
            self.marks = 0;
        }
    }

    fn mark_all(&mut self) -> &mut T {
        self.begin();
        self.marks = u64::MAX;
        &mut self.value
    }
}

impl<T: MarkedState> DerefMut for Live<T> {
    fn deref_mut(&mut self) -> &mut T {
        self.mark_all()
    }
}

transparent!(Live<T: MarkedState>, value);

#[diagnostic::do_not_recommend]
impl<T: MarkedState> StateNode for Live<T> {
    node_of_inner!(T, value);

    fn sync(&mut self, now: &Self, at: &StatePath<'_>, out: &mut PatchText) {
        match self.stamp.compared(&now.stamp) {
            RecordCoverage::Same => return,
            RecordCoverage::Recorded if now.marks != u64::MAX => {
                self.value.sync_marked(&now.value, now.marks, at, out);
            }
            RecordCoverage::Recorded | RecordCoverage::Nothing => self.value.sync(&now.value, at, out),
        }
        self.stamp.agree(&now.stamp);
    }
}

/// A field that is marked when it is borrowed mutably: `*doc.edit().version += 1`, `doc.edit().title.push('!')`.
///
/// ```
/// use agui_runtime::prelude::*;
/// use agui_runtime::state::{Live, Mut};
/// # use schemars::JsonSchema;
/// # use serde::{Deserialize, Serialize};
///
/// #[derive(State, Serialize, Deserialize, JsonSchema, Clone, Default)]
/// #[state(live)]
/// struct Doc {
///     version: u32,
///     title: String,
/// }
///
/// /// Helpers take the fields they change.
/// fn rename(title: &mut Mut<'_, String>, name: &str) {
///     // Looking does not mark the field.
///     if title.as_str() != name {
///         name.clone_into(title);
///     }
/// }
///
/// let mut doc = Live::new(Doc::default());
/// rename(&mut doc.edit().title, "Risotto");
/// assert_eq!(doc.title, "Risotto");
/// ```
pub struct Mut<'e, F> {
    field: &'e mut F,
    marks: &'e Cell<u64>,
    number: u32,
}

impl<'e, F> Mut<'e, F> {
    /// Wraps the field with the given number.
    #[doc(hidden)]
    #[inline]
    pub fn new(field: &'e mut F, marks: &'e Cell<u64>, number: u32) -> Self {
        Self { field, marks, number }
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
        // Fields from the 64th on share a bit.
        self.marks.set(self.marks.get() | 1 << self.number.min(63));
        self.field
    }
}

impl<F: std::fmt::Debug> std::fmt::Debug for Mut<'_, F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.field.fmt(f)
    }
}

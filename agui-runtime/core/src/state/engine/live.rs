//! The trait that `#[state(live)]` implements: one bit for each root field.

use std::cell::Cell;

use super::{PatchText, StateNode, StatePath};

/// A state whose fields can be marked one by one.
///
/// For a struct `Doc { pub title: String, sections: Vec<Section> }` with `#[state(live)]` the derive writes
///
/// ```text
/// /// The fields of [`Doc`], each marked when it is borrowed mutably.
/// pub struct DocEdit<'e> { pub title: Mut<'e, String>, sections: Mut<'e, Vec<Section>> }
///
/// impl MarkedState for Doc {
///     type Edit<'e> = DocEdit<'e>;
///
///     fn edit<'e>(&'e mut self, marks: &'e Cell<u64>) -> DocEdit<'e> {
///         DocEdit { title: Mut::new(&mut self.title, marks, 0), sections: Mut::new(&mut self.sections, marks, 1) }
///     }
///
///     fn sync_marked(&mut self, now: &Self, marks: u64, at: &StatePath<'_>, out: &mut PatchText) {
///         let mark = out.mark();
///         if marks & (1 << 0) != 0 { StateNode::sync(&mut self.title, &now.title, &at.lit("/title"), out); }
///         if marks & (1 << 1) != 0 { StateNode::sync(&mut self.sections, &now.sections, &at.lit("/sections"), out); }
///         out.settle(mark, at, now);
///     }
/// }
/// ```
///
/// Fields from the 64th on share the last bit. Presence, flattening, keys and opaque fields are as in `sync`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not record its changes",
    label = "not a live state",
    note = "write `#[state(live)]` beside `#[derive(State)]` on the struct"
)]
pub trait MarkedState: StateNode {
    /// The fields, each behind a [`Mut`](crate::state::Mut).
    type Edit<'e>
    where
        Self: 'e;

    /// Borrows all fields at once.
    fn edit<'e>(&'e mut self, marks: &'e Cell<u64>) -> Self::Edit<'e>;

    /// [`StateNode::sync`] for the marked fields; the others are known to be the same.
    fn sync_marked(&mut self, now: &Self, marks: u64, at: &StatePath<'_>, out: &mut PatchText);
}

//! JSON Patch on a document in place, all operations or none (RFC 6902).
//!
//! Nothing is copied to be able to go back: what is replaced is kept until the patch is through. What depends on the document and not
//! on the operations is counted and bounded ([`Steps`]). Leniencies of the official client's engine are kept where they are harmless:
//!
//! | operation | takes as an index | past the end |
//! |---|---|---|
//! | `remove`, `replace`, what `move` and `copy` read | an index as RFC 6901 writes it | fails |
//! | `add` | at the end of its path also digits with leading zeros, or none (the first) | fails |
//! | where `move` and `copy` write | everywhere also such digits | appends |
//! | `test` | everywhere also such digits | fails |
//!
//! `remove` of the whole document leaves `null`. Segments that would reach JavaScript's prototypes are refused, and so are operations that
//! make much more of a document than was said: [`Copies`], [`MAX_DEPTH`], [`Steps`].

mod error;
mod path;
mod steps;
mod undo;

use serde_json::Value;

pub use error::{PatchError, PatchFault};
use path::{Index, container, find, lenient, part};
pub use steps::{MAX_PATCH_STEPS, MAX_STEPS, Steps};
use undo::Undo;

pub use crate::growth::{Copies, MAX_COPIED, MAX_DEPTH};
use crate::growth::{check_move, check_put, is_deeper};
use crate::protocol::{JsonPointer, PatchOperation};

/// Applies operations to a document, all or none. Copies may make [`MAX_COPIED`] bytes, and all may take [`MAX_PATCH_STEPS`].
///
/// # Errors
/// The first operation that does not apply; the document is as it was.
///
/// ```
/// use agui_runtime::protocol::{JsonPointer, PatchOperation};
/// use agui_runtime::receive::patch::patch;
/// use serde_json::json;
///
/// let mut document = json!({ "steps": ["chop"] });
/// let steps = JsonPointer::root().child("steps");
/// patch(&mut document, &[PatchOperation::add(steps.child("-"), "stir")])?;
/// assert_eq!(document, json!({ "steps": ["chop", "stir"] }));
///
/// let error = patch(&mut document, &[PatchOperation::remove(steps.clone()), PatchOperation::remove(steps)]);
/// assert_eq!(error.unwrap_err().to_string(), "operation 1 does not apply at `/steps`: nothing is there");
/// assert_eq!(document, json!({ "steps": ["chop", "stir"] }));
/// # Ok::<(), agui_runtime::receive::patch::PatchError>(())
/// ```
pub fn patch(document: &mut Value, operations: &[PatchOperation]) -> Result<(), PatchError> {
    patch_within(document, operations, &mut Copies::default(), &mut Steps::default())
}

/// The same, with what is left for copies to make and of steps to take. Of a patch that does not apply nothing is made, and its steps
/// are taken.
///
/// # Errors
/// As [`patch`].
///
/// ```
/// use agui_runtime::protocol::{JsonPointer, PatchOperation};
/// use agui_runtime::receive::patch::{Copies, Steps, patch_within};
/// use serde_json::json;
///
/// let (mut document, mut copies) = (json!({ "a": "text" }), Copies::up_to(100));
/// let place = |name| JsonPointer::root().child(name);
/// let copy = PatchOperation::copy(place("a"), place("b"));
/// patch_within(&mut document, &[copy], &mut copies, &mut Steps::default())?;
/// assert!(document["b"] == "text" && copies.left() < 100);
/// # Ok::<(), agui_runtime::receive::patch::PatchError>(())
/// ```
pub fn patch_within(
    document: &mut Value,
    operations: &[PatchOperation],
    copies: &mut Copies,
    steps: &mut Steps,
) -> Result<(), PatchError> {
    let before = copies.clone();
    steps.begin_patch();
    let mut done: Vec<Undo<'_>> = Vec::new();
    for (index, operation) in operations.iter().enumerate() {
        match apply(document, operation, copies, steps) {
            // An operation changes one place or none, so the last one needs no way back.
            Ok(undo) if index + 1 < operations.len() => done.extend(undo),
            Ok(_) => {}
            Err(fault) => {
                while let Some(undo) = done.pop() {
                    undo.revert(document);
                }
                *copies = before;
                return Err(PatchError { op: index, path: operation.path().as_str().to_owned(), fault });
            }
        }
    }
    Ok(())
}

/// Applies one operation, and says how it is undone.
fn apply<'p>(
    document: &mut Value,
    operation: &'p PatchOperation,
    copies: &mut Copies,
    steps: &mut Steps,
) -> Result<Option<Undo<'p>>, PatchFault> {
    match operation {
        PatchOperation::Add(add) => {
            check_put(&add.value, &add.path)?;
            put(document, &add.path, End::Checked, steps, || add.value.clone()).map(Some)
        }
        PatchOperation::Replace(replace) => {
            check_put(&replace.value, &replace.path)?;
            let place = find(document, &replace.path, Index::Exact).ok_or(PatchFault::Missing)?;
            let old = std::mem::replace(place, replace.value.clone());
            Ok(Some(Undo::put(&replace.path, old)))
        }
        PatchOperation::Remove(remove) => {
            let (old, undo) = take(document, &remove.path, steps)?;
            Ok(Some(undo.with(old)))
        }
        PatchOperation::Test(test) => {
            let there = part(document, &test.path, Index::Lenient).ok_or(PatchFault::Missing)?;
            if crate::json::same(there, &test.value) { Ok(None) } else { Err(PatchFault::Different) }
        }
        PatchOperation::Copy(copy) => {
            let value = part(document, &copy.from, Index::Exact).ok_or(PatchFault::Missing)?;
            steps.take_for(value)?;
            copies.copy(value, &copy.path)?;
            let value = value.clone();
            put(document, &copy.path, End::Open, steps, || value).map(Some)
        }
        PatchOperation::Move(moved) => relocate(document, &moved.from, &moved.path, steps),
    }
}

/// What may be past the end of an array.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// Nothing: an index is at most the length.
    Checked,
    /// Anything, and it means the end.
    Open,
}

/// Inserts a value, or sets the member there.
fn put<'p>(
    document: &mut Value,
    pointer: &'p JsonPointer,
    end: End,
    steps: &mut Steps,
    value: impl FnOnce() -> Value,
) -> Result<Undo<'p>, PatchFault> {
    let inner = if end == End::Open { Index::Lenient } else { Index::Exact };
    match container(document, pointer, inner)? {
        None => Ok(Undo::Root(std::mem::replace(document, value()))),
        Some((Value::Object(members), key)) => Ok(match members.insert(key.into_owned(), value()) {
            Some(old) => Undo::put(pointer, old),
            None => Undo::Remove(pointer),
        }),
        Some((Value::Array(elements), key)) => {
            let length = elements.len();
            let at = if key == "-" { length } else { lenient(&key)? };
            if end == End::Checked && at > length {
                return Err(PatchFault::Index(key.into_owned()));
            }
            let at = at.min(length);
            steps.take(length - at)?;
            elements.insert(at, value());
            Ok(Undo::Cut(pointer, at))
        }
        Some(_) => Err(PatchFault::Missing),
    }
}

/// Takes a value away, and says how it is put back, with `null` in its place.
fn take<'p>(
    document: &mut Value,
    pointer: &'p JsonPointer,
    steps: &mut Steps,
) -> Result<(Value, Undo<'p>), PatchFault> {
    match container(document, pointer, Index::Exact)? {
        None => Ok((std::mem::take(document), Undo::Root(Value::Null))),
        Some((Value::Object(members), key)) => {
            let old = members.remove(key.as_ref()).ok_or(PatchFault::Missing)?;
            Ok((old, Undo::put(pointer, Value::Null)))
        }
        Some((Value::Array(elements), key)) => {
            let at = Index::Exact.read(&key, elements.len()).ok_or(PatchFault::Missing)?;
            steps.take(elements.len() - at)?;
            Ok((elements.remove(at), Undo::Insert(pointer, at, Value::Null)))
        }
        Some(_) => Err(PatchFault::Missing),
    }
}

fn relocate<'p>(
    document: &mut Value,
    from: &'p JsonPointer,
    to: &'p JsonPointer,
    steps: &mut Steps,
) -> Result<Option<Undo<'p>>, PatchFault> {
    let value = part(document, from, Index::Exact).ok_or(PatchFault::Missing)?;
    if from == to {
        return Ok(None);
    }
    if to.as_str().strip_prefix(from.as_str()).is_some_and(|rest| rest.starts_with('/')) {
        return Err(PatchFault::IntoItself);
    }
    if is_deeper(from, to) {
        steps.take_for(value)?;
    }
    check_move(value, from, to)?;
    // Where it goes must be a place before it is taken away, not only afterwards.
    match container(document, to, Index::Lenient)? {
        Some((Value::Array(_), key)) if key != "-" => drop(lenient(&key)?),
        Some((Value::Array(_) | Value::Object(_), _)) | None => {}
        Some(_) => return Err(PatchFault::Missing),
    }
    let (value, taken) = take(document, from, steps)?;
    let mut value = Some(value);
    match put(document, to, End::Open, steps, || value.take().unwrap_or_default()) {
        Ok(placed) => Ok(Some(Undo::Back(Box::new((placed, taken))))),
        Err(fault) => {
            taken.with(value.unwrap_or_default()).revert(document);
            Err(fault)
        }
    }
}

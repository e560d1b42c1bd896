//! JSON Patch on a document in place: all operations are applied, or none (RFC 6902).
//!
//! No copy of the document is made for rollback; replaced values are kept until the patch has been applied. Work that depends on
//! the document's size, not on the operations' size, is counted and limited ([`StepLimit`]). Harmless leniencies of the official
//! client's engine are kept:
//!
//! | operation | takes as an index | past the end |
//! |---|---|---|
//! | `remove`, `replace`, the source of `move` and `copy` | an index as in RFC 6901 | fails |
//! | `add` | in the last segment also digits with leading zeros, or no digits (the first) | fails |
//! | the target of `move` and `copy` | everywhere also such digits | appends |
//! | `test` | everywhere also such digits | fails |
//!
//! `remove` on the whole document leaves `null`. Segments that would reach JavaScript's prototypes are refused, and so are
//! operations that exceed a growth limit: [`CopyLimit`], [`MAX_DEPTH`], [`StepLimit`].
//!
//! `patched` applies the same operations by RFC 6902 alone, without these leniencies: for the program's own documents.

mod error;
mod path;
mod steps;
mod undo;

use serde_json::Value;

pub use error::{PatchError, PatchFault};
use path::{IndexNotation, container, find, part};
pub use steps::{MAX_PATCH_STEPS, MAX_STEPS, StepLimit};
use undo::UndoStep;

pub use crate::json::limits::{CopyLimit, MAX_COPIED, MAX_DEPTH};
use crate::json::limits::{check_move, check_put, is_deeper};
use crate::protocol::{JsonPointer, PatchOperation};

/// Applies operations to a document, all or none. Copies may make at most [`MAX_COPIED`] bytes, and all operations may take at
/// most [`MAX_PATCH_STEPS`].
///
/// # Errors
/// [`PatchError`] for the first operation that does not apply; the document is then unchanged.
///
/// ```
/// use agui_runtime::protocol::{JsonPointer, PatchOperation};
/// use agui_runtime::json::patch::patch;
/// use serde_json::json;
///
/// let mut document = json!({ "steps": ["chop"] });
/// let steps = JsonPointer::root().child("steps");
/// patch(&mut document, &[PatchOperation::add(steps.child("-"), "stir")])?;
/// assert_eq!(document, json!({ "steps": ["chop", "stir"] }));
///
/// let error = patch(&mut document, &[PatchOperation::remove(steps.clone()), PatchOperation::remove(steps)]);
/// assert_eq!(error.unwrap_err().to_string(), "operation 1 does not apply at `/steps`: the path does not exist");
/// assert_eq!(document, json!({ "steps": ["chop", "stir"] }));
/// # Ok::<(), agui_runtime::json::patch::PatchError>(())
/// ```
pub fn patch(document: &mut Value, operations: &[PatchOperation]) -> Result<(), PatchError> {
    patch_within(document, operations, &mut CopyLimit::default(), &mut StepLimit::default())
}

/// Like [`patch`], with a run's remaining copies and steps. A patch that does not apply uses no copies, but its steps count. For
/// an example see [`CopyLimit`].
///
/// # Errors
/// As [`patch`].
pub fn patch_within(
    document: &mut Value,
    operations: &[PatchOperation],
    copies: &mut CopyLimit,
    steps: &mut StepLimit,
) -> Result<(), PatchError> {
    let before = copies.clone();
    steps.begin_patch();
    let mut done: Vec<UndoStep<'_>> = Vec::new();
    for (index, operation) in operations.iter().enumerate() {
        match apply(document, operation, PatchRules::Official, copies, steps) {
            // An operation changes at most one place, so the last one need not be undone.
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

/// Returns the document after the operations, by RFC 6901 and RFC 6902 alone: a member may have any name, and the whole document
/// cannot be removed. Copies may make [`MAX_COPIED`]; steps are not counted. The error's path is the operation's `path`, or `from`
/// if that place is missing.
pub(crate) fn patched(mut document: Value, operations: &[PatchOperation]) -> Result<Value, PatchError> {
    let (mut copies, mut steps) = (CopyLimit::default(), StepLimit::unbounded());
    for (op, operation) in operations.iter().enumerate() {
        apply(&mut document, operation, PatchRules::Rfc, &mut copies, &mut steps).map_err(|fault| {
            let place = match operation.source() {
                Some(from) if part(&document, from, IndexNotation::Rfc).is_none() => from,
                _ => operation.path(),
            };
            PatchError { op, path: place.as_str().to_owned(), fault }
        })?;
    }
    Ok(document)
}

/// The rules where the official clients and RFC 6902 differ.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PatchRules {
    Official,
    Rfc,
}

impl PatchRules {
    fn exact(self) -> IndexNotation {
        if self == Self::Rfc { IndexNotation::Rfc } else { IndexNotation::Exact }
    }

    fn lenient(self) -> IndexNotation {
        if self == Self::Rfc { IndexNotation::Rfc } else { IndexNotation::Lenient }
    }
}

/// Applies one operation, and returns the undo step. An operation that does not apply changes nothing.
fn apply<'p>(
    document: &mut Value,
    operation: &'p PatchOperation,
    rules: PatchRules,
    copies: &mut CopyLimit,
    steps: &mut StepLimit,
) -> Result<Option<UndoStep<'p>>, PatchFault> {
    match operation {
        PatchOperation::Add(add) => {
            check_put(&add.value, &add.path)?;
            put(document, &add.path, rules, PastEndRule::Checked, steps, || add.value.clone()).map(Some)
        }
        PatchOperation::Replace(replace) => {
            check_put(&replace.value, &replace.path)?;
            let place = find(document, &replace.path, rules.exact()).ok_or(PatchFault::Missing)?;
            let old = std::mem::replace(place, replace.value.clone());
            Ok(Some(UndoStep::put(&replace.path, old)))
        }
        PatchOperation::Remove(remove) => {
            let (old, undo) = take(document, &remove.path, rules, steps)?;
            Ok(Some(undo.with(old)))
        }
        PatchOperation::Test(test) => {
            let there = part(document, &test.path, rules.lenient()).ok_or(PatchFault::Missing)?;
            if crate::json::same(there, &test.value) { Ok(None) } else { Err(PatchFault::Different) }
        }
        PatchOperation::Copy(copy) => {
            let value = part(document, &copy.from, rules.exact()).ok_or(PatchFault::Missing)?;
            steps.take_for(value)?;
            copies.copy(value, &copy.path)?;
            let value = value.clone();
            put(document, &copy.path, rules, PastEndRule::Open, steps, || value).map(Some)
        }
        PatchOperation::Move(moved) => relocate(document, &moved.from, &moved.path, rules, steps),
    }
}

/// The rule for an index past the end of an array.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PastEndRule {
    /// Refused: an index is at most the length.
    Checked,
    /// Accepted: such an index means the end.
    Open,
}

/// Inserts a value, or sets the member there.
fn put<'p>(
    document: &mut Value,
    pointer: &'p JsonPointer,
    rules: PatchRules,
    end: PastEndRule,
    steps: &mut StepLimit,
    value: impl FnOnce() -> Value,
) -> Result<UndoStep<'p>, PatchFault> {
    let end = if rules == PatchRules::Rfc { PastEndRule::Checked } else { end };
    let inner = if end == PastEndRule::Open { IndexNotation::Lenient } else { rules.exact() };
    match container(document, pointer, inner)? {
        None => Ok(UndoStep::Root(std::mem::replace(document, value()))),
        Some((Value::Object(members), key)) => Ok(match members.insert(key.into_owned(), value()) {
            Some(old) => UndoStep::put(pointer, old),
            None => UndoStep::Remove(pointer),
        }),
        Some((Value::Array(elements), key)) => {
            let length = elements.len();
            let at = if key == "-" { length } else { rules.lenient().place(&key)? };
            if end == PastEndRule::Checked && at > length {
                return Err(PatchFault::Index(key.into_owned()));
            }
            let at = at.min(length);
            steps.take(length - at)?;
            elements.insert(at, value());
            Ok(UndoStep::Cut(pointer, at))
        }
        Some(_) => Err(PatchFault::Missing),
    }
}

/// Removes a value, and returns the value and its undo step, which holds `null` instead.
fn take<'p>(
    document: &mut Value,
    pointer: &'p JsonPointer,
    rules: PatchRules,
    steps: &mut StepLimit,
) -> Result<(Value, UndoStep<'p>), PatchFault> {
    match container(document, pointer, rules.exact())? {
        None if rules == PatchRules::Rfc => Err(PatchFault::Missing),
        None => Ok((std::mem::take(document), UndoStep::Root(Value::Null))),
        Some((Value::Object(members), key)) => {
            let old = members.remove(key.as_ref()).ok_or(PatchFault::Missing)?;
            Ok((old, UndoStep::put(pointer, Value::Null)))
        }
        Some((Value::Array(elements), key)) => {
            let at = rules.exact().existing(&key, elements.len()).ok_or(PatchFault::Missing)?;
            steps.take(elements.len() - at)?;
            Ok((elements.remove(at), UndoStep::Insert(pointer, at, Value::Null)))
        }
        Some(_) => Err(PatchFault::Missing),
    }
}

fn relocate<'p>(
    document: &mut Value,
    from: &'p JsonPointer,
    to: &'p JsonPointer,
    rules: PatchRules,
    steps: &mut StepLimit,
) -> Result<Option<UndoStep<'p>>, PatchFault> {
    let value = part(document, from, rules.exact()).ok_or(PatchFault::Missing)?;
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
    // The target must exist before the value is removed, not only afterwards.
    match container(document, to, rules.lenient())? {
        Some((Value::Array(_), key)) if key != "-" => drop(rules.lenient().place(&key)?),
        Some((Value::Array(_) | Value::Object(_), _)) | None => {}
        Some(_) => return Err(PatchFault::Missing),
    }
    let (value, taken) = take(document, from, rules, steps)?;
    let mut value = Some(value);
    match put(document, to, rules, PastEndRule::Open, steps, || value.take().unwrap_or_default()) {
        Ok(placed) => Ok(Some(UndoStep::Back(Box::new((placed, taken))))),
        Err(fault) => {
            taken.with(value.unwrap_or_default()).revert(document);
            Err(fault)
        }
    }
}

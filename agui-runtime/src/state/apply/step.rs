//! One operation, and the way back from it.

use serde_json::Value;

use super::target::Undo;
use super::{Edit, Fault, Target};
use crate::growth::{Copies, check_move, check_put};
use crate::protocol::{JsonPointer, PatchOperation};

/// How a place is reached that the type does not open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Route {
    /// The part around it is read anew.
    Typed,
    /// It is a document, which opens everything there is.
    Document,
}

/// What one operation changed, in the order in which it did: nothing, a place, or the two of a `move`.
#[derive(Debug, Default)]
pub(super) struct Changes {
    first: Option<Change>,
    second: Option<Change>,
}

impl Changes {
    /// Goes back, as soon as everything after it has.
    pub(super) fn revert(self, root: &mut dyn Target) {
        for change in [self.second, self.first].into_iter().flatten() {
            change.revert(root);
        }
    }
}

impl From<Change> for Changes {
    fn from(change: Change) -> Self {
        Self { first: Some(change), second: None }
    }
}

/// A part that changed, and how it was.
#[derive(Debug)]
struct Change {
    segments: Vec<String>,
    /// After so many segments is the part.
    depth: usize,
    undo: Undo,
}

impl Change {
    fn revert(self, root: &mut dyn Target) {
        back(root, self.segments.get(..self.depth).unwrap_or_default(), self.undo);
    }
}

/// Follows the way a change was made on.
fn back(node: &mut dyn Target, way: &[String], undo: Undo) {
    match way.split_first() {
        None => node.undo(undo),
        Some((segment, rest)) => {
            if let Some(part) = node.place(segment) {
                back(part, rest, undo);
            }
        }
    }
}

/// Applies one operation, or leaves everything as it is and says which of its places is wrong.
pub(super) fn step<'o>(
    root: &mut dyn Target,
    operation: &'o PatchOperation,
    route: Route,
    copies: &mut Copies,
) -> Result<Changes, (Fault, &'o JsonPointer)> {
    let at = |place: &'o JsonPointer| move |fault| (fault, place);
    match operation {
        PatchOperation::Add(add) => {
            check_put(&add.value, &add.path).map_err(|excess| (excess.into(), &add.path))?;
            write(root, &add.path, Write::Add(add.value.clone()), route).map_err(at(&add.path))
        }
        PatchOperation::Replace(replace) => {
            check_put(&replace.value, &replace.path).map_err(|excess| (excess.into(), &replace.path))?;
            write(root, &replace.path, Write::Replace(replace.value.clone()), route)
                .map_err(at(&replace.path))
        }
        PatchOperation::Remove(remove) => {
            write(root, &remove.path, Write::Remove, route).map_err(at(&remove.path))
        }
        PatchOperation::Test(test) => match read(root, &test.path) {
            Ok(there) if crate::json::same(&there, &test.value) => Ok(Changes::default()),
            Ok(_) => Err((Fault::Different, &test.path)),
            Err(fault) => Err((fault, &test.path)),
        },
        PatchOperation::Copy(copy) => {
            let value = read(root, &copy.from).map_err(at(&copy.from))?;
            copies.copy(&value, &copy.path).map_err(|excess| (excess.into(), &copy.path))?;
            write(root, &copy.path, Write::Add(value), route).map_err(at(&copy.path))
        }
        PatchOperation::Move(moved) => relocate(root, &moved.from, &moved.path, route),
    }
}

enum Write {
    Add(Value),
    Replace(Value),
    Remove,
}

fn write(root: &mut dyn Target, path: &JsonPointer, write: Write, route: Route) -> Result<Changes, Fault> {
    let segments: Vec<String> = path.segments().collect();
    let (depth, undo) = write_at(root, &segments, write, route)?;
    Ok(Change { segments, depth, undo }.into())
}

/// Says which part changed, after how many segments, and how it was.
fn write_at(
    root: &mut dyn Target,
    segments: &[String],
    write: Write,
    route: Route,
) -> Result<(usize, Undo), Fault> {
    let Some((last, parents)) = segments.split_last() else {
        return match write {
            Write::Add(value) | Write::Replace(value) => Ok((0, root.read(value)?)),
            // The root is always there; a document without one is none.
            Write::Remove => Err(Fault::Missing),
        };
    };
    reach(root, parents, 0, |node, depth| {
        if depth < parents.len() {
            let undo = anew(node, segments.get(depth..).unwrap_or_default(), write, route)?;
            return Ok((depth, undo));
        }
        let (below, undo) = write_below(node, last, write, route)?;
        Ok((depth + usize::from(below), undo))
    })
}

/// Changes what is at a segment; says whether what changed is the part there, and not the one around it.
fn write_below(
    node: &mut dyn Target,
    last: &String,
    write: Write,
    route: Route,
) -> Result<(bool, Undo), Fault> {
    let write = match write {
        Write::Add(mut value) => match node.change(Edit::Add(last, &mut value)) {
            Some(done) => return Ok((false, done?)),
            // In an array of fixed length, `add` is not a way to set an element.
            None if last != "-" && !last.bytes().all(|byte| byte.is_ascii_digit()) => match node.part(last) {
                Some(part) => return Ok((true, part.read(value)?)),
                None => Write::Add(value),
            },
            None => Write::Add(value),
        },
        Write::Replace(value) => match node.part(last) {
            Some(part) => return Ok((true, part.read(value)?)),
            None => Write::Replace(value),
        },
        Write::Remove => match node.change(Edit::Remove(last)) {
            Some(done) => return Ok((false, done?)),
            None => Write::Remove,
        },
    };
    Ok((false, anew(node, std::slice::from_ref(last), write, route)?))
}

/// Reads a part anew from its patched JSON.
fn anew(node: &mut dyn Target, segments: &[String], write: Write, route: Route) -> Result<Undo, Fault> {
    if route == Route::Document {
        return Err(Fault::Missing);
    }
    let mut document = node.value()?;
    write_at(&mut document, segments, write, Route::Document)?;
    node.read(document)
}

/// Follows segments as far as the types open them, and acts where that ends: on the part, after so many segments.
fn reach<R>(
    node: &mut dyn Target,
    segments: &[String],
    depth: usize,
    act: impl FnOnce(&mut dyn Target, usize) -> R,
) -> R {
    if let Some(segment) = segments.get(depth)
        && let Some(part) = node.part(segment)
    {
        return reach(part, segments, depth + 1, act);
    }
    act(node, depth)
}

fn read(root: &mut dyn Target, path: &JsonPointer) -> Result<Value, Fault> {
    let segments: Vec<String> = path.segments().collect();
    reach(root, &segments, 0, |node, depth| {
        let mut document = node.value()?;
        let rest = segments.get(depth..).unwrap_or_default();
        reach(
            &mut document,
            rest,
            0,
            |part, found| {
                if found == rest.len() { part.value() } else { Err(Fault::Missing) }
            },
        )
    })
}

fn relocate<'o>(
    root: &mut dyn Target,
    from: &'o JsonPointer,
    to: &'o JsonPointer,
    route: Route,
) -> Result<Changes, (Fault, &'o JsonPointer)> {
    let (from_text, to_text) = (from.as_str(), to.as_str());
    if to_text.strip_prefix(from_text).is_some_and(|rest| rest.starts_with('/')) {
        return Err((Fault::IntoItself, to));
    }
    let (from_segments, to_segments): (Vec<_>, Vec<_>) = (from.segments().collect(), to.segments().collect());
    if let (Some((from_last, from_parents)), Some((to_last, to_parents))) =
        (from_segments.split_last(), to_segments.split_last())
        && from_parents == to_parents
    {
        let done = reach(root, from_parents, 0, |node, depth| {
            if depth < from_parents.len() { None } else { node.change(Edit::Move(from_last, to_last)) }
        });
        if let Some(done) = done {
            let depth = from_parents.len();
            return match done {
                Ok(undo) => Ok(Change { segments: from_segments, depth, undo }.into()),
                Err(fault) => Err((fault, if read(root, from).is_err() { from } else { to })),
            };
        }
    }
    let value = read(root, from).map_err(|fault| (fault, from))?;
    if from == to {
        return Ok(Changes::default());
    }
    check_move(&value, from, to).map_err(|excess| (excess.into(), to))?;
    let taken = write(root, from, Write::Remove, route).map_err(|fault| (fault, from))?;
    match write(root, to, Write::Add(value), route) {
        Ok(put) => Ok(Changes { first: taken.first, second: put.first }),
        Err(fault) => {
            taken.revert(root);
            Err((fault, to))
        }
    }
}

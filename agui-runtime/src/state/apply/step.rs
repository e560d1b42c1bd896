//! One operation.

use serde_json::Value;

use super::{Edit, Fault, Target};
use crate::protocol::{JsonPointer, PatchOperation};

/// How a place is reached that the type does not open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Route {
    /// The part around it is read anew.
    Typed,
    /// It is a document, which opens everything there is.
    Document,
}

/// Applies one operation. Where it does not apply, only a `move` may leave traces.
pub(super) fn step(root: &mut dyn Target, operation: &PatchOperation, route: Route) -> Result<(), Fault> {
    match operation {
        PatchOperation::Add(add) => write(root, &add.path, Write::Add(add.value.clone()), route),
        PatchOperation::Replace(replace) => {
            write(root, &replace.path, Write::Replace(replace.value.clone()), route)
        }
        PatchOperation::Remove(remove) => write(root, &remove.path, Write::Remove, route),
        PatchOperation::Test(test) => {
            let there = read(root, &test.path)?;
            if crate::json::same(&there, &test.value) { Ok(()) } else { Err(Fault::Different) }
        }
        PatchOperation::Copy(copy) => {
            let value = read(root, &copy.from)?;
            write(root, &copy.path, Write::Add(value), route)
        }
        PatchOperation::Move(move_) => relocate(root, &move_.from, &move_.path, route),
    }
}

enum Write {
    Add(Value),
    Replace(Value),
    Remove,
}

fn write(root: &mut dyn Target, path: &JsonPointer, write: Write, route: Route) -> Result<(), Fault> {
    let segments: Vec<String> = path.segments().collect();
    write_at(root, &segments, write, route)
}

fn write_at(root: &mut dyn Target, segments: &[String], write: Write, route: Route) -> Result<(), Fault> {
    let Some((last, parents)) = segments.split_last() else {
        return match write {
            Write::Add(value) | Write::Replace(value) => root.read(value),
            // The root is always there; a document without one is none.
            Write::Remove => Err(Fault::Missing),
        };
    };
    reach(root, parents, 0, |node, depth| {
        if depth < parents.len() {
            anew(node, segments.get(depth..).unwrap_or_default(), write, route)
        } else {
            write_below(node, last, write, route)
        }
    })
}

fn write_below(node: &mut dyn Target, last: &String, write: Write, route: Route) -> Result<(), Fault> {
    let write = match write {
        Write::Add(mut value) => match node.change(Edit::Add(last, &mut value)) {
            Some(done) => return done,
            // In an array of fixed length, `add` is not a way to set an element.
            None if last != "-" && !last.bytes().all(|byte| byte.is_ascii_digit()) => match node.part(last) {
                Some(part) => return part.read(value),
                None => Write::Add(value),
            },
            None => Write::Add(value),
        },
        Write::Replace(value) => match node.part(last) {
            Some(part) => return part.read(value),
            None => Write::Replace(value),
        },
        Write::Remove => match node.change(Edit::Remove(last, None)) {
            Some(done) => return done,
            None => Write::Remove,
        },
    };
    anew(node, std::slice::from_ref(last), write, route)
}

/// Reads a part anew from its patched JSON.
fn anew(node: &mut dyn Target, segments: &[String], write: Write, route: Route) -> Result<(), Fault> {
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

fn relocate(root: &mut dyn Target, from: &JsonPointer, to: &JsonPointer, route: Route) -> Result<(), Fault> {
    let (from_text, to_text) = (from.as_str(), to.as_str());
    if to_text.strip_prefix(from_text).is_some_and(|rest| rest.starts_with('/')) {
        return Err(Fault::IntoItself);
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
            return done;
        }
    }
    let value = read(root, from)?;
    if from == to {
        return Ok(());
    }
    write(root, from, Write::Remove, route)?;
    write(root, to, Write::Add(value), route)
}

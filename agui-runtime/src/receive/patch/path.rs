//! Following a JSON Pointer (RFC 6901).

use std::borrow::Cow;

use serde_json::Value;

use super::PatchFault;
use crate::protocol::JsonPointer;

/// How a segment is read as an index.
#[derive(Clone, Copy)]
pub(super) enum Index {
    /// As RFC 6901 writes it.
    Exact,
    /// Any digits, leading zeros among them; none are 0.
    Lenient,
}

impl Index {
    /// The index, if there is such an element.
    pub(super) fn read(self, segment: &str, length: usize) -> Option<usize> {
        if matches!(self, Self::Exact) && segment != "0" && (segment.is_empty() || segment.starts_with('0')) {
            return None;
        }
        lenient(segment).ok().filter(|index| *index < length)
    }
}

/// An index in digits, of an element or where one may come to be.
pub(super) fn lenient(segment: &str) -> Result<usize, PatchFault> {
    let fault = || PatchFault::Index(segment.to_owned());
    if !segment.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(fault());
    }
    if segment.is_empty() { Ok(0) } else { segment.parse().map_err(|_| fault()) }
}

/// The segments, unescaped.
struct Segments<'p> {
    rest: Option<&'p str>,
    /// The one before, as it is written.
    before: &'p str,
}

impl<'p> Segments<'p> {
    fn of(pointer: &'p JsonPointer) -> Self {
        Self { rest: pointer.as_str().strip_prefix('/'), before: "" }
    }

    fn is_last(&self) -> bool {
        self.rest.is_none()
    }

    /// The next one; a fault where it would reach a prototype in JavaScript.
    fn next(&mut self) -> Option<Result<Cow<'p, str>, PatchFault>> {
        let rest = self.rest?;
        let (written, rest) = match rest.split_once('/') {
            Some((segment, rest)) => (segment, Some(rest)),
            None => (rest, None),
        };
        self.rest = rest;
        let segment = match written.contains('~') {
            true => Cow::Owned(written.replace("~1", "/").replace("~0", "~")),
            false => Cow::Borrowed(written),
        };
        let banned = segment == "__proto__" || (segment == "prototype" && self.before == "constructor");
        self.before = written;
        Some(if banned { Err(PatchFault::Prototype) } else { Ok(segment) })
    }
}

/// What is at a place.
pub(super) fn part<'v>(document: &'v Value, pointer: &JsonPointer, index: Index) -> Option<&'v Value> {
    let mut segments = Segments::of(pointer);
    let mut place = document;
    while let Some(segment) = segments.next() {
        let segment = segment.ok()?;
        place = match place {
            Value::Object(members) => members.get(segment.as_ref())?,
            Value::Array(elements) => elements.get(index.read(&segment, elements.len())?)?,
            _ => return None,
        };
    }
    Some(place)
}

/// What is at a place, to change it.
pub(super) fn find<'v>(
    document: &'v mut Value,
    pointer: &JsonPointer,
    index: Index,
) -> Option<&'v mut Value> {
    let mut segments = Segments::of(pointer);
    let mut place = document;
    while let Some(segment) = segments.next() {
        place = step(place, &segment.ok()?, index)?;
    }
    Some(place)
}

/// What is around a place, and the last segment; `None` for the whole document. `index` is how the way there is read.
pub(super) fn container<'v, 'p>(
    document: &'v mut Value,
    pointer: &'p JsonPointer,
    index: Index,
) -> Result<Option<(&'v mut Value, Cow<'p, str>)>, PatchFault> {
    let mut segments = Segments::of(pointer);
    let mut place = document;
    while let Some(segment) = segments.next() {
        let segment = segment?;
        if segments.is_last() {
            return Ok(Some((place, segment)));
        }
        place = step(place, &segment, index).ok_or(PatchFault::Missing)?;
    }
    Ok(None)
}

fn step<'v>(place: &'v mut Value, segment: &str, index: Index) -> Option<&'v mut Value> {
    match place {
        Value::Object(members) => members.get_mut(segment),
        Value::Array(elements) => {
            let at = index.read(segment, elements.len())?;
            elements.get_mut(at)
        }
        _ => None,
    }
}

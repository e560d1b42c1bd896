//! Resolves JSON Pointers (RFC 6901).

use std::borrow::Cow;

use serde_json::Value;

use super::PatchFault;
use crate::protocol::JsonPointer;

/// How a segment is read as an index.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum IndexNotation {
    /// As in RFC 6901, on a path whose segments may have any name.
    Rfc,
    /// As in RFC 6901.
    Exact,
    /// Any digits, also with leading zeros; no digits mean 0.
    Lenient,
}

impl IndexNotation {
    /// Returns the index, if such an element exists.
    pub(super) fn existing(self, segment: &str, length: usize) -> Option<usize> {
        self.place(segment).ok().filter(|index| *index < length)
    }

    /// Parses the index for an existing or a new element.
    pub(super) fn place(self, segment: &str) -> Result<usize, PatchFault> {
        let fault = || PatchFault::Index(segment.to_owned());
        let is_plain = segment == "0" || !(segment.is_empty() || segment.starts_with('0'));
        if !(is_plain || self == Self::Lenient) || !segment.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(fault());
        }
        if segment.is_empty() { Ok(0) } else { segment.parse().map_err(|_| fault()) }
    }
}

/// An iterator over a pointer's segments, unescaped.
struct PointerSegments<'p> {
    rest: Option<&'p str>,
    /// The previous segment, still escaped.
    before: &'p str,
    any: bool,
}

impl<'p> PointerSegments<'p> {
    fn new(pointer: &'p JsonPointer, index: IndexNotation) -> Self {
        Self { rest: pointer.as_str().strip_prefix('/'), before: "", any: index == IndexNotation::Rfc }
    }

    fn is_last(&self) -> bool {
        self.rest.is_none()
    }

    /// Returns the next segment; fails if the segment would reach a prototype in JavaScript.
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
        let banned = banned && !self.any;
        self.before = written;
        Some(if banned { Err(PatchFault::Prototype) } else { Ok(segment) })
    }
}

/// Returns the value at a path.
pub(super) fn part<'v>(
    document: &'v Value,
    pointer: &JsonPointer,
    index: IndexNotation,
) -> Option<&'v Value> {
    let mut segments = PointerSegments::new(pointer, index);
    let mut place = document;
    while let Some(segment) = segments.next() {
        let segment = segment.ok()?;
        place = match place {
            Value::Object(members) => members.get(segment.as_ref())?,
            Value::Array(elements) => elements.get(index.existing(&segment, elements.len())?)?,
            _ => return None,
        };
    }
    Some(place)
}

/// Returns the value at a path, for writing.
pub(super) fn find<'v>(
    document: &'v mut Value,
    pointer: &JsonPointer,
    index: IndexNotation,
) -> Option<&'v mut Value> {
    let mut segments = PointerSegments::new(pointer, index);
    let mut place = document;
    while let Some(segment) = segments.next() {
        place = step(place, &segment.ok()?, index)?;
    }
    Some(place)
}

/// Returns a path's container and last segment; `None` for the whole document. `index` applies to the segments before the last.
pub(super) fn container<'v, 'p>(
    document: &'v mut Value,
    pointer: &'p JsonPointer,
    index: IndexNotation,
) -> Result<Option<(&'v mut Value, Cow<'p, str>)>, PatchFault> {
    let mut segments = PointerSegments::new(pointer, index);
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

fn step<'v>(place: &'v mut Value, segment: &str, index: IndexNotation) -> Option<&'v mut Value> {
    match place {
        Value::Object(members) => members.get_mut(segment),
        Value::Array(elements) => {
            let at = index.existing(segment, elements.len())?;
            elements.get_mut(at)
        }
        _ => None,
    }
}

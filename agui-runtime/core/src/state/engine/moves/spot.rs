//! List places that can be brought past other operations.

use std::borrow::Cow;

use super::super::StatePath;

/// A place in a list: the list's pointer, and the index of an element or the gap before one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ListSpot {
    pub(super) list: Vec<SpotStep>,
    pub(super) index: usize,
}

/// One segment in a list's pointer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum SpotStep {
    Index(usize),
    /// A name, as written in an operation's text.
    Name(String),
}

/// A pointer's segments, as written in an operation's text.
pub(super) type TextSegments<'t> = Vec<Cow<'t, str>>;

impl ListSpot {
    /// Returns an element's place in the list at `at`, if the path can be written.
    pub(super) fn from_path(at: &StatePath<'_>, index: usize) -> Option<Self> {
        let mut text = String::new();
        at.write(&mut text).ok()?;
        let kinds = at.kinds();
        let step = |(depth, segment): (usize, &str)| match kinds.is_index(depth + 1) {
            true => segment.parse().ok().map(SpotStep::Index),
            false => Some(SpotStep::Name(segment.to_owned())),
        };
        let list = text.split('/').skip(1).enumerate().map(step).collect::<Option<_>>()?;
        Some(Self { list, index })
    }

    /// Returns true if a pointer leads to the list or into it.
    pub(super) fn leads(&self, pointer: &[Cow<'_, str>]) -> bool {
        pointer.len() >= self.list.len() && self.agrees(pointer)
    }

    /// Returns true if a pointer leads to the list or to a value that contains it.
    pub(super) fn is_below(&self, pointer: &[Cow<'_, str>]) -> bool {
        pointer.len() <= self.list.len() && self.agrees(pointer)
    }

    /// Returns true if the pointer and the list's pointer are the same as far as both go.
    pub(super) fn agrees(&self, pointer: &[Cow<'_, str>]) -> bool {
        self.list.iter().zip(pointer).all(|(step, segment)| step.is(segment))
    }

    /// Returns the place's pointer.
    pub(super) fn pointer(&self) -> TextSegments<'static> {
        let steps = self.list.iter().map(|step| match step {
            SpotStep::Index(index) => Cow::Owned(index.to_string()),
            SpotStep::Name(name) => Cow::Owned(name.clone()),
        });
        steps.chain([Cow::Owned(self.index.to_string())]).collect()
    }
}

impl SpotStep {
    fn is(&self, segment: &str) -> bool {
        match self {
            Self::Index(index) => segment.parse() == Ok(*index),
            Self::Name(name) => name == segment,
        }
    }
}

/// Splits a pointer's text into segments.
pub(super) fn segments(pointer: &str) -> TextSegments<'_> {
    pointer.split('/').skip(1).map(Cow::Borrowed).collect()
}

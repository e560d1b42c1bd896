//! The result of a comparison of two schemas.

/// A place where the reader refuses a value of the writer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SchemaMismatch {
    /// The place inside the value: `.items[].owner`.
    pub(super) path: String,
    pub(super) message: String,
    /// True if it is an alternative that the reader does not know, while it knows others.
    pub(super) is_new_variant: bool,
}

impl SchemaMismatch {
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self { path: String::new(), message: message.into(), is_new_variant: false }
    }
}

/// The mismatches, and the outermost pair that was assumed to fit on the way.
pub(super) struct ComparisonVerdict {
    pub(super) found: Vec<SchemaMismatch>,
    pub(super) low: usize,
}

impl ComparisonVerdict {
    pub(super) fn fits() -> Self {
        Self { found: Vec::new(), low: usize::MAX }
    }

    pub(super) fn no(message: impl Into<String>) -> Self {
        Self { found: vec![SchemaMismatch::new(message)], low: usize::MAX }
    }

    pub(super) fn add(&mut self, place: &str, inner: Self) {
        self.low = self.low.min(inner.low);
        self.found.extend(
            inner
                .found
                .into_iter()
                .map(|found| SchemaMismatch { path: format!("{place}{}", found.path), ..found }),
        );
    }
}

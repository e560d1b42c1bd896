//! The result when two schemas are compared.

/// A path at which the reader refuses a value from the writer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SchemaMismatch {
    /// The path inside the value: `.items[].owner`.
    pub(super) path: String,
    pub(super) message: String,
    /// True if the reader does not know this alternative, but knows other alternatives.
    pub(super) is_new_variant: bool,
}

impl SchemaMismatch {
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self { path: String::new(), message: message.into(), is_new_variant: false }
    }
}

/// The mismatches, and the outermost pair that the comparison assumed to fit.
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

//! Caches the last span to which an untagged event added.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::protocol::{Event, SpanKind};

/// An open span to which an untagged event has just added. The next untagged event for this span is legal too, and a second check
/// is most of that event's cost.
///
/// Only a cache: verdicts do not depend on it, so equality ignores it.
#[derive(Debug, Clone, Default)]
pub(super) struct RecentSpan(Option<(SpanKind, Arc<str>)>);

impl RecentSpan {
    /// True if an untagged event is known to be legal within this span.
    #[inline]
    pub(super) fn is(&self, scope: SpanKind, id: &str) -> bool {
        matches!(&self.0, Some((known, recent)) if *known == scope && **recent == *id)
    }

    /// Remembers the span to which a legal, untagged event added.
    #[inline]
    pub(super) fn remember(&mut self, scope: SpanKind, event: &Event) {
        if event.scope_id().is_none_or(|id| !self.is(scope, id)) {
            self.0 = event.shared_scope_id().map(|id| (scope, id));
        }
    }

    /// Forgets the span, because an event may have opened or closed spans.
    #[inline]
    pub(super) fn forget(&mut self) {
        self.0 = None;
    }
}

impl PartialEq for RecentSpan {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for RecentSpan {}

impl Hash for RecentSpan {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

//! What was said last.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::protocol::{Event, Scope};

/// Something that is open, of which an untagged event has just said more: the next one that does so is in order as well, and finding
/// that out again is most of what looking at it costs.
///
/// For speed only: verifiers that differ in nothing else judge alike, so they are equal.
#[derive(Debug, Clone, Default)]
pub(super) struct Recent(Option<(Scope, Arc<str>)>);

impl Recent {
    /// Whether it is known that an untagged event may say more of this.
    #[inline]
    pub(super) fn is(&self, scope: Scope, id: &str) -> bool {
        matches!(&self.0, Some((known, recent)) if *known == scope && **recent == *id)
    }

    /// Remembers what an untagged event, which was in order, said more of.
    #[inline]
    pub(super) fn remember(&mut self, scope: Scope, event: &Event) {
        if event.scope_id().is_none_or(|id| !self.is(scope, id)) {
            self.0 = event.shared_scope_id().map(|id| (scope, id));
        }
    }

    /// Forgets it, because something else may be open now.
    #[inline]
    pub(super) fn forget(&mut self) {
        self.0 = None;
    }
}

impl PartialEq for Recent {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Recent {}

impl Hash for Recent {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

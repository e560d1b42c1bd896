//! Run options for state.

use super::RunOptions;

impl RunOptions {
    /// Sets if a run that sent STATE_DELTA ends with a STATE_SNAPSHOT, which repairs clients that lost a delta without noticing.
    /// Off by default.
    #[must_use]
    pub fn last_snapshot(mut self, wanted: bool) -> Self {
        self.state.last_snapshot = wanted;
        self
    }

    /// Sets if deltas write existing members with `replace` instead of `add`. `add` also replaces (RFC 6902, 4.1), is shorter, and
    /// repairs a client that lost the member. Off by default.
    #[must_use]
    pub fn exact_deltas(mut self, wanted: bool) -> Self {
        self.state.exact = wanted;
        self
    }

    /// Sets if an unreadable client state is replaced, as if the client had sent none. By default, adopting such a state is an
    /// error, which ends the run in RUN_ERROR.
    #[must_use]
    pub fn replace_unreadable_state(mut self, wanted: bool) -> Self {
        self.state.replace_unreadable = wanted;
        self
    }
}

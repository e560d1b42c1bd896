//! The options of a run about its state.

use super::RunOptions;

impl RunOptions {
    /// Sets whether a run that sent STATE_DELTA ends with a STATE_SNAPSHOT. This protects clients that lost a delta,
    /// because they do not notice the loss. The default is off.
    ///
    /// ```
    /// let options = agui_runtime::RunOptions::default().last_snapshot(true);
    /// ```
    #[must_use]
    pub fn last_snapshot(mut self, wanted: bool) -> Self {
        self.state.last_snapshot = wanted;
        self
    }

    /// Sets whether deltas write existing members with `replace` instead of `add`. `add` replaces too (RFC 6902, 4.1),
    /// is shorter, and repairs a client that lost the member. The default is off.
    ///
    /// ```
    /// let options = agui_runtime::RunOptions::default().exact_deltas(true);
    /// ```
    #[must_use]
    pub fn exact_deltas(mut self, wanted: bool) -> Self {
        self.state.exact = wanted;
        self
    }

    /// Sets whether a client's state that is not a state of this agent is replaced, as if the client had sent none. By
    /// default adopting it is an error, which ends the run in RUN_ERROR.
    ///
    /// ```
    /// let options = agui_runtime::RunOptions::default().replace_unreadable_state(true);
    /// ```
    #[must_use]
    pub fn replace_unreadable_state(mut self, wanted: bool) -> Self {
        self.state.replace_unreadable = wanted;
        self
    }
}

//! The settings of a run's state that are made outside of the agent.

/// See the methods of [`RunOptions`](crate::RunOptions) of the same names.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct StateOptions {
    pub(crate) exact: bool,
    pub(crate) last_snapshot: bool,
    pub(crate) replace_unreadable: bool,
}

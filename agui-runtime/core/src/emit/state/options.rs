//! State settings made outside the agent.

/// See the equally named methods on [`RunOptions`](crate::RunOptions).
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct StateOptions {
    pub(crate) exact: bool,
    pub(crate) last_snapshot: bool,
    pub(crate) replace_unreadable: bool,
}

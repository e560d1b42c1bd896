//! The work of one agent in one run.

/// The requests to models and the calls of tools of one agent, without those of its subagents.
#[derive(Clone, Copy, Debug, Default)]
#[cfg_attr(not(feature = "metrics"), allow(dead_code, reason = "counts are metrics"))]
pub(crate) struct Counts {
    pub(crate) inferences: u32,
    pub(crate) tool_calls: u32,
}

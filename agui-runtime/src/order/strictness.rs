//! How much a verifier asks of a stream.

/// How much a [`Verifier`](super::Verifier) asks of a stream. Each level asks everything the one before it asks.
///
/// ```
/// use agui_runtime::order::{OrderRule, Strictness};
///
/// assert!(Strictness::Client < Strictness::Spec && Strictness::Spec < Strictness::Producer);
/// assert_eq!(OrderRule::TextContentNotOpen.strictness(), Strictness::Client);
/// assert_eq!(OrderRule::SecondResult.strictness(), Strictness::Producer);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Strictness {
    /// Exactly what the official client 1.0.0 asks: no more and no less.
    #[default]
    Client,
    /// What the specification says of runs and no client 1.0 checks: the ids of a run agree, its interrupts have ids of
    /// their own, and a stream does not just stop.
    Spec,
    /// What only a producer can be asked: everything AG-UI 1.0 demands of one and no verifier checks, such as one result
    /// per call. What we write ourselves is held to this.
    Producer,
}

//! The strictness levels of a verifier.

/// The rules that a [`Verifier`](super::Verifier) checks. Each level includes the rules of the one before
/// it.
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
    /// Exactly the rules of the official client 1.0.0.
    #[default]
    Client,
    /// The specification's rules for runs that no client 1.0 checks: the ids of a run agree, its interrupts
    /// have different ids, and a stream ends its run.
    Spec,
    /// All rules of AG-UI 1.0 for producers, such as one result per call, also those that no client checks.
    /// The streams that this crate writes keep them.
    Producer,
}

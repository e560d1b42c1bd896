//! A verifier's strictness levels.

/// The rules that a [`Verifier`](super::Verifier) checks. Each level includes the previous level's rules.
///
/// ```
/// use agui_runtime::order::{OrderRule, Strictness};
///
/// assert!(Strictness::Client < Strictness::Spec && Strictness::Spec < Strictness::Producer);
/// assert_eq!(OrderRule::TextContentNotOpen.strictness(), Strictness::Client);
/// assert_eq!(OrderRule::SecondResult.strictness(), Strictness::Producer);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum OrderStrictness {
    /// Exactly the official client 1.0.0's rules.
    #[default]
    Client,
    /// Specification rules for runs that no client 1.0 checks: a run's ids agree, its interrupts have different ids, and a stream
    /// ends its run.
    Spec,
    /// All AG-UI 1.0 rules for producers, such as one result per call, also rules that no client checks. The streams that this
    /// crate writes keep all rules.
    Producer,
}

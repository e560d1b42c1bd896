//! A verifier's strictness levels.

/// The rules that a [`OrderVerifier`](super::OrderVerifier) checks. Each level includes the previous level's rules.
///
/// ```
/// use agui_runtime::order::{OrderRule, OrderStrictness};
///
/// assert!(OrderStrictness::Client < OrderStrictness::Spec && OrderStrictness::Spec < OrderStrictness::Producer);
/// assert_eq!(OrderRule::TextContentNotOpen.strictness(), OrderStrictness::Client);
/// assert_eq!(OrderRule::SecondResult.strictness(), OrderStrictness::Producer);
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

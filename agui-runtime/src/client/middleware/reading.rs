//! Settings for reading frames.

use crate::client::Warnings;
use crate::order::OrderStrictness;
use crate::receive::{FrameIntake, PeerCeiling};

/// The settings with which a session reads frames, for middleware that reads them too: strictness, ceiling
/// and the listener for warnings.
///
/// A middleware gets them from [`Next::reading`](crate::client::Next::reading), so that it accepts exactly
/// the frames that the session accepts.
///
/// ```
/// use agui_runtime::client::middleware::Reading;
/// use agui_runtime::order::OrderStrictness;
///
/// let reading = Reading::default().with_strictness(OrderStrictness::Producer);
/// let odd = r#"{"type":"STEP_STARTED","stepName":"plan","mood":"good"}"#;
/// assert!(reading.intake().text(odd, &mut |_| {}).is_err());
/// ```
#[derive(Debug, Clone, Default)]
pub struct Reading {
    strictness: OrderStrictness,
    ceiling: PeerCeiling,
    pub(super) warnings: Warnings,
}

impl Reading {
    pub(in crate::client) fn new(
        strictness: OrderStrictness,
        ceiling: PeerCeiling,
        warnings: Warnings,
    ) -> Self {
        Self { strictness, ceiling, warnings }
    }

    /// Sets the strictness; the default is that of the official client.
    ///
    /// ```
    /// use agui_runtime::client::middleware::Reading;
    /// use agui_runtime::order::OrderStrictness;
    ///
    /// let odd = r#"{"type":"STEP_STARTED","stepName":"plan","mood":"good"}"#;
    /// assert!(Reading::default().intake().text(odd, &mut |_| {}).is_ok());
    /// let strict = Reading::default().with_strictness(OrderStrictness::Producer);
    /// assert!(strict.intake().text(odd, &mut |_| {}).is_err());
    /// ```
    #[must_use]
    pub fn with_strictness(mut self, strictness: OrderStrictness) -> Self {
        self.strictness = strictness;
        self
    }

    /// Sets the highest version that the agent may have.
    ///
    /// ```
    /// use agui_runtime::client::middleware::Reading;
    ///
    /// let reading = Reading::default().with_ceiling("0.0.57".parse().unwrap());
    /// let subagent = r#"{"type":"SUBAGENT_STARTED","subagentRunId":"s","name":"helper"}"#;
    /// assert_eq!(reading.intake().text(subagent, &mut |_| {})?, None);
    /// # Ok::<(), agui_runtime::receive::RejectedFrame>(())
    /// ```
    #[must_use]
    pub fn with_ceiling(mut self, ceiling: PeerCeiling) -> Self {
        self.ceiling = ceiling;
        self
    }

    /// Returns a reader for the frames of one run.
    ///
    /// ```
    /// use agui_runtime::client::middleware::Reading;
    ///
    /// let step = r#"{"type":"STEP_STARTED","stepName":"plan"}"#;
    /// assert!(Reading::default().intake().text(step, &mut |_| {})?.is_some());
    /// # Ok::<(), agui_runtime::receive::RejectedFrame>(())
    /// ```
    #[must_use]
    pub fn intake(&self) -> FrameIntake {
        FrameIntake::new().with_strictness(self.strictness).with_ceiling(self.ceiling)
    }
}

//! How frames are read.

use crate::client::Warnings;
use crate::order::Strictness;
use crate::receive::{Intake, PeerCeiling};

/// How a session reads frames, for middleware that reads them too: how strictly, from how old an agent, and who hears of what is odd.
///
/// A middleware has it from [`Next::reading`](crate::client::Next::reading), so that nothing passes because a layer read it
/// before the session did.
///
/// ```
/// use agui_runtime::client::middleware::Reading;
/// use agui_runtime::order::Strictness;
///
/// let reading = Reading::default().with_strictness(Strictness::Producer);
/// let odd = r#"{"type":"STEP_STARTED","stepName":"plan","mood":"good"}"#;
/// assert!(reading.intake().text(odd, &mut |_| {}).is_err());
/// ```
#[derive(Debug, Clone, Default)]
pub struct Reading {
    strictness: Strictness,
    ceiling: PeerCeiling,
    pub(super) warnings: Warnings,
}

impl Reading {
    pub(in crate::client) fn new(strictness: Strictness, ceiling: PeerCeiling, warnings: Warnings) -> Self {
        Self { strictness, ceiling, warnings }
    }

    /// As strictly as this; as the official client does it when not said.
    #[must_use]
    pub fn with_strictness(mut self, strictness: Strictness) -> Self {
        self.strictness = strictness;
        self
    }

    /// From an agent known to be no newer than this.
    ///
    /// ```
    /// use agui_runtime::client::middleware::Reading;
    ///
    /// let reading = Reading::default().with_ceiling("0.0.57".parse().unwrap());
    /// let subagent = r#"{"type":"SUBAGENT_STARTED","subagentRunId":"s","name":"helper"}"#;
    /// assert_eq!(reading.intake().text(subagent, &mut |_| {})?, None);
    /// # Ok::<(), agui_runtime::receive::Rejected>(())
    /// ```
    #[must_use]
    pub fn with_ceiling(mut self, ceiling: PeerCeiling) -> Self {
        self.ceiling = ceiling;
        self
    }

    /// What reads the frames of one run.
    #[must_use]
    pub fn intake(&self) -> Intake {
        Intake::new().with_strictness(self.strictness).with_ceiling(self.ceiling)
    }
}

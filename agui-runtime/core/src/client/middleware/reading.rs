//! Settings for reading frames.

use crate::client::Warnings;
use crate::order::OrderStrictness;
use crate::receive::{FrameIntake, PeerCeiling};

/// The settings with which a session reads frames, for middleware that reads frames too: strictness, ceiling and warning listener.
///
/// With the settings from [`Next::reading`](crate::client::Next::reading), a middleware accepts exactly the frames that the
/// session accepts.
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

    /// Sets the strictness; the default is the official client's.
    #[must_use]
    pub fn with_strictness(mut self, strictness: OrderStrictness) -> Self {
        self.strictness = strictness;
        self
    }

    /// Sets the agent's highest possible version.
    #[must_use]
    pub fn with_ceiling(mut self, ceiling: PeerCeiling) -> Self {
        self.ceiling = ceiling;
        self
    }

    /// Returns a reader for one run's frames.
    #[must_use]
    pub fn intake(&self) -> FrameIntake {
        FrameIntake::new().with_strictness(self.strictness).with_ceiling(self.ceiling)
    }
}

//! Stream phases between and in runs.

use super::OrderRule;
use super::error::{OrderRefusal, OrderVerdict};
use crate::protocol::EventEffect;

/// A stream's phase: before, in or after a run.
///
/// ```
/// use agui_runtime::order::{StreamPhase, OrderVerifier};
/// use agui_runtime::protocol::RunStartedEvent;
///
/// let mut verifier = OrderVerifier::new();
/// assert_eq!(verifier.phase(), StreamPhase::Before);
/// verifier.check(&RunStartedEvent::new("t", "r").into()).unwrap();
/// assert_eq!(verifier.phase(), StreamPhase::Active);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum StreamPhase {
    /// Before the first event.
    #[default]
    Before,
    /// In a run.
    Active,
    /// After a finished run.
    Finished,
    /// After a failed run.
    Failed,
}

impl StreamPhase {
    pub(super) fn check(self, effect: EventEffect) -> OrderVerdict {
        let rule = match (self, effect) {
            (Self::Active, EventEffect::StartRun) => OrderRule::RunActive,
            (Self::Active, _) | (_, EventEffect::StartRun) => return Ok(()),
            (Self::Before | Self::Finished, EventEffect::FailRun) => return Ok(()),
            (Self::Before, _) => OrderRule::FirstEvent,
            (Self::Finished, _) => OrderRule::AfterFinished,
            (Self::Failed, _) => OrderRule::AfterError,
        };
        Err(OrderRefusal::new(rule))
    }

    pub(super) fn after(self, effect: EventEffect) -> Self {
        match effect {
            EventEffect::StartRun => Self::Active,
            EventEffect::FinishRun => Self::Finished,
            EventEffect::FailRun => Self::Failed,
            _ => self,
        }
    }
}

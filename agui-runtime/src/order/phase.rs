//! Stream phases between and in runs.

use super::OrderRule;
use super::error::{Refusal, Verdict};
use crate::protocol::Effect;

/// A stream's phase: before, in or after a run.
///
/// ```
/// use agui_runtime::order::{Phase, Verifier};
/// use agui_runtime::protocol::RunStartedEvent;
///
/// let mut verifier = Verifier::new();
/// assert_eq!(verifier.phase(), Phase::Before);
/// verifier.check(&RunStartedEvent::new("t", "r").into()).unwrap();
/// assert_eq!(verifier.phase(), Phase::Active);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Phase {
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

impl Phase {
    pub(super) fn check(self, effect: Effect) -> Verdict {
        let rule = match (self, effect) {
            (Self::Active, Effect::StartRun) => OrderRule::RunActive,
            (Self::Active, _) | (_, Effect::StartRun) => return Ok(()),
            (Self::Before | Self::Finished, Effect::FailRun) => return Ok(()),
            (Self::Before, _) => OrderRule::FirstEvent,
            (Self::Finished, _) => OrderRule::AfterFinished,
            (Self::Failed, _) => OrderRule::AfterError,
        };
        Err(Refusal::new(rule))
    }

    pub(super) fn after(self, effect: Effect) -> Self {
        match effect {
            Effect::StartRun => Self::Active,
            Effect::FinishRun => Self::Finished,
            Effect::FailRun => Self::Failed,
            _ => self,
        }
    }
}

//! Without the feature `signed-interrupts`: no interrupt is raised, and no resume entry counts, except in a run with
//! [`unsigned_interrupts`](crate::RunOptions::unsigned_interrupts).

use super::{InterruptProof, ResumedError};
use crate::kernel::Clock;
use crate::manifest::AgentSource;
use crate::protocol::{Interrupt, InterruptId, ResumeStatus, RunAgentInput, ToolCall, ToolCallId};

#[derive(Debug)]
pub(super) struct SignedInterrupts;

/// Reason why an interrupt cannot be signed.
#[derive(Debug, thiserror::Error)]
#[error(
    "an interrupt cannot be signed without the feature `signed-interrupts` of agui-runtime: switch it on, or set \
     `RunOptions::unsigned_interrupts`"
)]
pub(crate) struct UnsignedInterruptError;

impl UnsignedInterruptError {
    pub(crate) fn code(&self) -> &'static str {
        "interrupt_key_missing"
    }
}

impl SignedInterrupts {
    pub(super) fn new(_: fn() -> AgentSource, _: Clock) -> Self {
        Self
    }

    pub(super) fn admit(
        &mut self,
        _: &InterruptProof,
        input: &mut RunAgentInput,
    ) -> Result<(), ResumedError> {
        let entries = input.resume.take().unwrap_or_default();
        match entries.iter().find(|entry| entry.status == ResumeStatus::Resolved) {
            Some(entry) => Err(ResumedError::NotAsked { id: entry.interrupt_id.clone() }),
            None => Ok(()),
        }
    }

    pub(super) fn use_up(&self, _: &InterruptProof) -> Result<(), ResumedError> {
        Ok(())
    }

    pub(super) fn leave(&self, _: &ToolCallId, _: &str, _: &str) {}

    pub(super) fn sign(
        &self,
        _: &InterruptProof,
        _: &RunAgentInput,
        _: &mut Interrupt,
    ) -> Result<(), UnsignedInterruptError> {
        Err(UnsignedInterruptError)
    }

    pub(super) fn wire_id(
        &self,
        _: &InterruptProof,
        _: &RunAgentInput,
        _: &Interrupt,
    ) -> Result<InterruptId, UnsignedInterruptError> {
        Err(UnsignedInterruptError)
    }

    pub(super) fn resumed_call_ids(&self) -> impl Iterator<Item = &ToolCallId> {
        std::iter::empty()
    }

    pub(super) fn is_about(&self, _: &ToolCall) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::{FunctionCall, Message, ResumeEntry};

    #[test]
    fn no_interrupt_is_asked_and_no_entry_counts() {
        let mut questions = SignedInterrupts::new(|| AgentSource::new("desk"), Clock::system());
        let (proof, mut input) =
            (InterruptProof::default(), RunAgentInput::new("thread", "run", Vec::<Message>::new()));
        let mut question = Interrupt::new("question", "confirmation");
        let refused = questions.sign(&proof, &input, &mut question).unwrap_err();
        assert_eq!((refused.code(), question.id.as_str()), ("interrupt_key_missing", "question"));
        assert!(refused.to_string().contains("`signed-interrupts`"));
        assert!(questions.wire_id(&proof, &input, &question).is_err());

        let call = ToolCall::new("call", FunctionCall::new("send", "{}"));
        questions.leave(&call.id, "send", "{}");
        assert!(!questions.is_about(&call) && questions.resumed_call_ids().next().is_none());

        let entry_with = |status| Some([ResumeEntry::new("question", status)].into());
        input.resume = entry_with(ResumeStatus::Resolved);
        let not_asked = ResumedError::NotAsked { id: "question".into() };
        assert_eq!(questions.admit(&proof, &mut input), Err(not_asked));
        input.resume = entry_with(ResumeStatus::Cancelled);
        assert_eq!(questions.admit(&proof, &mut input), Ok(()));
        assert!(input.resume().is_empty(), "a cancellation is ignored");
        assert_eq!(questions.use_up(&proof), Ok(()));
    }
}

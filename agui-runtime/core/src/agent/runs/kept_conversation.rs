//! The conversations of a call's subagents, which the caller keeps until the call is made again.
//!
//! A lone call has no conversation, but its subagents have: their calls that ran, and the calls that wait for the user. The caller gets
//! these messages sealed, so that no caller reads or changes them.

use super::lone_call::{LoneCallError, ResumedLoneCall};
use crate::agent::{Agent, RunOptions};
use crate::consent::{InterruptedCall, RunConsent};
use crate::protocol::{Event, Interrupt, InterruptId, Message, RunAgentInput, ThreadId, ToolCallId};
use crate::receive::Reducer;

/// Largest conversation in bytes, because the caller sends the conversation back in one request.
const LARGEST: usize = 256 * 1024;

/// The messages of one call's subagents, as the events come.
pub(super) struct KeptConversation {
    consent: RunConsent,
    thread: ThreadId,
    messages: Reducer,
}

impl KeptConversation {
    /// Begins with the input's messages.
    pub(super) fn new<A: Agent>(input: &RunAgentInput, options: &RunOptions) -> Self {
        let consent = RunConsent::new(options.proof.clone(), A::source, options.clock.clone());
        let messages = Reducer::new().with_messages(input.messages.clone());
        Self { consent, thread: input.thread_id.clone(), messages }
    }

    /// Adds the messages that an earlier run of the call sealed to the input, and begins with all messages.
    ///
    /// # Errors
    /// [`LoneCallError::Failed`] if the text was sealed for another call, other interrupts than those that the input resumes,
    /// another caller, or by another key.
    pub(super) fn open<A: Agent>(
        input: &mut RunAgentInput,
        options: &RunOptions,
        resumed: &ResumedLoneCall,
    ) -> Result<Self, LoneCallError> {
        let consent = RunConsent::new(options.proof.clone(), A::source, options.clock.clone());
        let interrupts = sorted(input.resume().iter().map(|entry| &entry.interrupt_id));
        let call = InterruptedCall { id: &resumed.call, interrupts: &interrupts };
        let opened = consent.open_for_call(&input.thread_id, call, &resumed.conversation);
        let earlier = opened.and_then(|text| serde_json::from_str::<Vec<Message>>(&text).ok());
        let message = || "the state of the call was changed, or is of another caller".to_owned();
        input.messages.extend(earlier.ok_or_else(|| LoneCallError::Failed { message: message() })?);
        Ok(Self::new::<A>(input, options))
    }

    /// Reads one event.
    pub(super) fn read(&mut self, event: &Event) {
        // A run of this crate sends no chunks.
        let _ = self.messages.apply(event);
    }

    /// Returns the sealed messages, for the run that resumes the interrupts. A call whose subagents have no messages has an empty list
    /// sealed, so that no caller leaves a list out.
    ///
    /// # Errors
    /// [`LoneCallError::Failed`] if the conversation is too large, or without random numbers.
    pub(super) fn seal(self, call: &ToolCallId, interrupts: &[Interrupt]) -> Result<String, LoneCallError> {
        let is_kept = |message: &&Message| {
            let is_of_caller = message.tool_calls().iter().any(|own| own.id == *call);
            !is_of_caller && !matches!(message, Message::Activity(_))
        };
        let kept: Vec<_> = self.messages.messages().iter().filter(is_kept).collect();
        let failed = |message: String| LoneCallError::Failed { message };
        let text = serde_json::to_string(&kept).map_err(|error| failed(error.to_string()))?;
        if text.len() > LARGEST {
            let len = text.len();
            return Err(failed(format!(
                "the call needs its user, and the conversation of its agents has {len} bytes, above {LARGEST}"
            )));
        }
        let interrupts = sorted(interrupts.iter().map(|interrupt| &interrupt.id));
        let call = InterruptedCall { id: call, interrupts: &interrupts };
        let sealed = self.consent.seal_for_call(&self.thread, call, &text);
        sealed.ok_or_else(|| failed("the conversation of the call's agents cannot be sealed".to_owned()))
    }
}

fn sorted<'i>(ids: impl Iterator<Item = &'i InterruptId>) -> Vec<&'i InterruptId> {
    let mut ids: Vec<_> = ids.collect();
    ids.sort_unstable_by_key(|id| id.as_str());
    ids
}

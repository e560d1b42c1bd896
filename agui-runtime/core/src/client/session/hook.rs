//! Dispatches events to the hooks for their type.

use super::stage::Stage;
use super::{PartialArguments, Reaction};
use crate::protocol::{Event, Message, MessageId};

impl Stage<'_> {
    /// True if a message with this id exists and accepts text.
    fn takes_text(&self, id: &MessageId) -> bool {
        self.reducer.message(id.as_str()).is_some_and(|message| !matches!(message, Message::Activity(_)))
    }

    /// Calls the hook for the event's type; true if a subscriber stopped the event. An event for an unknown message or call has no
    /// hook.
    pub(super) fn ask_specific(&mut self, event: &Event) -> bool {
        match event {
            Event::TextMessageContent(event) => {
                self.takes_text(&event.message_id)
                    && self.ask_about(|to, now, then| {
                        to.on_text_message_content(event, then.text_of(&event.message_id), now)
                    })
            }
            Event::TextMessageEnd(event) => {
                self.takes_text(&event.message_id)
                    && self.ask_about(|to, now, then| {
                        to.on_text_message_end(event, then.text_of(&event.message_id), now)
                    })
            }
            Event::ReasoningMessageContent(event) => {
                self.takes_text(&event.message_id)
                    && self.ask_about(|to, now, then| {
                        to.on_reasoning_message_content(event, then.text_of(&event.message_id), now)
                    })
            }
            Event::ReasoningMessageEnd(event) => {
                self.takes_text(&event.message_id)
                    && self.ask_about(|to, now, then| {
                        to.on_reasoning_message_end(event, then.text_of(&event.message_id), now)
                    })
            }
            Event::ToolCallArgs(event) => {
                self.ask_about(|to, now, then| match then.tool_call(&event.tool_call_id) {
                    Some(call) => to.on_tool_call_args(event, PartialArguments::of(call), now),
                    None => Reaction::none(),
                })
            }
            Event::ToolCallEnd(event) => {
                self.ask_about(|to, now, then| match then.tool_call(&event.tool_call_id) {
                    Some(call) => to.on_tool_call_end(event, call, now),
                    None => Reaction::none(),
                })
            }
            Event::ActivitySnapshot(event) => self.ask_about(|to, now, then| {
                to.on_activity_snapshot(event, then.message(&event.message_id), now)
            }),
            Event::ActivityDelta(event) => {
                self.ask_about(|to, now, then| match then.message(&event.message_id) {
                    Some(Message::Activity(known)) => to.on_activity_delta(event, known, now),
                    _ => Reaction::none(),
                })
            }
            Event::RunFinished(event) => {
                let end = self.reducer.end_by(event);
                self.ask(|to, now| to.on_run_finished(event, &end, now))
            }
            Event::RunStarted(event) => self.ask(|to, now| to.on_run_started(event, now)),
            Event::RunError(event) => self.ask(|to, now| to.on_run_error(event, now)),
            Event::StepStarted(event) => self.ask(|to, now| to.on_step_started(event, now)),
            Event::StepFinished(event) => self.ask(|to, now| to.on_step_finished(event, now)),
            Event::TextMessageStart(event) => self.ask(|to, now| to.on_text_message_start(event, now)),
            Event::ToolCallStart(event) => self.ask(|to, now| to.on_tool_call_start(event, now)),
            Event::ToolCallResult(event) => self.ask(|to, now| to.on_tool_call_result(event, now)),
            Event::StateSnapshot(event) => self.ask(|to, now| to.on_state_snapshot(event, now)),
            Event::StateDelta(event) => self.ask(|to, now| to.on_state_delta(event, now)),
            Event::MessagesSnapshot(event) => self.ask(|to, now| to.on_messages_snapshot(event, now)),
            Event::ReasoningStart(event) => self.ask(|to, now| to.on_reasoning_start(event, now)),
            Event::ReasoningEnd(event) => self.ask(|to, now| to.on_reasoning_end(event, now)),
            Event::ReasoningMessageStart(event) => {
                self.ask(|to, now| to.on_reasoning_message_start(event, now))
            }
            Event::ReasoningEncryptedValue(event) => {
                self.ask(|to, now| to.on_reasoning_encrypted_value(event, now))
            }
            Event::SubagentStarted(event) => self.ask(|to, now| to.on_subagent_started(event, now)),
            Event::SubagentFinished(event) => self.ask(|to, now| to.on_subagent_finished(event, now)),
            Event::SubagentError(event) => self.ask(|to, now| to.on_subagent_error(event, now)),
            Event::Raw(event) => self.ask(|to, now| to.on_raw(event, now)),
            Event::Custom(event) => self.ask(|to, now| to.on_custom(event, now)),
            Event::TextMessageChunk(_) | Event::ToolCallChunk(_) | Event::ReasoningMessageChunk(_) => false,
        }
    }
}

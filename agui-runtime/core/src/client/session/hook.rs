//! Dispatches events to the hooks for their type.

use super::stage::Stage;
use super::subscriber::plain_hooks;
use super::{PartialArguments, Reaction};
use crate::protocol::{Event, Message, MessageId};

impl Stage<'_> {
    /// True if a message with this id exists and accepts text.
    fn takes_text(&self, id: &MessageId) -> bool {
        self.reducer.message(id.as_str()).is_some_and(|message| !matches!(message, Message::Activity(_)))
    }
}

/// Makes the match over all events: hooks with more than the event are here, and the others in their own table.
macro_rules! define_ask_specific {
    ($($hook:ident $Type:ident($Event:ident): $when:literal;)*) => {
        impl Stage<'_> {
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
                    $(Event::$Type(event) => self.ask(|to, now| to.$hook(event, now)),)*
                    Event::TextMessageChunk(_) | Event::ToolCallChunk(_) | Event::ReasoningMessageChunk(_) => false,
                }
            }
        }
    };
}

plain_hooks!(define_ask_specific);

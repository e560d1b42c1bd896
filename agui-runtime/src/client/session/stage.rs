//! What happens with an event: subscribers are asked, it takes effect, subscribers are told.

use std::fmt;

use super::{Now, PartialArguments, Reaction, Subscriber};
use crate::protocol::{Event, Message, MessageId, RunAgentInput, ToolCallId};
use crate::receive::Reducer;
use crate::receive::reduce::{Applied, Change, Complete};

/// A subscriber, for [`Session::unsubscribe`](super::Session::unsubscribe).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SubscriberId(usize);

/// The subscribers of a session.
#[derive(Default)]
pub(super) struct Subscribers {
    all: Vec<(SubscriberId, Box<dyn Subscriber>)>,
    last: usize,
}

impl Subscribers {
    pub(super) fn add(&mut self, subscriber: Box<dyn Subscriber>) -> SubscriberId {
        self.last += 1;
        let id = SubscriberId(self.last);
        self.all.push((id, subscriber));
        id
    }

    pub(super) fn remove(&mut self, id: SubscriberId) -> Option<Box<dyn Subscriber>> {
        let at = self.all.iter().position(|(known, _)| *known == id)?;
        Some(self.all.remove(at).1)
    }
}

impl fmt::Debug for Subscribers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.all.iter().map(|(id, _)| id)).finish()
    }
}

/// Everybody who has to do with an event.
pub(super) struct Stage<'a> {
    pub(super) subscribers: &'a mut Subscribers,
    pub(super) guest: Option<&'a mut (dyn Subscriber + 'a)>,
    pub(super) reducer: &'a mut Reducer,
    pub(super) input: Option<&'a RunAgentInput>,
    pub(super) changed: Changed,
}

/// What is different from before.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Changed {
    pub(super) messages: bool,
    pub(super) state: bool,
    /// The state is another one, not a patched one.
    pub(super) replaced: bool,
}

impl Stage<'_> {
    /// Asks everybody until one stops it; whether one did.
    pub(super) fn ask(&mut self, mut hook: impl FnMut(&mut dyn Subscriber, &Now<'_>) -> Reaction) -> bool {
        let all =
            self.subscribers.all.iter_mut().map(|(_, subscriber)| &mut **subscriber as &mut dyn Subscriber);
        for subscriber in all.chain(self.guest.as_mut().map(|guest| &mut **guest as &mut dyn Subscriber)) {
            let reaction = hook(subscriber, &Now { reducer: self.reducer, input: self.input });
            if let Some(messages) = reaction.messages {
                self.reducer.set_messages(messages);
                self.changed.messages = true;
            }
            if let Some(state) = reaction.state {
                self.reducer.set_state(state);
                self.changed.state = true;
                self.changed.replaced = true;
            }
            if reaction.stop {
                return true;
            }
        }
        false
    }

    /// Tells everybody.
    pub(super) fn tell(&mut self, mut hook: impl FnMut(&mut dyn Subscriber, &Now<'_>)) {
        let now = Now { reducer: self.reducer, input: self.input };
        let all =
            self.subscribers.all.iter_mut().map(|(_, subscriber)| &mut **subscriber as &mut dyn Subscriber);
        for subscriber in all.chain(self.guest.as_mut().map(|guest| &mut **guest as &mut dyn Subscriber)) {
            hook(subscriber, &now);
        }
    }

    /// Tells of what is different, at the end; gives what it is.
    pub(super) fn tell_changes(mut self) -> Changed {
        if self.changed.messages {
            self.tell(|subscriber, now| subscriber.on_messages_changed(now));
        }
        if self.changed.state {
            self.tell(|subscriber, now| subscriber.on_state_changed(now));
        }
        self.changed
    }

    /// Does everything about one event, but for telling of changes.
    pub(super) fn play(&mut self, event: &Event) -> Applied {
        if self.ask(|subscriber, now| subscriber.on_event(event, now)) {
            return Applied::default();
        }
        let applied = if self.ask_specific(event) {
            if matches!(event, Event::RunStarted(_)) {
                self.reducer.forget_calls();
            }
            Applied { complete: self.ended_by(event), ..Applied::default() }
        } else {
            // What was pulled is no chunk.
            self.reducer.apply(event).unwrap_or_default()
        };
        match applied.change {
            Change::Nothing => {}
            Change::StatePatched => self.changed.state = true,
            Change::State => {
                self.changed.state = true;
                self.changed.replaced = true;
            }
            _ => self.changed.messages = true,
        }
        self.tell_complete(applied.complete);
        applied
    }

    fn tell_complete(&mut self, complete: Option<Complete>) {
        match complete {
            None => {}
            Some(Complete::Message { at }) => self.tell(|subscriber, now| {
                if let Some(message) = now.messages().get(at) {
                    subscriber.on_new_message(message, now);
                }
            }),
            Some(Complete::Call { at, call }) => self.tell(|subscriber, now| {
                if let Some(Message::Assistant(message)) = now.messages().get(at)
                    && let Some(call) = message.tool_calls().get(call)
                {
                    subscriber.on_new_tool_call(call, now);
                }
            }),
        }
    }

    /// What is complete although nobody lets its end take effect.
    fn ended_by(&self, event: &Event) -> Option<Complete> {
        let at = |id: &MessageId| self.reducer.messages().iter().rposition(|message| message.id() == id);
        match event {
            Event::TextMessageEnd(end) => at(&end.message_id).map(|at| Complete::Message { at }),
            Event::ReasoningMessageEnd(end) => at(&end.message_id).map(|at| Complete::Message { at }),
            Event::ToolCallEnd(end) => self.place_of(&end.tool_call_id),
            _ => None,
        }
    }

    fn place_of(&self, id: &ToolCallId) -> Option<Complete> {
        self.reducer.messages().iter().enumerate().rev().find_map(|(at, message)| match message {
            Message::Assistant(message) => {
                let call = message.tool_calls().iter().position(|call| call.id == *id)?;
                Some(Complete::Call { at, call })
            }
            _ => None,
        })
    }

    /// Whether there is a message of this id that text can be added to.
    fn takes_text(&self, id: &MessageId) -> bool {
        self.reducer.message(id.as_str()).is_some_and(|message| !matches!(message, Message::Activity(_)))
    }

    /// Asks for the hook of the event's type; whether somebody stopped it. Of what adds to nothing nobody hears.
    fn ask_specific(&mut self, event: &Event) -> bool {
        match event {
            Event::TextMessageContent(event) => {
                self.takes_text(&event.message_id)
                    && self
                        .ask(|to, now| to.on_text_message_content(event, now.text_of(&event.message_id), now))
            }
            Event::TextMessageEnd(event) => {
                self.takes_text(&event.message_id)
                    && self.ask(|to, now| to.on_text_message_end(event, now.text_of(&event.message_id), now))
            }
            Event::ReasoningMessageContent(event) => {
                self.takes_text(&event.message_id)
                    && self.ask(|to, now| {
                        to.on_reasoning_message_content(event, now.text_of(&event.message_id), now)
                    })
            }
            Event::ReasoningMessageEnd(event) => {
                self.takes_text(&event.message_id)
                    && self.ask(|to, now| {
                        to.on_reasoning_message_end(event, now.text_of(&event.message_id), now)
                    })
            }
            Event::ToolCallArgs(event) => self.ask(|to, now| match now.tool_call(&event.tool_call_id) {
                Some(call) => to.on_tool_call_args(event, PartialArguments::of(call), now),
                None => Reaction::none(),
            }),
            Event::ToolCallEnd(event) => self.ask(|to, now| match now.tool_call(&event.tool_call_id) {
                Some(call) => to.on_tool_call_end(event, call, now),
                None => Reaction::none(),
            }),
            Event::ActivitySnapshot(event) => {
                self.ask(|to, now| to.on_activity_snapshot(event, now.message(&event.message_id), now))
            }
            Event::ActivityDelta(event) => self.ask(|to, now| match now.message(&event.message_id) {
                Some(Message::Activity(known)) => to.on_activity_delta(event, known, now),
                _ => Reaction::none(),
            }),
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

//! What happens with an event: subscribers are asked, it takes effect, subscribers are told.

use super::listeners::Subscribers;
use super::{Now, Reaction, Subscriber};
use crate::protocol::{Event, Message, RunAgentInput};
use crate::receive::Reducer;
use crate::receive::reduce::{Applied, Change, Complete};

/// Everybody who has to do with an event.
pub(super) struct Stage<'a> {
    pub(super) subscribers: &'a mut Subscribers,
    pub(super) guest: Option<&'a mut (dyn Subscriber + 'a)>,
    pub(super) reducer: &'a mut Reducer,
    pub(super) input: Option<&'a RunAgentInput>,
    /// The conversation as it was when an event came, once a subscriber has replaced it meanwhile.
    pub(super) former: Option<Reducer>,
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
        self.ask_about(|subscriber, now, _| hook(subscriber, now))
    }

    /// The same of an event that is about something: everybody hears of that as it was when the event came, whoever replaces the
    /// messages meanwhile.
    pub(super) fn ask_about(
        &mut self,
        mut hook: impl FnMut(&mut dyn Subscriber, &Now<'_>, &Now<'_>) -> Reaction,
    ) -> bool {
        let Self { subscribers, guest, reducer, input, former, changed } = self;
        let all = subscribers.all.iter_mut().map(|(_, subscriber)| &mut **subscriber as &mut dyn Subscriber);
        for subscriber in all.chain(guest.as_mut().map(|guest| &mut **guest as &mut dyn Subscriber)) {
            let now = Now { reducer, input: *input };
            let then = Now { reducer: former.as_ref().unwrap_or(reducer), input: *input };
            let reaction = hook(subscriber, &now, &then);
            if let Some(messages) = reaction.messages {
                let replaced = reducer.exchange_messages(messages);
                former.get_or_insert(replaced);
                changed.messages = true;
            }
            if let Some(state) = reaction.state {
                reducer.set_state(state);
                changed.state = true;
                changed.replaced = true;
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
        let stopped = self.ask(|subscriber, now| subscriber.on_event(event, now));
        // What the event is about is looked for among the messages there are by now.
        self.former = None;
        if stopped {
            return Applied::default();
        }
        let stopped = self.ask_specific(event);
        let mut former = self.former.take().filter(|former| is_about_one_of(event, former));
        // What it is about may have gone with the messages that were replaced, and its effect with it.
        let reducer = former.as_mut().unwrap_or(self.reducer);
        let applied = if stopped {
            if let Event::RunStarted(_) = event {
                // Stopped or not, calls are counted by the run.
                reducer.forget_calls();
            }
            Applied { complete: ended_by(event, reducer), ..Applied::default() }
        } else {
            // What was pulled is no chunk.
            reducer.apply(event).unwrap_or_default()
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
        self.tell_complete(applied.complete, former.as_ref());
        if former.is_some() { Applied { warning: applied.warning, ..Applied::default() } } else { applied }
    }

    /// Tells of what is complete, in the conversation or in the one it was found in.
    fn tell_complete(&mut self, complete: Option<Complete>, former: Option<&Reducer>) {
        match complete {
            None => {}
            Some(Complete::Message { at }) => self.tell(|subscriber, now| {
                if let Some(message) = former.map_or(now.messages(), Reducer::messages).get(at) {
                    subscriber.on_new_message(message, now);
                }
            }),
            Some(Complete::Call { at, call }) => self.tell(|subscriber, now| {
                if let Some(Message::Assistant(message)) =
                    former.map_or(now.messages(), Reducer::messages).get(at)
                    && let Some(call) = message.tool_calls().get(call)
                {
                    subscriber.on_new_tool_call(call, now);
                }
            }),
        }
    }
}

/// What is complete although nobody lets its end take effect.
fn ended_by(event: &Event, reducer: &Reducer) -> Option<Complete> {
    match event {
        Event::TextMessageEnd(end) => reducer.place_of(end.message_id.as_str()),
        Event::ReasoningMessageEnd(end) => reducer.place_of(end.message_id.as_str()),
        Event::ToolCallEnd(end) => reducer.place_of_call(end.tool_call_id.as_str()),
        _ => None,
    }
}

/// Whether an event goes on with something that there is: all others add to the conversation, or have nothing to do with it.
fn is_about_one_of(event: &Event, reducer: &Reducer) -> bool {
    match event {
        Event::TextMessageContent(_)
        | Event::TextMessageEnd(_)
        | Event::ReasoningMessageContent(_)
        | Event::ReasoningMessageEnd(_)
        | Event::ToolCallArgs(_)
        | Event::ToolCallEnd(_)
        | Event::ActivityDelta(_) => true,
        Event::ActivitySnapshot(event) => reducer.message(event.message_id.as_str()).is_some(),
        _ => false,
    }
}

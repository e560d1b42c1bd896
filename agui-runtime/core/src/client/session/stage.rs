//! Processes an event: hooks run before the event takes effect, notifications after.

use super::subscribers::Subscribers;
use super::{Reaction, Subscriber, View};
use crate::protocol::{Event, EventEffect, Message, RunAgentInput, SpanKind};
use crate::receive::Reducer;
use crate::receive::reduce::{CompletedSpan, ReducerChange, ReducerUpdate};

/// All participants in processing an event.
pub(super) struct Stage<'a> {
    pub(super) subscribers: &'a mut Subscribers,
    pub(super) guest: Option<&'a mut (dyn Subscriber + 'a)>,
    pub(super) reducer: &'a mut Reducer,
    pub(super) input: Option<&'a RunAgentInput>,
    /// The conversation at the time of the event, if a subscriber has replaced the conversation since.
    pub(super) former: Option<Reducer>,
    pub(super) changed: Changed,
}

/// The changes since the beginning.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Changed {
    pub(super) messages: bool,
    pub(super) state: bool,
    /// True if the state was replaced, not patched.
    pub(super) replaced: bool,
}

impl Stage<'_> {
    /// Calls each subscriber's hook until one stops the event; true if one did.
    pub(super) fn ask(&mut self, mut hook: impl FnMut(&mut dyn Subscriber, &View<'_>) -> Reaction) -> bool {
        self.ask_about(|subscriber, now, _| hook(subscriber, now))
    }

    /// Like [`Self::ask`], for an event about a message or call: every hook sees the version before the event, even if a
    /// subscriber replaces the messages.
    pub(super) fn ask_about(
        &mut self,
        mut hook: impl FnMut(&mut dyn Subscriber, &View<'_>, &View<'_>) -> Reaction,
    ) -> bool {
        let Self { subscribers, guest, reducer, input, former, changed } = self;
        let all = subscribers.all.iter_mut().map(|(_, subscriber)| &mut **subscriber as &mut dyn Subscriber);
        for subscriber in all.chain(guest.as_mut().map(|guest| &mut **guest as &mut dyn Subscriber)) {
            let now = View { reducer, input: *input };
            let then = View { reducer: former.as_ref().unwrap_or(reducer), input: *input };
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

    /// Notifies every subscriber.
    pub(super) fn tell(&mut self, mut hook: impl FnMut(&mut dyn Subscriber, &View<'_>)) {
        let now = View { reducer: self.reducer, input: self.input };
        let all =
            self.subscribers.all.iter_mut().map(|(_, subscriber)| &mut **subscriber as &mut dyn Subscriber);
        for subscriber in all.chain(self.guest.as_mut().map(|guest| &mut **guest as &mut dyn Subscriber)) {
            hook(subscriber, &now);
        }
    }

    /// Notifies subscribers about the changes, and returns the changes.
    pub(super) fn tell_changes(mut self) -> Changed {
        if self.changed.messages {
            self.tell(|subscriber, now| subscriber.on_messages_changed(now));
        }
        if self.changed.state {
            self.tell(|subscriber, now| subscriber.on_state_changed(now));
        }
        self.changed
    }

    /// Processes one event, without the final notification of changes.
    pub(super) fn play(&mut self, event: &Event) -> ReducerUpdate {
        let stopped = self.ask(|subscriber, now| subscriber.on_event(event, now));
        // From here the event refers to the current messages.
        self.former = None;
        if stopped {
            return ReducerUpdate::default();
        }
        let stopped = self.ask_specific(event);
        let mut former = self.former.take().filter(|former| is_about_one_of(event, former));
        // If the messages were replaced, the event still applies to the old ones, which are dropped
        // afterwards.
        let reducer = former.as_mut().unwrap_or(self.reducer);
        let applied = if stopped {
            if let Event::RunStarted(_) = event {
                // Calls are counted per run, even if the start was stopped.
                reducer.forget_calls();
            }
            ReducerUpdate { complete: ended_by(event, reducer), ..ReducerUpdate::default() }
        } else {
            // A pulled event is never a chunk.
            reducer.apply(event).unwrap_or_default()
        };
        match applied.change {
            ReducerChange::Nothing => {}
            ReducerChange::StatePatched => self.changed.state = true,
            ReducerChange::State => {
                self.changed.state = true;
                self.changed.replaced = true;
            }
            _ => self.changed.messages = true,
        }
        self.tell_complete(applied.complete, former.as_ref());
        if former.is_some() {
            ReducerUpdate { warning: applied.warning, ..ReducerUpdate::default() }
        } else {
            applied
        }
    }

    /// Notifies of a completed message or call, in the current conversation or in the former one.
    fn tell_complete(&mut self, complete: Option<CompletedSpan>, former: Option<&Reducer>) {
        match complete {
            None => {}
            Some(CompletedSpan::Message { at }) => self.tell(|subscriber, now| {
                if let Some(message) = former.map_or(now.messages(), Reducer::messages).get(at) {
                    subscriber.on_new_message(message, now);
                }
            }),
            Some(CompletedSpan::Call { at, call }) => self.tell(|subscriber, now| {
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

/// Returns the message or call that an event completes, even if a subscriber stopped the event.
fn ended_by(event: &Event, reducer: &Reducer) -> Option<CompletedSpan> {
    let EventEffect::Close(scope) = event.event_type().effect() else { return None };
    match scope {
        SpanKind::Text | SpanKind::ReasoningMessage => reducer.place_of(event.scope_id()?),
        SpanKind::ToolCall => reducer.place_of_call(event.scope_id()?),
        SpanKind::Step | SpanKind::ReasoningSpan | SpanKind::Activity | SpanKind::Subagent => None,
    }
}

/// True if an event continues a message or call: all other events add to the conversation or do not concern the conversation.
fn is_about_one_of(event: &Event, reducer: &Reducer) -> bool {
    match event.event_type().effect() {
        EventEffect::Within(scope) | EventEffect::Close(scope) | EventEffect::After(scope) => match scope {
            SpanKind::Text | SpanKind::ReasoningMessage | SpanKind::ToolCall | SpanKind::Activity => true,
            SpanKind::Step | SpanKind::ReasoningSpan | SpanKind::Subagent => false,
        },
        EventEffect::Create(_) => event.scope_id().is_some_and(|id| reducer.message(id).is_some()),
        EventEffect::StartRun
        | EventEffect::FinishRun
        | EventEffect::FailRun
        | EventEffect::Open(_)
        | EventEffect::Chunk(_)
        | EventEffect::Settle(_)
        | EventEffect::Attach
        | EventEffect::Restate
        | EventEffect::Free => false,
    }
}

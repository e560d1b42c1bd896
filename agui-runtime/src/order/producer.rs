//! Producer rules that no stream reader checks.

use std::sync::Arc;

use super::calls::Calls;
use super::error::{Refusal, Verdict};
use super::kinds::{Kind, Kinds};
use super::openers::{Openers, carrier};
use super::table::ById;
use super::{OpenSpan, OrderRule};
use crate::protocol::{
    Effect, Event, Message, MessageId, RunAgentInput, RunFinishedOutcome, Scope, SubagentRunId,
};

/// A stream's state over all its runs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub(super) struct Producer {
    frontend: ById<()>,
    calls: Calls,
    kinds: Kinds,
    openers: Openers,
    activities: ById<()>,
    /// Subagents that the current run's events have named.
    heard_of: ById<()>,
}

impl Producer {
    pub(super) fn frontend_tools(&mut self, names: impl IntoIterator<Item = Arc<str>>) {
        self.frontend.extend(names.into_iter().map(|name| (name, ())));
    }

    /// Takes in the state before the run: the frontend tools and the conversation.
    pub(super) fn expect(&mut self, input: &RunAgentInput) {
        self.frontend_tools(input.tools().iter().map(|tool| Arc::from(tool.name.as_str())));
        self.restate(&input.messages);
    }

    /// Checks `event`; `open` returns the open spans.
    pub(super) fn check(&self, event: &Event, open: impl Fn() -> Vec<OpenSpan>) -> Verdict {
        let operands = event.operands();
        match (event.event_type().effect(), event.scope_id()) {
            (Effect::StartRun, _) if operands.version.is_none() => {
                Err(Refusal::new(OrderRule::NoProtocolVersion))
            }
            (Effect::StartRun, _) => self.kinds.check_all(operands.conversation),
            (Effect::Chunk(_), _) => Err(Refusal::new(OrderRule::ChunkNotExpanded)),
            (Effect::Open(Scope::Text), Some(id)) => {
                self.kinds.check(id, Kind::Text)?;
                self.openers.check_text(id, &operands)
            }
            (Effect::Open(Scope::ReasoningMessage), Some(id)) => self.kinds.check(id, Kind::Thought),
            (Effect::Open(Scope::ToolCall), Some(id)) => {
                self.calls.check_start(id)?;
                self.kinds.check(carrier(id, operands.parent), Kind::Text)?;
                self.openers.check_call(id, &operands)
            }
            (Effect::Open(Scope::Subagent), Some(id)) if self.heard_of.contains_key(id) => {
                Err(Refusal::new(OrderRule::AnnouncedTooLate))
            }
            (Effect::Create(Scope::Activity), Some(id)) => self.kinds.check(id, Kind::Activity),
            (Effect::After(Scope::Activity), Some(id)) if !self.activities.contains_key(id) => {
                Err(Refusal::new(OrderRule::ActivityDeltaBeforeSnapshot))
            }
            (Effect::Answer(Scope::ToolCall), Some(id)) => {
                self.calls.check_result(id)?;
                operands.message.map_or(Ok(()), |message| self.kinds.check(message.as_str(), Kind::Result))
            }
            (Effect::Restate, _) => {
                let mut open = open();
                open.retain(|span| {
                    matches!(span.scope, Scope::Text | Scope::ToolCall | Scope::ReasoningMessage)
                });
                if !open.is_empty() {
                    return Err(Refusal::new(OrderRule::SnapshotWhileOpen).open(open));
                }
                self.kinds.check_all(operands.conversation)
            }
            (Effect::FinishRun, _) => self.finish(operands.outcome),
            _ => Ok(()),
        }
    }

    pub(super) fn apply(&mut self, event: &Event) {
        let operands = event.operands();
        match event.event_type().effect() {
            Effect::StartRun => {
                self.heard_of.clear();
                self.calls.next_run();
                self.restate(operands.conversation);
            }
            Effect::Open(Scope::Text) => {
                if let Some(id) = event.shared_scope_id() {
                    self.openers.text(id.clone(), &operands);
                    self.kinds.learn(Some(id), Kind::Text);
                }
            }
            Effect::Open(Scope::ReasoningMessage) => self.kinds.learn(event.shared_scope_id(), Kind::Thought),
            Effect::Open(Scope::ToolCall) => {
                if let Some(id) = event.shared_scope_id() {
                    self.kinds.learn(Some(Arc::from(carrier(&id, operands.parent))), Kind::Text);
                    let frontend = operands.tool.is_some_and(|tool| self.frontend.contains_key(tool));
                    self.openers.call(id.clone(), &operands);
                    self.calls.start(id, frontend);
                }
            }
            Effect::Close(Scope::ToolCall) => self.calls.end(event.scope_id()),
            Effect::Create(Scope::Activity) => {
                self.kinds.learn(event.shared_scope_id(), Kind::Activity);
                self.activities.extend(event.shared_scope_id().map(|id| (id, ())));
            }
            Effect::Answer(Scope::ToolCall) => {
                self.kinds.learn(operands.message.map(MessageId::clone_shared), Kind::Result);
                self.calls.answer(event.scope_id());
            }
            Effect::Restate => self.restate(operands.conversation),
            _ => {}
        }
        self.hear_of(event.subagent_run_id());
    }

    fn hear_of(&mut self, subagent: Option<&SubagentRunId>) {
        if let Some(id) = subagent.filter(|id| !self.heard_of.contains_key(id.as_str())) {
            self.heard_of.insert(id.clone_shared(), ());
        }
    }

    fn restate(&mut self, conversation: &[Message]) {
        for message in conversation {
            self.kinds.learn(Some(message.id().clone_shared()), Kind::of(message));
            self.openers.restate(message);
            match message {
                Message::Assistant(message) => {
                    for call in message.tool_calls() {
                        let frontend = self.frontend.contains_key(call.function.name.as_str());
                        self.calls.learn(call.id.clone_shared(), frontend);
                    }
                }
                Message::Tool(message) => self.calls.learn_answer(message.tool_call_id.as_str()),
                _ => {}
            }
        }
        // A consumer keeps its activities unless the snapshot contains some.
        let mut activities =
            conversation.iter().filter(|message| matches!(message, Message::Activity(_))).peekable();
        if activities.peek().is_some() {
            self.activities.clear();
            self.activities.extend(activities.map(|message| (message.id().clone_shared(), ())));
        }
    }

    fn finish(&self, outcome: Option<&RunFinishedOutcome>) -> Verdict {
        match outcome {
            Some(RunFinishedOutcome::Success(success)) => match &success.pending_tool_call_ids {
                Some(named) => self.calls.check_pending(named),
                None => Ok(()),
            },
            Some(RunFinishedOutcome::Interrupt(interrupt)) => {
                let calls =
                    interrupt.interrupts.iter().filter_map(|interrupt| interrupt.tool_call_id.as_ref());
                match calls.into_iter().find(|call| self.calls.is_frontend(call.as_str())) {
                    Some(call) => Err(Refusal::new(OrderRule::InterruptOfFrontendCall).about(call.as_str())),
                    None => Ok(()),
                }
            }
            Some(RunFinishedOutcome::Cancelled(_)) | None => Ok(()),
        }
    }
}

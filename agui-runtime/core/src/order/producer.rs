//! Producer rules that no stream reader checks.

use std::sync::Arc;

use super::calls::StreamCalls;
use super::error::{OrderRefusal, OrderVerdict};
use super::kinds::{MessageKindTable, StreamMessageKind};
use super::openers::{FirstOpenings, carrier};
use super::table::IdMap;
use super::{OpenSpan, OrderRule};
use crate::protocol::{
    Event, EventEffect, Message, MessageId, RunAgentInput, RunFinishedOutcome, SpanKind, SubagentRunId,
};

/// A stream's state over all its runs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub(super) struct ProducerState {
    frontend: IdMap<()>,
    calls: StreamCalls,
    kinds: MessageKindTable,
    openers: FirstOpenings,
    activities: IdMap<()>,
    /// Subagents that the current run's events have named.
    heard_of: IdMap<()>,
}

impl ProducerState {
    pub(super) fn frontend_tools(&mut self, names: impl IntoIterator<Item = Arc<str>>) {
        self.frontend.extend(names.into_iter().map(|name| (name, ())));
    }

    /// Takes in the state before the run: the frontend tools and the conversation.
    pub(super) fn expect(&mut self, input: &RunAgentInput) {
        self.frontend_tools(input.tools().iter().map(|tool| Arc::from(tool.name.as_str())));
        self.restate(&input.messages);
    }

    /// Checks `event`; `open` returns the open spans.
    pub(super) fn check(&self, event: &Event, open: impl Fn() -> Vec<OpenSpan>) -> OrderVerdict {
        let operands = event.operands();
        match (event.event_type().effect(), event.scope_id()) {
            (EventEffect::StartRun, _) if operands.version.is_none() => {
                Err(OrderRefusal::new(OrderRule::NoProtocolVersion))
            }
            (EventEffect::StartRun, _) => self.kinds.check_all(operands.conversation),
            (EventEffect::Chunk(_), _) => Err(OrderRefusal::new(OrderRule::ChunkNotExpanded)),
            (EventEffect::Open(SpanKind::Text), Some(id)) => {
                self.kinds.check(id, StreamMessageKind::Text)?;
                self.openers.check_text(id, &operands)
            }
            (EventEffect::Open(SpanKind::ReasoningMessage), Some(id)) => {
                self.kinds.check(id, StreamMessageKind::Thought)
            }
            (EventEffect::Open(SpanKind::ToolCall), Some(id)) => {
                self.calls.check_start(id)?;
                self.kinds.check(carrier(id, operands.parent), StreamMessageKind::Text)?;
                self.openers.check_call(id, &operands)
            }
            (EventEffect::Open(SpanKind::Subagent), Some(id)) if self.heard_of.contains_key(id) => {
                Err(OrderRefusal::new(OrderRule::AnnouncedTooLate))
            }
            (EventEffect::Create(SpanKind::Activity), Some(id)) => {
                self.kinds.check(id, StreamMessageKind::Activity)
            }
            (EventEffect::After(SpanKind::Activity), Some(id)) if !self.activities.contains_key(id) => {
                Err(OrderRefusal::new(OrderRule::ActivityDeltaBeforeSnapshot))
            }
            (EventEffect::Settle(SpanKind::ToolCall), Some(id)) => {
                self.calls.check_result(id)?;
                operands
                    .message
                    .map_or(Ok(()), |message| self.kinds.check(message.as_str(), StreamMessageKind::Result))
            }
            (EventEffect::Restate, _) => {
                let mut open = open();
                open.retain(|span| {
                    matches!(span.scope, SpanKind::Text | SpanKind::ToolCall | SpanKind::ReasoningMessage)
                });
                if !open.is_empty() {
                    return Err(OrderRefusal::new(OrderRule::SnapshotWhileOpen).open(open));
                }
                self.kinds.check_all(operands.conversation)
            }
            (EventEffect::FinishRun, _) => self.finish(operands.outcome),
            _ => Ok(()),
        }
    }

    pub(super) fn apply(&mut self, event: &Event) {
        let operands = event.operands();
        match event.event_type().effect() {
            EventEffect::StartRun => {
                self.heard_of.clear();
                self.calls.next_run();
                self.restate(operands.conversation);
            }
            EventEffect::Open(SpanKind::Text) => {
                if let Some(id) = event.shared_scope_id() {
                    self.openers.text(id.clone(), &operands);
                    self.kinds.learn(Some(id), StreamMessageKind::Text);
                }
            }
            EventEffect::Open(SpanKind::ReasoningMessage) => {
                self.kinds.learn(event.shared_scope_id(), StreamMessageKind::Thought);
            }
            EventEffect::Open(SpanKind::ToolCall) => {
                if let Some(id) = event.shared_scope_id() {
                    self.kinds.learn(Some(Arc::from(carrier(&id, operands.parent))), StreamMessageKind::Text);
                    let frontend = operands.tool.is_some_and(|tool| self.frontend.contains_key(tool));
                    self.openers.call(id.clone(), &operands);
                    self.calls.start(id, frontend);
                }
            }
            EventEffect::Close(SpanKind::ToolCall) => self.calls.end(event.scope_id()),
            EventEffect::Create(SpanKind::Activity) => {
                self.kinds.learn(event.shared_scope_id(), StreamMessageKind::Activity);
                self.activities.extend(event.shared_scope_id().map(|id| (id, ())));
            }
            EventEffect::Settle(SpanKind::ToolCall) => {
                self.kinds.learn(operands.message.map(MessageId::clone_shared), StreamMessageKind::Result);
                self.calls.settle(event.scope_id());
            }
            EventEffect::Restate => self.restate(operands.conversation),
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
            self.kinds.learn(Some(message.id().clone_shared()), StreamMessageKind::from_message(message));
            self.openers.restate(message);
            match message {
                Message::Assistant(message) => {
                    for call in message.tool_calls() {
                        let frontend = self.frontend.contains_key(call.function.name.as_str());
                        self.calls.learn(call.id.clone_shared(), frontend);
                    }
                }
                Message::Tool(message) => self.calls.learn_result(message.tool_call_id.as_str()),
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

    fn finish(&self, outcome: Option<&RunFinishedOutcome>) -> OrderVerdict {
        match outcome {
            Some(RunFinishedOutcome::Success(success)) => match &success.pending_tool_call_ids {
                Some(named) => self.calls.check_pending(named),
                None => Ok(()),
            },
            Some(RunFinishedOutcome::Interrupt(interrupt)) => {
                let calls =
                    interrupt.interrupts.iter().filter_map(|interrupt| interrupt.tool_call_id.as_ref());
                match calls.into_iter().find(|call| self.calls.is_frontend(call.as_str())) {
                    Some(call) => {
                        Err(OrderRefusal::new(OrderRule::InterruptOfFrontendCall).about(call.as_str()))
                    }
                    None => Ok(()),
                }
            }
            Some(RunFinishedOutcome::Cancelled(_)) | None => Ok(()),
        }
    }
}

//! The possible operations in a state, and their execution.

use agui_runtime::order::StreamPhase;
use agui_runtime::protocol::{
    ActivityMessage, AssistantMessage, Content, CustomEvent, JsonObject, Message, MessageId, SubagentRunId,
    SubagentStartedEvent, ToolCallId, ToolMessage, UserMessage,
};

use super::super::machine::{CallStart, ForeignResult, ParentMessage, TextStart};
use super::super::rules::{subagent_end, terminal};
use super::super::span::{ROOT, RunSpan, SpanSlot};
use super::seen::{conversation, kind};
use super::{FOREIGN, Menu, Operation, RESUMED, Retold, World};
use crate::protocol::ToolSide;

impl World {
    pub(super) fn operations(&self, limit: usize, menu: Menu) -> Vec<Operation> {
        let open = &self.kernel.spans;
        let mut operations = Vec::new();
        let stale = self.stale.iter().map(|&(_, slot)| slot);
        let live =
            open.iter().filter(|(_, open)| matches!(open.span, RunSpan::Subagent { .. } | RunSpan::Scope));
        let authors = [ROOT].into_iter().chain(live.map(|(&slot, _)| slot)).chain(stale.clone());
        for by in authors {
            // An author that has ended opens nothing, whatever is open.
            let room = open.len() < limit || (by != ROOT && !open.contains_key(&by)) || self.kernel.ended;
            operations.extend([
                Operation::Send(by),
                Operation::Untagged(by),
                Operation::Restate(by, Retold::News),
            ]);
            if room {
                operations.extend([
                    Operation::Text(by, false),
                    Operation::Reasoning(by),
                    Operation::ReasoningMessage(by),
                ]);
                operations.extend([
                    Operation::Step(by),
                    Operation::Activity(by),
                    Operation::Subagent(by, false),
                    Operation::Scope(by, false),
                ]);
                operations.extend(
                    [ToolSide::Backend, ToolSide::Frontend].map(|side| Operation::Call(by, side, false)),
                );
            }
            match menu {
                Menu::Plain => {}
                Menu::Receipts => {
                    operations.extend(
                        [Retold::OtherAuthor, Retold::Answered].map(|retold| Operation::Restate(by, retold)),
                    );
                    if room {
                        operations
                            .extend([Operation::Resume(by), Operation::Call(by, ToolSide::Backend, true)]);
                    }
                }
                Menu::Foreign => {
                    operations
                        .extend(self.kernel.pending.keys().map(|&call| Operation::AnswerPending(by, call)));
                    if room {
                        operations.extend([
                            Operation::Text(by, true),
                            Operation::Subagent(by, true),
                            Operation::Scope(by, true),
                        ]);
                    }
                }
            }
        }
        if open.len() < limit {
            let spans = open.iter().filter(|(_, open)| matches!(open.span, RunSpan::Reasoning { .. }));
            operations.extend(spans.map(|(&slot, _)| Operation::ReasoningMessage(slot)));
        }
        for slot in open.keys().copied().chain(stale) {
            operations.extend([
                Operation::Push(slot),
                Operation::Show(slot),
                Operation::EndArguments(slot),
                Operation::Answer(slot),
                Operation::Ask(slot),
            ]);
            operations.extend([
                Operation::Close(slot),
                Operation::EndSubagent(slot, 0),
                Operation::EndSubagent(slot, 1),
            ]);
            operations.push(Operation::EndSubagent(slot, 2));
        }
        if matches!(menu, Menu::Foreign) {
            let calls = open.iter().filter(|(_, call)| {
                open.get(&call.parent).is_some_and(|scope| scope.span == RunSpan::Scope)
                    && matches!(call.span, RunSpan::Arguments { side: ToolSide::Backend, .. })
            });
            operations.extend(calls.map(|(&slot, _)| Operation::EndForeign(slot)));
        }
        operations.extend((0..5).map(Operation::End));
        operations
    }

    pub(super) fn perform(&mut self, operation: Operation) -> Result<(), String> {
        crate::switch::refill();
        let kernel = &mut self.kernel;
        let before: Vec<(SpanSlot, RunSpan)> =
            kernel.spans.iter().map(|(&slot, open)| (slot, open.span.clone())).collect();
        let is_open = |slot: SpanSlot| slot == ROOT || before.iter().any(|(open, _)| *open == slot);
        let foreign = |wanted: bool| wanted.then(|| MessageId::from(FOREIGN));
        let (by, silent) = match operation {
            Operation::Text(by, wanted) => {
                kernel.open_text(by, TextStart { id: foreign(wanted), ..TextStart::default() }, None);
                (by, false)
            }
            Operation::Reasoning(by) => {
                kernel.open_reasoning(by, None, None);
                (by, false)
            }
            Operation::ReasoningMessage(by) => {
                kernel.open_reasoning_message(by, None, None);
                (by, false)
            }
            Operation::Step(by) => {
                kernel.open_step(by, "step".to_owned(), None);
                (by, false)
            }
            Operation::Call(by, side, child) => {
                let parent = if child { self.receipt.clone() } else { None };
                let tool = if side == ToolSide::Frontend { "ask" } else { "search" };
                kernel.open_call(by, CallStart { tool: tool.into(), side, parent, id: None }, None);
                (by, false)
            }
            Operation::Resume(by) => {
                let _ = kernel.resume_call(by, ToolCallId::from(RESUMED));
                (by, true)
            }
            Operation::Activity(by) => {
                kernel.open_activity(by, "PLAN".into(), JsonObject::new(), None, None);
                (by, false)
            }
            Operation::Subagent(by, wanted) => {
                let wanted = wanted.then(|| SubagentRunId::from(FOREIGN));
                kernel.open_subagent(by, SubagentStartedEvent::new("", "helper"), wanted, None);
                (by, false)
            }
            Operation::Scope(by, tagged) => {
                let tag = tagged.then(|| kernel.foreign_tag(SubagentRunId::from(FOREIGN)));
                kernel.open_scope(by, tag);
                (by, true)
            }
            Operation::Send(by) => {
                kernel.send(by, CustomEvent::new("note", true), None);
                (by, false)
            }
            Operation::Untagged(by) => {
                kernel.send_untagged(by, CustomEvent::new("note", true), None);
                (by, false)
            }
            Operation::Restate(by, retold) => {
                let mut messages: Vec<Message> = vec![UserMessage::new("u", "hello").into()];
                let said = self.receipt.as_ref().map(|said| said.id.clone());
                match (retold, said) {
                    (Retold::OtherAuthor, Some(said)) => {
                        messages.push(AssistantMessage::new(said).with_subagent_run_id(FOREIGN).into());
                    }
                    (Retold::Answered, said) => {
                        let id = said.unwrap_or_else(|| MessageId::from("answer"));
                        messages.push(ToolMessage::new(id, "1", RESUMED).into());
                        let shown = ActivityMessage::new("shown", "PLAN", JsonObject::new());
                        messages.push(shown.into());
                    }
                    _ => {}
                }
                let refused = kernel.restate(by, messages, None).is_err();
                if refused && !kernel.spans.values().any(|open| conversation(&open.span)) {
                    return Err("refused to restate with nothing open".to_owned());
                }
                (by, refused)
            }
            Operation::AnswerPending(by, call) => {
                let content = Content::Text(String::new());
                kernel.settle_pending(by, call, ForeignResult { message: None, content }, None);
                (by, false)
            }
            Operation::Push(slot) => {
                kernel.push_text(slot, "x".to_owned(), None);
                kernel.push_arguments(slot, "{}".to_owned(), None);
                kernel.push_reasoning(slot, "x".to_owned(), None);
                let _ = kernel.change_activity(slot, Vec::new().into(), None);
                (slot, false)
            }
            Operation::Show(slot) => {
                kernel.restart_activity(slot, JsonObject::new(), None);
                (slot, false)
            }
            Operation::EndArguments(slot) => {
                kernel.end_arguments(slot, None);
                (slot, false)
            }
            Operation::EndForeign(slot) => {
                kernel.end_foreign_arguments(slot, None);
                (slot, false)
            }
            Operation::Answer(slot) => {
                kernel.settle_call(slot, Content::Text("1".to_owned()), None);
                (slot, false)
            }
            Operation::Ask(slot) => {
                kernel.leave_to_interrupt(slot);
                (slot, true)
            }
            Operation::Close(slot) => {
                if let (true, Some((id, _, tag))) = (self.keeps_receipts, kernel.text_of(slot)) {
                    self.receipt = Some(ParentMessage { id, tag });
                }
                kernel.close(slot, None);
                (slot, false)
            }
            Operation::EndSubagent(slot, how) => {
                kernel.end_subagent(slot, subagent_end(how), None);
                (slot, false)
            }
            Operation::End(how) => {
                kernel.end(terminal(how), None);
                (ROOT, false)
            }
        };
        let was_open = is_open(by) && self.client.phase() == StreamPhase::Active;
        let said = self.kernel.queue.len();
        if said > 0 && !was_open {
            return Err(format!("who has ended said {:?}", self.kernel.queue));
        }
        if silent && said > 0 && !matches!(operation, Operation::Restate(..)) {
            return Err(format!("something was said: {:?}", self.kernel.queue));
        }
        for (slot, span) in before {
            if !self.kernel.spans.contains_key(&slot) {
                let kind = kind(&span);
                self.stale.retain(|&(known, _)| known != kind);
                self.stale.push((kind, slot));
            }
        }
        self.stale.sort_unstable();
        self.deliver()
    }
}

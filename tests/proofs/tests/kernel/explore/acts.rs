//! The possible acts in a state, and their execution.

use agui_runtime::order::Phase;
use agui_runtime::protocol::{
    ActivityMessage, AssistantMessage, Content, CustomEvent, JsonObject, Message, MessageId, SubagentRunId,
    SubagentStartedEvent, ToolCallId, ToolMessage, UserMessage,
};

use super::super::machine::{CallStart, ForeignAnswer, ParentMessage, TextStart};
use super::super::rules::{subagent_end, terminal};
use super::super::span::{ROOT, Slot, Span};
use super::seen::{conversation, kind};
use super::{Act, FOREIGN, Menu, RESUMED, Retold, World};
use crate::protocol::ToolSide;

impl World {
    pub(super) fn acts(&self, limit: usize, menu: Menu) -> Vec<Act> {
        let open = &self.kernel.spans;
        let mut acts = Vec::new();
        let stale = self.stale.iter().map(|&(_, slot)| slot);
        let live = open.iter().filter(|(_, open)| matches!(open.span, Span::Subagent { .. } | Span::Scope));
        let authors = [ROOT].into_iter().chain(live.map(|(&slot, _)| slot)).chain(stale.clone());
        for by in authors {
            // An author that has ended opens nothing, whatever is open.
            let room = open.len() < limit || (by != ROOT && !open.contains_key(&by)) || self.kernel.ended;
            acts.extend([Act::Send(by), Act::Untagged(by), Act::Restate(by, Retold::News)]);
            if room {
                acts.extend([Act::Text(by, false), Act::Reasoning(by), Act::ReasoningMessage(by)]);
                acts.extend([
                    Act::Step(by),
                    Act::Activity(by),
                    Act::Subagent(by, false),
                    Act::Scope(by, false),
                ]);
                acts.extend([ToolSide::Backend, ToolSide::Frontend].map(|side| Act::Call(by, side, false)));
            }
            match menu {
                Menu::Plain => {}
                Menu::Receipts => {
                    acts.extend(
                        [Retold::OtherAuthor, Retold::Answered].map(|retold| Act::Restate(by, retold)),
                    );
                    if room {
                        acts.extend([Act::Resume(by), Act::Call(by, ToolSide::Backend, true)]);
                    }
                }
                Menu::Foreign => {
                    acts.extend(self.kernel.pending.keys().map(|&call| Act::AnswerPending(by, call)));
                    if room {
                        acts.extend([Act::Text(by, true), Act::Subagent(by, true), Act::Scope(by, true)]);
                    }
                }
            }
        }
        if open.len() < limit {
            let spans = open.iter().filter(|(_, open)| matches!(open.span, Span::Reasoning { .. }));
            acts.extend(spans.map(|(&slot, _)| Act::ReasoningMessage(slot)));
        }
        for slot in open.keys().copied().chain(stale) {
            acts.extend([
                Act::Push(slot),
                Act::Show(slot),
                Act::EndArguments(slot),
                Act::Answer(slot),
                Act::Ask(slot),
            ]);
            acts.extend([Act::Close(slot), Act::EndSubagent(slot, 0), Act::EndSubagent(slot, 1)]);
            acts.push(Act::EndSubagent(slot, 2));
        }
        if matches!(menu, Menu::Foreign) {
            let calls = open.iter().filter(|(_, call)| {
                open.get(&call.parent).is_some_and(|scope| scope.span == Span::Scope)
                    && matches!(call.span, Span::Arguments { side: ToolSide::Backend, .. })
            });
            acts.extend(calls.map(|(&slot, _)| Act::EndForeign(slot)));
        }
        acts.extend((0..5).map(Act::End));
        acts
    }

    pub(super) fn perform(&mut self, act: Act) -> Result<(), String> {
        crate::switch::refill();
        let kernel = &mut self.kernel;
        let before: Vec<(Slot, Span)> =
            kernel.spans.iter().map(|(&slot, open)| (slot, open.span.clone())).collect();
        let heard = |slot: Slot| slot == ROOT || before.iter().any(|(open, _)| *open == slot);
        let foreign = |wanted: bool| wanted.then(|| MessageId::from(FOREIGN));
        let (by, silent) = match act {
            Act::Text(by, wanted) => {
                kernel.open_text(by, TextStart { id: foreign(wanted), ..TextStart::default() }, None);
                (by, false)
            }
            Act::Reasoning(by) => {
                kernel.open_reasoning(by, None, None);
                (by, false)
            }
            Act::ReasoningMessage(by) => {
                kernel.open_reasoning_message(by, None, None);
                (by, false)
            }
            Act::Step(by) => {
                kernel.open_step(by, "step".to_owned(), None);
                (by, false)
            }
            Act::Call(by, side, child) => {
                let parent = if child { self.receipt.clone() } else { None };
                let tool = if side == ToolSide::Frontend { "ask" } else { "search" };
                kernel.open_call(by, CallStart { tool: tool.into(), side, parent, id: None }, None);
                (by, false)
            }
            Act::Resume(by) => {
                let _ = kernel.resume_call(by, ToolCallId::from(RESUMED));
                (by, true)
            }
            Act::Activity(by) => {
                kernel.open_activity(by, "PLAN".into(), JsonObject::new(), None, None);
                (by, false)
            }
            Act::Subagent(by, wanted) => {
                let wanted = wanted.then(|| SubagentRunId::from(FOREIGN));
                kernel.open_subagent(by, SubagentStartedEvent::new("", "helper"), wanted, None);
                (by, false)
            }
            Act::Scope(by, tagged) => {
                let tag = tagged.then(|| kernel.foreign_tag(SubagentRunId::from(FOREIGN)));
                kernel.open_scope(by, tag);
                (by, true)
            }
            Act::Send(by) => {
                kernel.send(by, CustomEvent::new("note", true), None);
                (by, false)
            }
            Act::Untagged(by) => {
                kernel.send_untagged(by, CustomEvent::new("note", true), None);
                (by, false)
            }
            Act::Restate(by, retold) => {
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
            Act::AnswerPending(by, call) => {
                let content = Content::Text(String::new());
                kernel.answer_pending(by, call, ForeignAnswer { message: None, content }, None);
                (by, false)
            }
            Act::Push(slot) => {
                kernel.push_text(slot, "x".to_owned(), None);
                kernel.push_arguments(slot, "{}".to_owned(), None);
                kernel.push_reasoning(slot, "x".to_owned(), None);
                let _ = kernel.change_activity(slot, Vec::new().into(), None);
                (slot, false)
            }
            Act::Show(slot) => {
                kernel.restart_activity(slot, JsonObject::new(), None);
                (slot, false)
            }
            Act::EndArguments(slot) => {
                kernel.end_arguments(slot, None);
                (slot, false)
            }
            Act::EndForeign(slot) => {
                kernel.end_foreign_arguments(slot, None);
                (slot, false)
            }
            Act::Answer(slot) => {
                kernel.answer(slot, Content::Text("1".to_owned()), None);
                (slot, false)
            }
            Act::Ask(slot) => {
                kernel.ask(slot);
                (slot, true)
            }
            Act::Close(slot) => {
                if let (true, Some((id, _, tag))) = (self.keeps_receipts, kernel.text_of(slot)) {
                    self.receipt = Some(ParentMessage { id, tag });
                }
                kernel.close(slot, None);
                (slot, false)
            }
            Act::EndSubagent(slot, how) => {
                kernel.end_subagent(slot, subagent_end(how), None);
                (slot, false)
            }
            Act::End(how) => {
                kernel.end(terminal(how), None);
                (ROOT, false)
            }
        };
        let was_heard = heard(by) && self.client.phase() == Phase::Active;
        let said = self.kernel.queue.len();
        if said > 0 && !was_heard {
            return Err(format!("who has ended said {:?}", self.kernel.queue));
        }
        if silent && said > 0 && !matches!(act, Act::Restate(..)) {
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

//! Tool calls: arguments, results, and what becomes of a call nobody answers.

use std::borrow::Cow;

use super::messages::ParentMessage;
use super::{CutOff, Fields, Kernel, Open, Owed, Pending, Slot, Span, ToolSide, following};
use crate::protocol::{
    Content, MessageId, SubagentRunId, ToolCallArgsEvent, ToolCallEndEvent, ToolCallId, ToolCallResultEvent,
    ToolCallStartEvent,
};

/// How a call begins.
#[derive(Clone, Debug)]
pub(crate) struct CallStart {
    pub tool: Cow<'static, str>,
    pub side: ToolSide,
    pub parent: Option<ParentMessage>,
    /// The id somebody else gave it; used if nothing else of the run has it.
    pub id: Option<ToolCallId>,
}

impl Kernel {
    pub(crate) fn open_call(&mut self, by: Slot, start: CallStart, fields: Fields) -> (Slot, ToolCallId) {
        let CallStart { tool, side, parent, id } = start;
        let id = match id {
            Some(id) if self.claim(id.as_str()) => id,
            _ => self.new_call(),
        };
        let mut event = ToolCallStartEvent::new(id.clone(), tool.clone());
        if let (Some(parent), Some(tag)) = (parent, self.author(by)) {
            event.parent_message_id = self.parent_for(&tag, parent);
        }
        let carrier = event.parent_message_id.clone();
        let span = Span::Arguments { id: id.clone(), side, tool, carrier };
        let slot = self.open(by, span, event.into(), fields);
        (slot, id)
    }

    pub(crate) fn push_arguments(&mut self, slot: Slot, delta: String, fields: Fields) {
        self.within(slot, fields, |span| match span {
            Span::Arguments { id, .. } => Some(ToolCallArgsEvent::new(id.clone(), delta).into()),
            _ => None,
        });
    }

    /// TOOL_CALL_END: a backend call now waits for its result, a frontend call for the next run.
    pub(crate) fn end_arguments(&mut self, slot: Slot, fields: Fields) {
        let Some(open) = self.spans.get_mut(&slot) else { return };
        let Span::Arguments { id, side, .. } = &open.span else { return };
        let (id, side, tag) = (id.clone(), *side, open.tag.clone());
        match side {
            ToolSide::Backend => open.span = Span::Unanswered { id: id.clone() },
            ToolSide::Frontend => {
                self.take(slot);
                self.pending.insert(slot, Pending { id: id.clone(), foreign: false, carrier: None });
            }
        }
        self.put(ToolCallEndEvent::new(id).into(), tag, fields);
    }

    /// TOOL_CALL_END of a call in somebody else's stream, whoever will answer it: until its result comes, nobody has.
    pub(crate) fn end_foreign_arguments(&mut self, slot: Slot, fields: Fields) {
        if let Some(Span::Arguments { .. }) = self.spans.get(&slot).map(|open| &open.span)
            && let Some(Open { span: Span::Arguments { id, carrier, .. }, tag, .. }) = self.take(slot)
        {
            self.pending.insert(slot, Pending { id: id.clone(), foreign: true, carrier });
            self.put(ToolCallEndEvent::new(id).into(), tag, fields);
        }
    }

    /// A call of somebody else's stream goes on after its END, unanswered; it keeps its place among those that wait.
    pub(crate) fn reopen_call(&mut self, by: Slot, call: Slot, start: CallStart, fields: Fields) {
        let Some(tag) = self.author(by) else { return };
        let Some(Pending { id, carrier, .. }) = self.take_foreign(call) else { return };
        let agreed = self.agreed(id.as_str(), tag.clone());
        let mut event = ToolCallStartEvent::new(id.clone(), start.tool.clone());
        // Its parent stays what was said first, and is not said of a call the client thinks somebody else's.
        let parent = start.parent.filter(|_| agreed == tag).and_then(|parent| self.parent_for(&tag, parent));
        event.parent_message_id = parent.filter(|parent| Some(parent) == carrier.as_ref());
        let tag = agreed;
        self.put(event.into(), tag.clone(), fields);
        self.enclose(by, call, Span::Arguments { id, side: start.side, tool: start.tool, carrier }, tag);
    }

    /// A call that the wire knows in another form, so that it is only missed until it is answered.
    pub(crate) fn note_call(&mut self, by: Slot, wanted: Option<ToolCallId>) -> (Slot, ToolCallId) {
        let id = match wanted {
            Some(id) if self.claim(id.as_str()) => id,
            _ => self.new_call(),
        };
        let slot = self.next_slot();
        if self.author(by).is_some() {
            self.pending.insert(slot, Pending { id: id.clone(), foreign: true, carrier: None });
        }
        (slot, id)
    }

    /// TOOL_CALL_RESULT, once: a call that was answered, or never ended, is left alone.
    pub(crate) fn answer(&mut self, slot: Slot, content: Content, fields: Fields) {
        if let Some(Owed { id, tag }) = self.take_unanswered(slot) {
            self.put_result(id, tag, content, fields);
        }
    }

    /// Leaves a call to the answer of an interrupt. Its result belongs to the run that resumes this one.
    pub(crate) fn ask(&mut self, slot: Slot) {
        if let Some(owed) = self.take_unanswered(slot) {
            self.asked.insert(slot, owed);
        }
    }

    /// Takes up a call of an earlier run that was left to an interrupt: it has no START here, and wants its result. `None`
    /// when this run has taken it up before, or has a call of that id: a call has one result.
    pub(crate) fn resume_call(&mut self, by: Slot, id: ToolCallId) -> Option<Slot> {
        if !self.resumed.insert(id.clone()) {
            return None;
        }
        let slot = self.next_slot();
        if let Some(tag) = self.author(by) {
            self.enclose(by, slot, Span::Unanswered { id }, tag);
        }
        Some(slot)
    }

    /// A call that somebody else's stream answers; a frontend call of our own is the client's to answer.
    pub(crate) fn answer_pending(&mut self, by: Slot, call: Slot, answer: ForeignAnswer, fields: Fields) {
        if let Some(tag) = self.author(by)
            && let Some(Pending { id, .. }) = self.take_foreign(call)
        {
            let message = self.message_id(answer.message);
            self.put(ToolCallResultEvent::new(message, id, answer.content).into(), tag, fields);
        }
    }

    fn new_call(&mut self) -> ToolCallId {
        loop {
            let id = self.ids.tool_call();
            if !self.taken.contains(id.as_str()) {
                return id;
            }
        }
    }

    fn take_foreign(&mut self, call: Slot) -> Option<Pending> {
        if self.pending.get(&call)?.foreign { self.pending.remove(&call) } else { None }
    }

    fn take_unanswered(&mut self, slot: Slot) -> Option<Owed> {
        matches!(self.spans.get(&slot)?.span, Span::Unanswered { .. }).then_some(())?;
        match self.take(slot)? {
            Open { span: Span::Unanswered { id }, tag, .. } => Some(Owed { id, tag }),
            _ => None,
        }
    }

    /// What a call gets that is closed without an answer.
    pub(super) fn abandon(&mut self, span: Span, tag: Option<SubagentRunId>, fields: Fields) {
        match span {
            // A client reads unparsable arguments as `{}` at END and would act on them, and only the client may answer:
            // a frontend call that was cut off stays open, until the whole run turns out to be cancelled.
            Span::Arguments { id, side: ToolSide::Frontend, tool, .. } => {
                self.cut_off.push(CutOff { id, tool, tag });
            }
            Span::Arguments { id, side: ToolSide::Backend, .. } => {
                let later = following(&fields);
                self.put(ToolCallEndEvent::new(id.clone()).into(), tag.clone(), fields);
                self.put_abandoned(Owed { id, tag }, later);
            }
            Span::Unanswered { id } => self.put_abandoned(Owed { id, tag }, fields),
            _ => {}
        }
    }

    /// Model providers reject a history with a call nobody answered.
    pub(super) fn put_abandoned(&mut self, owed: Owed, fields: Fields) {
        let content = Content::Text(r#"{"error":"abandoned"}"#.to_owned());
        self.put_result(owed.id, owed.tag, content, fields);
    }

    fn put_result(&mut self, id: ToolCallId, tag: Option<SubagentRunId>, content: Content, fields: Fields) {
        let message = self.new_message();
        self.put(ToolCallResultEvent::new(message, id, content).into(), tag, fields);
    }

    /// TOOL_CALL_END of the calls that were cut off, when the run is cancelled: then the protocol wants all closed, and
    /// no client acts.
    pub(super) fn end_cut_off(&mut self) {
        for CutOff { id, tag, .. } in std::mem::take(&mut self.cut_off) {
            self.put(ToolCallEndEvent::new(id).into(), tag, None);
        }
    }
}

/// An answer from somebody else's stream, with the id it has there.
#[derive(Clone, Debug)]
pub(crate) struct ForeignAnswer {
    pub message: Option<MessageId>,
    pub content: Content,
}

//! Tool calls: arguments, results, and the fate of calls without a result.

use std::borrow::Cow;

use super::conversation::Kind;
use super::messages::ParentMessage;
use super::send::untagged;
use super::{Chunked, CutOff, Fields, Kernel, Left, Open, Owed, Pending, ROOT, Slot, Span, following};
use crate::protocol::{
    Content, Event, InterruptId, MessageId, SubagentRunId, ToolCallArgsEvent, ToolCallEndEvent, ToolCallId,
    ToolCallResultEvent, ToolCallStartEvent, ToolSide,
};

/// START of a call.
#[derive(Clone, Debug)]
pub(crate) struct CallStart {
    pub tool: Cow<'static, str>,
    pub side: ToolSide,
    pub parent: Option<ParentMessage>,
    /// The id from a foreign stream; used if no other part of the run has this id.
    pub id: Option<ToolCallId>,
}

impl Kernel {
    pub(crate) fn open_call(&mut self, by: Slot, start: CallStart, fields: Fields) -> (Slot, ToolCallId) {
        let CallStart { tool, side, parent, id } = start;
        let id = match id {
            Some(id) if self.claim(id.as_str()) => id,
            _ => self.new_call(),
        };
        if side == ToolSide::Backend && self.conversation.is_client_tool(&tool) {
            // The client will run the call, and only the client may answer a call that it runs.
            if self.accepts(by) {
                self.claimed.get_or_insert(tool);
            }
            return (self.next_slot(), id);
        }
        let mut event = ToolCallStartEvent::new(id.clone(), tool.clone());
        // The client makes a message for a call without a parent, and that one would not name its author.
        let parent = match self.nameless_author(by) {
            Some(tag) if parent.is_none() => {
                Some(ParentMessage { id: self.parent_of_calls(by, None), tag: Some(tag) })
            }
            _ => parent,
        };
        if let (Some(parent), Some(tag)) = (parent, self.author(by)) {
            event.parent_message_id = self.conversation.carrier(&tag, parent);
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

    /// Sends TOOL_CALL_END: a backend call now waits for its result, a frontend call for the next run.
    pub(crate) fn end_arguments(&mut self, slot: Slot, fields: Fields) {
        let Some(open) = self.spans.get_mut(&slot) else { return };
        let Span::Arguments { id, side, .. } = &open.span else { return };
        let (id, side, tag) = (id.clone(), *side, open.tag.clone());
        match side {
            ToolSide::Backend => open.span = Span::Unanswered { id: id.clone() },
            ToolSide::Frontend => {
                self.take(slot);
                let call = Pending { id: id.clone(), foreign: false, frontend: true, carrier: None };
                self.pending.insert(slot, call);
            }
        }
        self.put(ToolCallEndEvent::new(id).into(), tag, fields);
    }

    /// Sends TOOL_CALL_END for a call in a foreign stream; on either side, the call is pending until its result comes.
    pub(crate) fn end_foreign_arguments(&mut self, slot: Slot, fields: Fields) {
        if let Some(Span::Arguments { .. }) = self.spans.get(&slot).map(|open| &open.span)
            && let Some(Open { span: Span::Arguments { id, carrier, side, .. }, tag, .. }) = self.take(slot)
        {
            let frontend = side == ToolSide::Frontend;
            self.pending.insert(slot, Pending { id: id.clone(), foreign: true, frontend, carrier });
            self.put(ToolCallEndEvent::new(id).into(), tag, fields);
        }
    }

    /// Reopens a foreign stream's call that continues after END without a result. The call keeps its place among the pending
    /// calls.
    pub(crate) fn reopen_call(&mut self, by: Slot, call: Slot, start: CallStart, fields: Fields) {
        let Some(tag) = self.author(by) else { return };
        let Some(Pending { id, carrier, .. }) = self.take_foreign(call) else { return };
        let agreed = self.agreed(id.as_str(), tag.clone());
        let mut event = ToolCallStartEvent::new(id.clone(), start.tool.clone());
        // Its parent stays the first one that was named. It is left out if the client attributes the call to another
        // author.
        let parent = start.parent.filter(|_| agreed == tag);
        let parent = parent.and_then(|parent| self.conversation.carrier(&tag, parent));
        event.parent_message_id = parent.filter(|parent| Some(parent) == carrier.as_ref());
        let mut event = event.into();
        self.conversation.fit(&mut event);
        let tag = agreed;
        self.put(event, tag.clone(), fields);
        self.enclose(by, call, Span::Arguments { id, side: start.side, tool: start.tool, carrier }, tag);
    }

    /// Returns the message that an open call names as parent.
    pub(crate) fn carrier_of(&self, call: Slot) -> Option<MessageId> {
        match &self.spans.get(&call)?.span {
            Span::Arguments { carrier, .. } => carrier.clone(),
            _ => None,
        }
    }

    /// Registers a call that goes out as chunks, so that the call is pending until it has a result. Also returns the message that
    /// the call may name as parent.
    pub(crate) fn note_call(
        &mut self,
        by: Slot,
        wanted: Option<ToolCallId>,
        parent: Option<ParentMessage>,
    ) -> (Slot, ToolCallId, Option<MessageId>) {
        let id = match wanted {
            Some(id) if self.claim(id.as_str()) => id,
            _ => self.new_call(),
        };
        let slot = self.next_slot();
        let Some(tag) = self.author(by) else { return (slot, id, None) };
        let carrier = parent.and_then(|parent| self.conversation.carrier(&tag, parent));
        self.conversation.learn_call(&id, carrier.as_ref(), tag.as_ref());
        let call = Pending { id: id.clone(), foreign: true, frontend: false, carrier: carrier.clone() };
        self.pending.insert(slot, call);
        (slot, id, carrier)
    }

    /// Sends a chunk for a foreign stream's span. The chunk names the span unless it directly follows a chunk of the same span,
    /// because otherwise the client may have ended the span.
    pub(crate) fn pass_chunk(&mut self, by: Slot, id: &str, mut chunk: Event, fields: Fields) {
        let Some(tag) = self.author(by) else { return };
        let agreed = self.agreed(id, tag.clone());
        match &mut chunk {
            Event::ToolCallChunk(call) => {
                let parent = call.parent_message_id.take().filter(|_| agreed == tag);
                call.parent_message_id =
                    parent.filter(|parent| self.conversation.is_still_by(parent.as_str(), &tag));
            }
            Event::TextMessageChunk(_) => self.conversation.learn(id.into(), Kind::Text, tag.as_ref()),
            _ => self.conversation.learn(id.into(), Kind::Thought, tag.as_ref()),
        }
        self.conversation.fit(&mut chunk);
        let kind = chunk.event_type();
        let last = self.chunked.take_if(|last| last.kind == kind && last.id == id && last.said == self.said);
        if last.is_some() {
            unname(&mut chunk);
        }
        self.put(untagged(chunk), agreed, fields);
        let id = last.map_or_else(|| id.to_owned(), |last| last.id);
        self.chunked = Some(Chunked { kind, id, said: self.said });
    }

    /// Returns the author that continues a span under an old id, so that the tag equals the one from [`agreed`](Self::agreed).
    pub(crate) fn continuing_author(&self, by: Slot, id: &str) -> Slot {
        match self.author(by) {
            Some(tag) if self.agreed(id, tag.clone()) != tag => ROOT,
            _ => by,
        }
    }

    /// Sends TOOL_CALL_RESULT once: does nothing for a call that has a result or is still open.
    pub(crate) fn answer(&mut self, slot: Slot, content: Content, fields: Fields) {
        if let Some(Owed { id, tag }) = self.take_unanswered(slot) {
            self.put_result(id, tag, content, fields);
        }
    }

    /// Leaves a call to an interrupt. The result belongs to the run that resumes this one.
    pub(crate) fn ask(&mut self, slot: Slot) {
        if let Some(owed) = self.take_unanswered(slot) {
            self.left.insert(slot, Left { owed, of_subagent: None });
        }
    }

    /// Leaves a call to the interrupts that its subagent raised.
    pub(crate) fn suspend(&mut self, slot: Slot, questions: Vec<InterruptId>) {
        if let Some(owed) = self.take_unanswered(slot) {
            self.left.insert(slot, Left { owed, of_subagent: Some(questions) });
        }
    }

    /// Resumes a call that an earlier run left to an interrupt: this run sends no START, but must send a result.
    ///
    /// # Errors
    ///
    /// Fails if this run already resumed the call, if the input or a restated conversation has the call's result or lacks the
    /// call, and for a frontend call.
    pub(crate) fn resume_call(&mut self, by: Slot, id: ToolCallId) -> Result<Slot, NotResumed> {
        if self.resumed.contains_key(&id) {
            return Err(NotResumed::Twice);
        }
        if !self.conversation.is_left(&id) {
            return Err(NotResumed::NotLeft);
        }
        self.conversation.take(&id);
        let slot = self.next_slot();
        self.resumed.insert(id.clone(), slot);
        if let Some(tag) = self.author(by) {
            self.enclose(by, slot, Span::Unanswered { id }, tag);
        }
        Ok(slot)
    }

    /// Records that the restated conversation has a call's result: if this run resumed the call, no result is due any more.
    pub(super) fn is_answered(&mut self, call: &ToolCallId) {
        if let Some(slot) = self.resumed.get(call).copied() {
            self.take_unanswered(slot);
            self.left.remove(&slot);
        }
    }

    /// Sends a foreign stream's result for a pending call. Only the client may send results for this run's frontend calls.
    pub(crate) fn answer_pending(&mut self, by: Slot, call: Slot, answer: ForeignAnswer, fields: Fields) {
        if let Some(tag) = self.author(by)
            && let Some(Pending { id, .. }) = self.take_foreign(call)
        {
            let message = self.message_id(answer.message);
            self.conversation.learn(message.clone(), Kind::Result, tag.as_ref());
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

    /// Returns the nonce that tells a typed interrupt from all others.
    pub(crate) fn new_interrupt(&mut self) -> InterruptId {
        loop {
            let id = self.ids.interrupt();
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

    /// Sends a result for a call that closes without one.
    pub(super) fn abandon(&mut self, span: Span, tag: Option<SubagentRunId>, fields: Fields) {
        match span {
            // A client reads unparsable arguments as `{}` at END and would act on them, and only the client may answer:
            // a frontend call that was cut off stays open, unless the whole run is cancelled.
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

    /// Sends an error as the result of an abandoned call, because model providers refuse a history that has a call without a
    /// result.
    pub(super) fn put_abandoned(&mut self, owed: Owed, fields: Fields) {
        let content = Content::Text(r#"{"error":"abandoned"}"#.to_owned());
        self.put_result(owed.id, owed.tag, content, fields);
    }

    fn put_result(&mut self, id: ToolCallId, tag: Option<SubagentRunId>, content: Content, fields: Fields) {
        if self.resumed.contains_key(&id) {
            self.results.insert(id.clone(), content.clone());
        }
        let message = self.new_message();
        self.conversation.learn(message.clone(), Kind::Result, tag.as_ref());
        self.put(ToolCallResultEvent::new(message, id, content).into(), tag, fields);
    }

    /// Sends TOOL_CALL_END for cut-off calls: in a cancelled run, because the protocol then requires closed calls, and in a run
    /// that fails for a legacy client. Clients should act in neither case.
    pub(super) fn end_cut_off(&mut self) {
        for CutOff { id, tag, .. } in std::mem::take(&mut self.cut_off) {
            self.put(ToolCallEndEvent::new(id).into(), tag, None);
        }
    }
}

/// Reason why this run cannot send a call's result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NotResumed {
    /// This run has already resumed the call.
    Twice,
    /// The call was not left for this run.
    NotLeft,
}

/// A result from a foreign stream, with its id there.
#[derive(Clone, Debug)]
pub(crate) struct ForeignAnswer {
    pub message: Option<MessageId>,
    pub content: Content,
}

/// Removes all members that the previous chunk has set.
fn unname(chunk: &mut Event) {
    match chunk {
        Event::TextMessageChunk(text) => (text.message_id, text.role, text.name) = (None, None, None),
        Event::ToolCallChunk(call) => {
            (call.tool_call_id, call.tool_call_name, call.parent_message_id) = (None, None, None);
        }
        Event::ReasoningMessageChunk(thought) => thought.message_id = None,
        _ => {}
    }
}

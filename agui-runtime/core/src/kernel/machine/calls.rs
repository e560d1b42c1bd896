//! Tool calls: arguments, results, and the fate of calls without a result.

use std::borrow::Cow;

use super::conversation::ClientMessageKind;
use super::messages::ParentMessage;
use super::send::untagged;
use super::{
    ChunkPosition, CutOffCall, LeftCall, OwedResult, PendingCallEntry, ROOT, RunKernel, RunSpan, SpanEntry,
    SpanSlot, WriteFields, following,
};
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

impl RunKernel {
    pub(crate) fn open_call(
        &mut self,
        by: SpanSlot,
        start: CallStart,
        fields: WriteFields,
    ) -> (SpanSlot, ToolCallId) {
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
        let span = RunSpan::Arguments { id: id.clone(), side, tool, carrier };
        let slot = self.open(by, span, event.into(), fields);
        (slot, id)
    }

    pub(crate) fn push_arguments(&mut self, slot: SpanSlot, delta: String, fields: WriteFields) {
        self.send_within(slot, fields, |span| match span {
            RunSpan::Arguments { id, .. } => Some(ToolCallArgsEvent::new(id.clone(), delta).into()),
            _ => None,
        });
    }

    /// Sends TOOL_CALL_END: a backend call now waits for its result, a frontend call for the next run.
    pub(crate) fn end_arguments(&mut self, slot: SpanSlot, fields: WriteFields) {
        let Some(open) = self.spans.get_mut(&slot) else { return };
        let RunSpan::Arguments { id, side, .. } = &open.span else { return };
        let (id, side, tag) = (id.clone(), *side, open.tag.clone());
        match side {
            ToolSide::Backend => open.span = RunSpan::Unsettled { id: id.clone() },
            ToolSide::Frontend => {
                self.take(slot);
                let call = PendingCallEntry { id: id.clone(), foreign: false, frontend: true, carrier: None };
                self.pending.insert(slot, call);
            }
        }
        self.put(ToolCallEndEvent::new(id).into(), tag, fields);
    }

    /// Sends TOOL_CALL_END for a call in a foreign stream; on either side, the call is pending until its result comes.
    pub(crate) fn end_foreign_arguments(&mut self, slot: SpanSlot, fields: WriteFields) {
        if let Some(RunSpan::Arguments { .. }) = self.spans.get(&slot).map(|open| &open.span)
            && let Some(SpanEntry { span: RunSpan::Arguments { id, carrier, side, .. }, tag, .. }) =
                self.take(slot)
        {
            let frontend = side == ToolSide::Frontend;
            self.pending.insert(slot, PendingCallEntry { id: id.clone(), foreign: true, frontend, carrier });
            self.put(ToolCallEndEvent::new(id).into(), tag, fields);
        }
    }

    /// Reopens a foreign stream's call that continues after END without a result. The call keeps its place among the pending
    /// calls.
    pub(crate) fn reopen_call(
        &mut self,
        by: SpanSlot,
        call: SpanSlot,
        start: CallStart,
        fields: WriteFields,
    ) {
        let Some(tag) = self.author(by) else { return };
        let Some(PendingCallEntry { id, carrier, .. }) = self.take_foreign(call) else { return };
        let agreed = self.agreed_tag(id.as_str(), tag.clone());
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
        self.enclose(by, call, RunSpan::Arguments { id, side: start.side, tool: start.tool, carrier }, tag);
    }

    /// Returns the message that an open call names as parent.
    pub(crate) fn carrier_of(&self, call: SpanSlot) -> Option<MessageId> {
        match &self.spans.get(&call)?.span {
            RunSpan::Arguments { carrier, .. } => carrier.clone(),
            _ => None,
        }
    }

    /// Registers a call that goes out as chunks, so that the call is pending until it has a result. Also returns the message that
    /// the call may name as parent.
    pub(crate) fn note_call(
        &mut self,
        by: SpanSlot,
        wanted: Option<ToolCallId>,
        parent: Option<ParentMessage>,
    ) -> (SpanSlot, ToolCallId, Option<MessageId>) {
        let id = match wanted {
            Some(id) if self.claim(id.as_str()) => id,
            _ => self.new_call(),
        };
        let slot = self.next_slot();
        let Some(tag) = self.author(by) else { return (slot, id, None) };
        let carrier = parent.and_then(|parent| self.conversation.carrier(&tag, parent));
        self.conversation.learn_call(&id, carrier.as_ref(), tag.as_ref());
        let call =
            PendingCallEntry { id: id.clone(), foreign: true, frontend: false, carrier: carrier.clone() };
        self.pending.insert(slot, call);
        (slot, id, carrier)
    }

    /// Sends a chunk for a foreign stream's span. The chunk names the span unless it directly follows a chunk of the same span,
    /// because otherwise the client may have ended the span.
    pub(crate) fn pass_chunk(&mut self, by: SpanSlot, id: &str, mut chunk: Event, fields: WriteFields) {
        let Some(tag) = self.author(by) else { return };
        let agreed = self.agreed_tag(id, tag.clone());
        match &mut chunk {
            Event::ToolCallChunk(call) => {
                let parent = call.parent_message_id.take().filter(|_| agreed == tag);
                call.parent_message_id =
                    parent.filter(|parent| self.conversation.is_still_by(parent.as_str(), &tag));
            }
            Event::TextMessageChunk(_) => {
                self.conversation.learn(id.into(), ClientMessageKind::Text, tag.as_ref());
            }
            _ => self.conversation.learn(id.into(), ClientMessageKind::Thought, tag.as_ref()),
        }
        self.conversation.fit(&mut chunk);
        let kind = chunk.event_type();
        let last = self.chunked.take_if(|last| last.kind == kind && last.id == id && last.said == self.said);
        if last.is_some() {
            remove_repeated_members(&mut chunk);
        }
        self.put(untagged(chunk), agreed, fields);
        let id = last.map_or_else(|| id.to_owned(), |last| last.id);
        self.chunked = Some(ChunkPosition { kind, id, said: self.said });
    }

    /// Returns the author that continues a span under an old id, so that the tag equals the one from [`agreed`](Self::agreed).
    pub(crate) fn continuing_author(&self, by: SpanSlot, id: &str) -> SpanSlot {
        match self.author(by) {
            Some(tag) if self.agreed_tag(id, tag.clone()) != tag => ROOT,
            _ => by,
        }
    }

    /// Sends TOOL_CALL_RESULT once: does nothing for a call that has a result or is still open.
    pub(crate) fn settle_call(&mut self, slot: SpanSlot, content: Content, fields: WriteFields) {
        if let Some(OwedResult { id, tag }) = self.take_unsettled(slot) {
            self.put_result(id, tag, content, fields);
        }
    }

    /// Leaves a call to an interrupt. The result belongs to the run that resumes this one.
    pub(crate) fn leave_to_interrupt(&mut self, slot: SpanSlot) {
        if let Some(owed) = self.take_unsettled(slot) {
            self.left.insert(slot, LeftCall { owed, of_subagent: None });
        }
    }

    /// Leaves a call to the interrupts that its subagent raised.
    pub(crate) fn leave_to_subagent_interrupts(&mut self, slot: SpanSlot, questions: Vec<InterruptId>) {
        if let Some(owed) = self.take_unsettled(slot) {
            self.left.insert(slot, LeftCall { owed, of_subagent: Some(questions) });
        }
    }

    /// Resumes a call that an earlier run left to an interrupt: this run sends no START, but must send a result.
    ///
    /// # Errors
    ///
    /// Fails if this run already resumed the call, if the input or a restated conversation has the call's result or lacks the
    /// call, and for a frontend call.
    pub(crate) fn resume_call(
        &mut self,
        by: SpanSlot,
        id: ToolCallId,
    ) -> Result<SpanSlot, CallResumeRefusal> {
        if self.resumed.contains_key(&id) {
            return Err(CallResumeRefusal::Twice);
        }
        if !self.conversation.is_left_call(&id) {
            return Err(CallResumeRefusal::NotLeft);
        }
        self.conversation.mark_settled(&id);
        let slot = self.next_slot();
        self.resumed.insert(id.clone(), slot);
        if let Some(tag) = self.author(by) {
            self.enclose(by, slot, RunSpan::Unsettled { id }, tag);
        }
        Ok(slot)
    }

    /// Records that the restated conversation has a call's result: if this run resumed the call, no result is due any more.
    pub(super) fn note_restated_result(&mut self, call: &ToolCallId) {
        if let Some(slot) = self.resumed.get(call).copied() {
            self.take_unsettled(slot);
            self.left.remove(&slot);
        }
    }

    /// Sends a foreign stream's result for a pending call. Only the client may send results for this run's frontend calls.
    pub(crate) fn settle_pending(
        &mut self,
        by: SpanSlot,
        call: SpanSlot,
        answer: ForeignResult,
        fields: WriteFields,
    ) {
        if let Some(tag) = self.author(by)
            && let Some(PendingCallEntry { id, .. }) = self.take_foreign(call)
        {
            let message = self.message_id(answer.message);
            self.conversation.learn(message.clone(), ClientMessageKind::Result, tag.as_ref());
            self.put(ToolCallResultEvent::new(message, id, answer.content).into(), tag, fields);
        }
    }

    /// Returns a new id for a call that is not sent.
    #[cfg_attr(not(feature = "model"), allow(dead_code, reason = "only the model loop has private calls"))]
    pub(crate) fn new_private_call(&mut self) -> ToolCallId {
        self.new_call()
    }

    /// Marks an earlier call's id, which no message of the conversation has, as used.
    #[cfg_attr(not(feature = "model"), allow(dead_code, reason = "only the model loop has private calls"))]
    pub(crate) fn reserve_call(&mut self, id: &str) {
        self.taken.insert(id.to_owned());
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

    fn take_foreign(&mut self, call: SpanSlot) -> Option<PendingCallEntry> {
        if self.pending.get(&call)?.foreign { self.pending.remove(&call) } else { None }
    }

    fn take_unsettled(&mut self, slot: SpanSlot) -> Option<OwedResult> {
        matches!(self.spans.get(&slot)?.span, RunSpan::Unsettled { .. }).then_some(())?;
        match self.take(slot)? {
            SpanEntry { span: RunSpan::Unsettled { id }, tag, .. } => Some(OwedResult { id, tag }),
            _ => None,
        }
    }

    /// Sends a result for a call that closes without one.
    pub(super) fn abandon(&mut self, span: RunSpan, tag: Option<SubagentRunId>, fields: WriteFields) {
        match span {
            // A client reads unparsable arguments as `{}` at END and would act on them, and only the client may answer:
            // a frontend call that was cut off stays open, unless the whole run is cancelled.
            RunSpan::Arguments { id, side: ToolSide::Frontend, tool, .. } => {
                self.cut_off.push(CutOffCall { id, tool, tag });
            }
            RunSpan::Arguments { id, side: ToolSide::Backend, .. } => {
                let later = following(&fields);
                self.put(ToolCallEndEvent::new(id.clone()).into(), tag.clone(), fields);
                self.settle_abandoned(OwedResult { id, tag }, later);
            }
            RunSpan::Unsettled { id } => self.settle_abandoned(OwedResult { id, tag }, fields),
            _ => {}
        }
    }

    /// Sends an error as the result of an abandoned call, because model providers refuse a history that has a call without a
    /// result.
    pub(super) fn settle_abandoned(&mut self, owed: OwedResult, fields: WriteFields) {
        let content = Content::Text(r#"{"error":"abandoned"}"#.to_owned());
        self.put_result(owed.id, owed.tag, content, fields);
    }

    fn put_result(
        &mut self,
        id: ToolCallId,
        tag: Option<SubagentRunId>,
        content: Content,
        fields: WriteFields,
    ) {
        if self.resumed.contains_key(&id) {
            self.results.insert(id.clone(), content.clone());
        }
        let message = self.new_message();
        self.conversation.learn(message.clone(), ClientMessageKind::Result, tag.as_ref());
        self.put(ToolCallResultEvent::new(message, id, content).into(), tag, fields);
    }

    /// Sends TOOL_CALL_END for cut-off calls: in a cancelled run, because the protocol then requires closed calls, and in a run
    /// that fails for a legacy client. Clients should act in neither case.
    pub(super) fn end_cut_off(&mut self) {
        for CutOffCall { id, tag, .. } in std::mem::take(&mut self.cut_off) {
            self.put(ToolCallEndEvent::new(id).into(), tag, None);
        }
    }
}

/// Reason why this run cannot send a call's result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CallResumeRefusal {
    /// This run has already resumed the call.
    Twice,
    /// The call was not left for this run.
    NotLeft,
}

/// A result from a foreign stream, with its id there.
#[derive(Clone, Debug)]
pub(crate) struct ForeignResult {
    pub message: Option<MessageId>,
    pub content: Content,
}

/// Removes all members that the previous chunk has set.
fn remove_repeated_members(chunk: &mut Event) {
    match chunk {
        Event::TextMessageChunk(text) => (text.message_id, text.role, text.name) = (None, None, None),
        Event::ToolCallChunk(call) => {
            (call.tool_call_id, call.tool_call_name, call.parent_message_id) = (None, None, None);
        }
        Event::ReasoningMessageChunk(thought) => thought.message_id = None,
        _ => {}
    }
}

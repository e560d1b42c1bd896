//! Tool calls in a foreign stream.

use super::DynamicError;
use super::items::{AuthorTag, ForeignSpans, foreign};
use crate::kernel::{CallStart, ForeignResult, ParentMessage, RunKernel, SpanSlot, WriteFields};
use crate::protocol::{
    EventType, MessageId, ToolCallArgsEvent, ToolCallId, ToolCallResultEvent, ToolCallStartEvent, ToolSide,
};

#[derive(Clone, Debug)]
pub(super) struct ForeignCall {
    pub id: ToolCallId,
    pub by: AuthorTag,
    pub slot: SpanSlot,
    /// True if the call goes out as chunks.
    pub passed: bool,
    /// The members from the call's opening: every chunk repeats them.
    pub tool: String,
    pub parent: Option<MessageId>,
}

impl ForeignSpans {
    pub(super) fn start_call(
        &mut self,
        kernel: &mut RunKernel,
        start: ToolCallStartEvent,
        passing: bool,
        fields: WriteFields,
    ) {
        let parent = start.parent_message_id.filter(|parent| !parent.as_str().is_empty());
        let known = self.calls.get(&start.tool_call_id).cloned();
        // A call without a tag has the author of its message.
        let by = match (&known, &parent) {
            (Some(call), _) => call.by.clone(),
            (None, Some(parent)) if start.subagent_run_id.is_none() => {
                self.texts.get(parent).and_then(|item| item.by.clone())
            }
            _ => start.subagent_run_id,
        };
        let author = self.author(kernel, by.as_ref());
        let parent = parent.map(|parent| self.parent(kernel, author, &parent, &by));
        let parent = parent.map(|id| ParentMessage { id, tag: kernel.tag_of(author) });
        let wanted = self.wanted(start.tool_call_id.clone());
        let passed = passing && !self.frontend.contains(&start.tool_call_name);
        if passed && known.is_none() {
            let (slot, id, parent) = kernel.note_call(author, wanted, parent);
            let call = ForeignCall { id, by, slot, passed, tool: start.tool_call_name, parent };
            self.calls.insert(start.tool_call_id, call);
            return;
        }
        let side = if self.frontend.contains(&start.tool_call_name) {
            ToolSide::Frontend
        } else {
            ToolSide::Backend
        };
        let tool = start.tool_call_name;
        let how = CallStart { tool: tool.clone().into(), side, parent, id: wanted };
        match known {
            None => {
                let (slot, id) = kernel.open_call(author, how, fields);
                let parent = kernel.carrier_of(slot);
                self.calls.insert(start.tool_call_id, ForeignCall { id, by, slot, passed, tool, parent });
            }
            Some(call) if !passed => {
                kernel.reopen_call(author, call.slot, how, fields);
                self.calls.insert(start.tool_call_id, ForeignCall { passed, ..call });
            }
            Some(call) => {
                self.calls.insert(start.tool_call_id, ForeignCall { passed, ..call });
            }
        }
    }

    pub(super) fn push_arguments(
        &mut self,
        kernel: &mut RunKernel,
        args: ToolCallArgsEvent,
        fields: WriteFields,
    ) {
        if let Some(call) = self.calls.get(&args.tool_call_id).filter(|call| !call.passed) {
            kernel.push_arguments(call.slot, args.delta, fields);
        }
    }

    pub(super) fn end_call(&mut self, kernel: &mut RunKernel, name: &ToolCallId, fields: WriteFields) {
        if let Some(call) = self.calls.get(name).filter(|call| !call.passed) {
            kernel.end_foreign_arguments(call.slot, fields);
        }
    }

    pub(super) fn add_result(
        &mut self,
        kernel: &mut RunKernel,
        result: ToolCallResultEvent,
        fields: WriteFields,
    ) -> Result<(), DynamicError> {
        let name = result.tool_call_id;
        if let Some(call) = self.calls.get(&name).cloned() {
            // A result closes the chunks of its own author alone.
            let tag = if call.passed { call.by } else { result.subagent_run_id };
            let mut author = self.author(kernel, tag.as_ref());
            if call.passed {
                author = kernel.continuing_author(author, call.id.as_str());
            }
            let answer = ForeignResult { message: self.wanted(result.message_id), content: result.content };
            kernel.settle_pending(author, call.slot, answer, fields);
            return Ok(());
        }
        // A call of an earlier run, which this one was started to answer.
        let author = self.author(kernel, result.subagent_run_id.as_ref());
        let Ok(slot) = kernel.resume_call(author, name.clone()) else {
            return Err(foreign(EventType::ToolCallResult, name.as_str()));
        };
        kernel.settle_call(slot, result.content, fields);
        Ok(())
    }
}

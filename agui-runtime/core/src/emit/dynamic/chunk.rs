//! Chunks that are forwarded without expansion.

use super::alias::{IdAliases, IdSpace};
use super::as_chunk::{boxed, named, take_fields};
use super::items::{AuthorTag, ForeignSpans};
use crate::kernel::RunKernel;
use crate::protocol::{Event, ToolCallId};
use crate::receive::chunks::ChunkedSpan;

impl ForeignSpans {
    /// Sends a chunk with this run's ids and all members that open its span. Sends nothing if the span was not created, or goes
    /// out as START, CONTENT and END.
    pub(super) fn pass(
        &mut self,
        kernel: &mut RunKernel,
        mut chunk: Event,
        head: &ChunkedSpan,
        aliases: &IdAliases,
    ) {
        let Some((head, by)) = self.translated(head, aliases) else { return };
        let author = self.author(kernel, by.as_ref());
        let id = head.id().to_owned();
        let fields = boxed(take_fields(&mut chunk));
        kernel.pass_chunk(author, &id, named(chunk, head), fields);
    }

    /// Returns the span id if an event other than a chunk concerns a span that goes out as chunks.
    pub(super) fn passed<'e>(&self, event: &'e Event, aliases: &IdAliases) -> Option<&'e str> {
        let (space, name) = match event {
            Event::TextMessageStart(e) => (IdSpace::Text, &e.message_id),
            Event::TextMessageContent(e) => (IdSpace::Text, &e.message_id),
            Event::TextMessageEnd(e) => (IdSpace::Text, &e.message_id),
            Event::ReasoningMessageStart(e) => (IdSpace::Thought, &e.message_id),
            Event::ReasoningMessageContent(e) => (IdSpace::Thought, &e.message_id),
            Event::ReasoningMessageEnd(e) => (IdSpace::Thought, &e.message_id),
            Event::ToolCallStart(e) => return self.passed_call(&e.tool_call_id, aliases),
            Event::ToolCallArgs(e) => return self.passed_call(&e.tool_call_id, aliases),
            Event::ToolCallEnd(e) => return self.passed_call(&e.tool_call_id, aliases),
            _ => return None,
        };
        let id = aliases.name(space, name.as_str()).map_or_else(|| name.clone(), Into::into);
        let item = if space == IdSpace::Text { self.texts.get(&id) } else { self.thoughts.get(&id) };
        item.filter(|item| item.passed).map(|_| name.as_str())
    }

    fn passed_call<'e>(&self, name: &'e ToolCallId, aliases: &IdAliases) -> Option<&'e str> {
        let id = aliases.name(IdSpace::Call, name.as_str()).map_or_else(|| name.clone(), Into::into);
        self.calls.get(&id).filter(|call| call.passed).map(|_| name.as_str())
    }

    /// True if a chunked span goes out as chunks.
    pub(super) fn is_passed(&self, head: &ChunkedSpan, aliases: &IdAliases) -> bool {
        self.translated(head, aliases).is_some()
    }

    /// The span with its opening members. Later members that contradict the opening were not sent.
    fn translated(&self, head: &ChunkedSpan, aliases: &IdAliases) -> Option<(ChunkedSpan, AuthorTag)> {
        match head {
            ChunkedSpan::Text { id, .. } => {
                let name = aliases.name(IdSpace::Text, id.as_str()).unwrap_or(id.as_str());
                let item = self.texts.get(name).filter(|item| item.passed)?;
                let (role, name) = item.opener.clone()?;
                Some((ChunkedSpan::Text { id: item.id.clone(), role, name }, item.by.clone()))
            }
            ChunkedSpan::Reasoning { id } => {
                let name = aliases.name(IdSpace::Thought, id.as_str()).unwrap_or(id.as_str());
                let item = self.thoughts.get(name).filter(|item| item.passed)?;
                Some((ChunkedSpan::Reasoning { id: item.id.clone() }, item.by.clone()))
            }
            ChunkedSpan::Call { id, .. } => {
                let name = aliases.name(IdSpace::Call, id.as_str()).unwrap_or(id.as_str());
                let call = self.calls.get(name).filter(|call| call.passed)?;
                let (tool, parent) = (call.tool.clone(), call.parent.clone());
                Some((ChunkedSpan::Call { id: call.id.clone(), tool, parent }, call.by.clone()))
            }
        }
    }
}

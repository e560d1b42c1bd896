//! Chunks that go out as chunks.

use super::super::kernel::Kernel;
use super::alias::{Aliases, Space};
use super::book::{Book, Tag};
use super::calls::Call;
use super::lanes::Chunk;
use super::piece::{Head, boxed};
use crate::protocol::{Event, MessageId, ToolCallId};

impl Book {
    /// Sends a chunk, under our ids and with everything that starting its item takes. Nothing when the item did not come
    /// to be, or goes out as START, CONTENT and END.
    pub(super) fn pass(&mut self, kernel: &mut Kernel, chunk: Chunk, aliases: &Aliases) {
        let Some((head, by)) = self.translated(kernel, chunk.head, aliases) else { return };
        let author = self.author(kernel, by.as_ref());
        let restated = is_restated(kernel, head.id(), &kernel.tag_of(author));
        let (event, fields) = (head.chunk(chunk.delta), boxed(chunk.fields));
        if restated {
            // It names its item, so the client finds that without a tag too.
            kernel.send_untagged(author, event, fields);
        } else {
            kernel.send(author, event, fields);
        }
    }

    /// The name of what goes out as chunks, of an event that is about such a thing and no chunk itself.
    pub(super) fn passed<'e>(&self, event: &'e Event, aliases: &Aliases) -> Option<&'e str> {
        let (space, name) = match event {
            Event::TextMessageStart(e) => (Space::Text, &e.message_id),
            Event::TextMessageContent(e) => (Space::Text, &e.message_id),
            Event::TextMessageEnd(e) => (Space::Text, &e.message_id),
            Event::ReasoningMessageStart(e) => (Space::Thought, &e.message_id),
            Event::ReasoningMessageContent(e) => (Space::Thought, &e.message_id),
            Event::ReasoningMessageEnd(e) => (Space::Thought, &e.message_id),
            Event::ToolCallStart(e) => return self.passed_call(&e.tool_call_id, aliases),
            Event::ToolCallArgs(e) => return self.passed_call(&e.tool_call_id, aliases),
            Event::ToolCallEnd(e) => return self.passed_call(&e.tool_call_id, aliases),
            _ => return None,
        };
        let id = aliases.name(space, name.as_str()).map_or_else(|| name.clone(), Into::into);
        let said = if space == Space::Text { self.texts.get(&id) } else { self.thoughts.get(&id) };
        said.filter(|said| said.passed).map(|_| name.as_str())
    }

    fn passed_call<'e>(&self, name: &'e ToolCallId, aliases: &Aliases) -> Option<&'e str> {
        let id = aliases.name(Space::Call, name.as_str()).map_or_else(|| name.clone(), Into::into);
        self.calls.get(&id).filter(|call| call.passed).map(|_| name.as_str())
    }

    fn translated(&mut self, kernel: &mut Kernel, head: Head, aliases: &Aliases) -> Option<(Head, Tag)> {
        match head {
            Head::Text { id, role, name } => {
                let id = aliases.name(Space::Text, id.as_str()).map_or(id.clone(), Into::into);
                let said = self.texts.get(&id).filter(|said| said.passed)?;
                Some((Head::Text { id: said.id.clone(), role, name }, said.by.clone()))
            }
            Head::Thought { id } => {
                let id = aliases.name(Space::Thought, id.as_str()).map_or(id.clone(), Into::into);
                let said = self.thoughts.get(&id).filter(|said| said.passed)?;
                Some((Head::Thought { id: said.id.clone() }, said.by.clone()))
            }
            Head::Call { id, tool, parent } => {
                let id = aliases.name(Space::Call, id.as_str()).map_or(id.clone(), Into::into);
                let call = self.calls.get(&id).filter(|call| call.passed)?.clone();
                let parent = parent
                    .filter(|parent| !parent.as_str().is_empty())
                    .and_then(|parent| self.chunk_parent(kernel, &parent, &call));
                Some((Head::Call { id: call.id, tool, parent }, call.by))
            }
        }
    }

    /// The message a chunk of a call may name: one by the author of the call, as far as the client knows.
    fn chunk_parent(&mut self, kernel: &mut Kernel, parent: &MessageId, call: &Call) -> Option<MessageId> {
        let ours = self.parent(kernel, parent, &call.by);
        let same = self.texts.get(parent).is_none_or(|said| said.by == call.by);
        let author = self.author(kernel, call.by.as_ref());
        let tag = kernel.tag_of(author);
        let told = [ours.as_str(), call.id.as_str()].iter().any(|id| is_restated(kernel, id, &tag));
        (same && !told).then_some(ours)
    }
}

/// Whether the restated conversation says that it is somebody else's, for then the client keeps to that.
pub(super) fn is_restated(kernel: &Kernel, id: &str, tag: &Tag) -> bool {
    kernel.restated.get(id).is_some_and(|told| told != tag)
}

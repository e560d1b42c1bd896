//! Authors in a foreign stream.

use super::items::ForeignSpans;
use crate::kernel::{RunKernel, SpanSlot, SubagentEnd, WriteFields};
use crate::protocol::{SubagentRunId, SubagentStartedEvent};

/// An author in the stream. A subagent's spans are open beside the subagent and not inside, because the stream may end the
/// subagent first.
#[derive(Clone, Debug)]
pub(super) struct ForeignAuthor {
    speaks: SpanSlot,
    /// The announced subagent, until it ends.
    announced: Option<SpanSlot>,
    /// The id of an announced subagent; only an announced subagent can be named as a parent.
    named: Option<SubagentRunId>,
}

impl ForeignSpans {
    /// Returns a tag's author. An unannounced tag is kept, unless another author has the same tag.
    pub(super) fn author(&mut self, kernel: &mut RunKernel, tag: Option<&SubagentRunId>) -> SpanSlot {
        let Some(tag) = tag else { return self.scope };
        if let Some(author) = self.authors.get(tag) {
            return author.speaks;
        }
        let ours = kernel.foreign_tag(tag.clone());
        let speaks = kernel.open_scope(self.scope, Some(ours));
        self.authors.insert(tag.clone(), ForeignAuthor { speaks, announced: None, named: None });
        speaks
    }

    pub(super) fn start_subagent(
        &mut self,
        kernel: &mut RunKernel,
        mut started: SubagentStartedEvent,
        fields: WriteFields,
    ) {
        let name = started.subagent_run_id.clone();
        let parent = started.parent_subagent_run_id.take();
        let by = self.author(kernel, parent.as_ref());
        started.parent_tool_call_id =
            started.parent_tool_call_id.and_then(|call| self.calls.get(&call)).map(|call| call.id.clone());
        started.parent_message_id =
            started.parent_message_id.and_then(|text| self.texts.get(&text)).map(|item| item.id.clone());
        started.parent_subagent_run_id =
            parent.and_then(|parent| self.authors.get(&parent)).and_then(|author| author.named.clone());
        let (announced, ours) = kernel.open_subagent(by, started, Some(name.clone()), fields);
        let speaks = kernel.open_scope(by, Some(ours.clone()));
        self.authors.insert(name, ForeignAuthor { speaks, announced: Some(announced), named: Some(ours) });
    }

    pub(super) fn end_subagent(
        &mut self,
        kernel: &mut RunKernel,
        name: &SubagentRunId,
        end: SubagentEnd,
        fields: WriteFields,
    ) {
        if let Some(slot) = self.authors.get_mut(name).and_then(|author| author.announced.take()) {
            kernel.end_subagent(slot, end, fields);
        }
    }
}

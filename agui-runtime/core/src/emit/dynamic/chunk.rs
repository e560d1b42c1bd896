//! Chunks that are forwarded without expansion.

use super::alias::IdAliases;
use super::as_chunk::{boxed, named, take_fields};
use super::items::{AuthorTag, ForeignSpans};
use crate::kernel::RunKernel;
use crate::protocol::{Event, EventEffect, IdSpace, SpanKind};
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
        let (EventEffect::Open(scope) | EventEffect::Within(scope) | EventEffect::Close(scope)) =
            event.event_type().effect()
        else {
            return None;
        };
        let name = event.scope_id()?;
        let id = |space| aliases.name(space, name).unwrap_or(name);
        let is_passed = match scope {
            SpanKind::Text => self.texts.get(id(IdSpace::Text)).is_some_and(|item| item.passed),
            SpanKind::ReasoningMessage => {
                self.thoughts.get(id(IdSpace::ReasoningMessage)).is_some_and(|item| item.passed)
            }
            SpanKind::ToolCall => self.calls.get(id(IdSpace::ToolCall)).is_some_and(|call| call.passed),
            SpanKind::Step | SpanKind::ReasoningSpan | SpanKind::Activity | SpanKind::Subagent => false,
        };
        is_passed.then_some(name)
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
                let name = aliases.name(IdSpace::ReasoningMessage, id.as_str()).unwrap_or(id.as_str());
                let item = self.thoughts.get(name).filter(|item| item.passed)?;
                Some((ChunkedSpan::Reasoning { id: item.id.clone() }, item.by.clone()))
            }
            ChunkedSpan::Call { id, .. } => {
                let name = aliases.name(IdSpace::ToolCall, id.as_str()).unwrap_or(id.as_str());
                let call = self.calls.get(name).filter(|call| call.passed)?;
                let (tool, parent) = (call.tool.clone(), call.parent.clone());
                Some((ChunkedSpan::Call { id: call.id.clone(), tool, parent }, call.by.clone()))
            }
        }
    }
}

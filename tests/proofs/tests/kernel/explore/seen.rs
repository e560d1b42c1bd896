//! The client's data beside the kernel's, and the equality of two states.

use std::fmt::Write as _;

use agui_runtime::order::StreamPhase;
use agui_runtime::protocol::{SpanKind, SubagentRunId, ToolCallId};

use super::super::span::{ROOT, RunSpan, SpanSlot};
use super::{FOREIGN, RESUMED, World};
use crate::protocol::ToolSide;

impl World {
    /// Sends the events to the client, and compares the open items of both.
    pub(super) fn deliver(&mut self) -> Result<(), String> {
        while let Some(event) = self.kernel.queue.pop_front() {
            self.client.check(&event).map_err(|refused| format!("{refused} at {event:?}"))?;
        }
        if self.kernel.ended {
            return match self.client.phase() {
                StreamPhase::Finished | StreamPhase::Failed => Ok(()),
                phase => Err(format!("the run has ended, and the client is {phase:?}")),
            };
        }
        let mut mine: Vec<(SpanKind, String)> = Vec::new();
        for open in self.kernel.spans.values() {
            let told = self.tells_subagents || !matches!(open.span, RunSpan::Subagent { .. });
            mine.extend(on_the_wire(&open.span).filter(|_| told));
        }
        mine.extend(self.kernel.cut_off.iter().map(|cut| (SpanKind::ToolCall, cut.id.as_str().to_owned())));
        let mut theirs: Vec<(SpanKind, String)> =
            self.client.open().into_iter().map(|open| (open.scope, (*open.id).to_owned())).collect();
        mine.sort();
        theirs.sort();
        if mine == theirs { Ok(()) } else { Err(format!("open here: {mine:?}, at the client: {theirs:?}")) }
    }

    /// The state without its ids: the part that the kernel's behaviour can depend on.
    pub(super) fn key(&self) -> String {
        let kernel = &self.kernel;
        let mut key = format!("{:?}", self.client.phase());
        if kernel.ended {
            return key;
        }
        let tags: Vec<&SubagentRunId> = kernel.spans.values().filter_map(|open| open.tag.as_ref()).collect();
        let author = |tag: &Option<SubagentRunId>| match tag {
            None => 'r',
            Some(tag) if tags.contains(&tag) => 's',
            Some(_) => 'd',
        };
        key.push_str(&self.children(ROOT));
        let flags = (
            kernel.pending.values().any(|call| call.foreign),
            kernel.pending.len().min(2),
            kernel.left.len().min(1),
            kernel.left.values().any(|call| call.owed.id.as_str() == RESUMED),
            kernel.cut_off.len().min(1),
            kernel.taken.contains(FOREIGN),
            kernel.conversation.is_left_call(&ToolCallId::from(RESUMED)),
            self.receipt.as_ref().map(|said| {
                (author(&said.tag), kernel.conversation.restated_author(said.id.as_str()).map(author))
            }),
            self.stale.iter().any(|(_, slot)| kernel.spans.contains_key(slot)),
        );
        let _ = write!(key, "{flags:?}");
        key
    }

    fn children(&self, outer: SpanSlot) -> String {
        let said_by = self.receipt.as_ref().and_then(|said| said.tag.as_ref());
        let mut inner: Vec<String> = self
            .kernel
            .spans
            .iter()
            .filter(|(_, open)| open.parent == outer)
            .map(|(&slot, open)| {
                let mark = match &open.span {
                    RunSpan::Step { name } if name.contains('#') => "#",
                    RunSpan::Subagent { id } if Some(id) == said_by => "!",
                    RunSpan::Scope if open.tag.as_ref().map(SubagentRunId::as_str) == Some(FOREIGN) => "f",
                    RunSpan::Scope if open.tag.is_some() && open.tag.as_ref() == said_by => "!",
                    RunSpan::Arguments { side: ToolSide::Frontend, .. } => "f",
                    RunSpan::Activity { is_lost: true, .. } => "?",
                    RunSpan::Unsettled { id } if id.as_str() == RESUMED => "r",
                    _ => "",
                };
                format!("{}{mark}{}", kind(&open.span), self.children(slot))
            })
            .collect();
        inner.sort();
        format!("({})", inner.join(" "))
    }
}

pub(super) fn conversation(span: &RunSpan) -> bool {
    !matches!(span, RunSpan::Step { .. } | RunSpan::Subagent { .. } | RunSpan::Scope)
}

fn on_the_wire(span: &RunSpan) -> Option<(SpanKind, String)> {
    let (scope, id) = match span {
        RunSpan::Text { id, .. } => (SpanKind::Text, id.as_str()),
        RunSpan::Step { name } => (SpanKind::Step, name.as_str()),
        RunSpan::Arguments { id, .. } => (SpanKind::ToolCall, id.as_str()),
        RunSpan::Reasoning { id } => (SpanKind::ReasoningSpan, id.as_str()),
        RunSpan::ReasoningMessage { id } => (SpanKind::ReasoningMessage, id.as_str()),
        RunSpan::Subagent { id } => (SpanKind::Subagent, id.as_str()),
        RunSpan::Unsettled { .. } | RunSpan::Activity { .. } | RunSpan::Scope => return None,
    };
    Some((scope, id.to_owned()))
}

pub(super) fn kind(span: &RunSpan) -> &'static str {
    match span {
        RunSpan::Text { .. } => "text",
        RunSpan::Step { .. } => "step",
        RunSpan::Arguments { .. } => "arguments",
        RunSpan::Unsettled { .. } => "unanswered",
        RunSpan::Reasoning { .. } => "reasoning",
        RunSpan::ReasoningMessage { .. } => "thought",
        RunSpan::Activity { .. } => "activity",
        RunSpan::Subagent { .. } => "subagent",
        RunSpan::Scope => "scope",
    }
}

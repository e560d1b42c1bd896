//! Repairs for events that are out of order.

use super::alias::IdAliases;
use crate::order::{OrderError, OrderRule, SpanOwner};
use crate::protocol::{
    Event, EventEffect, IdSpace, ReasoningMessageStartEvent, SpanKind, SubagentRunId, TextMessageRole,
    TextMessageStartEvent, ToolCallEndEvent,
};

/// Returns the events that replace an event; each is checked again. `None` drops the event.
pub(super) fn mend(mut event: Event, error: &OrderError, aliases: &mut IdAliases) -> Option<Vec<Event>> {
    match error.rule() {
        OrderRule::TextContentNotOpen | OrderRule::ReasoningMessageNotOpen => open_before(event),
        OrderRule::ResultBeforeEnd => close_before(event),
        OrderRule::OwnerMismatch | OrderRule::StepOtherOwner => {
            let owner = error.owner().and_then(SpanOwner::subagent_run_id).cloned();
            retag(&mut event, owner).then(|| vec![event])
        }
        OrderRule::ToolParentOwner | OrderRule::ToolReopenOwner => without_parent(event),
        OrderRule::SubagentParentUnknown => match &mut event {
            Event::SubagentStarted(started) => started.parent_subagent_run_id.take().map(|_| vec![event]),
            _ => None,
        },
        OrderRule::MessageIdReused | OrderRule::CallAfterResult | OrderRule::SubagentReused => {
            under_another_name(event, error.rule(), aliases)
        }
        // An open item needs no opening, a closed one no closing, an answered one no answer. A call without a tool and an
        // activity without content cannot be invented.
        _ => None,
    }
}

/// Inserts START before content for a message that is not open, or was closed before.
fn open_before(event: Event) -> Option<Vec<Event>> {
    let tag = event.subagent_run_id().cloned();
    let EventEffect::Within(scope) = event.event_type().effect() else { return None };
    let id = event.scope_id()?;
    let start: Event = match scope {
        SpanKind::Text => {
            let mut start = TextMessageStartEvent::new(id);
            start.role = Some(TextMessageRole::Assistant);
            start.subagent_run_id = tag;
            start.into()
        }
        SpanKind::ReasoningMessage => {
            let mut start = ReasoningMessageStartEvent::new(id);
            start.subagent_run_id = tag;
            start.into()
        }
        // A tool, and the content of an activity, cannot be invented.
        SpanKind::ToolCall
        | SpanKind::Step
        | SpanKind::ReasoningSpan
        | SpanKind::Activity
        | SpanKind::Subagent => return None,
    };
    Some(vec![start, event])
}

/// Inserts TOOL_CALL_END before the result for a call whose arguments are open.
fn close_before(event: Event) -> Option<Vec<Event>> {
    let EventEffect::Settle(SpanKind::ToolCall) = event.event_type().effect() else { return None };
    let end = ToolCallEndEvent::new(event.scope_id()?);
    Some(vec![end.into(), event])
}

/// Sets the event's owner; true if the tag changed.
fn retag(event: &mut Event, owner: Option<SubagentRunId>) -> bool {
    match event.subagent_run_id_mut() {
        Some(tag) if *tag != owner => {
            *tag = owner;
            true
        }
        _ => false,
    }
}

fn without_parent(mut event: Event) -> Option<Vec<Event>> {
    match &mut event {
        Event::ToolCallStart(start) => start.parent_message_id.take().map(|_| vec![event]),
        _ => None,
    }
}

/// Gives a span a new id if its id was used before.
fn under_another_name(event: Event, rule: OrderRule, aliases: &mut IdAliases) -> Option<Vec<Event>> {
    if let (Event::ToolCallStart(start), OrderRule::MessageIdReused) = (&event, rule)
        && start.parent_message_id.as_ref().is_some_and(|parent| !parent.as_str().is_empty())
    {
        return without_parent(event);
    }
    let (space, name) = made_id(&event)?;
    aliases.rename(space, name);
    Some(vec![event])
}

/// Returns the id under which an event makes a message, a call or a subagent.
fn made_id(event: &Event) -> Option<(IdSpace, &str)> {
    match event.event_type().effect() {
        EventEffect::Open(scope) | EventEffect::Create(scope) => {
            let space = match scope {
                SpanKind::Text => IdSpace::Text,
                SpanKind::ReasoningMessage => IdSpace::ReasoningMessage,
                SpanKind::ToolCall => IdSpace::ToolCall,
                SpanKind::Activity => IdSpace::Activity,
                SpanKind::Subagent => IdSpace::Subagent,
                // The id of a reasoning span may be used again, and a step has a name.
                SpanKind::ReasoningSpan | SpanKind::Step => return None,
            };
            event.scope_id().map(|id| (space, id))
        }
        EventEffect::Settle(_) => {
            event.operands().message.map(|message| (IdSpace::ToolResult, message.as_str()))
        }
        EventEffect::StartRun
        | EventEffect::FinishRun
        | EventEffect::FailRun
        | EventEffect::Within(_)
        | EventEffect::Close(_)
        | EventEffect::Chunk(_)
        | EventEffect::After(_)
        | EventEffect::Attach
        | EventEffect::Restate
        | EventEffect::Free => None,
    }
}

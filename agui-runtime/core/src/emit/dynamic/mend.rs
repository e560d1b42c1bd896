//! Repairs for events that are out of order.

use super::alias::{IdAliases, IdSpace};
use crate::order::{OrderError, OrderRule, SpanOwner};
use crate::protocol::{
    Event, ReasoningMessageStartEvent, SubagentRunId, TextMessageRole, TextMessageStartEvent,
    ToolCallEndEvent,
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
    let start: Event = match &event {
        Event::TextMessageContent(content) => {
            let mut start = TextMessageStartEvent::new(content.message_id.clone());
            start.role = Some(TextMessageRole::Assistant);
            start.subagent_run_id = tag;
            start.into()
        }
        Event::ReasoningMessageContent(content) => {
            let mut start = ReasoningMessageStartEvent::new(content.message_id.clone());
            start.subagent_run_id = tag;
            start.into()
        }
        _ => return None,
    };
    Some(vec![start, event])
}

/// Inserts TOOL_CALL_END before the result for a call whose arguments are open.
fn close_before(event: Event) -> Option<Vec<Event>> {
    match &event {
        Event::ToolCallResult(result) => {
            let end = ToolCallEndEvent::new(result.tool_call_id.clone());
            Some(vec![end.into(), event])
        }
        _ => None,
    }
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
    let (space, name) = match (&event, rule) {
        (Event::ToolCallStart(start), OrderRule::MessageIdReused) => match &start.parent_message_id {
            Some(parent) if !parent.as_str().is_empty() => return without_parent(event),
            _ => (IdSpace::Call, start.tool_call_id.as_str()),
        },
        (Event::ToolCallStart(start), _) => (IdSpace::Call, start.tool_call_id.as_str()),
        (Event::TextMessageStart(start), _) => (IdSpace::Text, start.message_id.as_str()),
        (Event::ReasoningMessageStart(start), _) => (IdSpace::Thought, start.message_id.as_str()),
        (Event::ActivitySnapshot(snapshot), _) => (IdSpace::Activity, snapshot.message_id.as_str()),
        (Event::ToolCallResult(result), _) => (IdSpace::Result, result.message_id.as_str()),
        (Event::SubagentStarted(started), _) => (IdSpace::Subagent, started.subagent_run_id.as_str()),
        _ => return None,
    };
    aliases.rename(space, name);
    Some(vec![event])
}

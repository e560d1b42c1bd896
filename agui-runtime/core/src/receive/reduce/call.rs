//! Calls, which belong to assistant messages, and their results, which follow those messages.

use super::message::merge;
use super::{CompletedSpan, ReduceWarning, Reducer, ReducerChange, ReducerUpdate};
use crate::protocol::{
    AssistantMessage, EventType, FunctionCall, Message, MessageId, ToolCall, ToolCallArgsEvent,
    ToolCallEndEvent, ToolCallId, ToolCallResultEvent, ToolCallStartEvent, ToolMessage,
};

impl Reducer {
    pub(super) fn start_call(&mut self, event: &ToolCallStartEvent) -> ReducerUpdate {
        let ToolCallStartEvent { tool_call_id: id, tool_call_name: tool, metadata, .. } = event;
        self.tally.start(id);
        if let Some((place, call)) = self.conversation.find_call(id.as_str()) {
            // A call that starts again keeps its arguments, because a start has none.
            let renamed = call.function.name != *tool;
            let was = if renamed {
                std::mem::replace(&mut call.function.name, tool.clone())
            } else {
                String::new()
            };
            let changed = merge(&mut call.metadata, metadata.as_ref()) || renamed;
            let applied =
                ReducerUpdate::when(changed, ReducerChange::Call { at: place.at, call: place.call });
            return if renamed {
                applied.warning(ReduceWarning::Renamed { call: id.clone(), was })
            } else {
                applied
            };
        }
        let (at, created, warning) = self.carrier(event);
        let mut call = ToolCall::new(id, FunctionCall::new(tool.as_str(), ""));
        call.metadata.clone_from(metadata);
        let Some(place) = self.conversation.add_call(at, call) else { return ReducerUpdate::nothing() };
        let change = if created {
            ReducerChange::Added { at }
        } else {
            ReducerChange::CallAdded { at, call: place.call }
        };
        ReducerUpdate { warning, ..change.into() }
    }

    /// Returns the message that carries a call: the message that the event names, or a new one.
    fn carrier(&mut self, event: &ToolCallStartEvent) -> (usize, bool, Option<ReduceWarning>) {
        let call = &event.tool_call_id;
        let mut warning = None;
        let mut id = MessageId::from(call.as_str());
        // An empty parent is an absent one.
        if let Some(parent) = event.parent_message_id.as_ref().filter(|parent| !parent.as_str().is_empty()) {
            match self.conversation.find(parent.as_str()) {
                Some((at, Message::Assistant(_))) => return (at, false, None),
                Some((_, message)) => {
                    warning = Some(ReduceWarning::ParentOfOtherRole {
                        call: call.clone(),
                        parent: parent.clone(),
                        role: message.role(),
                    });
                }
                None => id = parent.clone(),
            }
        }
        let mut message = AssistantMessage::new(id);
        // A new message whose id is taken counts as the known message, which keeps its owner.
        if !self.conversation.contains(message.id.as_str()) {
            message.subagent_run_id.clone_from(&event.subagent_run_id);
        }
        (self.conversation.push(message.into()), true, warning)
    }

    pub(super) fn add_arguments(&mut self, event: &ToolCallArgsEvent) -> ReducerUpdate {
        let Some((place, call)) = self.conversation.find_call(event.tool_call_id.as_str()) else {
            return no_call(EventType::ToolCallArgs, &event.tool_call_id);
        };
        call.function.arguments.push_str(&event.delta);
        merge(&mut call.metadata, event.metadata.as_ref());
        ReducerChange::Arguments { at: place.at, call: place.call }.into()
    }

    pub(super) fn end_call(&mut self, event: &ToolCallEndEvent) -> ReducerUpdate {
        let Some((place, call)) = self.conversation.find_call(event.tool_call_id.as_str()) else {
            return no_call(EventType::ToolCallEnd, &event.tool_call_id);
        };
        let changed = merge(&mut call.metadata, event.metadata.as_ref());
        let (at, call) = (place.at, place.call);
        ReducerUpdate::when(changed, ReducerChange::Call { at, call })
            .completing(CompletedSpan::Call { at, call })
    }

    /// Adds a result after the call's message, and after the results already there.
    pub(super) fn add_call_result(&mut self, event: &ToolCallResultEvent) -> ReducerUpdate {
        self.tally.settle(&event.tool_call_id);
        let mut message = ToolMessage::new(&event.message_id, event.content.clone(), &event.tool_call_id);
        message.metadata.clone_from(&event.metadata);
        message.subagent_run_id.clone_from(&event.subagent_run_id);
        let at = self.conversation.push_result(&event.tool_call_id, message.into());
        ReducerUpdate::from(ReducerChange::Added { at }).completing(CompletedSpan::Message { at })
    }
}

fn no_call(event_type: EventType, id: &ToolCallId) -> ReducerUpdate {
    ReduceWarning::NoCall { event_type, id: id.clone() }.into()
}

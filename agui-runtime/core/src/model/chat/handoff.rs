//! Handoffs: another agent takes over the conversation.

use super::{Chat, ChatStep};
use crate::agent::tool::reads_as_failure;
use crate::agent::{Run, SettledCall, Stop, ToolSet, handoff_to};
use crate::consent::{step_below, step_of};
use crate::kernel::{TypedInterruptId, awaited_author, handoff_call, handoff_subagent_id, is_handoff};
use crate::model::end::ChatEnd;
use crate::protocol::{Message, SubagentRunId, ToolCall, ToolCallId};

/// The call with which a model hands over the conversation.
pub(super) struct HandoffCall {
    pub(super) id: ToolCallId,
    pub(super) tool: String,
}

impl<A: ToolSet> Chat<'_, A> {
    /// Runs the agent that takes over; that agent's end becomes the chat's end.
    pub(super) async fn hand_over(
        &mut self,
        text: String,
        settled: Vec<SettledCall>,
        call: HandoffCall,
        messages: Vec<Message>,
    ) -> Result<ChatStep, Stop> {
        let Some(handoff) = handoff_to::<A>(&call.tool) else {
            return Ok(ChatStep::new(text, settled, None));
        };
        let ended = (handoff.run)(self.run, call.id, messages);
        let ended = match self.spent.within(&self.limits, ended).await {
            Ok(ended) => ended,
            Err(limit) => return Ok(ChatStep::new(text, settled, Some(ChatEnd::Limit(limit)))),
        };
        match ended {
            Ok(()) => {
                let end = Some(ChatEnd::HandedOver(handoff.agent.to_owned()));
                Ok(ChatStep::new(text, settled, end))
            }
            Err(stop) => ChatStep::stopped(text, settled, stop),
        }
    }
}

/// Returns the call that handed the conversation to an agent waiting for this run. That agent interrupted, called a frontend tool,
/// or has not run yet because an interrupt in the same turn came first.
pub(super) fn resumed_handoff<A: ToolSet>(run: &Run<A>) -> Option<HandoffCall> {
    if A::ENTRIES.iter().all(|entry| entry.handoff.is_none()) {
        return None;
    }
    let messages = &run.input_of_agent().messages;
    let handoff = |id: &str| {
        let call = messages.iter().flat_map(Message::tool_calls).find(|call| call.id.as_str() == id)?;
        handoff_to::<A>(&call.function.name).map(|_| call)
    };
    let path = run.act(|kernel, author| kernel.agent_path(author));
    let asked = run.shared().input().resume().iter().find_map(|entry| {
        let question = TypedInterruptId::from_id(&entry.interrupt_id)?;
        let (step, id) = step_below(&path, question.agent)?;
        handoff(id.as_str()).filter(|call| step_of(call) == step)
    });
    let own = run.act(|kernel, author| kernel.tag_of(author));
    let of_page = || handoff(frontend_handoff(messages, own.as_ref())?.as_str());
    let call = asked.or_else(of_page).or_else(|| pending_handoff::<A>(messages))?;
    Some(HandoffCall { id: call.id.clone(), tool: call.function.name.clone() })
}

/// Returns agent `own`'s handoff to the author of the calls that the newest message settles. The agent that took over may have
/// handed over again.
fn frontend_handoff(messages: &[Message], own: Option<&SubagentRunId>) -> Option<ToolCallId> {
    let Message::Tool(result) = messages.last()? else { return None };
    let author_of_call = |id: &ToolCallId| {
        let calls = |message: &&Message| message.tool_calls().iter().any(|call| call.id == *id);
        messages.iter().find(calls).and_then(handoff_call)
    };
    let mut call = result.tool_call_id.clone();
    // A client may write a circle.
    for _ in 0..messages.len() {
        call = author_of_call(&call)?.into();
        let author = author_of_call(&call);
        if author.map(|author| handoff_subagent_id(&author.into())).as_ref()
            == own.filter(|own| is_handoff(own))
        {
            return Some(call);
        }
    }
    None
}

/// Returns the last turn's handoff if the other agent has not written anything.
fn pending_handoff<A: ToolSet>(messages: &[Message]) -> Option<&ToolCall> {
    let is_result = |message: &Message| matches!(message, Message::Tool(_));
    // A called subagent may have written behind the turn: it asked before the handoff.
    let is_of_turn = |message: &Message| !is_result(message) && awaited_author(message).is_none();
    let last = messages.iter().rposition(is_of_turn)?;
    let is_handed_over = |call: &&ToolCall| {
        let settles_call = |message: &Message| match message {
            Message::Tool(result) => {
                result.tool_call_id == call.id
                    && result.error.is_none()
                    && !reads_as_failure(&result.content.text())
            }
            _ => false,
        };
        handoff_to::<A>(&call.function.name).is_some() && messages.iter().any(settles_call)
    };
    messages.get(last)?.tool_calls().iter().find(is_handed_over)
}

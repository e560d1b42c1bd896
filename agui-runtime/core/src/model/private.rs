//! Private turns: kept for the model over runs, where no client reads them.

use std::collections::HashMap;

use super::prompt::{AssistantPart, ModelCall, Prompt, PromptMessage, ToolResult};
use crate::agent::tool::private_tool_of;
use crate::agent::{Run, Stop, ToolSet};
use crate::emit::{PlacedPrivateTurn, PrivateTurn, PrivateTurnLog, SettledPrivateCall};
use crate::protocol::{EncryptedValue, Message, MessageId, ReasoningMessage, ToolCallId};
use crate::quoted::quoted;

/// The type of a reasoning message's encrypted value that holds a private turn.
const SEALED_TURN: &str = "agui-rust.private";

/// The prefix of private calls' ids, by which records for others than the model leave them out.
const PRIVATE_ID: &str = "pv-";

/// Returns a new private call's id: the provider's id could be one that a client knows.
pub(super) fn call_id<A: ToolSet>(run: &Run<A>) -> ToolCallId {
    let id = run.act(|kernel, _| kernel.new_private_call());
    format!("{PRIVATE_ID}{id}").into()
}

/// True for a private call's id.
pub(super) fn is_private_id(id: &ToolCallId) -> bool {
    id.as_str().starts_with(PRIVATE_ID)
}

/// True for a private call.
pub(super) fn is_private_part(part: &AssistantPart) -> bool {
    matches!(part, AssistantPart::Call(call) if is_private_id(&call.id))
}

/// The parts of a prompt that may say something of private tools.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum PromptPrivacy {
    /// None.
    #[default]
    Public,
    /// The tools, the calls and their results.
    PrivateTools,
    /// Any message: a strategy rewrote the conversation, and a summary may quote a result.
    Rewritten,
}

impl PromptPrivacy {
    /// Returns the privacy of an agent's prompts.
    pub(super) fn from_agent<A: ToolSet>() -> Self {
        let is_private = A::ENTRIES.iter().any(|entry| entry.private.is_some());
        if is_private { Self::PrivateTools } else { Self::Public }
    }
}

/// True if a text about the prompt, such as a provider's error, may say something of a private tool.
pub(super) fn is_private_prompt(prompt: &Prompt) -> bool {
    let has_call = |message: &PromptMessage| matches!(message, PromptMessage::Assistant(parts) if parts.iter().any(is_private_part));
    prompt.privacy != PromptPrivacy::Public || prompt.messages.iter().any(has_call)
}

/// Returns a tool's name for a text that clients read.
pub(super) fn public_name<A: ToolSet>(tool: &str) -> Option<&str> {
    private_tool_of::<A>(tool).is_none().then_some(tool)
}

/// Returns the sealed text of a message that holds a private turn, whether or not it opens.
pub(super) fn sealed_text(message: &ReasoningMessage) -> Option<String> {
    message.encrypted()?.value_of_type(SEALED_TURN).map(str::to_owned)
}

/// The private turns that a model reads with a conversation.
#[derive(Debug, Default)]
pub(super) struct PrivateHistory {
    /// By the message before.
    turns: HashMap<Option<MessageId>, Vec<PrivateTurn>>,
    /// Private tools, whose calls no client can bring.
    tools: Vec<&'static str>,
}

impl PrivateHistory {
    /// Reads the private turns of the run's thread: from the store, and from the sealed messages of the conversation.
    pub(super) fn from_run<A: ToolSet>(run: &Run<A>) -> Self {
        let tools = private_tools::<A>();
        if tools.is_empty() {
            return Self::default();
        }
        let (mut history, agent) = (Self { tools, ..Self::default() }, A::source().name);
        let stored = run.shared().private_turns().map(PrivateTurnLog::earlier).unwrap_or_default();
        for PlacedPrivateTurn { after, turn } in stored {
            history.add(agent, after.clone(), turn.clone());
        }
        for message in &run.input_of_agent().messages {
            let Message::Reasoning(reasoning) = message else { continue };
            let Some(sealed) = sealed_text(reasoning) else { continue };
            let opened = run.shared().consent().open_sealed(run.input(), &reasoning.id, &sealed);
            match opened.map(|text| serde_json::from_str(&text)) {
                Some(Ok(turn)) => history.add(agent, Some(reasoning.id.clone()), turn),
                Some(Err(_)) | None => tracing::warn!(
                    message = %quoted(&reasoning.id),
                    "a sealed message is left out: it belongs to another thread or message, was changed, or has another secret"
                ),
            }
        }
        let calls = history.turns.values().flatten().flat_map(|turn| &turn.calls);
        let ids: Vec<_> = calls.filter_map(|call| call.id.as_str().strip_prefix(PRIVATE_ID)).collect();
        run.act(|kernel, _| ids.iter().for_each(|id| kernel.reserve_call(id)));
        history
    }

    fn add(&mut self, agent: &str, after: Option<MessageId>, turn: PrivateTurn) {
        // A message counts once, though a client may repeat it.
        let turns = self.turns.entry(after).or_default();
        if turn.agent == agent && !turns.contains(&turn) {
            turns.push(turn);
        }
    }

    /// Returns the turns behind a message; `None` means before all messages.
    pub(super) fn behind(&self, message: Option<&MessageId>) -> &[PrivateTurn] {
        self.turns.get(&message.cloned()).map(Vec::as_slice).unwrap_or_default()
    }

    /// True for a private tool's name.
    pub(super) fn is_private(&self, tool: &str) -> bool {
        self.tools.contains(&tool)
    }
}

fn private_tools<A: ToolSet>() -> Vec<&'static str> {
    let tools = A::NAMES.iter().zip(A::ENTRIES);
    tools.filter(|(_, entry)| entry.private.is_some()).map(|(name, _)| *name).collect()
}

/// Checks that private turns can be kept: with the run's stored thread, or sealed for the client.
///
/// # Errors
/// RUN_ERROR with the code `no_private_place`.
pub(super) fn check_place<A: ToolSet>(run: &Run<A>) -> Result<(), Stop> {
    // A call's conversation ends with the call, so nothing is kept.
    let keeps_nothing = run.act(|kernel, author| kernel.is_in_call(author));
    let is_private = PromptPrivacy::from_agent::<A>() != PromptPrivacy::Public;
    if !is_private
        || keeps_nothing
        || run.shared().private_turns().is_some()
        || run.shared().consent().can_seal()
    {
        return Ok(());
    }
    let message = "the agent has private tools, and no place to keep what they return: set AGUI_SECRET, give \
                   `RunOptions::interrupt_key` a key, or give the server a thread store";
    Err(Stop::error(message).with_code("no_private_place"))
}

/// Keeps a turn's private calls for the next run. Calls of a subagent whose caller waits are not kept, because that conversation
/// ends with the call.
pub(super) async fn keep_turn<A: ToolSet>(
    run: &Run<A>,
    continues: bool,
    calls: &[ModelCall],
    results: &[ToolResult],
) -> Result<(), Stop> {
    let settled = |result: &ToolResult| {
        let call = calls.iter().find(|call| call.id == result.id)?;
        Some(SettledPrivateCall {
            id: call.id.clone(),
            tool: call.tool.clone(),
            arguments: call.arguments.clone(),
            encrypted: call.encrypted.clone(),
            content: result.content.clone(),
            failed: result.failed,
        })
    };
    let calls: Vec<_> = results.iter().filter_map(settled).collect();
    if calls.is_empty() || run.act(|kernel, author| kernel.is_in_call(author)) {
        return Ok(());
    }
    let turn = PrivateTurn { agent: A::source().name.to_owned(), continues, calls };
    if let Some(log) = run.shared().private_turns() {
        log.add(run.shared().act(|kernel| kernel.sent_count()), turn);
        return Ok(());
    }
    let unkept = || Stop::error("a tool ended the run").with_code("tool_failed");
    let text = serde_json::to_string(&turn).map_err(|_| unkept())?;
    let thought = run.think("").await;
    let sealed = run.shared().consent().seal(run.input(), thought.id(), &text).ok_or_else(unkept)?;
    let sealed = EncryptedValue::new(sealed).with_type(SEALED_TURN);
    run.encrypted(&thought, sealed.written_for(run.peer_version())).await;
    Ok(())
}

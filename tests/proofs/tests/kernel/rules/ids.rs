//! Ids from elsewhere, and ids of earlier runs.

use agui_runtime::protocol::{FunctionCall, RunAgentInput, UserMessage};

use super::super::machine::{RunKernel, TextStart};
use super::super::span::ROOT;
use super::super::{Clock, Ids, Peer};
use super::{call, ids_of, kernel, said, text};
use crate::protocol::ToolSide;

pub(super) fn foreign_ids() {
    let mut k = kernel();
    let wanted = |id: &str| TextStart { id: Some(id.into()), ..TextStart::default() };
    let restated = UserMessage::new("restated", "hello").into();
    assert!(k.restate(ROOT, vec![restated], None).is_ok());
    said(&mut k);
    let ids = ids_of(&mut k, |k| {
        for id in ["theirs", "theirs", "restated", "k-message-77"] {
            let slot = k.open_text(ROOT, wanted(id), None);
            k.queue.pop_back();
            k.close(slot, None);
        }
    });
    assert_eq!(ids[0], "theirs");
    let unique: std::collections::HashSet<_> = ids.iter().collect();
    assert_eq!(unique.len(), 4, "{ids:?}");
    assert!(
        !ids[1..].iter().any(|id| ["theirs", "restated", "k-message-77"].contains(&id.as_str())),
        "{ids:?}"
    );
}

pub(super) fn earlier_ids() {
    let calls = vec![agui_runtime::protocol::ToolCall::new("k-call-2", FunctionCall::new("search", "{}"))];
    let said_before = agui_runtime::protocol::AssistantMessage::new("k-message-1").with_tool_calls(calls);
    let input = RunAgentInput::new("t", "r", vec![said_before.into()]).with_protocol_version("1.0");
    let mut k = RunKernel::new(&input, Ids::fixed("k"), Clock::silent(), Peer::CURRENT);
    assert!(k.resume_call(ROOT, "k-call-2".into()).is_ok());
    text(&mut k, ROOT);
    let ids: Vec<_> = (0..3).map(|_| call(&mut k, ROOT, ToolSide::Backend).1).collect();
    assert!(!ids.iter().any(|id| id.as_str() == "k-call-2"), "{ids:?}");
    assert_eq!(k.queue[0].scope_id(), Some("k-message-2"));
}

/// The id of an earlier call that no message has is not given again.
pub(super) fn reserved_calls() {
    let first = call(&mut kernel(), ROOT, ToolSide::Backend).1;
    let mut k = kernel();
    k.reserve_call(first.as_str());
    let next = call(&mut k, ROOT, ToolSide::Backend).1;
    let private = k.new_private_call();
    assert!(next != first && private != first && private != next, "{first} {next} {private}");
}

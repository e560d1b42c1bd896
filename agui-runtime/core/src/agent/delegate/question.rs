//! Untyped interrupts from a called subagent. Their ids name no agent, so the run adds the agent: the resume entry then reaches
//! this subagent alone, and the next run knows which call continues.

use std::sync::Arc;

use crate::agent::{Stop, StopReason};
use crate::emit::Emit;
use crate::kernel::{TypedInterruptId, typed_interrupt_id};
use crate::protocol::ResumeEntry;

/// Reason in such an interrupt's id. No declared interrupt has this reason.
const REASON: &str = "agui_subagent";

/// Adds the subagent's path to the ids in its untyped interrupts.
pub(super) fn wrapped(emit: &Emit, mut stop: Stop) -> Stop {
    if let StopReason::Interrupt { interrupts, .. } = &mut stop.0 {
        for question in
            interrupts.iter_mut().filter(|question| TypedInterruptId::from_id(&question.id).is_none())
        {
            let (path, nonce) =
                emit.act(|kernel, author| (kernel.agent_path(author), kernel.new_interrupt()));
            question.id = typed_interrupt_id(REASON, &path, &nonce, question.id.as_str());
        }
    }
    stop
}

/// Restores the ids that the subagent gave its untyped interrupts.
pub(super) fn unwrapped(entries: Arc<[ResumeEntry]>) -> Arc<[ResumeEntry]> {
    let own = |entry: &ResumeEntry| {
        let question =
            TypedInterruptId::from_id(&entry.interrupt_id).filter(|question| question.reason == REASON)?;
        Some(question.call.into())
    };
    if entries.iter().all(|entry| own(entry).is_none()) {
        return entries;
    }
    let unwrap = |entry: &ResumeEntry| {
        let mut entry = entry.clone();
        if let Some(id) = own(&entry) {
            entry.interrupt_id = id;
        }
        entry
    };
    entries.iter().map(unwrap).collect()
}

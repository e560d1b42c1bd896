//! Checks a client's resume entries for typed interrupts before the agent is called, so that an unreadable entry does not surface
//! halfway through the run.

use std::collections::{HashMap, HashSet};

use super::approval::{ID_REASON, check_approval, first_that_fits};
use super::call_steps::CallSteps;
use super::resumed::fits;
#[cfg(feature = "model")]
use super::tool_interrupt::{check_tool_input, is_of_tool};
use crate::agent::inputs::untyped_input::UntypedInput;
use crate::consent::{ResumedError, step_below};
use crate::manifest::bounds::{Bounds, OutOfBounds};
use crate::manifest::{AgentSource, asking, interrupts};
use crate::protocol::{ResumeEntry, ResumeStatus};
use crate::quoted::quoted_up_to;

/// The maximum number of ids in one log line, and each id's maximum length.
const SHOWN: usize = 8;
const LONGEST: usize = 64;

/// Checks a parsed response against its bounds.
fn in_bounds(entry: &ResumeEntry, bounds: &Bounds) -> Result<(), ResumedError> {
    let payload = entry.payload.as_ref().filter(|_| entry.status == ResumeStatus::Resolved);
    let checked = payload.map_or(Ok(()), |payload| bounds.check_json(payload.lazy()));
    checked.map_err(|OutOfBounds { path, message }| ResumedError::Response {
        id: entry.interrupt_id.clone(),
        path,
        message,
    })
}

/// True if the conversation has each call that leads from the agent `own` down to the subagent `asking`, with unchanged arguments.
fn has_calls(steps: &mut CallSteps<'_, '_>, own: &str, asking: &str) -> bool {
    let mut own = own.to_owned();
    while let Some((step, call)) = step_below(&own, asking) {
        if steps.call(call, step).is_none() {
            return false;
        }
        own = if own.is_empty() { step.to_owned() } else { format!("{own}/{step}") };
    }
    true
}

/// Checks the resume entries for the agent's typed interrupts. Entries for undeclared interrupts are ignored (AG-UI 1.0, section
/// "Interrupt and `ResumeEntry`"). Entries for subagents among the tools are checked here, before any entry
/// is consumed, and again when the subagent starts. Entries for other subagents are checked only if the agent declares the interrupt.
pub(crate) fn check_resume_entries(
    input: &UntypedInput,
    source: fn() -> AgentSource,
) -> Result<(), ResumedError> {
    if input.sent.resume().is_empty() {
        return Ok(());
    }
    let source = source();
    let (asking, asked) = (asking(&source), interrupts(&source));
    // Made once for each question, because one run may bring many answers to it.
    let mut bounds = HashMap::new();
    let mut resumed = HashSet::new();
    let mut steps = CallSteps::new(input.messages(), input.index());
    let (mut first, mut count) = (Vec::new(), 0_usize);
    for (entry, question) in input.typed_entries() {
        let id = &entry.interrupt_id;
        if entry.status == ResumeStatus::Resolved && !has_calls(&mut steps, input.path(), question.agent) {
            return Err(ResumedError::CallChanged { id: id.clone() });
        }
        let is_own = input.is_own(question);
        #[cfg(feature = "model")]
        if is_of_tool(question) && (is_own || !source.subagents.is_empty()) {
            if !resumed.insert(id) {
                return Err(ResumedError::Twice { id: id.clone() });
            }
            check_tool_input(entry, question).map_err(|(path, message)| ResumedError::Response {
                id: id.clone(),
                path,
                message,
            })?;
            continue;
        }
        if question.reason == ID_REASON && (is_own || !source.subagents.is_empty()) {
            if !resumed.insert(id) {
                return Err(ResumedError::Twice { id: id.clone() });
            }
            let tools = if is_own { &source.tools } else { &asking };
            check_approval(input, entry, question.call, tools)
                .map_err(|(path, message)| ResumedError::Response { id: id.clone(), path, message })?;
            continue;
        }
        let declared = if is_own { &source.interrupts } else { &asked };
        let mut named = declared.iter().filter(|interrupt| interrupt.reason == question.reason).peekable();
        if named.peek().is_none() {
            if is_own {
                count += 1;
                if first.len() < SHOWN {
                    first.push(quoted_up_to(LONGEST, id).to_string());
                }
            }
            continue;
        }
        if !resumed.insert(id) {
            return Err(ResumedError::Twice { id: id.clone() });
        }
        first_that_fits(named.map(|interrupt| {
            fits(entry, |payload| interrupt.response.read(payload))?;
            let key = interrupt.response.rust_path();
            in_bounds(entry, bounds.entry(key).or_insert_with(|| Bounds::of(&interrupt.response)))
        }))?;
    }
    if count > 0 {
        tracing::warn!(interrupts = %first.join(", "), count, "answers to questions that the agent does not ask are ignored");
    }
    Ok(())
}

//! What a client answers to typed questions, looked at before the agent is called: what cannot be read must not be found half way.

use std::collections::HashSet;

use super::resumed::fits;
use super::{Agent, Input, ResumedError};

/// How many ids of a client one line of the log shows, and how much of each.
const SHOWN: usize = 8;
const LONGEST: usize = 64;

/// Goes on without what nobody asked (AG-UI 1.0, section "Interrupt and `ResumeEntry`"). Answers to subagents are looked at as far
/// as the agent lists what they ask; each is when it starts.
pub(crate) fn check_answers<A: Agent>(input: &Input<A>) -> Result<(), ResumedError> {
    if input.resume().is_empty() {
        return Ok(());
    }
    let declared = A::source().interrupts;
    let mut answered = HashSet::new();
    let (mut first, mut count) = (Vec::new(), 0_usize);
    for (entry, question) in input.typed_answers() {
        let id = &entry.interrupt_id;
        match declared.iter().find(|interrupt| interrupt.reason == question.reason) {
            Some(_) if !answered.insert(id) => return Err(ResumedError::Twice { id: id.clone() }),
            Some(interrupt) => drop(fits(entry, |payload| interrupt.response.read(payload))?),
            None if input.is_own(question) => {
                count += 1;
                if first.len() < SHOWN {
                    first.push(id.as_str().chars().take(LONGEST).collect::<String>());
                }
            }
            None => {}
        }
    }
    if count > 0 {
        tracing::warn!(interrupts = ?first, count, "answers to questions that the agent does not ask are ignored");
    }
    Ok(())
}

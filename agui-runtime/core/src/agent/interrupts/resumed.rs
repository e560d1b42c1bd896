//! Resume entries for typed interrupts, as the agent reads them.

use std::collections::HashSet;

use serde_json::Value;

use crate::agent::{Agent, Input, InterruptOf};
use crate::consent::ResumedError;
use crate::protocol::{InterruptId, JsonReadError, LazyJson, ResumeEntry, ResumeStatus, ToolCallId};
use crate::quoted::quoted;

/// A resumed typed interrupt that was really sent (see [What you may trust](crate::guide::security#what-you-may-trust)).
///
/// Deny by default: only `Some(response)` with a response that approves is consent.
///
/// ```
/// use agui_runtime::interrupts::ResumedInterrupt;
///
/// fn may_go_on(asked: Option<ResumedInterrupt<bool>>) -> bool {
///     asked.and_then(|asked| asked.response).unwrap_or(false)
/// }
/// # assert!(!may_go_on(None));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ResumedInterrupt<R> {
    /// The interrupt's id.
    pub interrupt_id: InterruptId,
    /// The call that the interrupt names, if the conversation has the call unchanged: for
    /// [`Run::resume_call`](crate::Run::resume_call).
    pub tool_call_id: Option<ToolCallId>,
    /// The response; `None` if the interrupt was cancelled.
    pub response: Option<R>,
}

impl<A: Agent> Input<A> {
    /// Returns the response to the agent's interrupt, if this run brings one: the single `resume` entry whose `interruptId` was
    /// created by [`Run::ask`](crate::Run::ask) or [`Call::ask`](crate::Call::ask) for the type.
    ///
    /// `None` if the run brings no such entry. If there is an entry, the interrupt was sent on this thread and not yet resumed in
    /// this process. The client chooses the response freely; see [What you may trust](crate::guide::security#what-you-may-trust).
    ///
    /// # Errors
    /// [`ResumedError`] if the response is not a valid [`Response`](crate::Interrupt::Response), or there are several. The
    /// interrupt's action must then not happen.
    ///
    /// ```
    /// use agui_runtime::prelude::*;
    /// use schemars::JsonSchema;
    /// use serde::{Deserialize, Serialize};
    ///
    /// /// Asks before a file is deleted for good.
    /// #[derive(Interrupt, Serialize, JsonSchema)]
    /// #[interrupt(reason = "confirm_delete", message = "Delete it for good?", response = Approval)]
    /// struct ConfirmDelete {
    ///     path: String,
    /// }
    ///
    /// #[derive(Deserialize, JsonSchema)]
    /// struct Approval {
    ///     approved: bool,
    /// }
    ///
    /// /// Tidies up.
    /// #[agent(interrupts = [ConfirmDelete])]
    /// async fn keeper(run: &mut Run<Keeper>, input: Input<Keeper>) -> Result<bool, Stop> {
    ///     let Some(asked) = input.resumed::<ConfirmDelete>()? else {
    ///         return Err(run.ask(ConfirmDelete { path: "old.txt".to_owned() }));
    ///     };
    ///     Ok(asked.response.is_some_and(|answer| answer.approved))
    /// }
    /// ```
    pub fn resumed<I: InterruptOf<A>>(&self) -> Result<Option<ResumedInterrupt<I::Response>>, ResumedError> {
        let mut all = self.resumed_all::<I>()?;
        if all.len() > 1 {
            return Err(ResumedError::Several { reason: I::REASON, count: all.len() });
        }
        Ok(all.pop())
    }

    /// Returns all responses to simultaneous interrupts with one type, in `resume` order. The client chooses that order; the
    /// official clients use the interrupts' order.
    ///
    /// # Errors
    /// [`ResumedError`] if a response is not a valid [`Response`](crate::Interrupt::Response), or an interrupt is resumed twice.
    pub fn resumed_all<I: InterruptOf<A>>(&self) -> Result<Vec<ResumedInterrupt<I::Response>>, ResumedError> {
        let mut seen = HashSet::new();
        let mut all = Vec::new();
        let own = |question| self.untyped.is_own(question) && question.reason == I::REASON;
        for (entry, question) in self.untyped.typed_entries().filter(|(_, question)| own(*question)) {
            let id = entry.interrupt_id.clone();
            if !seen.insert(&entry.interrupt_id) {
                return Err(ResumedError::Twice { id });
            }
            let asked = self.untyped.index().call(&self.messages, question.call);
            let asked = asked.filter(|call| self.untyped.consent().is_about(call));
            all.push(ResumedInterrupt {
                interrupt_id: id,
                tool_call_id: asked.map(|call| call.id.clone()),
                response: fits(entry, LazyJson::read)?,
            });
        }
        Ok(all)
    }
}

/// Returns what `read` makes from the response; `None` if the interrupt was cancelled.
pub(super) fn fits<R>(
    entry: &ResumeEntry,
    read: impl FnOnce(&LazyJson<Value>) -> Result<R, JsonReadError>,
) -> Result<Option<R>, ResumedError> {
    if entry.status == ResumeStatus::Cancelled {
        return Ok(None);
    }
    let read = match &entry.payload {
        Some(payload) => read(payload.lazy()),
        None => read(&Value::Null.into()),
    };
    read.map(Some).map_err(|error| ResumedError::Response {
        id: entry.interrupt_id.clone(),
        path: quoted(error.path()).to_string(),
        message: quoted(crate::json::message(error.inner())).to_string(),
    })
}

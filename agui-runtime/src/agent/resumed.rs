use std::collections::HashSet;

use serde_json::Value;

use super::{Agent, Input, InterruptOf};
use crate::protocol::{InterruptId, LazyJson, ResumeEntry, ResumeStatus, ToolCallId};

/// What became of a typed question, as the client says.
///
/// Nothing is allowed by default: what is not `Some(response)`, and a response that says so, is no consent.
///
/// ```
/// use agui_runtime::Resumed;
///
/// fn may_go_on(asked: Option<Resumed<bool>>) -> bool {
///     asked.and_then(|asked| asked.response).unwrap_or(false)
/// }
/// # assert!(!may_go_on(None));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Resumed<R> {
    /// The question.
    pub interrupt_id: InterruptId,
    /// The call of the conversation that it names, for [`Run::resume_call`](crate::Run::resume_call).
    pub tool_call_id: Option<ToolCallId>,
    /// What was answered; `None` where the question was given up.
    pub response: Option<R>,
}

impl<A: Agent> Input<A> {
    /// What became of the agent's question, when this run was started to bring that: the one entry of `resume` whose
    /// `interruptId` is one that [`Run::ask`](crate::Run::ask) or [`ToolCall::ask`](crate::ToolCall::ask) made for the type.
    ///
    /// `None` when the run brings no answer to such a question. That there is one does not say that it was asked, or in the run before:
    /// nothing is remembered, and what a client sends is the client's word, the call it names included. What must not be talked
    /// into is compared with a record of the agent's own.
    ///
    /// # Errors
    /// [`ResumedError`] when the answer does not fit [`Response`](crate::Interrupt::Response), or there are several. Then nothing is
    /// consumed: what the question is about did not happen, and the thread can be resumed again.
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
    pub fn resumed<I: InterruptOf<A>>(&self) -> Result<Option<Resumed<I::Response>>, ResumedError> {
        let mut all = self.resumed_all::<I>()?;
        if all.len() > 1 {
            return Err(ResumedError::Several { reason: I::REASON, count: all.len() });
        }
        Ok(all.pop())
    }

    /// The same for questions of one type that were asked together, in the order of `resume`, which is the client's: the official ones
    /// answer in the order of the questions.
    ///
    /// # Errors
    /// [`ResumedError`] when an answer does not fit [`Response`](crate::Interrupt::Response), or a question is answered twice.
    ///
    /// ```
    /// # use agui_runtime::prelude::*;
    /// # use schemars::JsonSchema;
    /// # use serde::Serialize;
    /// # /// Sends a letter.
    /// # #[tool]
    /// # async fn send(text: String) -> bool { true }
    /// # /// Asks before a letter is sent.
    /// # #[derive(Interrupt, Serialize, JsonSchema)]
    /// # #[interrupt(reason = "confirm_send", response = bool)]
    /// # struct ConfirmSend {}
    /// # /// Writes letters.
    /// # #[agent(tools = [send], interrupts = [ConfirmSend])]
    /// # async fn writer(run: &mut Run<Writer>, input: Input<Writer>) -> Result<(), Stop> {
    /// for asked in input.resumed_all::<ConfirmSend>()? {
    ///     let Some(id) = &asked.tool_call_id else { continue };
    ///     let call = run.resume_call::<send>(&input, id)?;
    ///     if asked.response == Some(true) {
    ///         call.run().await;
    ///     } else {
    ///         call.fail("the person said no").await;
    ///     }
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn resumed_all<I: InterruptOf<A>>(&self) -> Result<Vec<Resumed<I::Response>>, ResumedError> {
        let mut answered = HashSet::new();
        let mut all = Vec::new();
        let own = |question| self.is_own(question) && question.reason == I::REASON;
        for (entry, question) in self.typed_answers().filter(|(_, question)| own(*question)) {
            let id = entry.interrupt_id.clone();
            if !answered.insert(&entry.interrupt_id) {
                return Err(ResumedError::Twice { id });
            }
            let asked = self.index().call(&self.messages, question.call);
            all.push(Resumed {
                interrupt_id: id,
                tool_call_id: asked.map(|call| call.id.clone()),
                response: fits(entry, LazyJson::read)?,
            });
        }
        Ok(all)
    }
}

/// What a reader makes of the response; `None` where the question was given up.
pub(super) fn fits<R>(
    entry: &ResumeEntry,
    read: impl FnOnce(&LazyJson<Value>) -> Result<R, serde_path_to_error::Error<serde_json::Error>>,
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
        path: error.path().to_string(),
        message: crate::json::message(error.inner()),
    })
}

/// Answers of a client that cannot be taken for answers. Ends the run in RUN_ERROR with a stable [`code`](Self::code) when passed on
/// with `?`.
///
/// Of the questions that an agent lists, the driver finds the first two before it calls the agent, so that nothing is consumed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ResumedError {
    /// What was answered is no response to the question.
    #[error("response to interrupt `{id}` at `{path}`: {message}")]
    Response {
        /// The question.
        id: InterruptId,
        /// Where in the JSON document reading stopped, `.` for the whole.
        path: String,
        /// What was expected there.
        message: String,
    },
    /// One question is answered twice.
    #[error("the interrupt `{id}` is answered twice")]
    Twice {
        /// The question.
        id: InterruptId,
    },
    /// One answer was wanted, and there are more: [`Input::resumed_all`] reads them.
    #[error("there are {count} answers to interrupts of the reason `{reason}`, where one was expected")]
    Several {
        /// The reason they share.
        reason: &'static str,
        /// How many there are.
        count: usize,
    },
}

impl ResumedError {
    /// The code of the RUN_ERROR, for programs.
    ///
    /// | error | code |
    /// |---|---|
    /// | [`Response`](Self::Response) | `resume_invalid_response` |
    /// | [`Twice`](Self::Twice) | `resume_answered_twice` |
    /// | [`Several`](Self::Several) | `resume_several_answers` |
    ///
    /// ```
    /// use agui_runtime::ResumedError;
    ///
    /// let error = ResumedError::Twice { id: "may#1-interrupt-1#".into() };
    /// assert_eq!(error.code(), "resume_answered_twice");
    /// ```
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Response { .. } => "resume_invalid_response",
            Self::Twice { .. } => "resume_answered_twice",
            Self::Several { .. } => "resume_several_answers",
        }
    }
}

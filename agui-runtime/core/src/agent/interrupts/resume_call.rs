//! Calls left to an interrupt in one run and resumed in a later run, and the resume errors.

use serde_json::Value;

use crate::agent::tool::{
    BackendSide, Tool, ToolDataError, ToolOf, UntypedCall, invoker, read_arguments, text_of,
};
use crate::agent::{Agent, Call, Input, ReadyPhase, Run, Stop};
use crate::emit::SpanGuard;
use crate::kernel::CallResumeRefusal;
use crate::protocol::{Interrupt, Message, ToolCall as CallInHistory, ToolCallId};

impl<A: Agent, T: Tool> Call<'_, A, T, ReadyPhase> {
    /// Leaves the call to an interrupt: the tool does not run, and the call gets no TOOL_CALL_RESULT in this run. Return the
    /// [`Stop`]; the interrupt then names the call (AG-UI 1.0, section "Interrupt and `ResumeEntry`").
    ///
    /// The run that brings the resume entry resumes the call with [`Run::resume_call`]: the entry counts only for this call, with
    /// its present arguments. If this run ends without an interrupt after all, the call gets the result `{"error":"abandoned"}`.
    ///
    /// ```
    /// use agui_runtime::prelude::*;
    /// use agui_runtime::protocol::{Interrupt, ResumeStatus};
    ///
    /// /// Sends a letter.
    /// #[tool]
    /// async fn send(text: String) -> bool {
    ///     true
    /// }
    ///
    /// /// Writes letters, and asks before it sends them.
    /// #[agent(tools = [send])]
    /// async fn writer(run: &mut Run<Writer>, input: Input<Writer>) -> Result<bool, Stop> {
    ///     let Some(entry) = input.resume().iter().find(|entry| entry.interrupt_id == "send") else {
    ///         let call = run.call(send { text: "Dear Ada".to_owned() }).await?;
    ///         return Err(call.interrupt(Interrupt::new("send", "tool_call").with_message("Send it?")));
    ///     };
    ///     let approved = entry.status == ResumeStatus::Resolved
    ///         && entry.payload.as_deref().is_some_and(|payload| payload["approved"] == true);
    ///     for asked in input.pending_calls::<send>() {
    ///         let call = run.resume_call::<send>(&input, &asked)?;
    ///         if approved {
    ///             return Ok(call.run().await);
    ///         }
    ///         call.fail("the person said no").await;
    ///     }
    ///     Ok(false)
    /// }
    /// ```
    pub fn interrupt(self, mut interrupt: Interrupt) -> Stop {
        interrupt.tool_call_id = Some(self.id().clone());
        self.leave();
        Stop::interrupt(interrupt)
    }
}

impl<A: Agent> Run<A> {
    /// Resumes an earlier run's call that was left to an interrupt: the call already has its TOOL_CALL_END, and needs its result
    /// in this run.
    ///
    /// A resume entry in this run must name the call, with the interrupt's tool and arguments: no other call in the conversation
    /// is proven to be the agent's (see [What you may trust](crate::guide::security#what-you-may-trust)). The arguments are the
    /// call's own. Check the response first: the tool does not run before you run it.
    ///
    /// # Errors
    /// [`ResumeCallError`] if the conversation has no such call, if the call has its result, if no resume entry names the call, or
    /// if this run has already resumed it. A subagent resumes only calls in the run's own input, not calls that are only in the
    /// messages that it was given.
    ///
    /// ```
    /// # use agui_runtime::prelude::*;
    /// # use agui_runtime::protocol::ToolCallId;
    /// # /// Sends a letter.
    /// # #[tool]
    /// # async fn send(text: String) -> bool { true }
    /// # /// Writes letters.
    /// # #[agent(tools = [send])]
    /// # async fn writer(run: &mut Run<Writer>, input: Input<Writer>) -> Result<(), Stop> {
    /// # let asked = ToolCallId::from("call-1");
    /// let call = run.resume_call::<send>(&input, &asked)?;
    /// let sent = call.run().await;
    /// # Ok(())
    /// # }
    /// ```
    pub fn resume_call<T: ToolOf<A> + Tool<Side = BackendSide>>(
        &self,
        input: &Input<A>,
        id: &ToolCallId,
    ) -> Result<Call<'_, A, T, ReadyPhase>, ResumeCallError> {
        let asked = self.asked::<T>(input, id)?;
        self.take_up(asked, read_arguments(&asked.function.arguments)?, None)
    }

    /// Resumes a call with other arguments, which the user changed before approval.
    ///
    /// # Errors
    /// As [`resume_call`](Self::resume_call).
    pub fn resume_call_with<T: ToolOf<A> + Tool<Side = BackendSide>>(
        &self,
        input: &Input<A>,
        id: &ToolCallId,
        arguments: T,
    ) -> Result<Call<'_, A, T, ReadyPhase>, ResumeCallError> {
        let asked = self.asked::<T>(input, id)?;
        let edited = self.shared().records_content().then(|| recorded(&arguments));
        self.take_up(asked, arguments, edited)
    }

    /// Returns the call from the conversation if a resume entry in this run names the call. The run decides, not the input
    /// argument.
    fn asked<'i, T: Tool>(
        &self,
        input: &'i Input<A>,
        id: &ToolCallId,
    ) -> Result<&'i CallInHistory, ResumeCallError> {
        let call = unsettled::<A, T>(input, id)?;
        if self.shared().consent().is_about(call) {
            Ok(call)
        } else {
            Err(ResumeCallError::NotAsked { id: id.clone() })
        }
    }

    pub(super) fn take_up<T: ToolOf<A>>(
        &self,
        asked: &CallInHistory,
        arguments: T,
        edited: Option<String>,
    ) -> Result<Call<'_, A, T, ReadyPhase>, ResumeCallError> {
        let id = &asked.id;
        let span = self.take_up_span(id)?;
        let call = UntypedCall::new(self, span, id.clone(), T::NAME);
        let call = call.with_text(asked.function.arguments.clone()).with_edited(edited);
        Ok(Call::resumed(call, arguments, invoker::<A, T>()))
    }

    pub(super) fn take_up_span(&self, id: &ToolCallId) -> Result<SpanGuard<'_>, ResumeCallError> {
        let taken = self.act(|kernel, author| kernel.resume_call(author, id.clone()));
        let slot = taken.map_err(|why| match why {
            CallResumeRefusal::Twice => ResumeCallError::Twice { id: id.clone() },
            CallResumeRefusal::NotLeft => ResumeCallError::NotLeft { id: id.clone() },
        })?;
        Ok(SpanGuard::new(self, slot))
    }
}

impl<A: Agent> Input<A> {
    /// Returns a tool's pending calls that a resume entry names or a lost server [made](macro@crate::agent#restart) in this run,
    /// oldest first: calls that [`Run::resume_call`](crate::Run::resume_call) resumes.
    ///
    /// ```
    /// # use agui_runtime::prelude::*;
    /// # /// Sends a letter.
    /// # #[tool]
    /// # async fn send(text: String) -> bool { true }
    /// # /// Writes letters.
    /// # #[agent(tools = [send])]
    /// # async fn writer(run: &mut Run<Writer>, input: Input<Writer>) -> Result<(), Stop> {
    /// for id in input.pending_calls::<send>() {
    ///     run.resume_call::<send>(&input, &id)?.fail("the person said no").await;
    /// }
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn pending_calls<T: ToolOf<A> + Tool<Side = BackendSide>>(&self) -> Vec<ToolCallId> {
        self.messages
            .iter()
            .flat_map(Message::tool_calls)
            .filter(|call| call.function.name == T::NAME && !self.untyped.index().has_result(&call.id))
            .filter(|call| self.untyped.consent().is_about(call))
            .map(|call| call.id.clone())
            .collect()
    }
}

/// Returns the arguments' JSON text for spans: the error as a string, if they cannot be written.
fn recorded<T: Tool>(arguments: &T) -> String {
    text_of(arguments).unwrap_or_else(|error| Value::String(error.to_string()).to_string())
}

fn unsettled<'i, A: Agent, T: Tool>(
    input: &'i Input<A>,
    id: &ToolCallId,
) -> Result<&'i CallInHistory, ResumeCallError> {
    let call = input.untyped.index().call(&input.messages, id.as_str());
    let call = call.ok_or_else(|| ResumeCallError::Unknown { id: id.clone() })?;
    if call.function.name != T::NAME {
        let found = call.function.name.clone();
        return Err(ResumeCallError::OtherTool { id: id.clone(), found, asked: T::NAME });
    }
    if input.untyped.index().has_result(id) {
        return Err(ResumeCallError::Settled { id: id.clone() });
    }
    Ok(call)
}

/// The reason why an earlier run's call cannot be resumed.
///
/// ```
/// use agui_runtime::Stop;
/// use agui_runtime::interrupts::ResumeCallError;
///
/// /// Tells the user why a call is not resumed.
/// fn refuse(error: ResumeCallError) -> Stop {
///     match error {
///         ResumeCallError::Settled { .. } | ResumeCallError::Twice { .. } => Stop::error("That was done already."),
///         other => other.into(), // RUN_ERROR, with the text for the log alone
///     }
/// }
///
/// let error = ResumeCallError::Settled { id: "call-1".into() };
/// assert_eq!(refuse(error).to_string(), "That was done already.");
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ResumeCallError {
    /// The conversation has no call with that id.
    #[error("the conversation has no call `{id}`")]
    Unknown {
        /// The requested id.
        id: ToolCallId,
    },
    /// The call names another tool.
    #[error("the call `{id}` is a call of tool `{found}`, not of `{asked}`")]
    OtherTool {
        /// The requested id.
        id: ToolCallId,
        /// The call's tool.
        found: String,
        /// The requested tool.
        asked: &'static str,
    },
    /// The call has its result.
    #[error("the call `{id}` has its result")]
    Settled {
        /// The requested id.
        id: ToolCallId,
    },
    /// No resume entry in this run names the call, or the arguments differ from the interrupt's.
    #[error("no resume entry of this run names the call `{id}`")]
    NotAsked {
        /// The requested id.
        id: ToolCallId,
    },
    /// This run has already resumed the call: a call has one result.
    #[error("this run has resumed the call `{id}` already")]
    Twice {
        /// The requested id.
        id: ToolCallId,
    },
    /// The call is not a pending call in the run's input: it is only in a subagent's conversation, the conversation was restated
    /// with a result, or the client declares the tool and sends the result itself.
    #[error("the call `{id}` was not left for this run to settle")]
    NotLeft {
        /// The requested id.
        id: ToolCallId,
    },
    /// The arguments in the conversation do not match the tool.
    #[error(transparent)]
    Arguments(#[from] ToolDataError),
}

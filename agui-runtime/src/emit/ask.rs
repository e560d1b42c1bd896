//! Calls that wait for somebody's answer: left to an interrupt in one run, taken up again in a later one.

use super::emitter::SpanGuard;
use super::kernel::NotResumed;
use super::open_call::invoke;
use super::{Called, Run, ToolCall};
use crate::agent::{Agent, Input, Stop, calls};
use crate::protocol::{Interrupt, ToolCall as CallInHistory, ToolCallId};
use crate::tool::{Backend, Tool, ToolDataError, ToolOf, read_arguments};

impl<A: Agent, T: Tool<Side = Backend>> ToolCall<'_, A, T, Called> {
    /// Leaves the call to a question: nothing is run, and the call gets no TOOL_CALL_RESULT in this run. Return the
    /// [`Stop`]; the interrupt then names the call (AG-UI 1.0, section "Interrupt and `ResumeEntry`").
    ///
    /// The run that brings the answer takes the call up with [`Run::resume_call`]. If the run ends otherwise than by an
    /// interrupt after all, the call gets the result `{"error":"abandoned"}`.
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
    ///     let Some(answer) = input.resume().iter().find(|answer| answer.interrupt_id == "send") else {
    ///         let call = run.call(send { text: "Dear Ada".to_owned() }).await?;
    ///         return Err(call.interrupt(Interrupt::new("send", "tool_call").with_message("Send it?")));
    ///     };
    ///     let approved = answer.status == ResumeStatus::Resolved
    ///         && answer.payload.as_deref().is_some_and(|payload| payload["approved"] == true);
    ///     for asked in input.unanswered_calls::<send>() {
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
        let span = self.into_span();
        span.emit().hub().act(|kernel| kernel.ask(span.slot()));
        Stop::interrupt(interrupt)
    }
}

impl<A: Agent> Run<A> {
    /// Takes up a call of an earlier run that was left to an interrupt: it has its TOOL_CALL_END behind it, and wants its
    /// result in this run.
    ///
    /// The arguments are those of the call in the conversation. What the person answered is yours to look at first: nothing
    /// runs before you say so.
    ///
    /// # Errors
    /// [`ResumeCallError`] when the conversation has no such call, or one that has its result, or when it was taken up in
    /// this run already. An agent that another delegated to takes up what stands in the run's own input, too, and not what
    /// stands only in the messages it was given.
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
    pub fn resume_call<T: ToolOf<A> + Tool<Side = Backend>>(
        &self,
        input: &Input<A>,
        id: &ToolCallId,
    ) -> Result<ToolCall<'_, A, T, Called>, ResumeCallError> {
        let asked = unanswered::<A, T>(input, id)?;
        self.take_up(id, read_arguments(&asked.function.arguments)?)
    }

    /// The same with other arguments than those of the call: what the person changed before saying yes.
    ///
    /// # Errors
    /// Those of [`resume_call`](Self::resume_call).
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
    /// let edited = send { text: "Dear Grace".to_owned() };
    /// let sent = run.resume_call_with(&input, &asked, edited)?.run().await;
    /// # Ok(())
    /// # }
    /// ```
    pub fn resume_call_with<T: ToolOf<A> + Tool<Side = Backend>>(
        &self,
        input: &Input<A>,
        id: &ToolCallId,
        arguments: T,
    ) -> Result<ToolCall<'_, A, T, Called>, ResumeCallError> {
        unanswered::<A, T>(input, id)?;
        self.take_up(id, arguments)
    }

    fn take_up<T: ToolOf<A> + Tool<Side = Backend>>(
        &self,
        id: &ToolCallId,
        arguments: T,
    ) -> Result<ToolCall<'_, A, T, Called>, ResumeCallError> {
        let slot =
            self.act(|kernel, author| kernel.resume_call(author, id.clone())).map_err(|why| match why {
                NotResumed::Twice => ResumeCallError::Twice { id: id.clone() },
                NotResumed::NotLeft => ResumeCallError::NotLeft { id: id.clone() },
            })?;
        let span = SpanGuard::new(self, slot);
        Ok(ToolCall::resumed(self, span, id.clone(), arguments, invoke::<A, T>))
    }
}

impl<A: Agent> Input<A> {
    /// The calls of a tool that the conversation has no result for, oldest first: those an interrupt left for this run.
    ///
    /// ```
    /// # use agui_runtime::prelude::*;
    /// # /// Sends a letter.
    /// # #[tool]
    /// # async fn send(text: String) -> bool { true }
    /// # /// Writes letters.
    /// # #[agent(tools = [send])]
    /// # async fn writer(run: &mut Run<Writer>, input: Input<Writer>) -> Result<(), Stop> {
    /// for id in input.unanswered_calls::<send>() {
    ///     run.resume_call::<send>(&input, &id)?.fail("the person said no").await;
    /// }
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn unanswered_calls<T: ToolOf<A> + Tool<Side = Backend>>(&self) -> Vec<ToolCallId> {
        calls(&self.messages)
            .filter(|call| call.function.name == T::NAME && !self.index().is_answered(&call.id))
            .map(|call| call.id.clone())
            .collect()
    }
}

fn unanswered<'i, A: Agent, T: Tool>(
    input: &'i Input<A>,
    id: &ToolCallId,
) -> Result<&'i CallInHistory, ResumeCallError> {
    let call = input.index().call(&input.messages, id.as_str());
    let call = call.ok_or_else(|| ResumeCallError::Unknown { id: id.clone() })?;
    if call.function.name != T::NAME {
        let found = call.function.name.clone();
        return Err(ResumeCallError::OtherTool { id: id.clone(), found, asked: T::NAME });
    }
    if input.index().is_answered(id) {
        return Err(ResumeCallError::Answered { id: id.clone() });
    }
    Ok(call)
}

/// A call of an earlier run that cannot be taken up.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ResumeCallError {
    /// The conversation has no call of that id.
    #[error("the conversation has no call `{id}`")]
    Unknown {
        /// What was asked for.
        id: ToolCallId,
    },
    /// The call is one of another tool.
    #[error("the call `{id}` is one of tool `{found}`, not of `{asked}`")]
    OtherTool {
        /// What was asked for.
        id: ToolCallId,
        /// The tool it is a call of.
        found: String,
        /// The tool that was asked for.
        asked: &'static str,
    },
    /// The call has its result.
    #[error("the call `{id}` has been answered")]
    Answered {
        /// What was asked for.
        id: ToolCallId,
    },
    /// The call was taken up in this run before: a call has one result.
    #[error("the call `{id}` has been taken up in this run already")]
    Twice {
        /// What was asked for.
        id: ToolCallId,
    },
    /// It is not one that the input of the run has unanswered: the conversation it was found in was handed to a subagent, the
    /// answer was restated since, or the client declares its tool and answers it itself.
    #[error("the call `{id}` was not left for this run to answer")]
    NotLeft {
        /// What was asked for.
        id: ToolCallId,
    },
    /// The arguments in the conversation are not the tool's.
    #[error(transparent)]
    Arguments(#[from] ToolDataError),
}

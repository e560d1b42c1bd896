//! Calls that wait for somebody's answer: left to an interrupt in one run, taken up again in a later one.

use super::emitter::SpanGuard;
use super::kernel::NotResumed;
use super::open_call::invoke;
use super::tool_call::CompleteArguments;
use super::{Called, Run, ToolCall};
use crate::agent::{Agent, Input, Stop, calls};
use crate::protocol::{Interrupt, ToolCall as CallInHistory, ToolCallId};
use crate::tool::{Backend, Tool, ToolDataError, ToolOf, read_arguments};

impl<A: Agent, T: Tool<Side = Backend>> ToolCall<'_, A, T, Called> {
    /// Leaves the call to a question: nothing is run, and the call gets no TOOL_CALL_RESULT in this run. Return the
    /// [`Stop`]; the interrupt then names the call (AG-UI 1.0, section "Interrupt and `ResumeEntry`").
    ///
    /// The run that brings the answer takes the call up with [`Run::resume_call`]: the answer counts for this call alone, with the
    /// arguments that it has here. If the run ends otherwise than by an
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
        self.leave();
        Stop::interrupt(interrupt)
    }
}

impl<A: Agent> Run<A> {
    /// Takes up a call of an earlier run that was left to an interrupt: it has its TOOL_CALL_END behind it, and wants its
    /// result in this run.
    ///
    /// An answer of this run must be about the call, with the tool and the arguments that were asked about: no other call in the
    /// conversation is proven to be the agent's (see [What you may trust](crate#what-you-may-trust)). The arguments are those of the
    /// call. Look at the answer first: nothing runs before you say so.
    ///
    /// # Errors
    /// [`ResumeCallError`] when the conversation has no such call, or one that has its result, when no answer of this run is about
    /// it, or when it was taken up in this run already. An agent that another delegated to takes up only what stands in the run's own
    /// input, not what stands only in the messages it was given.
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
        let asked = self.asked::<T>(input, id)?;
        self.take_up(asked, read_arguments(&asked.function.arguments)?)
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
        self.take_up(self.asked::<T>(input, id)?, arguments)
    }

    /// The call as the conversation has it, if an answer of this run is about it. The run decides, and not the input that was handed in.
    fn asked<'i, T: Tool>(
        &self,
        input: &'i Input<A>,
        id: &ToolCallId,
    ) -> Result<&'i CallInHistory, ResumeCallError> {
        let call = unanswered::<A, T>(input, id)?;
        if self.shared().consent().is_about(call) {
            Ok(call)
        } else {
            Err(ResumeCallError::NotAsked { id: id.clone() })
        }
    }

    fn take_up<T: ToolOf<A> + Tool<Side = Backend>>(
        &self,
        asked: &CallInHistory,
        arguments: T,
    ) -> Result<ToolCall<'_, A, T, Called>, ResumeCallError> {
        let id = &asked.id;
        let slot =
            self.act(|kernel, author| kernel.resume_call(author, id.clone())).map_err(|why| match why {
                NotResumed::Twice => ResumeCallError::Twice { id: id.clone() },
                NotResumed::NotLeft => ResumeCallError::NotLeft { id: id.clone() },
            })?;
        let span = SpanGuard::new(self, slot);
        let held = CompleteArguments { arguments, text: asked.function.arguments.clone() };
        Ok(ToolCall::resumed(self, span, id.clone(), held, invoke::<A, T>))
    }
}

impl<A: Agent> Input<A> {
    /// The calls of a tool that an answer of this run is about and that have no result yet, oldest first: those that
    /// [`Run::resume_call`](crate::Run::resume_call) takes up.
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
            .filter(|call| self.consent().is_about(call))
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
    /// No answer of this run is about the call, or its arguments are not those that were asked about.
    #[error("the call `{id}` is not one that an answer of this run is about")]
    NotAsked {
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

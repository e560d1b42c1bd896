//! Subagents: other agents that perform part of a run, in the same stream.

mod child;
mod no_state;
mod question;

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use tracing::Instrument;

use self::child::{AnnouncedSubagent, StartSubagent, SubagentReturn, child_input, run_child};
use crate::agent::tool::CallHandle;
use crate::agent::{Agent, SharedAgent, Stop};
use crate::emit::{Emit, ParentReceipt, StateHandle, WriteFuture};
use crate::kernel::{EventFields, WriteFields};
use crate::protocol::{
    Message, Metadata, NonNull, SubagentRunId, SubagentStartedEvent, Timestamp, ToolCallId,
};
use crate::telemetry::Operation;

pub use no_state::NoState;

impl Emit {
    /// Delegates part of this run to another agent: SUBAGENT_STARTED, the agent's events under their own subagent id, and
    /// SUBAGENT_FINISHED or SUBAGENT_ERROR (AG-UI 1.0, section "Subagents"). Awaiting returns the agent's value.
    ///
    /// The agent reads the run's input with these messages as its conversation. It also gets the run's request values: an agent
    /// that lacks a required value fails, with [`MissingRequestValue`](crate::runs::MissingRequestValue)'s code. It has no state,
    /// because the shared state is one document and belongs to the run: the delegating agent writes the findings there. An agent
    /// [among the tools](macro@crate::agent#agents-among-the-tools) may share part of the state.
    ///
    /// | the agent returns | the stream contains | awaiting returns |
    /// |---|---|---|
    /// | a value | SUBAGENT_FINISHED `success` with the value | the value |
    /// | [`Stop::interrupt`] | SUBAGENT_FINISHED `suspended`, with its own interrupt ids | the stop; the interrupts name the subagent |
    /// | [`Stop::await_frontend`] | SUBAGENT_FINISHED `suspended` | the stop |
    /// | [`Stop::error`], [`Stop::cancelled`] | SUBAGENT_ERROR | the stop |
    /// | nothing, because it panicked or this future was dropped | SUBAGENT_ERROR `abandoned` | |
    ///
    /// A stop may be handled, or passed on with `?`, which ends the whole run in the same way. Any number of agents may run at
    /// once:
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use agui_runtime::prelude::*;
    /// use futures::try_join;
    ///
    /// /// Knows the weather.
    /// #[agent]
    /// async fn weather(run: &mut Run<Weather>, input: Input<Weather>) -> Result<u32, Stop> {
    ///     run.say("Looking outside.").await;
    ///     Ok(21)
    /// }
    ///
    /// /// Plans a picnic.
    /// #[agent]
    /// async fn planner(run: &mut Run<Planner>, input: Input<Planner>, weather: &Arc<Weather>) -> Result<u32, Stop> {
    ///     let (here, there) = try_join!(
    ///         run.delegate("weather", weather, input.messages.clone()),
    ///         run.delegate("weather", weather, input.messages.clone()).description("Looks at the hills"),
    ///     )?;
    ///     Ok(here.max(there))
    /// }
    /// ```
    ///
    /// An agent with state cannot be a subagent:
    ///
    /// ```compile_fail,E0277
    /// # use std::sync::Arc;
    /// # use agui_runtime::prelude::*;
    /// /// Keeps a list.
    /// #[agent(state = Vec<String>)]
    /// async fn keeper(run: &mut Run<Keeper>, input: Input<Keeper>) -> Result<(), Stop> {
    ///     Ok(())
    /// }
    ///
    /// # async fn example(run: &Emit, keeper: &Arc<Keeper>) -> Result<(), Stop> {
    /// run.delegate("keeper", keeper, []).await
    /// # }
    /// ```
    pub fn delegate<C>(
        &self,
        name: impl Into<String>,
        agent: impl SharedAgent<C>,
        messages: impl Into<Vec<Message>>,
    ) -> Delegate<'_, C>
    where
        C: Agent,
        C::State: NoState,
    {
        // The kernel sets the id.
        let started = SubagentStartedEvent::new(SubagentRunId::from(""), name);
        // Taken here and not when the subagent starts, so that the numbers follow the order of the code.
        let path = self.act(|kernel, author| kernel.delegate(author, started.name.as_str()));
        let start = WriteFuture::new(self, StartSubagent { started, wanted: None });
        let stage = DelegateStage::Starting { start, agent: agent.shared(), messages: messages.into() };
        Delegate { stage, path, called: None, ending: None }
    }

    /// Runs an agent for a model's call.
    pub(crate) fn delegate_call<'w, C: Agent>(&'w self, called: CalledAgent<'w, C>) -> Delegate<'w, C> {
        let CalledAgent { agent, state, name, step, id, call, messages, task } = called;
        let mut started = SubagentStartedEvent::new(SubagentRunId::from(""), name);
        started.parent_tool_call_id = Some(call);
        started.description = task;
        let path = self.act(|kernel, author| kernel.delegate_call(author, &step));
        let start = WriteFuture::new(self, StartSubagent { started, wanted: Some(id) });
        let stage = DelegateStage::Starting { start, agent, messages };
        Delegate { stage, path, called: Some(state), ending: None }
    }
}

/// Returns the state part that parent and subagent share, for the subagent's writes.
pub(crate) type SubagentStateFn<'w, C> =
    Box<dyn FnOnce(Emit) -> Option<StateHandle<<C as Agent>::State>> + Send + 'w>;

/// An agent that a model's call runs.
pub(crate) struct CalledAgent<'w, C: Agent> {
    pub(crate) agent: Arc<C>,
    pub(crate) state: SubagentStateFn<'w, C>,
    pub(crate) name: &'static str,
    /// The agent's step in the path that interrupts name.
    pub(crate) step: String,
    pub(crate) id: SubagentRunId,
    pub(crate) call: ToolCallId,
    pub(crate) messages: Vec<Message>,
    pub(crate) task: Option<String>,
}

/// A run part that another agent performs when awaited; see [`Emit::delegate`].
///
/// Nothing happens before the first poll, and the agent runs only while this future is polled. Dropping the future stops the
/// agent, and the stream gets SUBAGENT_ERROR. An agent's panic continues in the awaiting task.
///
/// ```
/// use std::sync::Arc;
///
/// use agui_runtime::future::Delegate;
/// use agui_runtime::{Agent, Emit};
///
/// /// Delegates a search with a description that users see.
/// fn search<'w, C: Agent<State = ()>>(run: &'w Emit, agent: &Arc<C>) -> Delegate<'w, C> {
///     run.delegate("search", agent, []).description("Looks for flights")
/// }
/// ```
#[must_use = "nothing is delegated until it is awaited"]
pub struct Delegate<'w, C: Agent> {
    stage: DelegateStage<'w, C>,
    /// The agent's path in interrupt ids.
    path: String,
    /// State for an agent that a model's call runs.
    called: Option<SubagentStateFn<'w, C>>,
    /// Fields for the last event.
    ending: WriteFields,
}

enum DelegateStage<'w, C: Agent> {
    Starting {
        start: WriteFuture<'w, StartSubagent>,
        agent: Arc<C>,
        messages: Vec<Message>,
    },
    Running {
        // Dropped first: the child's open spans end before the subagent does.
        child: Pin<Box<dyn Future<Output = SubagentReturn<C>> + Send>>,
        subagent: AnnouncedSubagent<'w>,
    },
    Done,
}

impl<'w, C: Agent> Delegate<'w, C> {
    /// Sets the subagent's task, for users.
    pub fn description(self, description: impl Into<String>) -> Self {
        self.with(|start| start.started.description = Some(description.into()))
    }

    /// Names the delegating tool call: a call in progress, or a tool's [`ToolCtx`](crate::ToolCtx). A call from another run is not
    /// named.
    pub fn called_by(self, call: &impl CallHandle) -> Self {
        self.with(|start| start.started.parent_tool_call_id = Some(call.call_id().clone()))
    }

    /// Names the delegating message. A message that the client does not know (from another run, or from an ended task) is not
    /// named.
    pub fn parent(self, message: impl ParentReceipt) -> Self {
        let id = message.receipt().seen_id().cloned();
        self.with(|start| start.started.parent_message_id = id)
    }

    /// Sets this invocation's id. Reuse an earlier run's id to continue suspended work; an id that you choose need not be
    /// remembered.
    ///
    /// In one run an id belongs to one invocation. If the id is already taken, or the run generates the same id, the invocation
    /// gets another.
    pub fn id(self, id: impl Into<SubagentRunId>) -> Self {
        self.with(|start| start.wanted = Some(id.into()))
    }

    /// Sets SUBAGENT_STARTED's timestamp. By default the run's [`Clock`](crate::Clock) decides.
    pub fn timestamp(self, timestamp: Timestamp) -> Self {
        self.start(|start| start.timestamp(timestamp))
    }

    /// Sets the provider's event on SUBAGENT_STARTED.
    pub fn raw_event(self, event: NonNull) -> Self {
        self.start(|start| start.raw_event(event))
    }

    /// Sets SUBAGENT_STARTED's metadata.
    pub fn metadata(self, metadata: Metadata) -> Self {
        self.start(|start| start.metadata(metadata))
    }

    /// Sets fields on the last event: SUBAGENT_FINISHED, or SUBAGENT_ERROR if the agent stopped with an error. Not sent if the
    /// agent panicked or was dropped.
    pub fn end_with(mut self, fields: EventFields) -> Self {
        self.ending = Some(Box::new(fields));
        self
    }

    fn with(self, more: impl FnOnce(&mut StartSubagent)) -> Self {
        self.start(|start| start.with(more))
    }

    fn start(
        self,
        more: impl FnOnce(WriteFuture<'w, StartSubagent>) -> WriteFuture<'w, StartSubagent>,
    ) -> Self {
        let stage = match self.stage {
            DelegateStage::Starting { start, agent, messages } => {
                DelegateStage::Starting { start: more(start), agent, messages }
            }
            started => started,
        };
        Delegate { stage, ..self }
    }
}

impl<C: Agent> Future for Delegate<'_, C> {
    type Output = Result<C::Output, Stop>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        if let DelegateStage::Starting { start, .. } = &mut self.stage {
            let subagent = ready!(Pin::new(start).poll(cx));
            if let DelegateStage::Starting { agent, messages, .. } =
                std::mem::replace(&mut self.stage, DelegateStage::Done)
            {
                let emit = subagent.span.emit();
                let input = child_input(emit.shared(), messages, &self.path);
                let (slot, path) = (subagent.span.slot(), std::mem::take(&mut self.path));
                emit.act(|kernel, _| kernel.set_agent_path(slot, path));
                let own = emit.for_author(slot);
                let state = self.called.take().map(|state| state(own.share()));
                let operation = Operation::invoke_agent(|| C::source().name, &input);
                let span = operation.span();
                let child = Box::pin(run_child(own, agent, input, state, operation).instrument(span));
                self.stage = DelegateStage::Running { child, subagent };
            }
        }
        let DelegateStage::Running { child, .. } = &mut self.stage else { return Poll::Pending };
        let returned = ready!(child.as_mut().poll(cx));
        match std::mem::replace(&mut self.stage, DelegateStage::Done) {
            DelegateStage::Running { child, subagent } => {
                drop(child);
                Poll::Ready(subagent.end(returned, self.ending.take()))
            }
            _ => Poll::Pending,
        }
    }
}

impl<C: Agent> fmt::Debug for Delegate<'_, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let stage = match &self.stage {
            DelegateStage::Starting { .. } => "starting",
            DelegateStage::Running { .. } => "running",
            DelegateStage::Done => "done",
        };
        f.debug_struct("Delegate").field("stage", &stage).finish_non_exhaustive()
    }
}

//! A subagent's run, from SUBAGENT_STARTED to its end.

use std::sync::Arc;

use super::question::{unwrapped, wrapped};
use crate::agent::inputs::untyped_input::UntypedInput;
use crate::agent::{
    Agent, FromRequestValues, Input, ObservedSubagent, Run, Stop, StopReason, UnwritableValue,
    check_resume_entries,
};
use crate::emit::{Emit, RunShared, RunWrite, SpanGuard, StateHandle};
use crate::kernel::{SubagentEnd, WriteFields};
use crate::protocol::{
    Interrupt, InterruptId, Message, NonNull, RunAgentInput, SubagentRunId, SubagentStartedEvent,
};
use crate::quoted::quoted;
use crate::telemetry::Operation;

/// An agent's output, and that output as JSON.
pub(super) type SubagentReturn<C> = Result<(<C as Agent>::Output, Option<NonNull>), Stop>;

/// Returns the input of an agent that has its own conversation and no state. It keeps only those answers to typed
/// questions that are for this agent.
pub(super) fn child_input(shared: &RunShared, messages: Vec<Message>, path: &str) -> RunAgentInput {
    let run = shared.input();
    let mut input = RunAgentInput::new(run.thread_id.clone(), run.run_id.clone(), messages);
    input.protocol_version = run.protocol_version.clone();
    input.parent_run_id = run.parent_run_id.clone();
    input.tools = run.tools.clone();
    input.context = run.context.clone();
    input.forwarded_props = run.forwarded_props.clone();
    input.resume = run.resume.as_ref().map(|resume| unwrapped(shared.resume_by_agent().get(resume, path)));
    input
}

pub(super) async fn run_child<C: Agent>(
    emit: Emit,
    agent: Arc<C>,
    input: RunAgentInput,
    called: Option<Option<StateHandle<C::State>>>,
    operation: Operation,
) -> SubagentReturn<C> {
    let observed = ObservedSubagent::new(emit.shared(), emit.author(), operation);
    let returned = child(emit, agent, input, called).await;
    observed.end(returned.as_ref().err());
    returned
}

async fn child<C: Agent>(
    emit: Emit,
    agent: Arc<C>,
    input: RunAgentInput,
    called: Option<Option<StateHandle<C::State>>>,
) -> SubagentReturn<C> {
    let is_called = called.is_some();
    let path = emit.act(|kernel, author| kernel.agent_path(author));
    let sent = Arc::new(input);
    let input = UntypedInput::new(Arc::clone(&sent), Arc::clone(emit.shared()), path);
    check_resume_entries(&input, C::source)?;
    let request = C::Request::find(emit.shared().request()).map_err(Stop::from)?;
    let mut run = Run::of_subagent(emit, Arc::clone(&agent), sent, request, called.flatten());
    let value = match agent.run(&mut run, Input::new(input)).await {
        Ok(finished) => finished.into_value(),
        Err(stop) if is_called => return Err(wrapped(&run, stop)),
        Err(stop) => return Err(stop),
    };
    let result = crate::json::to_value(&value).map_err(UnwritableValue)?;
    Ok((value, NonNull::new(result)))
}

/// Write that announces a subagent.
#[derive(Debug)]
pub(super) struct StartSubagent {
    pub(super) started: SubagentStartedEvent,
    pub(super) wanted: Option<SubagentRunId>,
}

impl<'w> RunWrite<'w> for StartSubagent {
    type Output = AnnouncedSubagent<'w>;

    fn act(self, emit: &'w Emit, fields: WriteFields) -> AnnouncedSubagent<'w> {
        let Self { started, wanted } = self;
        let (slot, id) = emit.act(|kernel, author| kernel.open_subagent(author, started, wanted, fields));
        AnnouncedSubagent { span: SpanGuard::new(emit, slot), id }
    }
}

/// An announced subagent, which must send its end.
pub(super) struct AnnouncedSubagent<'w> {
    pub(super) span: SpanGuard<'w>,
    id: SubagentRunId,
}

impl AnnouncedSubagent<'_> {
    pub(super) fn end<T>(
        self,
        returned: Result<(T, Option<NonNull>), Stop>,
        fields: WriteFields,
    ) -> Result<T, Stop> {
        let (end, returned) = match returned {
            Ok((value, result)) => (SubagentEnd::Success { result }, Ok(value)),
            Err(mut stop) => (self.end_of_stop(&mut stop), Err(stop)),
        };
        self.span.emit().hub().act(|kernel| kernel.end_subagent(self.span.slot(), end, fields));
        returned
    }

    /// Converts a stop to the subagent's end. The subagent's own interrupts get its id.
    fn end_of_stop(&self, stop: &mut Stop) -> SubagentEnd {
        tracing::debug!(subagent = %quoted(&self.id), stop = %quoted(&*stop), "subagent stopped");
        match &mut stop.0 {
            StopReason::Error(failure) => {
                // The agent that delegated may handle the failure, and then it would not be logged.
                let shared = self.span.emit().shared();
                failure.log(shared.input(), shared.records_content());
                let (message, code) = failure.message(shared.input(), shared.reveals_errors());
                SubagentEnd::Failed { message, code }
            }
            StopReason::Cancelled => SubagentEnd::Failed {
                message: "the subagent was cancelled".to_owned(),
                code: Some("cancelled".to_owned()),
            },
            StopReason::AwaitFrontend(_) => SubagentEnd::Suspended { interrupts: Vec::new() },
            StopReason::Interrupt { interrupts, .. } => {
                let mut own: Vec<InterruptId> = Vec::new();
                for interrupt in interrupts.iter_mut() {
                    if *interrupt.subagent_run_id.get_or_insert_with(|| self.id.clone()) == self.id {
                        own.push(self.wire_id(interrupt));
                    }
                }
                SubagentEnd::Suspended { interrupts: own }
            }
        }
    }

    /// Returns the interrupt id that the run will assign.
    fn wire_id(&self, question: &Interrupt) -> InterruptId {
        let shared = self.span.emit().shared();
        shared.consent().asked_as(shared.input(), question)
    }
}

//! The other agent at work, from its SUBAGENT_STARTED to how it ended.

use std::sync::Arc;

use crate::agent::{Agent, Input, Reason, Stop, Unwritable, check_answers};
use crate::emit::emitter::SpanGuard;
use crate::emit::kernel::SubagentEnd;
use crate::emit::{Act, Emit, Fields, QuestionId, Run};
use crate::protocol::{InterruptId, Message, NonNull, RunAgentInput, SubagentRunId, SubagentStartedEvent};
use crate::quoted::quoted;

/// What an agent returned, and the same as JSON.
pub(super) type Returned<C> = Result<(<C as Agent>::Output, Option<NonNull>), Stop>;

/// What the run was asked with, for an agent that has its own conversation and no state. Of the answers to typed questions it gets
/// those to its own.
pub(super) fn input_of_child(run: &RunAgentInput, messages: Vec<Message>, asker: &str) -> RunAgentInput {
    let mut input = RunAgentInput::new(run.thread_id.clone(), run.run_id.clone(), messages);
    input.protocol_version = run.protocol_version.clone();
    input.parent_run_id = run.parent_run_id.clone();
    input.tools = run.tools.clone();
    input.context = run.context.clone();
    input.forwarded_props = run.forwarded_props.clone();
    input.resume = run.resume.clone();
    if let Some(resume) = &mut input.resume {
        resume.retain(|entry| {
            QuestionId::of(&entry.interrupt_id).is_none_or(|question| question.asker == asker)
        });
    }
    input
}

pub(super) async fn run_child<C: Agent>(emit: Emit, agent: Arc<C>, input: RunAgentInput) -> Returned<C> {
    let asker = emit.act(|kernel, author| kernel.asker(author));
    let input = Input::new(Arc::new(input), asker);
    check_answers(&input)?;
    let mut run = Run::of_subagent(emit, Arc::clone(&agent));
    let value = agent.run(&mut run, input).await?.into_value();
    let result = crate::json::to_value(&value).map_err(Unwritable)?;
    Ok((value, NonNull::new(result)))
}

/// The act of announcing a subagent.
#[derive(Debug)]
pub(super) struct StartSubagent {
    pub(super) started: SubagentStartedEvent,
    pub(super) wanted: Option<SubagentRunId>,
}

impl<'w> Act<'w> for StartSubagent {
    type Output = Subagent<'w>;

    fn act(self, emit: &'w Emit, fields: Fields) -> Subagent<'w> {
        let Self { started, wanted } = self;
        let (slot, id) = emit.act(|kernel, author| kernel.open_subagent(author, started, wanted, fields));
        Subagent { span: SpanGuard::new(emit, slot), id }
    }
}

/// A subagent that was announced, and the duty to say how it ended.
pub(super) struct Subagent<'w> {
    pub(super) span: SpanGuard<'w>,
    id: SubagentRunId,
}

impl Subagent<'_> {
    pub(super) fn end<T>(
        self,
        returned: Result<(T, Option<NonNull>), Stop>,
        fields: Fields,
    ) -> Result<T, Stop> {
        let (end, returned) = match returned {
            Ok((value, result)) => (SubagentEnd::Success { result }, Ok(value)),
            Err(mut stop) => (self.stopped(&mut stop), Err(stop)),
        };
        self.span.emit().hub().act(|kernel| kernel.end_subagent(self.span.slot(), end, fields));
        returned
    }

    /// How a stop ends the subagent. The questions it asked itself say so from here on.
    fn stopped(&self, stop: &mut Stop) -> SubagentEnd {
        tracing::debug!(subagent = %quoted(&self.id), stop = %quoted(&*stop), "subagent stopped");
        match &mut stop.0 {
            Reason::Error(failure) => {
                // The agent that delegated may handle it, and then nothing else tells the log.
                let hub = self.span.emit().hub();
                failure.log(hub.input());
                let (message, code) = failure.message(hub.input(), hub.reveals_errors());
                SubagentEnd::Failed { message, code }
            }
            Reason::Cancelled => SubagentEnd::Failed {
                message: "the subagent was cancelled".to_owned(),
                code: Some("cancelled".to_owned()),
            },
            Reason::AwaitFrontend(_) => SubagentEnd::Suspended { interrupts: Vec::new() },
            Reason::Interrupt { interrupts, .. } => {
                let mut own: Vec<InterruptId> = Vec::new();
                for interrupt in interrupts.iter_mut() {
                    if *interrupt.subagent_run_id.get_or_insert_with(|| self.id.clone()) == self.id {
                        own.push(interrupt.id.clone());
                    }
                }
                SubagentEnd::Suspended { interrupts: own }
            }
        }
    }
}

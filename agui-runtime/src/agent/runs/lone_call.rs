//! One call of a tool in a run of its own, for callers that have no conversation.

use std::future::Future;
use std::sync::Arc;

use futures_channel::oneshot;
use futures_util::StreamExt;

use super::driver::{Course, start_course};
use crate::agent::tool::{AnsweredCall, AnyCall, OpenToolCall, Settled, failure_content};
use crate::agent::{Input, Run, RunOptions, Stop, ToolSet};
use crate::protocol::{Event, NonNull, RunAgentInput};

/// One call of a backend tool. The agent's own function does not run, but everything around a call does: the run has the
/// agent, its state and the values of the request, and the call has its limits and its texts of failures.
pub(crate) struct LoneCall<S> {
    pub(crate) tool: String,
    /// The JSON text of the arguments.
    pub(crate) arguments: String,
    /// The state with which the run begins.
    pub(crate) state: S,
}

/// A reader of the events of the run that makes a call, as they come. The run waits for it.
pub(crate) trait Watcher: Send {
    fn watch(&mut self, event: &Event) -> impl Future<Output = ()> + Send;
}

/// The reason why a call has no result.
#[derive(Debug)]
pub(crate) enum LoneCallError {
    /// The run failed: the message of RUN_ERROR.
    Failed { message: String },
    /// The run ended with a question to the user, or was cancelled.
    Unanswered,
}

impl<S> LoneCall<S> {
    /// Makes the call, and returns its result. Wrong arguments and errors of the tool are results too. Dropping the future
    /// cancels the tool.
    pub(crate) async fn make<A: ToolSet<State = S>>(
        self,
        agent: Arc<A>,
        input: RunAgentInput,
        options: RunOptions,
        mut watcher: impl Watcher,
    ) -> Result<AnsweredCall, LoneCallError>
    where
        S: Send + 'static,
    {
        let (answer, mut answered) = oneshot::channel();
        let mut events = start_course(agent, input, options, Making { call: self, answer });
        let mut last = None;
        while let Some(event) = events.next().await {
            watcher.watch(&event).await;
            last = Some(event);
        }
        match (answered.try_recv(), last) {
            (Ok(Some(answered)), _) => Ok(answered),
            (_, Some(Event::RunError(error))) => Err(LoneCallError::Failed { message: error.message }),
            _ => Err(LoneCallError::Unanswered),
        }
    }
}

struct Making<S> {
    call: LoneCall<S>,
    answer: oneshot::Sender<AnsweredCall>,
}

impl<A: ToolSet> Course<A> for Making<A::State> {
    async fn follow(self, run: &mut Run<A>, _: Input<A>) -> Result<Option<NonNull>, Stop> {
        let Self { call: LoneCall { tool, arguments, state }, answer } = self;
        let starting = run.state().snapshot(&state);
        // It need not be `Sync`.
        drop(state);
        starting.await?;
        let mut call: Box<dyn AnyCall<'_> + Send> = run.open_call(tool.as_str()).await?.boxed();
        call.push(arguments).await;
        let id = call.id().clone();
        let answered = match call.settle() {
            Ok(decided) => match decided.settle().await {
                Settled::Answered(answered) => answered,
                Settled::Pending(call) => return Err(Stop::await_frontend(call)),
                Settled::Stopped { stop, .. } => return Err(stop),
            },
            Err(why) => AnsweredCall {
                id,
                tool: tool.into(),
                content: failure_content(&why),
                parts: Vec::new(),
                failed: true,
            },
        };
        // The receiver lives as long as the run.
        let _ = answer.send(answered);
        Ok(None)
    }
}

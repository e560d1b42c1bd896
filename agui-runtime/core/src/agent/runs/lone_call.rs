//! A single tool call in its own run, for callers that have no conversation.

use std::future::Future;
use std::sync::Arc;

use futures_channel::oneshot;
use futures_util::StreamExt;
use futures_util::future::BoxFuture;

use super::driver::{RunCourse, start_course};
use super::kept_conversation::KeptConversation;
use crate::agent::tool::{AnyOpenCall, OpenToolCall, SettleOutcome, SettledCall, failure_content};
use crate::agent::{Input, Run, RunOptions, Stop, ToolSet};
use crate::protocol::{
    Event, InterruptId, InterruptList, NonNull, RunAgentInput, RunErrorEvent, RunFinishedOutcome, ToolCallId,
};

/// A single backend tool call. The agent's own function does not run, but the usual environment exists: the run has the agent, its
/// state and the request values, and the call has its limits and failure texts.
pub struct LoneCall<S> {
    /// The tool's name.
    pub tool: String,
    /// The arguments' JSON text.
    pub arguments: String,
    /// The run's initial state.
    pub state: S,
    /// The interrupted call that the input's resume entries continue; `None` for a new call.
    pub resumed: Option<ResumedLoneCall>,
    /// True if the caller has a user to ask. Otherwise a call that interrupts is [`Unanswered`](LoneCallError::Unanswered), and
    /// no conversation is kept.
    pub can_ask: bool,
}

/// A call that a [`LoneCallError::Interrupted`] ended. A cancelled interrupt continues the tool too, so each resume entry counts
/// once, whatever the status.
pub struct ResumedLoneCall {
    /// The [id](LoneCallError::Interrupted::call).
    pub call: ToolCallId,
    /// The [conversation](LoneCallError::Interrupted::conversation).
    pub conversation: String,
    /// Claims the resume entries for this process, once the entries are proven.
    pub claim: Option<ResumeClaim>,
}

/// Claims interrupts at a store that several processes share, by the ids that the client has; fails if another process was first.
pub type ResumeClaim = Box<dyn FnOnce(Vec<InterruptId>) -> BoxFuture<'static, Result<(), Stop>> + Send>;

/// Reads events from the run around a call, as they come. The run waits for the watcher.
pub trait CallWatcher: Send {
    /// Reads one event.
    fn watch(&mut self, event: &Event) -> impl Future<Output = ()> + Send;
}

impl<W: CallWatcher> CallWatcher for Option<W> {
    async fn watch(&mut self, event: &Event) {
        if let Some(watcher) = self {
            watcher.watch(event).await;
        }
    }
}

/// The reason why a call has no result.
#[derive(Debug)]
pub enum LoneCallError {
    /// The run failed: RUN_ERROR's message.
    Failed {
        /// The text.
        message: String,
    },
    /// The run was cancelled.
    Unanswered,
    /// The run ended with interrupts about the call, and the caller [can ask](LoneCall::can_ask).
    Interrupted {
        /// The call's id.
        call: ToolCallId,
        /// The interrupts, signed.
        interrupts: InterruptList,
        /// The sealed conversation of the call's subagents, for the run that resumes the call with these interrupts.
        conversation: String,
    },
}

impl<S> LoneCall<S> {
    /// Makes the call, and returns the result. Wrong arguments and tool errors are results too. Dropping the future cancels the
    /// tool.
    ///
    /// # Errors
    /// [`LoneCallError`] if the run failed, or ended without a result.
    pub async fn make<A: ToolSet<State = S>>(
        self,
        agent: Arc<A>,
        mut input: RunAgentInput,
        options: RunOptions,
        mut watcher: impl CallWatcher,
    ) -> Result<SettledCall, LoneCallError>
    where
        S: Send + 'static,
    {
        let (result_sender, mut result) = oneshot::channel();
        let mut kept = match &self.resumed {
            Some(resumed) => Some(KeptConversation::open::<A>(&mut input, &options, resumed)?),
            None => self.can_ask.then(|| KeptConversation::new::<A>(&input, &options)),
        };
        let mut call_id = self.resumed.as_ref().map(|resumed| resumed.call.clone());
        let options = options.counting_cancellations();
        let mut events = start_course(agent, input, options, LoneCallCourse { call: self, result_sender });
        let mut last = None;
        while let Some(event) = events.next().await {
            watcher.watch(&event).await;
            if let Some(kept) = &mut kept {
                kept.read(&event);
            }
            if let Event::ToolCallStart(start) = &event {
                call_id.get_or_insert_with(|| start.tool_call_id.clone());
            }
            last = Some(event);
        }
        match (result.try_recv(), last) {
            (Ok(Some(settled)), _) => Ok(settled),
            (_, Some(Event::RunError(error))) => Err(failed(error)),
            (_, Some(Event::RunFinished(end))) => match (end.outcome, call_id, kept) {
                (Some(RunFinishedOutcome::Interrupt(asked)), Some(call), Some(kept)) => {
                    let conversation = kept.seal(&call, &asked.interrupts)?;
                    Err(LoneCallError::Interrupted { call, interrupts: asked.interrupts, conversation })
                }
                _ => Err(LoneCallError::Unanswered),
            },
            _ => Err(LoneCallError::Unanswered),
        }
    }
}

fn failed(error: RunErrorEvent) -> LoneCallError {
    let message = match error.code.as_deref() {
        // A lone call cannot be cancelled, which the usual text recommends.
        Some("interrupt_expired") => "the question has expired: make the call anew".to_owned(),
        _ => error.message,
    };
    LoneCallError::Failed { message }
}

struct LoneCallCourse<S> {
    call: LoneCall<S>,
    result_sender: oneshot::Sender<SettledCall>,
}

impl<A: ToolSet> RunCourse<A> for LoneCallCourse<A::State> {
    async fn follow(self, run: &mut Run<A>, _: Input<A>) -> Result<Option<NonNull>, Stop> {
        let Self { call: LoneCall { tool, arguments, state, resumed, .. }, result_sender } = self;
        let starting = run.state().snapshot(&state);
        // It need not be `Sync`.
        drop(state);
        starting.await?;
        if let Some(ResumedLoneCall { call: id, claim, .. }) = resumed {
            if let Some(claim) = claim {
                let mut ids: Vec<_> = run.shared().consent().wire_ids().cloned().collect();
                // In the same order everywhere, so that one process gets all of them.
                ids.sort_unstable_by(|one, other| one.as_str().cmp(other.as_str()));
                claim(ids).await?;
            }
            let done = run.resume_approvals().await;
            if let Some(stop) = done.stop {
                return Err(stop);
            }
            if let Some(settled) = done.settled.into_iter().find(|settled| settled.id == id) {
                // The receiver lives as long as the run.
                let _ = result_sender.send(settled);
            }
            return Ok(None);
        }
        let mut call: Box<dyn AnyOpenCall<'_> + Send> = run.open_call(tool.as_str()).await?.boxed();
        call.push(arguments).await;
        let id = call.id().clone();
        let settled = match call.settle() {
            Ok(decided) => match decided.settle().await {
                SettleOutcome::Settled(settled) => settled,
                SettleOutcome::Pending(call) => return Err(Stop::await_frontend(call)),
                SettleOutcome::Stopped { stop, .. } => return Err(stop),
            },
            Err(why) => SettledCall {
                id,
                tool: tool.into(),
                content: failure_content(&why),
                parts: Vec::new(),
                failed: true,
            },
        };
        // The receiver lives as long as the run.
        let _ = result_sender.send(settled);
        Ok(None)
    }
}

//! Task cancellation by a client.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::timeout;

use super::TaskDesk;
use super::call::A2aCaller;
use super::failure::{OperationFailure, failure};
use super::load::LoadedTask;
use super::send::NewTaskRun;
use crate::a2a::{A2aTask, CancelTask, ErrorCode, TaskId, TaskState};
use crate::agent::{Agent, FinishedRun, Input, Run, Stop};
use crate::manifest::AgentSource;
use crate::protocol::{ResumeEntry, ResumeStatus};
use crate::server::threads::options::BusyThread;

/// The minimum time that a run has to end, before the client learns that the task still goes on.
const PATIENCE: Duration = Duration::from_secs(10);

/// Ends a run at once as cancelled: replaces an agent whose task waits for the client.
struct CancellingAgent;

impl Agent for CancellingAgent {
    type State = ();
    type Request = ();
    type Output = ();

    async fn run<'r>(&self, _: &'r mut Run<Self>, _: Input<Self>) -> Result<FinishedRun<'r, ()>, Stop> {
        Err(Stop::cancelled())
    }

    fn source() -> AgentSource {
        AgentSource::new("canceller")
    }
}

impl TaskDesk {
    /// Handles `CancelTask`. The task may change at any time: end, interrupt, or resume.
    pub(super) async fn cancel(
        self: &Arc<Self>,
        request: &CancelTask,
        caller: A2aCaller,
    ) -> Result<A2aTask, OperationFailure> {
        let id = TaskId::read(&request.id)?;
        let mut is_asked = false;
        let mut overtaken = None;
        loop {
            let mut loaded = self.load(&caller.owner, &id, None).await?;
            let state = loaded.view.state();
            if loaded.next.is_some() {
                is_asked = true;
                let task = self.cancel_running(&id, loaded).await?;
                // A run that asked before it was stopped leaves a task that waits.
                if !task.status.state.is_interrupted() {
                    return Ok(task);
                }
            } else if state == TaskState::Canceled && is_asked {
                // The run that was stopped is one that began after the task was loaded.
                return Ok(loaded.view.task().clone());
            } else if state.is_interrupted() {
                let status = loaded.view.task().status.clone();
                match overtaken {
                    // It is a run of another task of the context that goes on.
                    Some((before, error)) if before == status => {
                        return Err(OperationFailure::Protocol(error));
                    }
                    _ => {}
                }
                match self.cancel_waiting(id.clone(), &loaded, self.again(&caller)).await {
                    Err(OperationFailure::Overtaken(error)) => overtaken = Some((status, error)),
                    cancelled => return cancelled,
                }
            } else {
                return Err(ended());
            }
        }
    }

    /// Returns the caller for a further attempt, whose request body need not be kept.
    fn again(&self, caller: &A2aCaller) -> A2aCaller {
        let A2aCaller { owner, options, server, body, webhook } = caller;
        A2aCaller {
            owner: owner.clone(),
            options: options.clone(),
            server: server.clone(),
            body: self.settings.run_slots.body(body.client().cloned()),
            webhook: webhook.clone(),
        }
    }

    /// Stops the run, and waits for the end.
    async fn cancel_running(&self, id: &TaskId, loaded: LoadedTask) -> Result<A2aTask, OperationFailure> {
        self.threads.stop(&loaded.key, |run| id.has(run)).await?;
        let mut following = self.follow(loaded);
        let ending = async {
            while following.advance().await? {}
            Ok::<_, OperationFailure>(())
        };
        // Another server ends a lost run, some time after its lease.
        let patience = self.threads.options.lease.saturating_mul(2).max(PATIENCE);
        if let Ok(ended) = timeout(patience, ending).await {
            ended?;
        }
        match following.view.state() {
            // The run was faster than the request.
            TaskState::Completed | TaskState::Failed => Err(ended()),
            _ => Ok(following.view.task().clone()),
        }
    }

    /// Closes the interrupts with a run that does nothing else.
    async fn cancel_waiting(
        self: &Arc<Self>,
        id: TaskId,
        loaded: &LoadedTask,
        caller: A2aCaller,
    ) -> Result<A2aTask, OperationFailure> {
        let cancelled = |question: &crate::protocol::Interrupt| {
            ResumeEntry::new(question.id.clone(), ResumeStatus::Cancelled)
        };
        let resume = loaded.view.interrupts().iter().map(cancelled).collect();
        let run = id.cancelling_run();
        // An answer that goes on must be stopped, and not be waited for.
        let (busy, before) = (Some(BusyThread::Reject), Some(loaded.last.clone()));
        let new = NewTaskRun { id, run, messages: Vec::new(), resume, forwarded: None, busy, before };
        let mut following = self.start(new, Arc::new(CancellingAgent), caller).await?;
        while following.advance().await? {}
        Ok(following.view.task().clone())
    }
}

fn ended() -> OperationFailure {
    failure(ErrorCode::TaskNotCancelable, "the task has ended")
}

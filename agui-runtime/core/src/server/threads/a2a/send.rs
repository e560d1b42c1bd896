//! A client message: begins a task, or resumes one that waits.

use std::sync::Arc;

use super::TaskDesk;
use super::call::{A2aCaller, no_push};
use super::failure::{OperationFailure, failure, same_id};
use super::follow::{FollowedTask, ReaderShare, TaskUpdateStream, updates};
use super::load::{LoadedTask, with_history};
use crate::a2a::{
    A2aMessage, A2aPart, A2aUpdate, ErrorCode, SendMessage, TaskId, TaskState, task_resume_of, user_message,
};
use crate::agent::DynAgent;
use crate::kernel::Peer;
use crate::protocol::any_json::allowance::{MemoryAllowance, MemoryShare};
use crate::protocol::{JsonObject, Message, NonNull, PROTOCOL_VERSION, ResumeEntry, RunAgentInput, RunId};
use crate::random;
use crate::server::mount::RouteProtocol;
use crate::server::request::ag_ui_input::AgUiInput;
use crate::server::request::head::{ThreadCondition, ThreadRequest};
use crate::server::response::ag_ui_reply::AgUiReply;
use crate::server::response::encoding::StreamEncoding;
use crate::server::threads::options::BusyThread;
use crate::server::threads::start::{digest, start_read};

/// The maximum length of a context name in bytes: each task id contains the name.
const LONGEST_CONTEXT: usize = 512;

/// A task run that is about to begin.
pub(super) struct NewTaskRun {
    pub(super) id: TaskId,
    pub(super) run: RunId,
    pub(super) messages: Vec<Message>,
    pub(super) resume: Vec<ResumeEntry>,
    pub(super) forwarded: Option<NonNull>,
    /// The policy for a busy thread, if different from the server's.
    pub(super) busy: Option<BusyThread>,
    /// The task's last run, which this run continues: if another run was faster, the task no longer waits.
    pub(super) before: Option<RunId>,
}

impl NewTaskRun {
    fn into_input(self) -> RunAgentInput {
        let Self { id, run, messages, resume, forwarded, .. } = self;
        let mut input =
            RunAgentInput::new(id.thread(), run, messages).with_protocol_version(PROTOCOL_VERSION);
        input.resume = (!resume.is_empty()).then(|| resume.into());
        input.forwarded_props = forwarded;
        input
    }
}

/// A message to a task, and the run that the message begins.
struct TaskMessage<'m> {
    id: TaskId,
    run: RunId,
    message: &'m A2aMessage,
    forwarded: Option<NonNull>,
}

impl TaskDesk {
    /// Handles `SendMessage`: returns the task when the task has ended or waits for the client, or at once with
    /// `returnImmediately`; and the reader share that a repeated message holds.
    pub(super) async fn send(
        self: &Arc<Self>,
        request: SendMessage,
        caller: A2aCaller,
    ) -> Result<(A2aUpdate, ReaderShare), OperationFailure> {
        let (length, at_once) =
            (request.configuration.history_length, request.configuration.return_immediately);
        let mut following = self.begin(request, caller).await?;
        while !at_once && following.advance().await? {}
        let task = with_history(following.view.task().clone(), length)?;
        Ok((A2aUpdate::Task(task), following.share))
    }

    /// Handles `SendStreamingMessage`.
    pub(super) async fn send_streaming(
        self: &Arc<Self>,
        request: SendMessage,
        caller: A2aCaller,
    ) -> Result<TaskUpdateStream, OperationFailure> {
        Ok(updates(self.begin(request, caller).await?))
    }

    /// Begins a message's run, or finds the run that the same message began.
    async fn begin(
        self: &Arc<Self>,
        request: SendMessage,
        caller: A2aCaller,
    ) -> Result<FollowedTask, OperationFailure> {
        if request.configuration.task_push_notification_config.is_some() {
            return Err(no_push());
        }
        if request.configuration.history_length.is_some_and(|length| length < 0) {
            return Err(failure(ErrorCode::InvalidParams, "expected a `historyLength` of at least 0"));
        }
        let SendMessage { message, metadata, .. } = request;
        let forwarded = metadata.map(|metadata| {
            let metadata = JsonObject::from_iter([("metadata".to_owned(), metadata.into())]);
            NonNull::from(JsonObject::from_iter([("a2a".to_owned(), metadata.into())]))
        });
        let new = if message.task_id.is_empty() {
            self.new_task(&message, forwarded)?
        } else {
            let id = TaskId::read(&message.task_id)?;
            let run = id.run_of(&message.message_id);
            let answer = TaskMessage { id, run, message: &message, forwarded };
            if let Some(begun) = self.follow_begun(&caller, &answer).await? {
                return Ok(begun);
            }
            let loaded = self.load(&caller.owner, &answer.id, None).await?;
            match self.resume_task(&loaded, &answer) {
                Ok(new) => new,
                // The same message may have come a second time, and been faster.
                Err(failure) => return self.follow_begun(&caller, &answer).await?.ok_or(failure),
            }
        };
        let (id, owner, is_answer) = (new.id.clone(), caller.owner.clone(), !message.task_id.is_empty());
        match self.start(new, Arc::clone(&self.agent), caller).await {
            Err(OperationFailure::Overtaken(error)) if is_answer => {
                waits(self.load(&owner, &id, None).await?.view.state())?;
                Err(OperationFailure::Protocol(error))
            }
            started => started,
        }
    }

    /// Follows the run that a message to a task began; `None` without such a run.
    async fn follow_begun(
        &self,
        caller: &A2aCaller,
        answer: &TaskMessage<'_>,
    ) -> Result<Option<FollowedTask>, OperationFailure> {
        let TaskMessage { id, run, .. } = answer;
        let key = self.key(&caller.owner, id.thread());
        let Some(request) = self.request_of(&key, run).await? else {
            return Ok(None);
        };
        let place = self.threads.readers.admit(caller.body.client().cloned(), Some(&key))?;
        let loaded = self.load(&caller.owner, id, Some(run)).await?;
        // The questions may have been trimmed.
        let is_comparable = loaded.view.state().is_interrupted();
        if is_comparable && digest(&self.resume_task(&loaded, answer)?.into_input()) != request {
            return Err(same_id());
        }
        let mut following = self.follow(loaded);
        following.share.place = Some(place);
        Ok(Some(following))
    }

    fn new_task(
        &self,
        message: &A2aMessage,
        forwarded: Option<NonNull>,
    ) -> Result<NewTaskRun, OperationFailure> {
        let user = user_message(message, &self.card.default_input_modes)?;
        let context = message.context_id.as_str();
        if context.len() > LONGEST_CONTEXT {
            let message = format!("expected a `contextId` of at most {LONGEST_CONTEXT} bytes");
            return Err(failure(ErrorCode::InvalidParams, message));
        }
        let made =
            || format!("a2a-{:016x}{:016x}", random::number("context"), random::number(&message.message_id));
        let thread = if context.is_empty() { made() } else { context.to_owned() };
        let id = TaskId::begun_by(&thread, &message.message_id);
        let run = id.first_run();
        Ok(NewTaskRun {
            id,
            run,
            messages: vec![user.into()],
            resume: Vec::new(),
            forwarded,
            busy: None,
            before: None,
        })
    }

    /// Checks a message to a task, which must wait for the client.
    fn resume_task(
        &self,
        loaded: &LoadedTask,
        answer: &TaskMessage<'_>,
    ) -> Result<NewTaskRun, OperationFailure> {
        let TaskMessage { id, run, message, forwarded } = answer;
        if !message.context_id.is_empty() && message.context_id != id.thread() {
            return Err(failure(ErrorCode::InvalidParams, "the task is not one of this `contextId`"));
        }
        waits(loaded.view.state())?;
        let modes = &self.card.default_input_modes;
        user_message(message, modes)?;
        let (questions, calls) = (loaded.view.interrupts(), loaded.view.calls());
        let answers = task_resume_of(&message.parts, questions, calls, &message.message_id);
        let answers = answers.map_err(|expected| failure(ErrorCode::InvalidParams, expected))?;
        let mut messages: Vec<Message> = answers.results.into_iter().map(Message::from).collect();
        let beside = answers.are_named.then(|| texts_of(message)).filter(|said| !said.parts.is_empty());
        if let Some(said) = beside {
            messages.push(user_message(&said, modes)?.into());
        }
        Ok(NewTaskRun {
            id: id.clone(),
            run: run.clone(),
            messages,
            resume: answers.resume,
            forwarded: forwarded.clone(),
            busy: None,
            before: Some(loaded.last.clone()),
        })
    }

    /// Starts a run as an AG-UI request does, and follows the run from the beginning.
    pub(super) async fn start(
        self: &Arc<Self>,
        new: NewTaskRun,
        agent: Arc<dyn DynAgent>,
        caller: A2aCaller,
    ) -> Result<FollowedTask, OperationFailure> {
        let (id, run, before) = (new.id.clone(), new.run.clone(), new.before.clone());
        let busy = new.busy.unwrap_or_else(|| match self.threads.options.busy_at(&self.path) {
            // These clients read nothing while they wait for a task.
            BusyThread::ReplaceUnread | BusyThread::Steer => BusyThread::Reject,
            policy => policy,
        });
        let A2aCaller { owner, options, server, body, webhook } = caller;
        let client = body.client().cloned();
        let slot = self.settings.run_slots.take(body)?;
        let allowance = MemoryAllowance::new(Arc::clone(slot.body()) as Arc<dyn MemoryShare>);
        let server = server.peer(Peer::CURRENT).allowance(allowance.clone());
        let reply = AgUiReply {
            peer: Peer::CURRENT,
            encoding: StreamEncoding::Sse,
            protocol: RouteProtocol::AgUi,
            slot,
            settings: Arc::clone(&self.settings),
            state: None,
            allowance,
        };
        let input = AgUiInput { input: new.into_input(), options, server, reply };
        let still = before.map(|before| -> ThreadCondition {
            let id = id.clone();
            Box::new(move |note| {
                note.runs.iter().rfind(|run| id.has(&run.id)).is_some_and(|run| run.id == before)
            })
        });
        let request = ThreadRequest {
            input,
            owner: owner.clone(),
            cursor: None,
            webhook,
            busy: Some(busy),
            waiting: None,
            still,
        };
        let response = start_read(&self.threads, &self.path, agent, request).await?;
        let following = if response.reads_earlier_run() {
            let place = self.threads.readers.admit(client, Some(&self.key(&owner, id.thread())))?;
            let mut following = self.follow(self.load(&owner, &id, Some(&run)).await?);
            following.share.place = Some(place);
            following
        } else {
            self.follow(self.load_for_run(&owner, &id, &run).await?)
        };
        // It counted as a reader of the run until now.
        drop(response);
        Ok(following)
    }
}

/// Checks that a task waits for the client.
fn waits(state: TaskState) -> Result<(), OperationFailure> {
    let message = match state {
        state if state.is_interrupted() => return Ok(()),
        state if state.is_terminal() => "the task has ended: send the message with its `contextId` alone",
        _ => "the task is in progress: wait until it asks, or cancel it",
    };
    Err(failure(ErrorCode::UnsupportedOperation, message))
}

/// Returns the message with only the texts: the client sends them beside entries that name their interrupts.
fn texts_of(message: &A2aMessage) -> A2aMessage {
    let is_said = |part: &&A2aPart| part.as_text().is_some_and(|text| !text.is_empty());
    let parts = message.parts.iter().filter(is_said).cloned().collect();
    A2aMessage { parts, ..message.clone() }
}

//! User messages that join the run that works, instead of a second run.
//!
//! ```text
//! POST ─▶ decide ─▶ append `Steered` ─▶ inbox ─▶ the run takes them at a safe point ─▶ TEXT_MESSAGE events
//!                        └─▶ follow: no run has taken them ─▶ the next run begins with them
//! ```

use std::sync::Arc;

use futures_util::future::BoxFuture;
use futures_util::{StreamExt, stream};
use tokio::task::JoinHandle;
use tracing::Instrument;

use super::conversation::fold::PAGE;
use super::conversation::note::ThreadNote;
use super::conversation::record;
use super::conversation::record::ThreadRecord;
use super::conversation::steering::{SteeringAppend, SteeringDecision, catch_up, decide, record_messages};
use super::options::BusyThread;
use super::readers::join::join;
use super::readers::reader::thread_body;
use super::readers::slice::EventFormat;
use super::refusal::{busy, changed, steering_too_large, unavailable};
use super::response::ThreadResponse;
use super::start::{format_of, peer_of, start_thread};
use super::store::{ServerThreads, no_clear_result};
use crate::agent::DynAgent;
use crate::protocol::forms::since::VersionedObject as _;
use crate::protocol::{Event, Message, MessageId, RunAgentInput, RunId};
use crate::quoted::quoted;
use crate::receive::FrameIntake;
use crate::server::limits::budget::ClientKey;
use crate::server::request::ag_ui_input::AgUiInput;
use crate::server::request::head::{ThreadRequest, WaitingMessage};
use crate::server::response::body::BodySource;
use crate::server::response::rejection::Rejection;
use crate::thread::{LogHead, ThreadKey};

/// The place of a request whose messages may join the run that works.
pub(super) struct SteeringRequest {
    pub(super) threads: Arc<ServerThreads>,
    pub(super) path: String,
    pub(super) key: ThreadKey,
    pub(super) agent: Arc<dyn DynAgent>,
    /// The digest of the request.
    pub(super) digest: String,
    /// The URL that receives the end of a run that the messages start.
    pub(super) webhook: Option<String>,
}

/// The outcome for a request on a thread with an open run.
pub(super) enum SteeringOutcome {
    /// The store has the messages.
    Response(ThreadResponse),
    /// The run has ended meanwhile.
    Changed(Box<AgUiInput>),
    /// A run of its own takes the request.
    Waits(Box<AgUiInput>),
}

/// The outcome of storing messages.
enum StoredMessages {
    /// The store has all messages up to this one.
    Until(MessageId),
    Changed,
    Waits,
}

/// The outcome of storing messages, with the task that starts the next run.
enum FollowedMessages {
    Until(MessageId, JoinHandle<Result<ThreadResponse, Rejection>>),
    Changed(Box<AgUiInput>),
    Waits(Box<AgUiInput>),
}

impl SteeringRequest {
    /// Stores the request's new messages for the open run, and responds with that run's events. If the run does not take the
    /// messages, the response goes on with the run that does.
    pub(super) async fn steer(
        self,
        input: AgUiInput,
        head: LogHead,
        note: ThreadNote,
    ) -> Result<SteeringOutcome, Rejection> {
        let Some(run) = note.open().map(|open| open.id.clone()) else {
            return Ok(SteeringOutcome::Changed(Box::new(input)));
        };
        // Before anything is stored or read for the client.
        let client = input.reply.slot.client().cloned();
        let reader = self.threads.readers.admit(client.clone(), Some(&self.key))?;
        let (format, settings) = (format_of(&input), Arc::clone(&input.reply.settings));
        let (threads, key) = (Arc::clone(&self.threads), self.key.clone());
        // A client that leaves while the record is written must not leave a message that no run takes.
        let storing = tokio::spawn(self.store_and_follow(input, (head, note), run.clone()).in_current_span());
        let (last, next) = match storing.await {
            Ok(stored) => match stored? {
                FollowedMessages::Until(last, next) => (last, next),
                FollowedMessages::Changed(input) => return Ok(SteeringOutcome::Changed(input)),
                FollowedMessages::Waits(input) => return Ok(SteeringOutcome::Waits(input)),
            },
            Err(error) => match error.try_into_panic() {
                Ok(panic) => std::panic::resume_unwind(panic),
                Err(stopped) => return Err(unavailable(&stopped)),
            },
        };
        let events = match join(&threads, key.clone(), None, false, format, reader).await? {
            Some(part) => thread_body(&threads, part, format),
            // The thread was deleted.
            None => return Err(changed()),
        };
        let response = ThreadResponse::new(events, format, settings).of_earlier_run();
        Ok(SteeringOutcome::Response(response.then(async move {
            match next.await {
                Ok(Ok(response)) => Some(response.events),
                _ => newer_run(&threads, key, &run, &last, format, client).await,
            }
        })))
    }

    /// Stores the messages, and starts the task that begins the next run with them.
    async fn store_and_follow(
        self,
        mut input: AgUiInput,
        thread: (LogHead, ThreadNote),
        run: RunId,
    ) -> Result<FollowedMessages, Rejection> {
        Ok(match self.store(&input, thread, &run).await? {
            StoredMessages::Until(last) => {
                // The log has them, and the run that takes them reads them there.
                (input.input.messages, input.input.state) = (Vec::new(), None);
                // The message may wait as long as the run goes on: the wait is no run.
                input.reply.slot.release();
                FollowedMessages::Until(last.clone(), self.follow(input, last))
            }
            StoredMessages::Changed => FollowedMessages::Changed(Box::new(input)),
            StoredMessages::Waits => FollowedMessages::Waits(Box::new(input)),
        })
    }

    /// Stores the messages, unless the store has them.
    async fn store(
        &self,
        input: &AgUiInput,
        (head, note): (LogHead, ThreadNote),
        run: &RunId,
    ) -> Result<StoredMessages, Rejection> {
        let Self { threads, key, .. } = self;
        let mut sent = input.input.clone();
        sent.state = None;
        for message in &mut sent.messages {
            message.restrict(peer_of(input).version());
            message.remove_lone_types();
        }
        let _fold = threads.fold_for_run(&note).await;
        let Some(mut thread) = threads.folded(key, head, note).await? else {
            return Ok(StoredMessages::Changed);
        };
        let mut backoff = threads.backoff();
        loop {
            let new = match decide(&sent, &thread)? {
                SteeringDecision::Join(new) => new,
                SteeringDecision::Known(last) => {
                    // The acknowledgement may have been lost.
                    threads.local_runs.steer(key, run, thread.waiting().to_vec());
                    return Ok(StoredMessages::Until(last));
                }
                SteeringDecision::Wait => return Ok(StoredMessages::Waits),
                SteeringDecision::Refuse => return Err(busy()),
            };
            let messages: Vec<Message> = new.iter().cloned().map(Into::into).collect();
            let record = RunAgentInput::new(sent.thread_id.clone(), sent.run_id.clone(), messages);
            let lease = threads.options.lease;
            match record_messages(&threads.log, key, &thread, (record, &self.digest), lease).await? {
                SteeringAppend::Recorded => {
                    let last = new.last().map(|message| message.id.clone());
                    threads.local_runs.steer(key, run, new);
                    return Ok(last.map_or(StoredMessages::Changed, StoredMessages::Until));
                }
                SteeringAppend::TooLarge(bytes) => return Err(steering_too_large(bytes)),
                SteeringAppend::Conflict => {}
                SteeringAppend::Unknown => {
                    if !backoff.wait().await {
                        return Err(no_clear_result().into());
                    }
                }
            }
            if !catch_up(&threads.log, key, &mut thread).await?
                || thread.note.open().is_none_or(|open| open.id != *run)
            {
                return Ok(StoredMessages::Changed);
            }
        }
    }

    /// Starts the next run with the message in a separate task, unless a run takes the message before: the client may leave.
    fn follow(self, input: AgUiInput, message: MessageId) -> JoinHandle<Result<ThreadResponse, Rejection>> {
        let request = ThreadRequest {
            input,
            owner: self.key.owner().to_owned(),
            cursor: None,
            webhook: self.webhook,
            busy: Some(BusyThread::Queue),
            waiting: Some(WaitingMessage { id: message, request: self.digest }),
            still: None,
        };
        tokio::spawn(begin_next(self.threads, self.path, self.agent, request).in_current_span())
    }
}

fn begin_next(
    threads: Arc<ServerThreads>,
    path: String,
    agent: Arc<dyn DynAgent>,
    request: ThreadRequest,
) -> BoxFuture<'static, Result<ThreadResponse, Rejection>> {
    Box::pin(async move {
        let started = start_again(threads, path, agent, request).await;
        if let Err(rejection) = &started
            && rejection.code() != changed().code()
        {
            tracing::warn!(error = %quoted(rejection), "a message that a run did not take waits for the thread's next run");
        }
        started
    })
}

/// As [`start_thread`], which calls this function: a future cannot contain itself.
pub(super) fn start_again(
    threads: Arc<ServerThreads>,
    path: String,
    agent: Arc<dyn DynAgent>,
    request: ThreadRequest,
) -> BoxFuture<'static, Result<ThreadResponse, Rejection>> {
    Box::pin(async move { start_thread(&threads, &path, agent, request).await })
}

/// Returns the thread's events, if another request began a run after `earlier` with the message.
async fn newer_run(
    threads: &Arc<ServerThreads>,
    key: ThreadKey,
    earlier: &RunId,
    message: &MessageId,
    format: EventFormat,
    client: Option<ClientKey>,
) -> Option<BodySource> {
    let head = threads.log.head(&key).await.ok()?;
    let note = ThreadNote::read(&head.note).ok()?;
    let newer = note.runs.iter().rev().take_while(|run| run.id != *earlier);
    let begun = stream::iter(newer).any(|run| begins_with(threads, &key, run.first, message)).await;
    if !begun {
        return None;
    }
    let reader = threads.readers.admit(client, Some(&key)).ok()?;
    let part = join(threads, key, None, false, format, reader).await.ok()??;
    Some(thread_body(threads, part, format))
}

/// True if the run that was claimed with the record `claim` began with the message.
async fn begins_with(threads: &ServerThreads, key: &ThreadKey, claim: u64, message: &MessageId) -> bool {
    let Ok(page) = threads.log.read(key, claim, PAGE).await else { return false };
    let mut intake = FrameIntake::new();
    let mut records = page.records.iter().map(|(seq, record)| record::read(*seq, record, &mut intake));
    let started = records.find_map(|record| match record {
        Ok(Some(ThreadRecord::Event(Event::RunStarted(started)))) => Some(started),
        _ => None,
    });
    let echo = started.and_then(|started| started.input);
    echo.is_some_and(|input| input.messages.iter().any(|begun| begun.id() == message))
}

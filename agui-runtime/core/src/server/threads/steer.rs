//! User messages that join the run that works, instead of a second run.
//!
//! ```text
//! POST ─▶ decide ─▶ append `Steered` ─▶ inbox ─▶ the run takes them at a safe point ─▶ TEXT_MESSAGE events
//!                        └─▶ follow: no run has taken them ─▶ the next run begins with them
//! ```

use std::future::Future;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use futures_util::{StreamExt, stream};
use tracing::Instrument;

use super::conversation::note::ThreadNote;
use super::conversation::steering::{SteeringAppend, SteeringDecision, catch_up, decide, record_messages};
use super::options::BusyThread;
use super::readers::join::join;
use super::readers::reader::thread_body;
use super::readers::slice::EventFormat;
use super::refusal::{busy, changed, steering_too_large, unavailable};
use super::response::ThreadResponse;
use super::start::{peer_of, start_thread};
use super::store::{ServerThreads, no_clear_result};
use crate::agent::DynAgent;
use crate::protocol::forms::since::VersionedObject as _;
use crate::protocol::{MessageId, RunAgentInput, RunId};
use crate::quoted::quoted;
use crate::server::limits::budget::ClientKey;
use crate::server::request::ag_ui_input::AgUiInput;
use crate::server::request::head::{ThreadRequest, WaitingMessage};
use crate::server::response::body::BodySource;
use crate::server::response::rejection::Rejection;
use crate::thread::{LogHead, ThreadCursor, ThreadKey};

/// The place of a request whose messages may join the run that works.
pub(super) struct SteeringRequest<'r> {
    pub(super) threads: &'r Arc<ServerThreads>,
    pub(super) path: &'r str,
    pub(super) key: &'r ThreadKey,
    pub(super) agent: &'r Arc<dyn DynAgent>,
    /// The digest of the request.
    pub(super) digest: &'r str,
    /// The URL that receives the end of a run that the messages start.
    pub(super) webhook: Option<&'r str>,
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

impl SteeringRequest<'_> {
    /// Stores the request's new messages for the open run, and responds with that run's events. If the run does not take the
    /// messages, the response goes on with the run that does.
    pub(super) async fn steer(
        self,
        mut input: AgUiInput,
        head: LogHead,
        note: ThreadNote,
    ) -> Result<SteeringOutcome, Rejection> {
        let Some(run) = note.open().map(|open| open.id.clone()) else {
            return Ok(SteeringOutcome::Changed(Box::new(input)));
        };
        // Before anything is stored or read for the client.
        let client = input.reply.slot.client().cloned();
        let reader = self.threads.readers.admit(client.clone(), Some(self.key))?;
        let last = match self.store(&input, (head, note), &run).await? {
            StoredMessages::Until(last) => last,
            StoredMessages::Changed => return Ok(SteeringOutcome::Changed(Box::new(input))),
            StoredMessages::Waits => return Ok(SteeringOutcome::Waits(Box::new(input))),
        };
        let (format, settings) = (format_of(&input), Arc::clone(&input.reply.settings));
        let (threads, key) = (Arc::clone(self.threads), self.key.clone());
        // The log has them, and the run that takes them reads them there.
        (input.input.messages, input.input.state) = (Vec::new(), None);
        let next = self.follow(input, last);
        let events = match join(&threads, key.clone(), None, false, format, reader).await? {
            Some(part) => thread_body(&threads, part, format),
            // The thread was deleted.
            None => return Err(changed()),
        };
        let response = ThreadResponse {
            events,
            peer: format.peer,
            encoding: format.encoding,
            settings,
            span: tracing::Span::current(),
            reads_earlier_run: true,
        };
        Ok(SteeringOutcome::Response(response.then(async move {
            match next.await {
                Ok(response) => Some(response.events),
                Err(_) => newer_run(&threads, key, &run, format, client).await,
            }
        })))
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
        let rest = RunAgentInput { messages: Vec::new(), ..sent.clone() };
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
            let messages = new.iter().cloned().map(Into::into).collect();
            let record = RunAgentInput { messages, ..rest.clone() };
            let lease = threads.options.lease;
            match record_messages(&threads.log, key, &thread, (record, self.digest), lease).await? {
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
    fn follow(
        self,
        input: AgUiInput,
        message: MessageId,
    ) -> impl Future<Output = Result<ThreadResponse, Rejection>> + Send + use<> {
        let request = ThreadRequest {
            input,
            owner: self.key.owner().to_owned(),
            cursor: None,
            webhook: self.webhook.map(str::to_owned),
            busy: Some(BusyThread::Queue),
            waiting: Some(WaitingMessage { id: message, request: self.digest.to_owned() }),
            still: None,
        };
        let (threads, path, agent) = (Arc::clone(self.threads), self.path.to_owned(), Arc::clone(self.agent));
        let task = tokio::spawn(begin_next(threads, path, agent, request).in_current_span());
        async move { task.await.unwrap_or_else(|stopped| Err(unavailable(&stopped))) }
    }
}

fn begin_next(
    threads: Arc<ServerThreads>,
    path: String,
    agent: Arc<dyn DynAgent>,
    request: ThreadRequest,
) -> BoxFuture<'static, Result<ThreadResponse, Rejection>> {
    Box::pin(async move {
        let started = start_thread(&threads, &path, agent, request).await;
        if let Err(rejection) = &started
            && rejection.code() != changed().code()
        {
            tracing::warn!(error = %quoted(rejection), "a message that a run did not take waits for the thread's next run");
        }
        started
    })
}

/// Returns the events of a run that another request began after `earlier`, and that took the messages.
async fn newer_run(
    threads: &Arc<ServerThreads>,
    key: ThreadKey,
    earlier: &RunId,
    format: EventFormat,
    client: Option<ClientKey>,
) -> Option<BodySource> {
    let head = threads.log.head(&key).await.ok()?;
    let note = ThreadNote::read(&head.note).ok()?;
    note.runs.last().filter(|run| run.id != *earlier)?;
    let reader = threads.readers.admit(client, Some(&key)).ok()?;
    let part = join(threads, key, None, false, format, reader).await.ok()??;
    Some(thread_body(threads, part, format))
}

/// True if a message of the input waits for a run.
pub(super) async fn has_waiting(
    threads: &Arc<ServerThreads>,
    key: &ThreadKey,
    (head, note): (&LogHead, &ThreadNote),
    input: &RunAgentInput,
) -> Result<bool, Rejection> {
    let _fold = threads.fold_for_run(note).await;
    let thread = threads.folded(key, head.clone(), note.clone()).await?;
    Ok(thread.is_none_or(|thread| input.messages.iter().any(|message| thread.has_waiting(message.id()))))
}

/// Responds to a repeated request whose messages have joined a run: with the thread's newest run.
pub(super) async fn rejoin(
    threads: &Arc<ServerThreads>,
    key: ThreadKey,
    cursor: Option<ThreadCursor>,
    input: AgUiInput,
) -> Result<ThreadResponse, Rejection> {
    let format = format_of(&input);
    let reader = threads.readers.admit(input.reply.slot.client().cloned(), Some(&key))?;
    let events = match join(threads, key, cursor, false, format, reader).await? {
        Some(part) => thread_body(threads, part, format),
        // The client has all events.
        None => BodySource::Thread(stream::empty().boxed()),
    };
    Ok(ThreadResponse {
        events,
        peer: format.peer,
        encoding: format.encoding,
        settings: input.reply.settings,
        span: tracing::Span::current(),
        reads_earlier_run: true,
    })
}

fn format_of(input: &AgUiInput) -> EventFormat {
    let reply = &input.reply;
    EventFormat { peer: peer_of(input), encoding: reply.encoding, serial: reply.settings.serial }
}

//! A run over successive connections: after a lost connection, another one continues from the last delivered event.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use bytes::Bytes;
use futures_util::{StreamExt, stream};
use http::header::RETRY_AFTER;

use super::HttpAgent;
use super::answer::{Body, Room};
use super::cursor::RunCursors;
use super::limit::Deadlines;
use super::reader::{Reader, Received};
use super::restate::{Delivered, is_end};
use crate::client::{ClientError, Frame, Frames, TimedOut};
use crate::jitter::jittered;
use crate::protocol::RunId;
use crate::{date, random};

/// The longest pause that a server may request; the client gives a run up rather than pause longer.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

/// The kind of request that a connection makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    /// Start a run, or continue it after a cursor.
    Run,
    /// Follow the thread.
    Connect,
}

/// Makes a response's reader from the content type.
pub(super) type MakeReader = Box<dyn FnOnce(&str) -> Reader + Send>;

/// A run, or a thread, followed to the end.
pub(super) struct Follow {
    agent: HttpAgent,
    target: Target,
    input: Bytes,
    cursors: RunCursors,
    /// Makes the first response's reader.
    first_reader: Option<MakeReader>,
    deadlines: Deadlines,
    room: Room,
    connection: Connection,
    /// The last delivered event's id.
    cursor: Option<String>,
    delivered: Delivered,
    has_delivered: bool,
    /// The frames of a restarted stream, up to the first frame with an id.
    prelude: Option<Vec<Frame>>,
    ready: VecDeque<Frame>,
    /// The attempts since the last progress.
    attempts: usize,
}

enum Connection {
    None,
    Open { body: Box<Body>, since: Instant },
    Ended,
}

/// A failed request for a stream.
struct Failure {
    error: ClientError,
    /// The pause that the server requests.
    pause: Option<Duration>,
}

impl From<ClientError> for Failure {
    fn from(error: ClientError) -> Self {
        Self { error, pause: None }
    }
}

impl Failure {
    /// True if the same request may succeed later.
    fn may_pass(&self) -> bool {
        match &self.error {
            ClientError::Status { status, .. } => matches!(status, 408 | 425 | 429 | 502 | 503 | 504),
            error => is_loss(error),
        }
    }

    fn is_trimmed(&self) -> bool {
        matches!(self.error, ClientError::Status { status: 410, .. })
    }
}

/// True if the connection failed, not the run.
fn is_loss(error: &ClientError) -> bool {
    match error {
        ClientError::Connect(_) | ClientError::Network(_) => true,
        ClientError::Timeout { waited_for, .. } => *waited_for != TimedOut::WholeRun,
        _ => false,
    }
}

impl Follow {
    pub(super) fn new(
        agent: HttpAgent,
        target: Target,
        run: &RunId,
        input: Bytes,
        first_reader: MakeReader,
    ) -> Self {
        Self {
            deadlines: agent.limits.start(),
            room: Room::new(agent.max_run),
            cursors: RunCursors::of(run),
            agent,
            target,
            input,
            first_reader: Some(first_reader),
            connection: Connection::None,
            cursor: None,
            delivered: Delivered::default(),
            has_delivered: false,
            prelude: None,
            ready: VecDeque::new(),
            attempts: 0,
        }
    }

    pub(super) fn frames(self) -> Frames {
        let next = |mut follow: Self| async move { Ok(follow.next().await?.map(|frame| (frame, follow))) };
        stream::try_unfold(self, next).boxed()
    }

    async fn next(&mut self) -> Result<Option<Frame>, ClientError> {
        loop {
            if let Some(frame) = self.ready.pop_front() {
                self.has_delivered = true;
                return Ok(Some(frame));
            }
            let body = match &mut self.connection {
                Connection::None => {
                    self.begin().await?;
                    continue;
                }
                Connection::Open { body, .. } => body,
                Connection::Ended => return Ok(None),
            };
            let lost = match body.next(self.deadlines, &mut self.room).await {
                Ok(Some(received)) => {
                    self.take(received)?;
                    continue;
                }
                Ok(None) => None,
                Err(error) => Some(error),
            };
            if self.delivered.is_over() {
                return Ok(None);
            }
            if self.can_resume(lost.as_ref()) {
                self.again(lost.unwrap_or_else(cut_off).into()).await?;
            } else if let Some(error) = lost {
                return Err(error);
            } else {
                self.take_rest()?;
            }
        }
    }

    /// Takes the frames left at the end of a stream that is not continued.
    fn take_rest(&mut self) -> Result<(), ClientError> {
        if let Connection::Open { body, .. } = &mut self.connection {
            match body.rest()? {
                Some(received) => self.ready.push_back(received.frame),
                None => self.connection = Connection::Ended,
            }
        }
        Ok(())
    }

    /// Makes the first connection.
    async fn begin(&mut self) -> Result<(), ClientError> {
        match self.connect().await {
            Ok(()) => Ok(()),
            // The thread is empty.
            Err(Failure { error: ClientError::NoStream { status: 204 }, .. })
                if self.target == Target::Connect =>
            {
                self.connection = Connection::Ended;
                Ok(())
            }
            Err(failure) if self.agent.is_resumable() && failure.may_pass() => self.again(failure).await,
            Err(failure) => Err(failure.error),
        }
    }

    /// Makes another connection after one was lost.
    async fn again(&mut self, mut failure: Failure) -> Result<(), ClientError> {
        if let Connection::Open { since, .. } = std::mem::replace(&mut self.connection, Connection::None)
            && since.elapsed() >= self.agent.reconnect.longest()
        {
            self.attempts = 0;
        }
        loop {
            let asked = failure.pause.unwrap_or_default();
            if self.attempts >= self.agent.reconnect.limit() || asked > LONGEST_PAUSE {
                let last = Box::new(failure.error);
                return Err(ClientError::Lost { attempts: self.attempts, last });
            }
            let pause = jittered(self.agent.reconnect.pause(self.attempts), random::number(())).max(asked);
            tracing::debug!(error = %failure.error, ?pause, "the connection of a run was lost");
            self.attempts += 1;
            self.deadlines.sleep(pause).await?;
            if self.cursor.is_none() && self.has_delivered {
                self.restate();
            }
            failure = match self.connect().await {
                Ok(()) => return Ok(()),
                Err(failure) if failure.is_trimmed() && self.cursor.is_some() => {
                    self.restate();
                    match self.connect().await {
                        Ok(()) => return Ok(()),
                        Err(failure) => failure,
                    }
                }
                Err(failure) => failure,
            };
            if !failure.may_pass() {
                return Err(failure.error);
            }
        }
    }

    /// Requests the current conversation: the missed events are deleted, or cannot be named.
    fn restate(&mut self) {
        self.target = Target::Connect;
        self.cursor = None;
        self.prelude = Some(Vec::new());
    }

    async fn connect(&mut self) -> Result<(), Failure> {
        let input = self.input.clone();
        let response = self.agent.post(self.target, input, self.cursor.as_deref(), self.deadlines).await?;
        let pause = response
            .headers()
            .get(RETRY_AFTER)
            .and_then(|value| date::retry_after_delay(value.to_str().ok()?.trim()));
        let max_frame = self.agent.max_frame;
        let reader = self.first_reader.take();
        let reader = move |content_type: &str| match reader {
            Some(reader) => reader(content_type),
            None => Reader::of(content_type, max_frame),
        };
        let body = Body::of(response, self.deadlines, reader).await;
        let body = body.map_err(|error| Failure { error, pause })?;
        self.connection = Connection::Open { body: Box::new(body), since: Instant::now() };
        Ok(())
    }

    fn take(&mut self, received: Received) -> Result<(), ClientError> {
        let Received { frame, id } = received;
        let id = id.filter(|id| {
            self.target == Target::Connect || self.agent.is_resumable() || self.cursors.contains(id)
        });
        if id.is_some() {
            self.attempts = 0;
            self.agent.stores_threads();
        }
        match &mut self.prelude {
            Some(prelude) => {
                let is_last = id.is_some() || is_end(&frame);
                prelude.push(frame);
                if is_last {
                    let prelude = self.prelude.take().unwrap_or_default();
                    self.ready.extend(self.delivered.join(prelude)?);
                }
            }
            None => {
                if id.is_some() || self.cursor.is_some() || self.target == Target::Connect {
                    self.delivered.note(&frame);
                }
                self.ready.push_back(frame);
            }
        }
        // A frame without an id keeps the cursor.
        self.cursor = id.or_else(|| self.cursor.take());
        Ok(())
    }

    /// True if another connection can continue the stream: the server stores the events, and the client can name the last event or
    /// has received none.
    fn can_resume(&self, lost: Option<&ClientError>) -> bool {
        let is_known = self.target == Target::Connect
            || self.cursor.is_some()
            || self.agent.is_resumable() && !self.has_delivered;
        is_known && self.agent.reconnect.limit() > 0 && lost.is_none_or(is_loss)
    }
}

fn cut_off() -> ClientError {
    ClientError::Network("the stream stopped before the run ended".into())
}

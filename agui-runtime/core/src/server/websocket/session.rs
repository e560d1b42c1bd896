//! One socket: the client's frames, the runs, and the end.

use std::collections::HashMap;
use std::panic::AssertUnwindSafe;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::extract::Request;
use axum::response::IntoResponse as _;
use futures_util::stream::SplitStream;
use futures_util::{FutureExt as _, StreamExt as _};
use http::StatusCode;
use http::request::Parts;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot, watch};
use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, Role, WebSocketConfig};
use tokio_tungstenite::tungstenite::{Error, Message};

use super::channel::RunChannel;
use super::credit::FrameCredit;
use super::frames::{self, SocketRequest};
use super::handshake::{SocketAgents, SocketCaller};
use super::meter::{MessageMeter, MeteredSocket};
use super::outbox::FrameOutbox;
use super::outgoing::{self, SocketSink};
use super::run_frames::RunFrames;
use super::{farewell, held};
use crate::server::lifetime::connection::{OngoingRun, SocketCloseReason, UpgradedConnection};
use crate::server::limits::body_time::BodyTimeLimit;
use crate::server::limits::budget::ClientKey;
use crate::server::response::panicked;
use crate::server::response::rejection::Rejection;

/// A frame's maximum bytes besides the input.
const ENVELOPE: usize = 64 * 1024;

/// The size of each I/O buffer in bytes. Every open socket has a read and a write buffer.
const BUFFER: usize = 8 * 1024;

/// The time limit for a client's response to a close frame.
const GOODBYE: Duration = Duration::from_secs(1);

/// The socket half that frames are read from.
type SocketFrames<S> = SplitStream<WebSocketStream<MeteredSocket<S>>>;

/// A socket's open runs, by id.
#[derive(Clone, Default)]
struct SocketRuns(Arc<Mutex<HashMap<String, OngoingSocketRun>>>);

struct OngoingSocketRun {
    credit: Arc<FrameCredit>,
    /// Dropped to cancel the run.
    cancel: Option<oneshot::Sender<()>>,
}

impl SocketRuns {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, OngoingSocketRun>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Serves a socket until it ends.
pub(super) async fn serve<S>(
    socket: S,
    reached: Arc<SocketAgents>,
    caller: SocketCaller,
    connection: UpgradedConnection,
) where
    S: AsyncRead + AsyncWrite + Unpin,
{
    let limits = &reached.limits;
    let message = limits.body_size.saturating_add(ENVELOPE);
    let config = WebSocketConfig::default()
        .read_buffer_size(BUFFER)
        .write_buffer_size(BUFFER)
        .max_message_size(Some(message))
        .max_frame_size(Some(message));
    let client = budget_client(&caller);
    let time = BodyTimeLimit::new(limits.body_timeout);
    let meter = MessageMeter::new(&reached.run_slots, client, time);
    let metered = MeteredSocket { socket, meter: Arc::clone(&meter), connection: connection.clone() };
    let (sink, frames) = WebSocketStream::from_raw_socket(metered, Role::Server, Some(config)).await.split();
    let ping = limits.write_timeout.map(|time| time / 2).filter(|time| !time.is_zero());
    let (out, queue) = FrameOutbox::new();
    let (leave, left) = watch::channel(SocketCloseReason::Stay);
    let sending = outgoing::send(sink, queue, Arc::clone(&meter), ping);
    let session = WebSocketSession {
        slots: Arc::new(Semaphore::new(limits.streams as usize)),
        reached: Arc::clone(&reached),
        caller,
        connection: connection.clone(),
        out: Arc::new(out),
        meter,
        runs: SocketRuns::default(),
        tasks: JoinSet::new(),
    };
    let both = async {
        let mut sending = pin!(sending);
        let (frames, is_closing) = tokio::select! {
            read = session.read_frames(frames, left) => read,
            failed = &mut sending => return failed.map(drop),
        };
        if is_closing {
            let sink = sending.await?;
            // The client may not answer.
            let _ = timeout(GOODBYE, await_close(sink, frames)).await;
        }
        Ok::<_, Error>(())
    };
    connection.drive(leave, both).await;
}

/// Waits until the client has responded to the close frame, and has closed the connection. Frames until then are read: a
/// connection dropped with unread bytes is reset, and the client may lose the close frame.
async fn await_close<S>(sink: SocketSink<S>, frames: SocketFrames<S>)
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    let Ok(mut socket) = sink.reunite(frames) else { return };
    while let Some(Ok(_)) = socket.next().await {}
    let socket = &mut socket.get_mut().socket;
    if socket.shutdown().await.is_ok() {
        let mut unread = [0; 1024];
        while socket.read(&mut unread).await.is_ok_and(|bytes| bytes > 0) {}
    }
}

/// Returns the client whose bytes the messages are. Its identity is known only when the layers have seen a run.
fn budget_client(caller: &SocketCaller) -> Option<ClientKey> {
    let (mut parts, ()): (Parts, ()) = http::Request::new(()).into_parts();
    parts.extensions = caller.extensions.clone();
    ClientKey::from_request(&parts, None)
}

struct WebSocketSession {
    reached: Arc<SocketAgents>,
    caller: SocketCaller,
    connection: UpgradedConnection,
    /// One permit for each run that may go on.
    slots: Arc<Semaphore>,
    out: Arc<FrameOutbox>,
    meter: Arc<MessageMeter>,
    runs: SocketRuns,
    tasks: JoinSet<()>,
}

impl WebSocketSession {
    /// Reads frames until the socket is to be closed. Returns true if this end has queued the frame that closes it.
    async fn read_frames<S>(
        mut self,
        mut frames: SocketFrames<S>,
        left: watch::Receiver<SocketCloseReason>,
    ) -> (SocketFrames<S>, bool)
    where
        S: AsyncRead + AsyncWrite + Unpin,
    {
        let close = self.serve(&mut frames, left).await;
        // Their events would have no reader.
        self.tasks.abort_all();
        self.runs.lock().clear();
        let is_closing = match close {
            Some(close) => self.out.send(Message::Close(Some(close))).await.is_ok(),
            None => false,
        };
        (frames, is_closing)
    }

    /// Returns the close frame; `None` if the client closed the socket.
    async fn serve<S>(
        &mut self,
        frames: &mut SocketFrames<S>,
        mut left: watch::Receiver<SocketCloseReason>,
    ) -> Option<CloseFrame>
    where
        S: AsyncRead + AsyncWrite + Unpin,
    {
        let mut is_closing = false;
        loop {
            if is_closing && self.tasks.is_empty() {
                return Some(farewell::close_frame(CloseCode::Away, "the server ends"));
            }
            tokio::select! {
                // A socket that was given up as idle takes no further run.
                biased;
                changed = left.changed(), if !is_closing => match *left.borrow_and_update() {
                    SocketCloseReason::Idle => return Some(farewell::close_frame(CloseCode::Normal, "no run was on the socket")),
                    SocketCloseReason::Closing => is_closing = true,
                    SocketCloseReason::Stay if changed.is_ok() => {}
                    SocketCloseReason::Stay => return None,
                },
                _ = self.tasks.join_next(), if !self.tasks.is_empty() => {}
                frame = frames.next() => {
                    let taken = match frame {
                        Some(Ok(frame)) => self.handle_frame(frame, is_closing).await,
                        Some(Err(error)) => Err(farewell::error_close_frame(&error)),
                        None => Err(None),
                    };
                    if let Err(close) = taken {
                        return close;
                    }
                }
            }
        }
    }

    /// Handles a frame; an error closes the socket.
    async fn handle_frame(&mut self, frame: Message, is_closing: bool) -> Result<(), Option<CloseFrame>> {
        let text = match frame {
            Message::Text(text) => text,
            Message::Ping(payload) | Message::Pong(payload) => {
                // Pings are answered by the next polls.
                self.meter.skip(payload.len());
                return Ok(());
            }
            Message::Binary(_) => {
                return Err(Some(farewell::close_frame(CloseCode::Unsupported, "expected frames of text")));
            }
            // Closing frames are answered by the next polls too.
            Message::Close(_) | Message::Frame(_) => return Ok(()),
        };
        let share = self.meter.complete();
        let invalid = |reason: &str| Some(farewell::close_frame(CloseCode::Policy, reason));
        match frames::parse_frame(&text, &self.reached, &self.caller) {
            Ok(SocketRequest::Cancel { id }) => {
                // A run that has just ended is no mistake of the client.
                drop(self.runs.lock().get_mut(&id).and_then(|run| run.cancel.take()));
                Ok(())
            }
            Ok(SocketRequest::Window { id, more }) => {
                let fits = self.runs.lock().get(&id).is_none_or(|run| run.credit.add(more));
                if fits { Ok(()) } else { Err(invalid("the window is too large")) }
            }
            Ok(SocketRequest::Run { id, window, request }) => {
                drop(text);
                let request = request.map(|request| held::hold(request, share));
                if self.runs.lock().contains_key(&id) {
                    return Err(invalid("the `id` belongs to a run that goes on"));
                }
                match self.slot(is_closing) {
                    Ok(slot) => self.spawn(RunFrames::new(id), window, request, slot),
                    Err(refusal) => self.refuse(id, refusal).await,
                }
                Ok(())
            }
            Err(reason) => Err(invalid(&format!("a frame is invalid: {reason}"))),
        }
    }

    /// Takes a slot for another run.
    fn slot(&self, is_closing: bool) -> Result<OwnedSemaphorePermit, Rejection> {
        if is_closing {
            let message = "the server ends: connect again";
            return Err(Rejection::new(StatusCode::SERVICE_UNAVAILABLE, "shutdown", message).retry_after(1));
        }
        Arc::clone(&self.slots).try_acquire_owned().map_err(|_| {
            let most = self.reached.limits.streams;
            let message = format!("the socket has reached its limit of {most} runs: wait for the end of one");
            Rejection::new(StatusCode::TOO_MANY_REQUESTS, "too_many_streams", message).retry_after(1)
        })
    }

    /// Refuses without a task, so that a client cannot make the server hold a task for each frame.
    async fn refuse(&self, id: String, refusal: Rejection) {
        let run_frames = RunFrames::new(id);
        let credit = FrameCredit::new(None);
        let channel = RunChannel { run_frames: &run_frames, out: &self.out, credit: &credit, patience: None };
        let frame = channel.refuse(refusal.into_response()).await;
        // Fails only if the socket is closed.
        let _ = self.out.send(frame).await;
    }

    fn spawn(
        &mut self,
        run_frames: RunFrames,
        window: Option<u32>,
        request: Result<Box<Request>, Rejection>,
        slot: OwnedSemaphorePermit,
    ) {
        let (cancel, cancelled) = oneshot::channel();
        let credit = Arc::new(FrameCredit::new(window));
        let ongoing = OngoingSocketRun { credit: Arc::clone(&credit), cancel: Some(cancel) };
        self.runs.lock().insert(run_frames.id().to_owned(), ongoing);
        let run = SocketRun {
            run_frames,
            runs: self.runs.clone(),
            out: Arc::clone(&self.out),
            ongoing: self.connection.begin_run(),
            slot,
        };
        let router = self.reached.router.clone();
        let patience = self.reached.limits.write_timeout;
        self.tasks.spawn(async move {
            let end = {
                let (run_frames, out) = (&run.run_frames, &run.out);
                let channel = RunChannel { run_frames, out, credit: &credit, patience };
                // The body of a layer may panic after the layers have answered.
                let request_end = AssertUnwindSafe(channel.run_request(router, request)).catch_unwind();
                let cancelled = async {
                    let _ = cancelled.await;
                    out.between_messages().await;
                };
                tokio::select! {
                    biased;
                    () = cancelled => run_frames.broken("cancelled", "the client cancelled the run"),
                    end = request_end => end.unwrap_or_else(|panic| {
                        panicked::report(panic, "the answer to a run panicked");
                        channel.lost()
                    }),
                }
            };
            run.end(end).await;
        });
    }
}

/// A run on the socket.
struct SocketRun {
    run_frames: RunFrames,
    runs: SocketRuns,
    out: Arc<FrameOutbox>,
    ongoing: OngoingRun,
    slot: OwnedSemaphorePermit,
}

impl SocketRun {
    /// Sends the last frame. When the client reads that frame, the run's id and slot are free.
    async fn end(self, frame: Message) {
        // Fails only if the socket is closed.
        let Self { run_frames, runs, out, ongoing, slot } = self;
        let free = || {
            runs.lock().remove(run_frames.id());
            drop((ongoing, slot));
        };
        let _ = out.send_after(frame, free).await;
    }
}

//! Size and time limits for incomplete messages: the same limits as for request bodies.

use std::io;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use crate::server::lifetime::connection::UpgradedConnection;
use crate::server::limits::body_time::{BodyDeadline, BodyTimeLimit};
use crate::server::limits::budget::{BodyShare, ClientKey};
use crate::server::limits::run_slots::RunSlots;

/// All requests together have reached the byte limit for the server or the client.
#[derive(Debug, thiserror::Error)]
#[error("the inputs of all runs have reached a limit of this server: try again later")]
pub(super) struct NoRoom;

/// A message was not complete in time.
#[derive(Debug, thiserror::Error)]
#[error("a message took too long")]
pub(super) struct LateMessage;

/// A client control frame's bytes besides the payload (RFC 6455, section 5.2): head and mask.
const CONTROL: usize = 6;

/// The message that is arriving on one socket.
pub(super) struct MessageMeter {
    run_slots: Arc<RunSlots>,
    client: Option<ClientKey>,
    time: Option<BodyTimeLimit>,
    arriving: Mutex<Option<ArrivingMessage>>,
    /// True if the client sent something since the last ping.
    is_active: AtomicBool,
}

struct ArrivingMessage {
    share: BodyShare,
    bytes: usize,
    deadline: Option<BodyDeadline>,
}

impl MessageMeter {
    pub(super) fn new(
        run_slots: &Arc<RunSlots>,
        client: Option<ClientKey>,
        time: Option<BodyTimeLimit>,
    ) -> Arc<Self> {
        let (arriving, is_active) = (Mutex::default(), AtomicBool::new(true));
        Arc::new(Self { run_slots: Arc::clone(run_slots), client, time, arriving, is_active })
    }

    fn arriving(&self) -> MutexGuard<'_, Option<ArrivingMessage>> {
        self.arriving.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records that a message is complete, and returns the share that its bytes have in the budget.
    pub(super) fn complete(&self) -> Option<BodyShare> {
        self.arriving().take().map(|message| message.share)
    }

    /// Records a control frame with `payload` bytes. Control frames may stand between a message's fragments, and do not complete
    /// the message.
    pub(super) fn skip(&self, payload: usize) {
        let mut arriving = self.arriving();
        let frame = CONTROL + payload;
        match arriving.as_mut() {
            Some(message) if message.bytes > frame => {
                message.bytes -= frame;
                message.share.shrink(frame);
            }
            _ => *arriving = None,
        }
    }

    /// True if the client sent something since the last ping.
    pub(super) fn was_active(&self) -> bool {
        self.is_active.load(Ordering::Relaxed)
    }

    /// Records that a ping was sent.
    pub(super) fn pinged(&self) {
        self.is_active.store(false, Ordering::Relaxed);
    }

    fn grow(&self, bytes: usize) -> io::Result<()> {
        self.is_active.store(true, Ordering::Relaxed);
        let mut arriving = self.arriving();
        let arriving = arriving.get_or_insert_with(|| ArrivingMessage {
            share: self.run_slots.body(self.client.clone()),
            bytes: 0,
            deadline: self.time.map(BodyDeadline::new),
        });
        if let Some(deadline) = &mut arriving.deadline {
            deadline.extend(bytes);
        }
        arriving.bytes += bytes;
        arriving.share.grow(bytes).map_err(|_| io::Error::other(NoRoom))
    }

    /// Resolves when the message has taken too long.
    fn poll_late(&self, cx: &mut Context<'_>) -> Poll<()> {
        let mut arriving = self.arriving();
        match arriving.as_mut().and_then(|arriving| arriving.deadline.as_mut()) {
            Some(deadline) => deadline.poll_over(cx),
            None => Poll::Pending,
        }
    }
}

/// A connection whose messages are measured.
pub(super) struct MeteredSocket<S> {
    pub(super) socket: S,
    pub(super) meter: Arc<MessageMeter>,
    pub(super) connection: UpgradedConnection,
}

impl<S: AsyncRead + Unpin> AsyncRead for MeteredSocket<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buf.filled().len();
        let polled = Pin::new(&mut self.socket).poll_read(cx, buf);
        if polled.is_pending() {
            ready!(self.meter.poll_late(cx));
            return Poll::Ready(Err(io::Error::other(LateMessage)));
        }
        let bytes = buf.filled().len() - before;
        if bytes > 0 {
            self.meter.grow(bytes)?;
        }
        polled
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for MeteredSocket<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.socket).poll_write(cx, bytes);
        self.connection.note_write(written.is_pending());
        written
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_shutdown(cx)
    }
}

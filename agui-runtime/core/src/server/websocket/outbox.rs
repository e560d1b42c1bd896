//! The queue for frames to the client, which a socket's runs share.

use std::sync::atomic::{AtomicBool, Ordering};

use bytes::Bytes;
use tokio::sync::{Mutex, MutexGuard, mpsc};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::frame::Frame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};

/// The queue capacity in places.
const QUEUE: usize = 16;

/// A frame up to this length in bytes takes one place, a longer frame takes more: few long frames wait at once.
const PLACE: usize = 512;

/// The socket is closed.
pub(super) struct SocketClosed;

/// The queue end that runs send to.
pub(super) struct FrameOutbox {
    frames: mpsc::Sender<Message>,
    /// Held while a message is sent as fragments: no other message may stand between them (RFC 6455, section 5.4).
    turn: Mutex<()>,
    /// True after a message that broke off: only a close frame can follow.
    is_torn: AtomicBool,
}

impl FrameOutbox {
    pub(super) fn new() -> (Self, mpsc::Receiver<Message>) {
        let (frames, queue) = mpsc::channel(QUEUE);
        (Self { frames, turn: Mutex::default(), is_torn: AtomicBool::new(false) }, queue)
    }

    /// Sends a message once the queue has enough room.
    pub(super) async fn send(&self, message: Message) -> Result<(), SocketClosed> {
        self.send_after(message, || ()).await
    }

    /// Sends a message, and calls `before` when no other message can come first.
    pub(super) async fn send_after(
        &self,
        message: Message,
        before: impl FnOnce(),
    ) -> Result<(), SocketClosed> {
        let _turn = self.turn.lock().await;
        if self.is_torn() && !matches!(message, Message::Close(_)) {
            return Err(SocketClosed);
        }
        let mut places = self.places(message.len()).await?;
        before();
        if let Some(place) = places.next() {
            place.send(message);
        }
        Ok(())
    }

    /// Returns when no message is half sent.
    pub(super) async fn between_messages(&self) {
        drop(self.turn.lock().await);
    }

    /// Begins a text message in fragments, all of which must be sent.
    pub(super) async fn fragments(&self) -> Result<MessageFragments<'_>, SocketClosed> {
        let turn = self.turn.lock().await;
        if self.is_torn() {
            return Err(SocketClosed);
        }
        Ok(MessageFragments { outbox: self, _turn: turn, has_begun: false, is_whole: true })
    }

    /// True if a message broke off: nothing that the client could read follows on the socket.
    pub(super) fn is_torn(&self) -> bool {
        self.is_torn.load(Ordering::Acquire)
    }

    async fn places(&self, length: usize) -> Result<mpsc::PermitIterator<'_, Message>, SocketClosed> {
        let places = (length / PLACE).clamp(1, QUEUE);
        self.frames.reserve_many(places).await.map_err(|_| SocketClosed)
    }
}

/// One message's fragments.
pub(super) struct MessageFragments<'o> {
    outbox: &'o FrameOutbox,
    _turn: MutexGuard<'o, ()>,
    has_begun: bool,
    is_whole: bool,
}

impl MessageFragments<'_> {
    /// Sends the next fragment. The text may be cut anywhere.
    pub(super) async fn send(&mut self, text: Bytes, is_last: bool) -> Result<(), SocketClosed> {
        let kind = if self.has_begun { Data::Continue } else { Data::Text };
        // Not more than one waits.
        let mut places = self.outbox.places(usize::MAX).await?;
        if let Some(place) = places.next() {
            place.send(Message::Frame(Frame::message(text, OpCode::Data(kind), is_last)));
        }
        (self.has_begun, self.is_whole) = (true, is_last);
        Ok(())
    }
}

impl Drop for MessageFragments<'_> {
    fn drop(&mut self) {
        // Before the next message has its turn.
        if !self.is_whole {
            self.outbox.is_torn.store(true, Ordering::Release);
        }
    }
}

//! The queue of frames to the client, which all runs of a socket share.

use bytes::Bytes;
use tokio::sync::{Mutex, MutexGuard, mpsc};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::frame::Frame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};

/// The most frames that wait for their turn.
const QUEUE: usize = 16;

/// A frame of this length takes one place, a longer one waits for more: few long frames wait at once.
const PLACE: usize = 512;

/// The socket is closed.
pub(super) struct Closed;

/// The end of the queue to which runs send.
pub(super) struct Outbox {
    frames: mpsc::Sender<Message>,
    /// Held while a message is sent as fragments: no other message may stand between them (RFC 6455, section 5.4).
    turn: Mutex<()>,
}

impl Outbox {
    pub(super) fn new() -> (Self, mpsc::Receiver<Message>) {
        let (frames, queue) = mpsc::channel(QUEUE);
        (Self { frames, turn: Mutex::default() }, queue)
    }

    /// Sends a message once those before it have left enough room.
    pub(super) async fn send(&self, message: Message) -> Result<(), Closed> {
        self.send_after(message, || ()).await
    }

    /// Sends a message, and does something when it is certain that nothing stands before it.
    pub(super) async fn send_after(&self, message: Message, before: impl FnOnce()) -> Result<(), Closed> {
        let _turn = self.turn.lock().await;
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

    /// Begins a message of text in fragments, all of which must be sent.
    pub(super) async fn fragments(&self) -> Fragments<'_> {
        Fragments { outbox: self, _turn: self.turn.lock().await, has_begun: false }
    }

    async fn places(&self, length: usize) -> Result<mpsc::PermitIterator<'_, Message>, Closed> {
        let places = (length / PLACE).clamp(1, QUEUE);
        self.frames.reserve_many(places).await.map_err(|_| Closed)
    }
}

/// The fragments of one message.
pub(super) struct Fragments<'o> {
    outbox: &'o Outbox,
    _turn: MutexGuard<'o, ()>,
    has_begun: bool,
}

impl Fragments<'_> {
    /// Sends the next fragment. Text may be cut anywhere.
    pub(super) async fn send(&mut self, text: Bytes, is_last: bool) -> Result<(), Closed> {
        let kind = if self.has_begun { Data::Continue } else { Data::Text };
        self.has_begun = true;
        // Not more than one waits.
        let mut places = self.outbox.places(usize::MAX).await?;
        if let Some(place) = places.next() {
            place.send(Message::Frame(Frame::message(text, OpCode::Data(kind), is_last)));
        }
        Ok(())
    }
}

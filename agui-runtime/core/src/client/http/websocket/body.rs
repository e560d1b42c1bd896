//! A run's stream as a response body.

use std::error::Error;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use http_body::{Body, Frame};
use tokio::sync::mpsc;

use super::link::Handle;
use super::socket::WINDOW;

/// A chunk of a run's stream.
pub(super) enum Piece {
    /// Bytes that used credit.
    Bytes(Bytes),
    /// A sign of life, which used no credit.
    Heartbeat,
    End,
    Broken(String),
}

/// A run's stream. Dropping the body leaves the run.
pub(super) struct RunBody {
    pub(super) pieces: mpsc::Receiver<Piece>,
    pub(super) handle: Handle,
    /// The number of frames read since the last credit.
    pub(super) read: u32,
    pub(super) has_ended: bool,
}

impl Body for RunBody {
    type Data = Bytes;
    type Error = Box<dyn Error + Send + Sync>;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        if self.has_ended {
            return Poll::Ready(None);
        }
        let bytes = match ready!(self.pieces.poll_recv(cx)) {
            Some(Piece::Bytes(bytes)) => {
                self.read += 1;
                if self.read >= WINDOW / 2 {
                    self.handle.give(self.read);
                    self.read = 0;
                }
                bytes
            }
            // No bytes belong in both formats. An empty chunk restarts the limit of idleness.
            Some(Piece::Heartbeat) => Bytes::new(),
            Some(Piece::End) => {
                self.has_ended = true;
                return Poll::Ready(None);
            }
            Some(Piece::Broken(reason)) => {
                self.has_ended = true;
                return Poll::Ready(Some(Err(reason.into())));
            }
            None => {
                self.has_ended = true;
                return Poll::Ready(Some(Err("the WebSocket was lost before the run ended".into())));
            }
        };
        Poll::Ready(Some(Ok(Frame::data(bytes))))
    }
}

impl Drop for RunBody {
    fn drop(&mut self) {
        if !self.has_ended {
            self.handle.cancel();
        }
    }
}

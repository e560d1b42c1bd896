//! Frames to the client, and pings that detect a lost client.

use std::future::pending;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::SinkExt as _;
use futures_util::stream::SplitSink;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::{Error, Message};

use super::meter::{MessageMeter, MeteredSocket};

/// The socket half that frames are written to.
pub(super) type SocketSink<S> = SplitSink<WebSocketStream<MeteredSocket<S>>, Message>;

/// Sends frames until one closes the socket, and returns the sink.
///
/// A client that does not respond to a ping before the next is due is gone, which is an error. The connection's write limit finds
/// a client that reads nothing, because then no frame can be written.
pub(super) async fn send<S>(
    mut sink: SocketSink<S>,
    mut queue: mpsc::Receiver<Message>,
    meter: Arc<MessageMeter>,
    every: Option<Duration>,
) -> Result<SocketSink<S>, Error>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    let mut due = after(every);
    loop {
        let frame = tokio::select! {
            frame = queue.recv() => frame,
            () = at(due) => {
                if !meter.was_active() {
                    return Err(io::Error::from(io::ErrorKind::TimedOut).into());
                }
                sink.send(Message::Ping(Bytes::new())).await?;
                // Not earlier: the client cannot answer while the frames before it fill the connection.
                meter.pinged();
                due = after(every);
                continue;
            }
        };
        if frame.is_none() {
            return pending().await;
        }
        let mut next = frame;
        while let Some(frame) = next {
            let is_last = matches!(frame, Message::Close(_));
            sink.feed(frame).await?;
            if is_last {
                sink.flush().await?;
                return Ok(sink);
            }
            next = queue.try_recv().ok();
        }
        sink.flush().await?;
    }
}

fn after(every: Option<Duration>) -> Option<Instant> {
    every.and_then(|every| Instant::now().checked_add(every))
}

async fn at(due: Option<Instant>) {
    match due {
        Some(due) => sleep_until(due).await,
        None => pending().await,
    }
}

//! The frames to the client, and the pings that find out if it is there.

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

use super::meter::{Meter, Metered};

/// The end of a socket to which frames go.
pub(super) type Sink<S> = SplitSink<WebSocketStream<Metered<S>>, Message>;

/// Sends frames until one closes the socket, and returns its end.
///
/// A client that answers no ping until the next one is due is gone: this ends with an error. A client that reads nothing
/// is found by the limit of its connection, because then no frame can be written.
pub(super) async fn send<S>(
    mut sink: Sink<S>,
    mut queue: mpsc::Receiver<Message>,
    meter: Arc<Meter>,
    every: Option<Duration>,
) -> Result<Sink<S>, Error>
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

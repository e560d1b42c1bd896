//! The frames of a run, encoded before the server listens.

use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use futures::Stream;
use http_body::{Body, Frame};
use serde_json::{Value, json};
use tokio::time::{Instant, Sleep, sleep_until};

use crate::shape::{Shape, token};

/// All frames of a run.
pub fn encoded(shape: Shape) -> Arc<[Bytes]> {
    let content =
        |delta| json!({ "type": "TEXT_MESSAGE_CONTENT", "messageId": "message-1", "delta": token(delta) });
    let mut events = vec![
        json!({ "type": "RUN_STARTED", "threadId": "thread", "runId": "run" }),
        json!({ "type": "TEXT_MESSAGE_START", "messageId": "message-1", "role": "assistant" }),
    ];
    events.extend((0..shape.deltas).map(content));
    events.push(json!({ "type": "TEXT_MESSAGE_END", "messageId": "message-1" }));
    events.push(json!({ "type": "RUN_FINISHED", "threadId": "thread", "runId": "run" }));
    events.iter().map(frame).collect()
}

fn frame(event: &Value) -> Bytes {
    format!("data: {event}\n\n").into()
}

/// The frames of one run, each when it is due.
pub struct Frames {
    shape: Shape,
    frames: Arc<[Bytes]>,
    next: usize,
    begun: Instant,
    timer: Option<Pin<Box<Sleep>>>,
}

impl Frames {
    pub fn new(shape: Shape, frames: &Arc<[Bytes]>) -> Self {
        Self { shape, frames: Arc::clone(frames), next: 0, begun: Instant::now(), timer: None }
    }

    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Option<Bytes>> {
        // Two frames come before the deltas, two after.
        let delta = self.next.checked_sub(2).filter(|delta| (*delta as u64) < self.shape.deltas);
        if let Some(due) = delta.and_then(|delta| self.shape.due(self.begun, delta as u64)) {
            let timer = self.timer.get_or_insert_with(|| Box::pin(sleep_until(due)));
            if timer.deadline() != due {
                timer.as_mut().reset(due);
            }
            ready!(timer.as_mut().poll(cx));
        }
        let frame = self.frames.get(self.next).cloned();
        self.next += 1;
        Poll::Ready(frame)
    }
}

impl Stream for Frames {
    type Item = Result<Bytes, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.poll(cx).map(|frame| frame.map(Ok))
    }
}

impl Body for Frames {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        self.poll(cx).map(|frame| frame.map(|frame| Ok(Frame::data(frame))))
    }
}

//! The budget share for a run's input, from arrival until parsing.

use std::mem;
use std::pin::Pin;
use std::task::Context;

use axum::body::Body;
use axum::extract::Request;
use http_body::Body as _;

use crate::server::limits::budget::BodyShare;
use crate::server::limits::watched::{BodyWatch, PolledFrame, WatchedBody};

/// The share of the message that holds an input.
struct HeldInputShare(Option<BodyShare>);

impl BodyWatch<Body> for HeldInputShare {
    type Error = axum::Error;

    fn poll_frame(&mut self, body: Pin<&mut Body>, cx: &mut Context<'_>) -> PolledFrame<axum::Error> {
        let polled = body.poll_frame(cx);
        if polled.is_ready() {
            // The reader counts what it reads: twice, a large input would not fit.
            self.0 = None;
        }
        polled
    }
}

/// Keeps the share of a message until the body of its request is read or dropped.
pub(super) fn hold(mut request: Box<Request>, share: Option<BodyShare>) -> Box<Request> {
    let body = mem::take(request.body_mut());
    *request.body_mut() = Body::new(WatchedBody::new(body, HeldInputShare(share)));
    request
}

//! The budget share for a run's input, from arrival until parsing.

use std::mem;
use std::pin::Pin;
use std::task::Context;

use axum::body::Body;
use axum::extract::Request;
use http_body::Body as _;

use crate::server::budget::Share;
use crate::server::watched::{Polled, Watch, Watched};

/// The share for the message that holds an input.
struct Held(Option<Share>);

impl Watch<Body> for Held {
    type Error = axum::Error;

    fn poll_frame(&mut self, body: Pin<&mut Body>, cx: &mut Context<'_>) -> Polled<axum::Error> {
        let polled = body.poll_frame(cx);
        if polled.is_ready() {
            // The reader counts what it reads: twice, a large input would not fit.
            self.0 = None;
        }
        polled
    }
}

/// Keeps a message's share until the request body is read or dropped.
pub(super) fn hold(mut request: Box<Request>, share: Option<Share>) -> Box<Request> {
    let body = mem::take(request.body_mut());
    *request.body_mut() = Body::new(Watched::new(body, Held(share)));
    request
}

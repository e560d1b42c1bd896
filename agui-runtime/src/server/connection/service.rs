//! One request of a connection, from its head to the end of its answer.

use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::Router;
use axum::body::Body;
use bytes::Bytes;
use http::{Request, Response};
use http_body::{Body as HttpBody, Frame, SizeHint};
use hyper::body::Incoming;
use hyper::service::Service;
use hyper_util::service::TowerToHyperService;

use super::crowd::{Member, Ongoing};
use super::streams::Pace;

/// The routes, as one connection calls them. All connections share them.
pub(super) struct Requests {
    pub(super) router: TowerToHyperService<Router>,
    pub(super) member: Arc<Member>,
}

impl Service<Request<Incoming>> for Requests {
    type Response = Response<Answer>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Answer>, Infallible>> + Send>>;

    fn call(&self, request: Request<Incoming>) -> Self::Future {
        let ongoing = Arc::new(Ongoing::new(&self.member, request.version()));
        if request.body().is_end_stream() {
            ongoing.engage();
        }
        let request = request.map(|body| Body::new(Asked { body, ongoing: Arc::clone(&ongoing) }));
        let answer = self.router.call(request);
        Box::pin(async move {
            let answer = answer.await?;
            ongoing.engage();
            Ok(answer.map(|body| Answer { body, pace: Pace::current(), _ongoing: ongoing }))
        })
    }
}

/// The body of a request, which says when it is complete.
struct Asked {
    body: Incoming,
    ongoing: Arc<Ongoing>,
}

impl HttpBody for Asked {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(cx);
        if matches!(polled, Poll::Ready(None)) || self.body.is_end_stream() {
            self.ongoing.engage();
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// The body of an answer, which says how far its reader is.
pub(super) struct Answer {
    body: Body,
    pace: Option<Arc<Pace>>,
    _ongoing: Arc<Ongoing>,
}

impl HttpBody for Answer {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(cx);
        if let Some(pace) = &self.pace {
            match &polled {
                Poll::Ready(Some(Ok(_))) => pace.handed_out(),
                _ => pace.asked(),
            }
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

//! One request on a connection, from its head to the end of its response.

use std::convert::Infallible;
use std::future::Future;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::response::IntoResponse;
use bytes::Bytes;
use http::{Request, Response, StatusCode};
use http_body::{Body as _, Frame};
use hyper::body::Incoming;
use hyper::service::Service;
use hyper_util::service::TowerToHyperService;
#[cfg(feature = "websocket")]
use tokio::sync::watch;

use super::connections::{ConnectionEntry, OngoingRequest};
#[cfg(feature = "websocket")]
use super::drive::ShutdownPhase;
use super::streams::{PIECE, StreamPace};
#[cfg(feature = "websocket")]
use super::upgraded::UpgradedConnection;
use crate::server::limits::watched::{BodyWatch, PolledFrame, WatchedBody};
use crate::server::response::rejection::Rejection;

/// The router, called by one connection. All connections share the routes.
pub(super) struct RequestService {
    pub(super) router: TowerToHyperService<Router>,
    pub(super) address: SocketAddr,
    #[cfg(feature = "websocket")]
    pub(super) ending: watch::Receiver<ShutdownPhase>,
    pub(super) member: Arc<ConnectionEntry>,
    /// Maximum head size in bytes. hyper checks it only before another read, and may have read more by then.
    pub(super) header_size: usize,
}

/// Returns an HTTP/1 head's size in bytes: the lines with their separators.
fn head_size(request: &Request<Incoming>) -> usize {
    const OF_LINE: usize = " HTTP/1.1\r\n\r\n".len() + 1;
    let authority = request.uri().authority().map_or(0, |authority| authority.as_str().len());
    let path = request.uri().path_and_query().map_or(0, |path| path.as_str().len());
    let fields =
        request.headers().iter().map(|(name, value)| name.as_str().len() + value.len() + ": \r\n".len());
    OF_LINE + request.method().as_str().len() + authority + path + fields.sum::<usize>()
}

fn too_large(limit: usize) -> Response<Body> {
    let message = format!("the head of the request is longer than {limit} bytes");
    Rejection::new(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, "header_too_large", message).into_response()
}

impl Service<Request<Incoming>> for RequestService {
    type Response = Response<WatchedBody<Body, ResponseBodyWatch>>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Infallible>> + Send>>;

    fn call(&self, mut request: Request<Incoming>) -> Self::Future {
        let ongoing = Arc::new(OngoingRequest::new(&self.member, request.version()));
        let refused = (head_size(&request) > self.header_size).then(|| too_large(self.header_size));
        if request.body().is_end_stream() {
            ongoing.complete();
        }
        request.extensions_mut().insert(ConnectInfo(self.address));
        #[cfg(feature = "websocket")]
        if request.headers().contains_key(http::header::UPGRADE) {
            request.extensions_mut().insert(UpgradedConnection::new(&self.member, &self.ending));
        }
        let request =
            request.map(|body| Body::new(WatchedBody::new(body, RequestBodyWatch(Arc::clone(&ongoing)))));
        let answer = refused.ok_or_else(|| self.router.call(request));
        Box::pin(async move {
            let answer = match answer {
                Ok(refused) => refused,
                Err(answer) => answer.await?,
            };
            ongoing.engage();
            let pace = StreamPace::current();
            // A body that is never polled counts as data that is not read: hyper may wait for the window before it polls.
            if let Some(pace) = &pace {
                pace.handed_out();
            }
            let watch = ResponseBodyWatch { rest: Bytes::new(), pace, _ongoing: ongoing };
            Ok(answer.map(|body| WatchedBody::new(body, watch)))
        })
    }
}

/// Reports when a request's body is complete.
struct RequestBodyWatch(Arc<OngoingRequest>);

impl BodyWatch<Incoming> for RequestBodyWatch {
    type Error = hyper::Error;

    fn poll_frame(
        &mut self,
        mut body: Pin<&mut Incoming>,
        cx: &mut Context<'_>,
    ) -> PolledFrame<hyper::Error> {
        let polled = body.as_mut().poll_frame(cx);
        if matches!(polled, Poll::Ready(None)) || body.is_end_stream() {
            self.0.complete();
        }
        polled
    }
}

/// Reports the progress of a response's reader.
pub(super) struct ResponseBodyWatch {
    /// The next bytes for an HTTP/2 reader.
    rest: Bytes,
    pace: Option<Arc<StreamPace>>,
    _ongoing: Arc<OngoingRequest>,
}

impl BodyWatch<Body> for ResponseBodyWatch {
    type Error = axum::Error;

    fn poll_frame(&mut self, body: Pin<&mut Body>, cx: &mut Context<'_>) -> PolledFrame<axum::Error> {
        let mut polled = if self.rest.is_empty() {
            body.poll_frame(cx)
        } else {
            Poll::Ready(Some(Ok(Frame::data(std::mem::take(&mut self.rest)))))
        };
        let Some(pace) = &self.pace else { return polled };
        match &mut polled {
            Poll::Ready(Some(Ok(frame))) => {
                if let Some(data) = frame.data_mut().filter(|data| data.len() > PIECE) {
                    self.rest = data.split_off(PIECE);
                }
                pace.handed_out();
            }
            _ => pace.polled(),
        }
        polled
    }

    fn held(&self) -> usize {
        self.rest.len()
    }
}

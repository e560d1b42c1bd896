//! A receiver of webhooks on this machine, which answers as its test says.
#![allow(
    clippy::missing_panics_doc,
    clippy::unwrap_used,
    reason = "test support: what goes wrong here fails the test"
)]

use std::collections::VecDeque;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use agui_runtime::http::Webhooks;
use agui_runtime::webhook::{WebhookMessage, WebhookSecret};
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::response::{IntoResponse as _, Response};
use axum::routing::post;
use futures::StreamExt as _;
use http::{HeaderMap, StatusCode, Version, header};
use tokio::net::TcpListener;

/// The time after which a test that waits for a message has failed.
pub const LIMIT: Duration = Duration::from_secs(60);

/// The text of the secret that the senders and the receivers of tests share.
pub const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

/// Returns the secret that the senders and the receivers of tests share.
#[must_use]
pub fn secret() -> WebhookSecret {
    WebhookSecret::new(SECRET).unwrap()
}

/// Returns webhooks with this secret to a receiver on this machine.
pub fn webhooks_to(url: impl Into<String>) -> Webhooks {
    Webhooks::to(url, secret()).allow_private(true)
}

/// The answer of a receiver to one request.
#[derive(Clone, Debug)]
pub enum Answer {
    Status(u16),
    /// To this address; `/elsewhere` is another path of the receiver.
    Redirect(String),
    /// A body without an end.
    Endless,
    /// Nothing for a long time.
    Silence,
}

/// A request that arrived.
#[derive(Clone, Debug)]
struct Seen {
    version: Version,
    headers: HeaderMap,
    body: Bytes,
}

/// A message whose signature is genuine.
#[derive(Clone, Debug, PartialEq)]
pub struct Received {
    pub id: String,
    pub body: Bytes,
    pub message: WebhookMessage,
}

/// A receiver, and the requests that arrived there.
#[derive(Clone, Debug, Default)]
pub struct Receiver {
    answers: Arc<Mutex<VecDeque<Answer>>>,
    seen: Arc<Mutex<Vec<Seen>>>,
    redirected: Arc<Mutex<usize>>,
    refuses_first_attempts: bool,
}

impl Receiver {
    /// Creates a receiver that takes each message the second time.
    #[must_use]
    pub fn that_refuses_first_attempts() -> Self {
        Self { refuses_first_attempts: true, ..Self::default() }
    }

    /// Listens at a free port.
    pub async fn open(&self, answers: &[Answer]) -> SocketAddr {
        self.open_at("127.0.0.1:0".parse().unwrap(), answers).await
    }

    pub async fn open_at(&self, address: SocketAddr, answers: &[Answer]) -> SocketAddr {
        self.will_answer(answers);
        let listener = TcpListener::bind(address).await.unwrap();
        let address = listener.local_addr().unwrap();
        self.serve(listener);
        address
    }

    /// Answers the requests of a listener.
    pub fn serve<L: axum::serve::Listener<Addr = SocketAddr>>(&self, listener: L) {
        let elsewhere = Arc::clone(&self.redirected);
        let routes = Router::new()
            .route("/ended", post(receive))
            .route("/elsewhere", post(move || async move { *elsewhere.lock().unwrap() += 1 }))
            .with_state(self.clone());
        tokio::spawn(async move { axum::serve(listener, routes).await });
    }

    /// Adds answers to the next requests. Without one, the answer has status 204.
    pub fn will_answer(&self, answers: &[Answer]) {
        self.answers.lock().unwrap().extend(answers.iter().cloned());
    }

    /// Returns the number of messages that arrived.
    #[must_use]
    pub fn count(&self) -> usize {
        self.seen.lock().unwrap().len()
    }

    /// Returns the number of requests that followed a redirect to `/elsewhere`.
    #[must_use]
    pub fn redirected(&self) -> usize {
        *self.redirected.lock().unwrap()
    }

    /// Returns the versions of HTTP of the requests.
    #[must_use]
    pub fn versions(&self) -> Vec<Version> {
        self.seen.lock().unwrap().iter().map(|seen| seen.version).collect()
    }

    /// Returns the messages that arrived. Each must be genuine.
    #[must_use]
    pub fn received(&self) -> Vec<Received> {
        let seen = self.seen.lock().unwrap();
        let genuine = seen.iter().map(|Seen { headers, body, .. }| {
            let header = |name: &'static str| headers.get(name)?.to_str().ok();
            let id = secret().verify(header, body).unwrap().to_owned();
            Received { id, body: body.clone(), message: serde_json::from_slice(body).unwrap() }
        });
        genuine.collect()
    }

    /// Notes a request. Returns true for the first one of its message.
    fn note(&self, request: Seen) -> bool {
        let mut seen = self.seen.lock().unwrap();
        let is_new =
            seen.iter().all(|seen| seen.headers.get("webhook-id") != request.headers.get("webhook-id"));
        seen.push(request);
        is_new
    }

    /// Waits for this number of messages.
    pub async fn messages(&self, count: usize) -> Vec<Received> {
        let begun = Instant::now();
        while self.count() < count {
            assert!(begun.elapsed() < LIMIT, "{} requests", self.count());
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        self.received()
    }
}

async fn receive(State(receiver): State<Receiver>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let Ok(body) = axum::body::to_bytes(body, usize::MAX).await else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    let is_new = receiver.note(Seen { version: parts.version, headers: parts.headers, body });
    let refusal = (receiver.refuses_first_attempts && is_new).then_some(Answer::Status(503));
    let answer = refusal.or_else(|| receiver.answers.lock().unwrap().pop_front());
    let answer = answer.unwrap_or(Answer::Status(204));
    match answer {
        Answer::Status(status) => StatusCode::from_u16(status).unwrap().into_response(),
        Answer::Redirect(to) => (StatusCode::PERMANENT_REDIRECT, [(header::LOCATION, to)]).into_response(),
        Answer::Endless => {
            let bytes =
                futures::stream::repeat_with(|| Ok::<_, io::Error>(Bytes::from_static(&[b'x'; 4096])));
            Body::from_stream(bytes.then(async |piece| {
                tokio::time::sleep(Duration::from_millis(1)).await;
                piece
            }))
            .into_response()
        }
        Answer::Silence => std::future::pending().await,
    }
}

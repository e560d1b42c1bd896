//! Webhooks: the ends of runs at a receiver that is well, away, slow, evil, or not a public one.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use agui_runtime::http::{ThreadOptions, Webhooks};
use agui_runtime::thread::Memory;
use agui_runtime::webhook::{WebhookKind, WebhookMessage, WebhookSecret};
use agui_runtime::{Error, Server};
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use axum::routing::post;
use futures::StreamExt as _;
use http::{HeaderMap, StatusCode, header};
use serde_json::json;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

use crate::house::{Bells, Clerk, House, asking, is_refused, request};

const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const LIMIT: Duration = Duration::from_secs(30);

fn secret() -> WebhookSecret {
    WebhookSecret::new(SECRET).unwrap()
}

/// The answer of a receiver to one request.
#[derive(Clone, Copy, Debug)]
enum Answer {
    Status(u16),
    /// To another path of the receiver.
    Redirect,
    /// A body without an end.
    Endless,
    /// Nothing for a long time.
    Silence,
}

/// The requests of a receiver.
#[derive(Clone, Default)]
struct Receiver {
    answers: Arc<Mutex<VecDeque<Answer>>>,
    seen: Arc<Mutex<Vec<(HeaderMap, Bytes, Instant)>>>,
    redirected: Arc<Mutex<usize>>,
}

async fn receive(State(receiver): State<Receiver>, headers: HeaderMap, body: Bytes) -> Response {
    receiver.seen.lock().unwrap().push((headers, body, Instant::now()));
    let answer = receiver.answers.lock().unwrap().pop_front().unwrap_or(Answer::Status(204));
    match answer {
        Answer::Status(status) => StatusCode::from_u16(status).unwrap().into_response(),
        Answer::Redirect => {
            (StatusCode::PERMANENT_REDIRECT, [(header::LOCATION, "/elsewhere")]).into_response()
        }
        Answer::Endless => {
            let bytes =
                futures::stream::repeat_with(|| Ok::<_, std::io::Error>(Bytes::from_static(&[b'x'; 4096])));
            Body::from_stream(bytes.then(async |piece| {
                tokio::time::sleep(Duration::from_millis(1)).await;
                piece
            }))
            .into_response()
        }
        Answer::Silence => std::future::pending().await,
    }
}

impl Receiver {
    async fn open(&self, answers: &[Answer]) -> SocketAddr {
        self.open_at("127.0.0.1:0".parse().unwrap(), answers).await
    }

    async fn open_at(&self, address: SocketAddr, answers: &[Answer]) -> SocketAddr {
        self.answers.lock().unwrap().extend(answers);
        let elsewhere = Arc::clone(&self.redirected);
        let routes = Router::new()
            .route("/ended", post(receive))
            .route("/elsewhere", post(move || async move { *elsewhere.lock().unwrap() += 1 }))
            .with_state(self.clone());
        let listener = TcpListener::bind(address).await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move { axum::serve(listener, routes).await });
        address
    }

    /// Waits for this number of requests; each has a genuine signature.
    async fn messages(&self, count: usize) -> Vec<(String, WebhookMessage)> {
        let begun = Instant::now();
        while self.seen.lock().unwrap().len() < count {
            assert!(begun.elapsed() < LIMIT, "{} requests", self.seen.lock().unwrap().len());
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        let seen = self.seen.lock().unwrap();
        seen.iter()
            .map(|(headers, body, _)| {
                let header = |name: &'static str| headers.get(name)?.to_str().ok();
                let id = secret().verify(header, body).unwrap();
                (id.to_owned(), serde_json::from_slice(body).unwrap())
            })
            .collect()
    }
}

fn webhooks(to: SocketAddr) -> Webhooks {
    let soon = (Duration::from_millis(20), Duration::from_millis(100));
    Webhooks::to(format!("http://{to}/ended"), secret()).allow_private(true).pauses(soon.0, soon.1)
}

fn server(log: Memory, webhooks: Webhooks, bells: &Bells) -> Server {
    // The shortest lease: a server looks after its store three times in it.
    let options = ThreadOptions::default().lease(Duration::from_secs(1));
    let server = Server::new().threads(log).thread_options(options).webhooks(webhooks);
    server.agent("/", Clerk::new(bells.clone()))
}

/// A house whose receiver gives these answers.
async fn house(answers: &[Answer]) -> (House, Receiver) {
    let receiver = Receiver::default();
    let address = receiver.open(answers).await;
    (House::serve(server(Memory::new(), webhooks(address), &Bells::default())).await, receiver)
}

/// Waits long enough for a message that must not come.
async fn settle() {
    tokio::time::sleep(Duration::from_millis(2500)).await;
}

#[tokio::test]
async fn the_end_of_each_run_is_sent_once_and_signed() {
    let (house, receiver) = house(&[]).await;
    for (run, said, kind) in [
        ("r-1", "hello", WebhookKind::Finished),
        ("r-2", "fail", WebhookKind::Failed),
        ("r-3", "send a letter", WebhookKind::Interrupted),
    ] {
        let before = receiver.seen.lock().unwrap().len();
        house.run(&asking(run, said)).await;
        let (id, message) = receiver.messages(before + 1).await.pop().unwrap();
        assert!(id.starts_with("msg_"), "{id}");
        assert_eq!((message.kind, message.data.agent.as_str()), (kind, "/"));
        assert_eq!((message.data.thread_id.as_str(), message.data.run_id.as_str()), ("t", run));
        let event = serde_json::to_value(message.data.event.unwrap()).unwrap();
        let questions = event["outcome"]["interrupts"].as_array().map_or(0, Vec::len);
        assert_eq!(questions, usize::from(kind == WebhookKind::Interrupted), "{event:#}");
    }
    settle().await;
    let ids: std::collections::BTreeSet<_> =
        receiver.messages(3).await.into_iter().map(|(id, _)| id).collect();
    assert_eq!((ids.len(), receiver.seen.lock().unwrap().len()), (3, 3));
}

#[tokio::test]
async fn an_attempt_that_fails_is_repeated_with_the_same_message() {
    let (house, receiver) = house(&[Answer::Status(500), Answer::Redirect, Answer::Status(404)]).await;
    house.run(&asking("r-1", "hello")).await;
    let messages = receiver.messages(4).await;
    assert!(messages.iter().all(|message| *message == messages[0]), "{messages:#?}");
    settle().await;
    assert_eq!(receiver.seen.lock().unwrap().len(), 4, "it was accepted");
    assert_eq!(*receiver.redirected.lock().unwrap(), 0, "redirects are not followed");
}

#[tokio::test]
async fn a_message_is_given_up_when_it_is_unwanted_or_after_the_last_attempt() {
    let receiver = Receiver::default();
    let address = receiver.open(&[Answer::Status(410)]).await;
    let twice = webhooks(address).attempts(2);
    let house = House::serve(server(Memory::new(), twice, &Bells::default())).await;
    house.run(&asking("r-1", "hello")).await;
    receiver.messages(1).await;
    receiver.answers.lock().unwrap().extend([Answer::Status(500); 5]);
    house.run(&asking("r-2", "hello")).await;
    receiver.messages(3).await;
    settle().await;
    assert_eq!(receiver.seen.lock().unwrap().len(), 3);
}

#[tokio::test]
async fn a_receiver_that_is_slow_or_never_ends_is_bounded() {
    let receiver = Receiver::default();
    let address = receiver.open(&[Answer::Silence, Answer::Endless]).await;
    let hasty = webhooks(address).timeout(Duration::from_millis(300));
    let house = House::serve(server(Memory::new(), hasty, &Bells::default())).await;
    let begun = Instant::now();
    house.run(&asking("r-1", "hello")).await;
    assert!(begun.elapsed() < Duration::from_secs(5), "runs do not wait for receivers");
    receiver.messages(2).await;
    settle().await;
    assert_eq!(receiver.seen.lock().unwrap().len(), 2, "the status of the endless answer counts");
}

#[tokio::test]
async fn targets_are_public_unless_others_are_allowed() {
    let receiver = Receiver::default();
    let address = receiver.open(&[]).await;
    let chosen = Webhooks::for_each(
        |parts| parts.headers.get("x-webhook-url")?.to_str().ok().map(str::to_owned),
        secret(),
    );
    let house = House::serve(server(Memory::new(), chosen.attempts(1), &Bells::default())).await;
    for url in [
        format!("http://{address}/ended"),
        format!("https://{address}/ended"),
        "https://[::1]/".to_owned(),
        "https://169.254.169.254/".to_owned(),
        "https://2130706433/".to_owned(),
        "nonsense".to_owned(),
    ] {
        let refused =
            request(&asking("r-1", "hello")).header("x-webhook-url", &url).send(house.address).await;
        is_refused(&refused, 400, "invalid_webhook");
    }
    assert_eq!(house.run(&asking("r-2", "hello")).await.status, 200, "a run without a webhook");
    settle().await;
    assert!(receiver.seen.lock().unwrap().is_empty());
}

#[tokio::test]
async fn a_name_of_a_private_address_is_not_connected_to() {
    for allowed in [false, true] {
        // It sees connections. They need no TLS.
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("https://localhost:{}/ended", listener.local_addr().unwrap().port());
        let named = Webhooks::to(url, secret()).allow_private(allowed).attempts(1);
        let house = House::serve(server(Memory::new(), named, &Bells::default())).await;
        assert_eq!(house.run(&asking("r-1", "hello")).await.status, 200);
        let limit = if allowed { LIMIT } else { Duration::from_secs(2) };
        let connected = tokio::time::timeout(limit, listener.accept()).await;
        assert_eq!(connected.is_ok(), allowed);
    }
}

#[tokio::test]
async fn a_host_that_is_slow_gets_few_requests_at_once_and_every_message() {
    let receiver = Receiver::default();
    let address = receiver.open(&[Answer::Silence; 8]).await;
    let patient = webhooks(address).timeout(Duration::from_secs(5));
    let house = House::serve(server(Memory::new(), patient, &Bells::default())).await;
    for run in 0..12 {
        house.run(&asking(&format!("r-{run}"), "hello")).await;
    }
    receiver.messages(8).await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(receiver.seen.lock().unwrap().len(), 8);
    // The eight again, and the others.
    let messages = receiver.messages(20).await;
    let runs: std::collections::BTreeSet<_> =
        messages.iter().map(|(_, message)| message.data.run_id.to_string()).collect();
    assert_eq!(runs.len(), 12);
}

#[tokio::test]
async fn a_server_with_a_target_that_cannot_work_does_not_start() {
    let agents = || Server::new().agent("/", Clerk::new(Bells::default()));
    for url in ["http://example.org/", "https://127.0.0.1/", "/ended"] {
        let refused = agents().threads(Memory::new()).webhooks(Webhooks::to(url, secret())).router();
        assert!(matches!(refused, Err(Error::WebhookTarget { .. })), "{url}");
    }
    let webhooks = Webhooks::to("https://example.org/", secret());
    assert!(matches!(agents().webhooks(webhooks).router(), Err(Error::WebhooksWithoutThreads)));
}

/// Loses a server without a trace once `until` resolves.
fn lose(log: &Memory, to: SocketAddr, bells: &Bells, until: impl AsyncFnOnce(&House)) {
    let doomed = Runtime::new().unwrap();
    doomed.block_on(async {
        let house = House::serve(server(log.clone(), webhooks(to), bells)).await;
        until(&house).await;
    });
    doomed.shutdown_background();
}

#[test]
fn the_end_of_a_run_whose_server_is_lost_is_sent_by_another() {
    let (log, bells, receiver) = (Memory::new(), Bells::default(), Receiver::default());
    let runtime = Runtime::new().unwrap();
    let address = runtime.block_on(receiver.open(&[]));
    lose(&log, address, &bells, async |house| drop(house.waiting("r-1").await));
    runtime.block_on(async {
        let _house = House::serve(server(log, webhooks(address), &bells)).await;
        let (_, message) = receiver.messages(1).await.pop().unwrap();
        assert_eq!((message.kind, message.data.run_id.as_str()), (WebhookKind::Failed, "r-1"));
        let event = serde_json::to_value(message.data.event).unwrap();
        assert_eq!(event["code"], json!("node_lost"));
    });
}

#[test]
fn a_message_outlives_the_server_and_the_absence_of_its_receiver() {
    let (log, bells, receiver) = (Memory::new(), Bells::default(), Receiver::default());
    let runtime = Runtime::new().unwrap();
    // An address at which nothing listens yet.
    let address =
        runtime.block_on(async { TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap() });
    lose(&log, address, &bells, async |house| drop(house.run(&asking("r-1", "hello")).await));
    runtime.block_on(async {
        let _house = House::serve(server(log, webhooks(address), &bells)).await;
        receiver.open_at(address, &[]).await;
        let (_, message) = receiver.messages(1).await.pop().unwrap();
        assert_eq!((message.kind, message.data.run_id.as_str()), (WebhookKind::Finished, "r-1"));
        settle().await;
        assert_eq!(receiver.seen.lock().unwrap().len(), 1);
    });
}

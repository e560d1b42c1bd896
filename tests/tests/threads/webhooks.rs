//! Webhooks: the ends of runs at a receiver that is well, away, slow, evil, or not a public one.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use agui_runtime::http::{ThreadOptions, Webhooks};
use agui_runtime::thread::{Memory, ThreadLog};
use agui_runtime::webhook::WebhookKind;
use agui_runtime::{Error, Server};
use agui_tests::report::report;
use agui_tests::stored::file::two_on_sqlite;
use agui_tests::stored::webhooks::{every_end_is_sent, one_server_sends_each_end};
use agui_tests::webhooks::{Answer, LIMIT, Received, Receiver, secret, webhooks_to};
use serde_json::json;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

use crate::thread_server::{Bells, Clerk, ThreadServer, asking, is_refused, request};

/// Sends to a receiver beside the server.
fn webhooks(to: SocketAddr) -> Webhooks {
    let soon = (Duration::from_millis(20), Duration::from_millis(100));
    webhooks_to(format!("http://{to}/ended")).pauses(soon.0, soon.1)
}

pub(crate) fn webhook_server(log: Memory, webhooks: Webhooks, bells: &Bells) -> Server {
    // The shortest lease: a server looks after its store three times in it.
    let options = ThreadOptions::default().lease(Duration::from_secs(1));
    let server = Server::new().threads(log).thread_options(options).webhooks(webhooks);
    server.agent("/", Clerk::new(bells.clone()))
}

/// A server whose receiver of webhooks gives these answers.
async fn serve(answers: &[Answer]) -> (ThreadServer, Receiver) {
    let receiver = Receiver::default();
    let address = receiver.open(answers).await;
    (ThreadServer::serve(webhook_server(Memory::new(), webhooks(address), &Bells::default())).await, receiver)
}

/// Waits long enough for a message that must not come.
pub(crate) async fn settle() {
    tokio::time::sleep(Duration::from_millis(2500)).await;
}

#[tokio::test]
async fn the_end_of_each_run_is_sent_once_and_signed() {
    let (server, receiver) = serve(&[]).await;
    for (run, said, kind) in [
        ("r-1", "hello", WebhookKind::Finished),
        ("r-2", "fail", WebhookKind::Failed),
        ("r-3", "send a letter", WebhookKind::Interrupted),
    ] {
        let before = receiver.count();
        server.run(&asking(run, said)).await;
        let Received { id, message, .. } = receiver.messages(before + 1).await.pop().unwrap();
        assert!(id.starts_with("msg_"), "{id}");
        assert_eq!((message.kind, message.data.agent.as_str()), (kind, "/"));
        assert_eq!((message.data.thread_id.as_str(), message.data.run_id.as_str()), ("t", run));
        let event = serde_json::to_value(message.data.event.unwrap()).unwrap();
        let questions = event["outcome"]["interrupts"].as_array().map_or(0, Vec::len);
        assert_eq!(questions, usize::from(kind == WebhookKind::Interrupted), "{event:#}");
    }
    settle().await;
    let ids: std::collections::BTreeSet<_> =
        receiver.received().into_iter().map(|received| received.id).collect();
    assert_eq!((ids.len(), receiver.count()), (3, 3));
}

#[tokio::test]
async fn an_attempt_that_fails_is_repeated_with_the_same_message() {
    let (server, receiver) =
        serve(&[Answer::Status(500), Answer::Redirect("/elsewhere".to_owned()), Answer::Status(404)]).await;
    server.run(&asking("r-1", "hello")).await;
    let messages = receiver.messages(4).await;
    assert!(messages.iter().all(|message| *message == messages[0]), "{messages:#?}");
    settle().await;
    assert_eq!(receiver.count(), 4, "it was accepted");
    assert_eq!(receiver.redirected(), 0, "redirects are not followed");
}

#[tokio::test]
async fn a_message_is_given_up_when_it_is_unwanted_or_after_the_last_attempt() {
    let receiver = Receiver::default();
    let address = receiver.open(&[Answer::Status(410)]).await;
    let twice = webhooks(address).attempts(2);
    let server = ThreadServer::serve(webhook_server(Memory::new(), twice, &Bells::default())).await;
    server.run(&asking("r-1", "hello")).await;
    receiver.messages(1).await;
    receiver.will_answer(&vec![Answer::Status(500); 5]);
    server.run(&asking("r-2", "hello")).await;
    receiver.messages(3).await;
    settle().await;
    assert_eq!(receiver.count(), 3);
}

#[tokio::test]
async fn a_receiver_that_is_slow_or_never_ends_is_bounded() {
    let receiver = Receiver::default();
    let address = receiver.open(&[Answer::Silence, Answer::Endless]).await;
    let hasty = webhooks(address).timeout(Duration::from_millis(300));
    let server = ThreadServer::serve(webhook_server(Memory::new(), hasty, &Bells::default())).await;
    let begun = Instant::now();
    server.run(&asking("r-1", "hello")).await;
    assert!(begun.elapsed() < Duration::from_secs(5), "runs do not wait for receivers");
    receiver.messages(2).await;
    settle().await;
    assert_eq!(receiver.count(), 2, "the status of the endless answer counts");
}

#[tokio::test]
async fn targets_are_public_unless_others_are_allowed() {
    let receiver = Receiver::default();
    let address = receiver.open(&[]).await;
    let chosen = Webhooks::for_each(
        |parts| parts.headers.get("x-webhook-url")?.to_str().ok().map(str::to_owned),
        secret(),
    );
    let server =
        ThreadServer::serve(webhook_server(Memory::new(), chosen.attempts(1), &Bells::default())).await;
    for url in [
        format!("http://{address}/ended"),
        format!("https://{address}/ended"),
        "https://[::1]/".to_owned(),
        "https://169.254.169.254/".to_owned(),
        "https://2130706433/".to_owned(),
        "nonsense".to_owned(),
    ] {
        let refused =
            request(&asking("r-1", "hello")).header("x-webhook-url", &url).send(server.address).await;
        is_refused(&refused, 400, "invalid_webhook");
    }
    assert_eq!(server.run(&asking("r-2", "hello")).await.status, 200, "a run without a webhook");
    settle().await;
    assert_eq!(receiver.count(), 0);
}

#[tokio::test]
async fn a_name_of_a_private_address_is_not_connected_to() {
    for allowed in [false, true] {
        // It sees connections. They need no TLS.
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("https://localhost:{}/ended", listener.local_addr().unwrap().port());
        let named = webhooks_to(url).allow_private(allowed).attempts(1);
        let server = ThreadServer::serve(webhook_server(Memory::new(), named, &Bells::default())).await;
        assert_eq!(server.run(&asking("r-1", "hello")).await.status, 200);
        let limit = if allowed { LIMIT } else { Duration::from_secs(2) };
        let connected = tokio::time::timeout(limit, listener.accept()).await;
        assert_eq!(connected.is_ok(), allowed);
    }
}

#[tokio::test]
async fn a_host_that_is_slow_gets_few_requests_at_once_and_every_message() {
    let receiver = Receiver::default();
    let address = receiver.open(&vec![Answer::Silence; 8]).await;
    let patient = webhooks(address).timeout(Duration::from_secs(5));
    let server = ThreadServer::serve(webhook_server(Memory::new(), patient, &Bells::default())).await;
    for run in 0..12 {
        server.run(&asking(&format!("r-{run}"), "hello")).await;
    }
    receiver.messages(8).await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(receiver.count(), 8);
    // The eight again, and the others.
    let messages = receiver.messages(20).await;
    let runs: std::collections::BTreeSet<_> =
        messages.iter().map(|received| received.message.data.run_id.to_string()).collect();
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
fn lose(log: &Memory, to: SocketAddr, bells: &Bells, until: impl AsyncFnOnce(&ThreadServer)) {
    let doomed = Runtime::new().unwrap();
    doomed.block_on(async {
        let server = ThreadServer::serve(webhook_server(log.clone(), webhooks(to), bells)).await;
        until(&server).await;
    });
    doomed.shutdown_background();
}

#[test]
fn the_end_of_a_run_whose_server_is_lost_is_sent_by_another() {
    let (log, bells, receiver) = (Memory::new(), Bells::default(), Receiver::default());
    let runtime = Runtime::new().unwrap();
    let address = runtime.block_on(receiver.open(&[]));
    lose(&log, address, &bells, async |server| drop(server.waiting("r-1").await));
    runtime.block_on(async {
        let _server = ThreadServer::serve(webhook_server(log, webhooks(address), &bells)).await;
        let message = receiver.messages(1).await.pop().unwrap().message;
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
    lose(&log, address, &bells, async |server| drop(server.run(&asking("r-1", "hello")).await));
    runtime.block_on(async {
        let _server = ThreadServer::serve(webhook_server(log, webhooks(address), &bells)).await;
        receiver.open_at(address, &[]).await;
        let message = receiver.messages(1).await.pop().unwrap().message;
        assert_eq!((message.kind, message.data.run_id.as_str()), (WebhookKind::Finished, "r-1"));
        settle().await;
        assert_eq!(receiver.count(), 1);
    });
}

#[tokio::test(flavor = "multi_thread")]
async fn every_end_in_memory_and_on_sqlite_is_sent_whatever_is_lost() {
    let log: Arc<dyn ThreadLog> = Arc::new(Memory::new());
    let (_folder, logs) = two_on_sqlite();
    let (_other_folder, others) = two_on_sqlite();
    // They wait for leases most of the time.
    let (memory, sqlite, ()) = tokio::join!(
        every_end_is_sent([Arc::clone(&log), log]),
        every_end_is_sent(logs),
        one_server_sends_each_end(others)
    );
    report(format_args!("memory: {memory}; SQLite: {sqlite}"));
}

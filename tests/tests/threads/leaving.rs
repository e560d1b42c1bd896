//! Clients that leave: their runs go on, or end, as the server says.

use std::sync::atomic::Ordering;
use std::time::Duration;

use agui_runtime::http::{BusyThread, ClientLeaves, ThreadOptions};
use agui_runtime::thread::Memory;
use agui_runtime::{Limits, Server};
use agui_tests::http::Request;
use tokio::time::sleep;

use crate::thread_server::{Bells, Clerk, ThreadServer, asking, connecting, is_legal};

#[tokio::test]
async fn a_run_goes_on_to_its_end() {
    let bells = Bells::default();
    let server = ThreadServer::open(Memory::new(), &bells).await;
    drop(server.waiting("1").await);
    sleep(Duration::from_millis(100)).await;
    bells.go_on.notify_one();
    let loaded = connecting(None).send(server.address).await;
    is_legal(loaded.text());
    assert!(loaded.text().contains("waiting is over") || loaded.text().contains(" is over"));
    assert_eq!(bells.dropped.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn a_run_is_cancelled_after_a_grace_if_the_server_says_so() {
    let bells = Bells::default();
    let grace = Duration::from_millis(300);
    let options = ThreadOptions::default().client_leaves(ClientLeaves::CancelAfter(grace));
    let server = ThreadServer::with(options, &bells).await;
    drop(server.waiting("1").await);
    sleep(Duration::from_millis(50)).await;
    // A client that comes back in time keeps it.
    let mut back = connecting(None).open(server.address).await;
    back.until("TEXT_MESSAGE_START").await;
    sleep(grace * 2).await;
    assert_eq!(bells.dropped.load(Ordering::SeqCst), 0);
    drop(back);
    sleep(grace * 3).await;
    let loaded = server.connect(None).await;
    is_legal(loaded.text());
    assert!(loaded.text().contains(r#""outcome":{"type":"cancelled"}"#), "{}", loaded.text());
    assert_eq!(bells.dropped.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_run_that_never_pauses_is_cancelled_too() {
    let bells = Bells::default();
    let options =
        ThreadOptions::default().client_leaves(ClientLeaves::CancelAfter(Duration::from_millis(200)));
    let server = ThreadServer::with(options, &bells).await;
    let mut run = crate::thread_server::request(&asking("1", "chatter")).open(server.address).await;
    run.until("TEXT_MESSAGE_CONTENT").await;
    drop(run);
    sleep(Duration::from_millis(600)).await;
    let loaded = server.connect(None).await;
    assert!(loaded.text().contains(r#""outcome":{"type":"cancelled"}"#), "{}", loaded.text());
}

#[tokio::test]
async fn a_run_that_no_client_reads_is_ended_when_the_server_shuts_down() {
    let (bells, log) = (Bells::default(), Memory::new());
    let limits = Limits::default().shutdown_grace(Duration::from_millis(100));
    let server = Server::new().threads(log.clone()).limits(limits).agent("/", Clerk::new(bells.clone()));
    let server = ThreadServer::serve(server).await;
    drop(server.waiting("1").await);
    server.close().await;
    let next = ThreadServer::open(log, &bells).await;
    let loaded = next.connect(None).await;
    is_legal(loaded.text());
    assert!(loaded.text().contains(r#""code":"shutdown""#), "{}", loaded.text());
    next.run(&asking("2", "hello")).await;
}

#[tokio::test]
async fn a_run_that_takes_too_long_ends_without_its_client_too() {
    let bells = Bells::default();
    let limits = Limits::default().run_timeout(Duration::from_millis(200));
    let server = Server::new().threads(Memory::new()).limits(limits).agent("/", Clerk::new(bells.clone()));
    let server = ThreadServer::serve(server).await;
    drop(server.waiting("1").await);
    let loaded = server.connect(None).await;
    assert!(loaded.text().contains(r#""code":"run_timeout""#), "{}", loaded.text());
}

#[tokio::test]
async fn each_agent_may_have_policies_of_its_own() {
    let (bells, log) = (Bells::default(), Memory::new());
    let options = ThreadOptions::default()
        .busy(BusyThread::Reject)
        .client_leaves_of("/search", ClientLeaves::CancelAfter(Duration::ZERO))
        .busy_of("/search", BusyThread::CancelFirst);
    let server = Server::new().threads(log).thread_options(options);
    let server = server.agent("/search", Clerk::new(bells.clone())).agent("/", Clerk::new(bells.clone()));
    let server = ThreadServer::serve(server).await;
    let run = |path: &str, id: &str, text: &str| Request::run(path, asking(id, text).to_string());
    drop(server.waiting("1").await);
    let mut search = run("/search", "1", "wait").open(server.address).await;
    search.until("waiting").await;
    assert_eq!(run("/search", "2", "hello").send(server.address).await.status, 200);
    assert_eq!(run("/", "2", "hello").send(server.address).await.status, 409);
    let mut search = run("/search", "3", "wait").open(server.address).await;
    search.until("waiting").await;
    drop(search);
    sleep(Duration::from_millis(200)).await;
    assert_eq!(bells.dropped.load(Ordering::SeqCst), 2, "both searches, and not the other run");
    bells.go_on.notify_one();
    assert!(server.connect(None).await.text().ends_with("\n\n"));
}

#[test]
fn policies_of_an_agent_that_is_not_there_are_refused() {
    let options = ThreadOptions::default().busy_of("/serch", BusyThread::Queue);
    let server = Server::new().thread_options(options).agent("/search", Clerk::new(Bells::default()));
    let error = server.router().unwrap_err();
    assert_eq!(error.to_string(), "the options for threads name `/serch`, which is the path of no agent");
}

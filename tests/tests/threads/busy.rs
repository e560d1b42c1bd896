//! A second run on a thread whose first goes on.

use std::sync::atomic::Ordering;
use std::time::Duration;

use agui_runtime::Server;
use agui_runtime::http::{BusyThread, ThreadOptions};
use agui_runtime::thread::{Memory, ThreadKey, ThreadLog};
use tokio::time::{sleep, timeout};

use crate::thread_server::{
    Bells, Clerk, ThreadServer, asking, is_legal, is_refused, request, result, types,
};

#[tokio::test]
async fn it_waits_by_default_while_a_client_reads_the_first() {
    let bells = Bells::default();
    let server = ThreadServer::open(Memory::new(), &bells).await;
    let mut first = server.waiting("1").await;
    let (address, queued) = (server.address, request(&asking("2", "hello")));
    let mut second = tokio::spawn(async move { queued.send(address).await });
    assert!(timeout(Duration::from_millis(200), &mut second).await.is_err(), "the first goes on");
    bells.go_on.notify_one();
    first.until(r#""outcome":{"type":"success"}"#).await;
    assert_eq!(result(&second.await.unwrap())["messages"].as_array().unwrap().len(), 3);
}

#[tokio::test]
async fn by_default_it_replaces_a_run_whose_client_has_left_or_leaves() {
    for leaves_first in [true, false] {
        let bells = Bells::default();
        let server = ThreadServer::open(Memory::new(), &bells).await;
        let first = server.waiting("1").await;
        // A second tab that reads the same run is a client too.
        let tab = server.waiting("1").await;
        drop(first);
        let (address, queued) = (server.address, request(&asking("2", "hello")));
        let mut second = tokio::spawn(async move { queued.send(address).await });
        if !leaves_first {
            assert!(
                timeout(Duration::from_millis(200), &mut second).await.is_err(),
                "the tab reads the first"
            );
        }
        drop(tab);
        let second = second.await.unwrap();
        assert_eq!(result(&second)["messages"].as_array().unwrap().len(), 3, "what the first said stays");
        assert_eq!(bells.dropped.load(Ordering::SeqCst), 1);
        is_legal(server.connect(None).await.text());
    }
}

#[tokio::test]
async fn a_run_of_another_server_is_replaced_when_its_client_leaves() {
    let (bells, log) = (Bells::default(), Memory::new());
    let (one, other) = (ThreadServer::open(log.clone(), &bells).await, ThreadServer::open(log, &bells).await);
    let first = one.waiting("1").await;
    let (address, queued) = (other.address, request(&asking("2", "hello")));
    let mut second = tokio::spawn(async move { queued.send(address).await });
    assert!(timeout(Duration::from_millis(200), &mut second).await.is_err(), "the first goes on");
    drop(first);
    assert_eq!(result(&second.await.unwrap())["messages"].as_array().unwrap().len(), 3);
    assert_eq!(bells.dropped.load(Ordering::SeqCst), 1);
}

/// Serves a clerk beside other servers of a store.
async fn beside(log: &Memory, bells: &Bells, lease: Duration) -> ThreadServer {
    let options = ThreadOptions::default().lease(lease);
    let server = Server::new().threads(log.clone()).thread_options(options);
    ThreadServer::serve(server.agent("/", Clerk::new(bells.clone()))).await
}

#[tokio::test]
async fn a_client_at_another_server_reads_a_run_too() {
    let (bells, log, lease) = (Bells::default(), Memory::new(), Duration::from_secs(2));
    let (one, other) = (beside(&log, &bells, lease).await, beside(&log, &bells, lease).await);
    let first = one.waiting("1").await;
    let tabs = [other.waiting("1").await, other.waiting("1").await];
    drop(first);
    let (address, queued) = (one.address, request(&asking("2", "hello")));
    let mut second = tokio::spawn(async move { queued.send(address).await });
    assert!(
        timeout(lease, &mut second).await.is_err(),
        "two tabs read the first, which is asked again and again"
    );
    drop(tabs);
    assert_eq!(result(&second.await.unwrap())["messages"].as_array().unwrap().len(), 3);
    assert_eq!(bells.dropped.load(Ordering::SeqCst), 1);
    let key = ThreadKey::new("", "/", "t");
    let records = log.read(&key, 0, usize::MAX).await.unwrap().records;
    let count = |kind: &str| {
        let start = format!(r#"{{"control":"{kind}""#);
        records.iter().filter(|(_, record)| record.starts_with(start.as_bytes())).count()
    };
    let (asked, found) = (count("readers_asked"), count("reader_found"));
    assert!((2..=6).contains(&asked) && (1..asked).contains(&found), "{found} answers to {asked} questions");
}

#[tokio::test]
async fn a_run_is_not_replaced_for_a_client_that_waits_no_more() {
    let (bells, log, lease) = (Bells::default(), Memory::new(), Duration::from_secs(1));
    let server = beside(&log, &bells, lease).await;
    let first = server.waiting("1").await;
    let (address, queued) = (server.address, request(&asking("2", "hello")));
    let mut second = tokio::spawn(async move { queued.send(address).await });
    assert!(timeout(lease, &mut second).await.is_err(), "the first goes on");
    second.abort();
    assert!(second.await.unwrap_err().is_cancelled());
    sleep(2 * lease).await;
    drop(first);
    sleep(lease).await;
    assert_eq!(
        bells.dropped.load(Ordering::SeqCst),
        0,
        "no client reads the run, and none waits for its end"
    );
    let mut again = server.waiting("1").await;
    bells.go_on.notify_one();
    again.until(r#""outcome":{"type":"success"}"#).await;
}

#[tokio::test]
async fn messages_that_wait_are_answered_in_their_order() {
    let bells = Bells::default();
    let server = ThreadServer::open(Memory::new(), &bells).await;
    let mut first = server.waiting("1").await;
    let mut waiting = Vec::new();
    for run in 2..8 {
        let (address, queued) = (server.address, request(&asking(&run.to_string(), "count")));
        waiting.push(tokio::spawn(async move { queued.send(address).await }));
        sleep(Duration::from_millis(30)).await;
    }
    // A client that leaves holds up none of the others.
    waiting.remove(2).abort();
    sleep(Duration::from_millis(100)).await;
    bells.go_on.notify_one();
    first.until(r#""outcome":{"type":"success"}"#).await;
    let mut counts = Vec::new();
    for answer in waiting {
        counts.push(result(&answer.await.unwrap())["count"].as_u64().unwrap());
    }
    assert_eq!(counts, [1, 2, 3, 4, 5]);
}

#[tokio::test]
async fn it_is_refused_until_the_first_has_ended_if_the_server_says_so() {
    let bells = Bells::default();
    let server = ThreadServer::with(ThreadOptions::default().busy(BusyThread::Reject), &bells).await;
    let mut first = server.waiting("1").await;
    is_refused(&server.run(&asking("2", "hello")).await, 409, "thread_busy");
    bells.go_on.notify_one();
    first.until("RUN_FINISHED").await;
    let second = server.run(&asking("2", "hello")).await;
    assert_eq!(result(&second)["messages"].as_array().unwrap().len(), 3, "it knows the first");
}

#[tokio::test]
async fn it_waits_if_the_server_queues_runs() {
    let bells = Bells::default();
    let server = ThreadServer::with(ThreadOptions::default().busy(BusyThread::Queue), &bells).await;
    let mut first = server.waiting("1").await;
    let (address, queued) = (server.address, request(&asking("2", "hello")));
    let mut second = tokio::spawn(async move { queued.send(address).await });
    assert!(timeout(Duration::from_millis(200), &mut second).await.is_err(), "the first goes on");
    bells.go_on.notify_one();
    first.until("RUN_FINISHED").await;
    assert_eq!(result(&second.await.unwrap())["messages"].as_array().unwrap().len(), 3);
}

#[tokio::test]
async fn it_stops_the_first_if_the_server_says_so() {
    let bells = Bells::default();
    let server = ThreadServer::with(ThreadOptions::default().busy(BusyThread::CancelFirst), &bells).await;
    let first = server.waiting("1").await;
    let second = server.run(&asking("2", "hello")).await;
    assert_eq!(result(&second)["messages"].as_array().unwrap().len(), 3);
    let first = first.whole().await;
    assert!(types(first.text()).ends_with("TEXT_MESSAGE_END RUN_FINISHED"), "{}", first.text());
    assert!(first.text().contains(r#""outcome":{"type":"cancelled"}"#), "{}", first.text());
    assert_eq!(bells.dropped.load(Ordering::SeqCst), 1);
    is_legal(server.connect(None).await.text());
}

#[tokio::test]
async fn of_many_at_once_one_runs_at_a_time() {
    let bells = Bells::default();
    let server = ThreadServer::with(ThreadOptions::default().busy(BusyThread::Queue), &bells).await;
    let runs = (0..10).map(|run| {
        let asked = request(&asking(&run.to_string(), "count"));
        let address = server.address;
        async move { asked.send(address).await }
    });
    let mut counts: Vec<_> = futures::future::join_all(runs)
        .await
        .iter()
        .map(|whole| result(whole)["count"].as_u64().unwrap())
        .collect();
    counts.sort_unstable();
    assert_eq!(counts, (1..=10).collect::<Vec<_>>(), "each continues where another ended");
}

//! Clients that leave: their runs go on, or end, as the server says.

use std::sync::atomic::Ordering;
use std::time::Duration;

use agui_runtime::http::{ClientLeaves, ThreadOptions};
use agui_runtime::thread::Memory;
use agui_runtime::{Limits, Server};
use tokio::time::sleep;

use crate::house::{Bells, Clerk, House, asking, connecting, is_legal};

#[tokio::test]
async fn a_run_goes_on_to_its_end() {
    let bells = Bells::default();
    let house = House::open(Memory::new(), &bells).await;
    drop(house.waiting("1").await);
    sleep(Duration::from_millis(100)).await;
    bells.go_on.notify_one();
    let loaded = connecting(None).send(house.address).await;
    is_legal(loaded.text());
    assert!(loaded.text().contains("waiting is over") || loaded.text().contains(" is over"));
    assert_eq!(bells.dropped.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn a_run_is_cancelled_after_a_grace_if_the_server_says_so() {
    let bells = Bells::default();
    let grace = Duration::from_millis(300);
    let options = ThreadOptions::default().client_leaves(ClientLeaves::CancelAfter(grace));
    let house = House::with(options, &bells).await;
    drop(house.waiting("1").await);
    sleep(Duration::from_millis(50)).await;
    // A client that comes back in time keeps it.
    let mut back = connecting(None).open(house.address).await;
    back.until("TEXT_MESSAGE_START").await;
    sleep(grace * 2).await;
    assert_eq!(bells.dropped.load(Ordering::SeqCst), 0);
    drop(back);
    sleep(grace * 3).await;
    let loaded = house.connect(None).await;
    is_legal(loaded.text());
    assert!(loaded.text().contains(r#""outcome":{"type":"cancelled"}"#), "{}", loaded.text());
    assert_eq!(bells.dropped.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_run_that_never_pauses_is_cancelled_too() {
    let bells = Bells::default();
    let options =
        ThreadOptions::default().client_leaves(ClientLeaves::CancelAfter(Duration::from_millis(200)));
    let house = House::with(options, &bells).await;
    let mut run = crate::house::request(&asking("1", "chatter")).open(house.address).await;
    run.until("TEXT_MESSAGE_CONTENT").await;
    drop(run);
    sleep(Duration::from_millis(600)).await;
    let loaded = house.connect(None).await;
    assert!(loaded.text().contains(r#""outcome":{"type":"cancelled"}"#), "{}", loaded.text());
}

#[tokio::test]
async fn a_run_that_no_client_reads_is_ended_when_the_server_shuts_down() {
    let (bells, log) = (Bells::default(), Memory::new());
    let limits = Limits::default().shutdown_grace(Duration::from_millis(100));
    let server = Server::new().threads(log.clone()).limits(limits).agent("/", Clerk::new(bells.clone()));
    let house = House::serve(server).await;
    drop(house.waiting("1").await);
    house.close().await;
    let next = House::open(log, &bells).await;
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
    let house = House::serve(server).await;
    drop(house.waiting("1").await);
    let loaded = house.connect(None).await;
    assert!(loaded.text().contains(r#""code":"run_timeout""#), "{}", loaded.text());
}

//! Attacks that only HTTP/2 knows.

use std::time::Duration;

use agui_runtime::{Limits, Server};
use agui_tests::http::Request;
use bytes::Bytes;
use h2::client::SendRequest;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::kitchen::{Cook, Served, Told, asking};

const SHORT: Duration = Duration::from_millis(200);
const PATIENCE: Duration = Duration::from_secs(10);

/// The first bytes of a client, and settings with which the server may send nothing of a body.
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
const NO_WINDOW: &[u8] = b"\0\0\x06\x04\0\0\0\0\0\0\x04\0\0\0\0";

async fn client(served: &Served, window: u32) -> SendRequest<Bytes> {
    let stream = TcpStream::connect(served.address).await.unwrap();
    let mut builder = h2::client::Builder::new();
    builder.initial_window_size(window).max_concurrent_reset_streams(10_000);
    let (client, connection) = builder.handshake(stream).await.unwrap();
    tokio::spawn(connection);
    client.ready().await.unwrap()
}

fn run() -> http::Request<()> {
    http::Request::post("http://localhost/").header("content-type", "application/json").body(()).unwrap()
}

#[tokio::test]
async fn a_closed_window_cuts_off_its_stream_and_no_other() {
    let (cook, mut told) = Cook::new();
    let bell = cook.bell.clone();
    let limits = Limits::default().write_timeout(SHORT);
    let served = Served::start(Server::new().agent("/", cook).limits(limits)).await;
    let mut client = client(&served, 64 * 1024).await;
    let (reads, mut body) = client.send_request(run(), false).unwrap();
    body.send_data(asking("wait").to_string().into(), true).unwrap();
    let (stops, mut body) = client.send_request(run(), false).unwrap();
    body.send_data(asking("endless").to_string().into(), true).unwrap();
    let (mut reads, mut stops) = (reads.await.unwrap(), stops.await.unwrap());

    assert_eq!(timeout(PATIENCE, told.recv()).await.expect("the run goes on"), Some(Told::Dropped));
    let reset = async {
        // Data that was sent before the reset stays readable.
        while let Some(data) = stops.body_mut().data().await {
            if let Err(error) = data {
                return error.reason();
            }
        }
        None
    };
    assert_eq!(timeout(PATIENCE, reset).await.expect("no reset"), Some(h2::Reason::CANCEL));

    // The other stream is as it was.
    bell.notify_one();
    let mut said = Vec::new();
    while let Some(data) = reads.body_mut().data().await {
        let data = data.unwrap();
        reads.body_mut().flow_control().release_capacity(data.len()).unwrap();
        said.extend_from_slice(&data);
    }
    assert!(String::from_utf8(said).unwrap().contains("RUN_FINISHED"));
}

#[tokio::test]
async fn a_client_that_answers_no_ping_is_gone() {
    let (cook, mut told) = Cook::new();
    let limits = Limits::default().write_timeout(SHORT);
    let served = Served::start(Server::new().agent("/", cook).limits(limits)).await;
    let stream = TcpStream::connect(served.address).await.unwrap();
    let (client, connection) = h2::client::handshake(stream).await.unwrap();
    let mut connection = Box::pin(connection);
    let mut client = client.ready().await.unwrap();
    let (answer, mut body) = client.send_request(run(), false).unwrap();
    body.send_data(asking("wait").to_string().into(), true).unwrap();
    tokio::select! {
        _ = connection.as_mut() => panic!("the connection ended"),
        answer = answer => assert_eq!(answer.unwrap().status(), 200),
    }
    // From here on nothing is read, and so nothing answered.
    assert_eq!(timeout(PATIENCE, told.recv()).await.expect("the run goes on"), Some(Told::Dropped));
}

#[tokio::test]
async fn an_http_2_connection_without_requests_is_closed() {
    let limits = Limits::default().header_timeout(SHORT).idle_timeout(SHORT);
    let served = Served::start(Server::new().agent("/", Cook::new().0).limits(limits)).await;
    // Without a request, and after one.
    let mut stream = TcpStream::connect(served.address).await.unwrap();
    stream.write_all(&[PREFACE, NO_WINDOW].concat()).await.unwrap();
    let mut said = Vec::new();
    let _ = timeout(PATIENCE, stream.read_to_end(&mut said)).await.expect("the connection stays open");

    let stream = TcpStream::connect(served.address).await.unwrap();
    let (client, connection) = h2::client::handshake(stream).await.unwrap();
    let connection = tokio::spawn(connection);
    let mut client = client.ready().await.unwrap();
    let request = http::Request::get("http://localhost/capabilities").body(()).unwrap();
    let (answer, _) = client.send_request(request, true).unwrap();
    assert_eq!(answer.await.unwrap().status(), 200);
    timeout(PATIENCE, connection).await.expect("the connection stays open").unwrap().unwrap();
}

#[tokio::test]
async fn more_streams_than_a_connection_may_have_wait() {
    let (cook, _told) = Cook::new();
    let limits = Limits::default().streams(2).runs_per_thread(10);
    let served = Served::start(Server::new().agent("/", cook).limits(limits)).await;
    let mut client = client(&served, 1 << 20).await;
    let mut answers = Vec::new();
    // A client learns the limit with the first answer, and keeps to it then.
    for _ in 0..2 {
        let (answer, mut body) = client.send_request(run(), false).unwrap();
        body.send_data(asking("wait").to_string().into(), true).unwrap();
        answers.push(answer.await.unwrap());
    }
    let third = timeout(SHORT, client.ready()).await;
    match third {
        Err(_) => {}
        Ok(client) => {
            let mut client = client.unwrap();
            let (answer, mut body) = client.send_request(run(), false).unwrap();
            let _ = body.send_data(asking("who").to_string().into(), true);
            assert!(timeout(SHORT, answer).await.is_err(), "a third stream was answered");
        }
    }
}

/// Streams that are reset as soon as they are opened (CVE-2023-44487).
#[tokio::test]
async fn rapid_resets_leave_nothing_behind_and_others_are_served() {
    let (cook, mut told) = Cook::new();
    let served = Served::start(Server::new().agent("/", cook)).await;
    let mut attacker = client(&served, 64 * 1024).await;
    let attack = tokio::spawn(async move {
        for number in 0..20_000 {
            let Ok(mut ready) = attacker.ready().await else { return number };
            let Ok((answer, mut body)) = ready.send_request(run(), false) else { return number };
            let _ = body.send_data(asking("wait").to_string().into(), true);
            body.send_reset(h2::Reason::CANCEL);
            drop(answer);
            attacker = ready;
            if number % 100 == 0 {
                tokio::task::yield_now().await;
            }
        }
        20_000
    });
    for _ in 0..50 {
        let run = Request::run("/", asking("who").to_string());
        assert_eq!(timeout(PATIENCE, run.send(served.address)).await.expect("no answer").status, 200);
    }
    let _ = timeout(PATIENCE, attack).await.expect("the attack goes on");
    // Runs that were started for it are gone.
    while timeout(SHORT, told.recv()).await.is_ok() {}
    let mut answer = Request::run("/", asking("wait").to_string()).open(served.address).await;
    answer.until("waiting").await;
}

//! The first bytes of HTTP/2, which may come in any pieces.

use std::net::SocketAddr;
use std::time::Duration;

use agui_runtime::{Limits, Server};
use futures::future::join_all;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, copy_bidirectional, duplex};
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};

use crate::flood::PREFACE;
use crate::kitchen::{Cook, Served, asking};

const PATIENCE: Duration = Duration::from_secs(10);

/// The time between two pieces: the server reads them one by one.
const PAUSE: Duration = Duration::from_millis(20);

/// The type of a frame that ends a connection (RFC 9113, section 6.8).
const GOAWAY: u8 = 7;

async fn connect(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(address).await.unwrap();
    stream.set_nodelay(true).unwrap();
    stream
}

/// Sends bytes in two pieces.
async fn send(stream: &mut TcpStream, bytes: &[u8], at: usize) {
    stream.write_all(&bytes[..at]).await.unwrap();
    sleep(PAUSE).await;
    stream.write_all(&bytes[at..]).await.unwrap();
}

/// Asks for a run over HTTP/2, by a client whose first bytes are cut at that place.
async fn ask(address: SocketAddr, at: usize) -> String {
    let mut stream = connect(address).await;
    let (near, mut far) = duplex(64 * 1024);
    tokio::spawn(async move {
        let mut first = vec![0; PREFACE.len()];
        far.read_exact(&mut first).await.unwrap();
        send(&mut stream, &first, at).await;
        drop(copy_bidirectional(&mut far, &mut stream).await);
    });
    let (client, connection) = h2::client::handshake(near).await.unwrap();
    tokio::spawn(connection);
    let request = http::Request::post("http://localhost/").header("content-type", "application/json");
    let mut client = client.ready().await.unwrap();
    let (answer, mut body) = client.send_request(request.body(()).unwrap(), false).unwrap();
    body.send_data(asking("who").to_string().into(), true).unwrap();
    let mut answer = answer.await.unwrap();
    let mut text = Vec::new();
    while let Some(bytes) = answer.body_mut().data().await {
        text.extend(bytes.unwrap());
    }
    String::from_utf8(text).unwrap()
}

#[tokio::test]
async fn a_run_is_asked_for_over_http_2_in_any_pieces() {
    let served = Served::cook().await;
    let answers = (1..PREFACE.len()).map(|at| timeout(PATIENCE, ask(served.address, at)));
    for (at, answer) in (1..).zip(join_all(answers).await) {
        let answer = answer.unwrap_or_else(|_| panic!("no answer, cut at {at}"));
        assert!(answer.contains("RUN_FINISHED"), "cut at {at}: {answer}");
    }
}

#[tokio::test]
async fn its_limits_are_those_of_http_2_in_any_pieces() {
    let limits = Limits::default().header_timeout(Duration::from_millis(300));
    let served = Served::start(Server::new().agent("/", Cook::new().0).limits(limits)).await;
    let silent = (1..PREFACE.len()).map(|at| {
        let address = served.address;
        async move {
            let mut stream = connect(address).await;
            send(&mut stream, PREFACE, at).await;
            let mut answer = Vec::new();
            timeout(PATIENCE, stream.read_to_end(&mut answer)).await.expect("it stays open").unwrap();
            answer
        }
    });
    for (at, answer) in (1..).zip(join_all(silent).await) {
        assert!(types(&answer).contains(&GOAWAY), "cut at {at}: {answer:?}");
    }
}

/// Returns the types of frames.
fn types(mut bytes: &[u8]) -> Vec<u8> {
    let mut types = Vec::new();
    while let Some((head, rest)) = bytes.split_first_chunk::<9>() {
        types.push(head[3]);
        let length = u32::from_be_bytes([0, head[0], head[1], head[2]]) as usize;
        bytes = rest.get(length..).unwrap_or_default();
    }
    types
}

//! Clients over HTTP/2: several runs on one connection.

use std::net::SocketAddr;
use std::time::Duration;

use bytes::Bytes;
use futures::future::join_all;
use h2::RecvStream;
use h2::client::{ResponseFuture, SendRequest};
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};

use super::{Counts, Dice, body, has_its_end};

/// Against hangs.
const PATIENCE: Duration = Duration::from_secs(20);

/// The most runs of a connection.
const STREAMS: u64 = 4;

async fn connect(address: SocketAddr) -> SendRequest<Bytes> {
    let stream = TcpStream::connect(address).await.unwrap();
    let mut builder = h2::client::Builder::new();
    // A stream that is not read does not hold the others back.
    builder.initial_connection_window_size(1 << 20);
    let (client, connection) = builder.handshake(stream).await.unwrap();
    // It ends with the last handle.
    tokio::spawn(connection);
    client.ready().await.unwrap()
}

/// Asks for a run.
fn ask(client: &mut SendRequest<Bytes>, text: &str, dice: &mut Dice) -> ResponseFuture {
    let request = http::Request::post("http://localhost/").header("content-type", "application/json");
    let (answer, mut sending) = client.send_request(request.body(()).unwrap(), false).unwrap();
    sending.send_data(body(text, dice).to_string().into(), true).unwrap();
    answer
}

async fn open(kind: &'static str, answer: ResponseFuture, counts: &Counts) -> RecvStream {
    let answer = timeout(PATIENCE, answer).await.expect("the server says nothing").unwrap();
    counts.saw(kind, answer.status().as_u16(), &[200]);
    answer.into_body()
}

/// Reads the next bytes, and lets the server send as many more. `None` at the end.
async fn next(answer: &mut RecvStream) -> Option<Bytes> {
    let read = timeout(PATIENCE, answer.data()).await.expect("the server says nothing")?;
    let bytes = read.expect("a run was cut");
    answer.flow_control().release_capacity(bytes.len()).unwrap();
    Some(bytes)
}

/// Reads runs to their ends, at the same time.
pub(super) async fn read(address: SocketAddr, dice: &mut Dice, counts: &Counts) {
    let mut client = connect(address).await;
    let asked: Vec<_> = (0..=dice.below(STREAMS)).map(|_| ask(&mut client, "talk", dice)).collect();
    let runs = asked.into_iter().map(|answer| async {
        let mut answer = open("over HTTP/2", answer, counts).await;
        let mut text = Vec::new();
        while let Some(bytes) = next(&mut answer).await {
            text.extend(bytes);
        }
        has_its_end(std::str::from_utf8(&text).unwrap());
    });
    join_all(runs).await;
}

/// Reads a part of a run while it does not read another; then resets them, or hangs up.
pub(super) async fn leave(address: SocketAddr, dice: &mut Dice, counts: &Counts) {
    let mut client = connect(address).await;
    let unread = ask(&mut client, "flood", dice);
    let _unread = open("left over HTTP/2", unread, counts).await;
    let answer = ask(&mut client, "talk", dice);
    let mut answer = open("left over HTTP/2", answer, counts).await;
    for _ in 0..dice.below(20) {
        if next(&mut answer).await.is_none() {
            break;
        }
    }
    if dice.below(2) == 0 {
        // The streams are reset, and the connection goes on a while.
        drop((answer, _unread));
        sleep(Duration::from_millis(dice.below(50))).await;
    }
}

//! Slow clients: each is cut off, with an answer if it can be read.

use std::time::{Duration, Instant};

use agui_runtime::{Limits, Server};
use agui_tests::http::{Connection, Piece, Request};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};

use crate::kitchen::{Cook, Report, Served, asking};

const SHORT: Duration = Duration::from_millis(150);

/// Against hangs; a server without timers makes no test wait longer.
const PATIENCE: Duration = Duration::from_secs(10);

async fn serving(limits: Limits) -> Served {
    Served::start(Server::new().agent("/", Cook::new().0).limits(limits)).await
}

/// The whole output of a server until it hangs up.
async fn until_closed(stream: &mut TcpStream) -> String {
    let mut said = Vec::new();
    let read = timeout(PATIENCE, stream.read_to_end(&mut said)).await.expect("the connection stays open");
    // A reset is an end, too.
    let _ = read;
    String::from_utf8(said).unwrap()
}

#[tokio::test]
async fn a_silent_connection_is_closed() {
    let served = serving(Limits::default().header_timeout(SHORT)).await;
    let mut stream = TcpStream::connect(served.address).await.unwrap();
    let start = Instant::now();
    assert_eq!(until_closed(&mut stream).await, "");
    assert!(start.elapsed() >= SHORT);
}

#[tokio::test]
async fn half_a_head_is_answered_with_408() {
    let served = serving(Limits::default().header_timeout(SHORT)).await;
    // The first bytes of HTTP/2's preface are those of a method, too.
    for half in ["P", "PRI", "POST / HTT", "POST / HTTP/1.1\r\nhost: localhost\r\nx-slow: "] {
        let mut stream = TcpStream::connect(served.address).await.unwrap();
        stream.write_all(half.as_bytes()).await.unwrap();
        let said = until_closed(&mut stream).await;
        if half.len() > 3 {
            assert!(
                said.starts_with("HTTP/1.1 408 ") && said.contains("\"header_timeout\""),
                "{half}: {said}"
            );
        }
    }
}

#[tokio::test]
async fn a_head_that_drips_is_cut_off() {
    let served = serving(Limits::default().header_timeout(SHORT)).await;
    let (mut read, mut write) = TcpStream::connect(served.address).await.unwrap().into_split();
    let drip = async {
        write.write_all(b"POST / HTTP/1.1\r\n").await.unwrap();
        while write.write_all(b"x: y\r\n").await.is_ok() {
            sleep(Duration::from_millis(20)).await;
        }
    };
    let closed = async {
        let mut said = Vec::new();
        let _ = read.read_to_end(&mut said).await;
        String::from_utf8(said).unwrap()
    };
    let said = timeout(PATIENCE, async { tokio::join!(drip, closed).1 }).await.expect("it drips for ever");
    assert!(said.starts_with("HTTP/1.1 408 "), "{said}");
}

#[tokio::test]
async fn a_body_that_does_not_come_is_answered_with_408() {
    let served = serving(Limits::default().body_timeout(SHORT)).await;
    for sent in ["", "{\"threadId\""] {
        let mut connection = Connection::open(served.address).await;
        connection.send(&Request::run("/", asking("who").to_string()).head()).await;
        connection.send(sent.as_bytes()).await;
        let answer = timeout(PATIENCE, connection.answer()).await.expect("no answer").whole().await;
        assert_eq!(
            (answer.status, &answer.json()["error"]["code"]),
            (408, &serde_json::json!("body_timeout"))
        );
    }
}

#[tokio::test]
async fn a_body_that_drips_is_answered_with_408() {
    let served = serving(Limits::default().body_timeout(SHORT)).await;
    let (mut read, mut write) = TcpStream::connect(served.address).await.unwrap().into_split();
    let head = Request::new("POST", "/")
        .header("content-type", "application/json")
        .header("transfer-encoding", "chunked");
    write.write_all(&head.head()).await.unwrap();
    // Faster than any limit of a pause, and less than any body needs.
    let drip = async {
        while write.write_all(b"1\r\n \r\n").await.is_ok() {
            sleep(Duration::from_millis(20)).await;
        }
    };
    let answered = async {
        let mut said = Vec::new();
        while !said.ends_with(b"}}") {
            assert!(read.read_buf(&mut said).await.unwrap() > 0);
        }
        String::from_utf8(said).unwrap()
    };
    let said = tokio::select! {
        said = timeout(PATIENCE, answered) => said.expect("it drips for ever"),
        () = drip => panic!("cut off without an answer"),
    };
    assert!(said.starts_with("HTTP/1.1 408 ") && said.contains("\"body_timeout\""), "{said}");
}

#[tokio::test]
async fn a_large_body_has_more_time() {
    let body = asking(&"x".repeat(200 * 1024)).to_string();
    let served = serving(Limits::default().body_timeout(6 * SHORT)).await;
    let mut connection = Connection::open(served.address).await;
    connection.send(&Request::run("/", body.as_str()).head()).await;
    for piece in body.as_bytes().chunks(20 * 1024) {
        connection.send(piece).await;
        sleep(SHORT).await;
    }
    assert_eq!(connection.answer().await.status, 200);
}

/// Bytes that come at once are no credit for a later pause, so a body that never ends gives back its share of the
/// budget.
#[tokio::test]
async fn a_large_body_that_stalls_is_answered_with_408_and_releases_the_budget() {
    let limits = Limits::default().body_timeout(2 * SHORT).body_size(2 << 20).total_body_size(2 << 20);
    let served = serving(limits).await;
    let body = asking(&"x".repeat(1 << 20)).to_string();
    let mut stalled = Connection::open(served.address).await;
    stalled.send(&Request::run("/", body.as_str()).head()).await;
    stalled.send(&body.as_bytes()[..body.len() - 1]).await;
    // It stays connected while another body of its size takes the same budget.
    let answer = timeout(PATIENCE, stalled.answer()).await.expect("it stalls for ever").whole().await;
    assert_eq!((answer.status, &answer.json()["error"]["code"]), (408, &serde_json::json!("body_timeout")));
    assert_eq!(Request::run("/", body).send(served.address).await.status, 200);
}

#[tokio::test]
async fn a_connection_that_is_kept_for_later_is_closed_some_day() {
    let served = serving(Limits::default().idle_timeout(SHORT)).await;
    let mut stream = TcpStream::connect(served.address).await.unwrap();
    let request = Request::new("GET", "/capabilities");
    stream.write_all(&request.head()).await.unwrap();
    let start = Instant::now();
    let said = until_closed(&mut stream).await;
    assert!(said.starts_with("HTTP/1.1 200 ") && !said.contains("408"), "{said}");
    assert!(start.elapsed() >= SHORT);
}

#[tokio::test]
async fn half_a_head_on_a_used_connection_is_answered_with_408() {
    let limits = Limits::default().header_timeout(SHORT).idle_timeout(Duration::from_secs(600));
    let served = serving(limits).await;
    let mut stream = TcpStream::connect(served.address).await.unwrap();
    stream.write_all(&Request::new("GET", "/capabilities").head()).await.unwrap();
    let mut buffer = [0; 4096];
    assert!(stream.read(&mut buffer).await.unwrap() > 0);
    // Longer than the limit of a head: between requests, that limit does not run.
    sleep(2 * SHORT).await;
    stream.write_all(b"GET / HT").await.unwrap();
    assert!(until_closed(&mut stream).await.contains("HTTP/1.1 408 "));
}

/// A head that begins during the previous answer has its time from the end of that answer. If it begins in one piece with the end
/// of the request before it, it is not noticed, and the limit between requests applies.
#[tokio::test]
async fn half_a_head_behind_a_running_request_has_the_time_of_a_head() {
    let long = Duration::from_secs(600);
    for together in [true, false] {
        let (cook, _told) = Cook::new();
        let bell = cook.bell.clone();
        let (header, idle) = if together { (long, SHORT) } else { (SHORT, long) };
        let limits = Limits::default().header_timeout(header).idle_timeout(idle);
        let served = Served::start(Server::new().agent("/", cook).limits(limits)).await;
        let body = asking("wait").to_string();
        let mut sent = [Request::run("/", body.as_str()).head(), body.into_bytes()].concat();
        let half = b"GET /capabilities HTTP/1.1\r\nhost: loc";
        let mut stream = TcpStream::connect(served.address).await.unwrap();
        if together {
            sent.extend_from_slice(half);
        }
        stream.write_all(&sent).await.unwrap();
        let mut said = Vec::new();
        while !said.windows(7).any(|window| window == b"waiting") {
            assert!(stream.read_buf(&mut said).await.unwrap() > 0);
        }
        if !together {
            stream.write_all(half).await.unwrap();
        }
        // No limit runs while the request does.
        sleep(2 * SHORT).await;
        bell.notify_one();
        let start = Instant::now();
        let said = until_closed(&mut stream).await;
        assert!(start.elapsed() >= SHORT, "{together}");
        assert!(said.contains("RUN_FINISHED"), "{together}: {said}");
        assert_eq!(said.contains("HTTP/1.1 408 "), !together, "{said}");
    }
}

/// The rest of a body that is not read is no head of a next request.
#[tokio::test]
async fn a_body_that_is_not_read_is_no_head() {
    let limits = Limits::default().header_timeout(SHORT).idle_timeout(4 * SHORT);
    let served = serving(limits).await;
    let mut stream = TcpStream::connect(served.address).await.unwrap();
    let body = vec![b'x'; 4096];
    stream.write_all(&Request::run("/nothing", body.clone()).head()).await.unwrap();
    sleep(SHORT / 4).await;
    stream.write_all(&body).await.unwrap();
    let said = until_closed(&mut stream).await;
    assert!(said.starts_with("HTTP/1.1 404 ") && !said.contains(" 408 "), "{said}");
}

#[tokio::test]
async fn a_quiet_run_is_not_idle() {
    let (cook, _told) = Cook::new();
    let bell = cook.bell.clone();
    let limits =
        Limits::default().header_timeout(SHORT).body_timeout(SHORT).idle_timeout(SHORT).write_timeout(SHORT);
    let served = Served::start(Server::new().agent("/", cook).limits(limits)).await;
    let mut answer = Request::run("/", asking("wait").to_string()).open(served.address).await;
    answer.until("waiting").await;
    sleep(4 * SHORT).await;
    bell.notify_one();
    answer.until("RUN_FINISHED").await;
    assert_eq!(answer.next().await, Piece::End);
}

#[tokio::test]
async fn a_reader_that_stops_is_cut_off_and_its_run_cancelled() {
    let (cook, mut reports) = Cook::new();
    let limits = Limits::default().write_timeout(SHORT);
    let served = Served::start(Server::new().agent("/", cook).limits(limits)).await;
    let mut answer = Request::run("/", asking("endless").to_string()).open(served.address).await;
    answer.until("TEXT_MESSAGE_CONTENT").await;
    assert_eq!(timeout(PATIENCE, reports.recv()).await.expect("the run goes on"), Some(Report::Dropped));
}

#[tokio::test]
async fn a_reader_that_is_slow_is_served() {
    let (cook, mut reports) = Cook::new();
    let limits = Limits::default().write_timeout(2 * SHORT);
    let served = Served::start(Server::new().agent("/", cook).limits(limits)).await;
    let mut answer = Request::run("/", asking("endless").to_string()).open(served.address).await;
    for _ in 0..20 {
        let mut read = 0;
        while read < 1 << 20 {
            let Piece::Bytes(bytes) = answer.next().await else { panic!("cut off") };
            read += bytes.len();
        }
        sleep(SHORT / 3).await;
    }
    assert!(reports.try_recv().is_err());
}

#[tokio::test]
async fn a_half_closed_socket_ends_its_run() {
    let (cook, mut reports) = Cook::new();
    let served = Served::start(Server::new().agent("/", cook)).await;
    let (mut read, mut write) = TcpStream::connect(served.address).await.unwrap().into_split();
    let body = asking("wait").to_string();
    let request = Request::run("/", body.as_str());
    write.write_all(&request.head()).await.unwrap();
    write.write_all(body.as_bytes()).await.unwrap();
    let mut said = Vec::new();
    while !said.windows(7).any(|window| window == b"waiting") {
        assert!(read.read_buf(&mut said).await.unwrap() > 0);
    }
    drop(write);
    assert_eq!(timeout(PATIENCE, reports.recv()).await.expect("the run goes on"), Some(Report::Dropped));
    let mut rest = Vec::new();
    let _ = timeout(PATIENCE, read.read_to_end(&mut rest)).await.expect("the connection stays open");
}

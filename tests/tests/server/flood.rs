//! Attacks that exist in HTTP/2 only.

use std::time::{Duration, Instant};

use agui_runtime::{Limits, Server};
use agui_tests::http::Request;
use agui_tests::recorded_metrics::RecordedMetrics;
use bytes::Bytes;
use h2::client::SendRequest;
use metrics_util::debugging::DebuggingRecorder;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::kitchen::{Cook, Report, Served, asking};
use crate::waits;

const SHORT: Duration = Duration::from_millis(200);
const PATIENCE: Duration = Duration::from_secs(10);

/// The first bytes of a client, and empty settings (RFC 9113, section 3.4).
pub(crate) const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";

async fn client(served: &Served, window: u32) -> SendRequest<Bytes> {
    let stream = TcpStream::connect(served.address).await.unwrap();
    let mut builder = h2::client::Builder::new();
    builder.initial_window_size(window).initial_connection_window_size(window.max(65_535));
    let (client, connection) = builder.handshake(stream).await.unwrap();
    tokio::spawn(connection);
    client.ready().await.unwrap()
}

fn run() -> http::Request<()> {
    http::Request::post("http://localhost/").header("content-type", "application/json").body(()).unwrap()
}

#[tokio::test]
async fn a_closed_window_cuts_off_its_stream_and_no_other() {
    let (cook, mut reports) = Cook::new();
    let bell = cook.bell.clone();
    let limits = Limits::default().write_timeout(SHORT);
    let served = Served::start(Server::new().agent("/", cook).limits(limits)).await;
    let mut client = client(&served, 64 * 1024).await;
    let (reads, mut body) = client.send_request(run(), false).unwrap();
    body.send_data(asking("wait").to_string().into(), true).unwrap();
    let (stops, mut body) = client.send_request(run(), false).unwrap();
    body.send_data(asking("endless").to_string().into(), true).unwrap();
    let (mut reads, mut stops) = (reads.await.unwrap(), stops.await.unwrap());

    assert_eq!(timeout(PATIENCE, reports.recv()).await.expect("the run goes on"), Some(Report::Dropped));
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

    // The other stream is not affected.
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
async fn a_stream_whose_window_never_opens_is_reset() {
    let (cook, mut reports) = Cook::new();
    let limits = Limits::default().write_timeout(SHORT);
    let served = Served::start(Server::new().agent("/", cook).limits(limits)).await;
    let mut client = client(&served, 0).await;
    let (answer, mut body) = client.send_request(run(), false).unwrap();
    body.send_data(asking("endless").to_string().into(), true).unwrap();
    let mut answer = answer.await.unwrap();
    assert_eq!(timeout(PATIENCE, reports.recv()).await.expect("the run goes on"), Some(Report::Dropped));
    let end = timeout(PATIENCE, answer.body_mut().data()).await.expect("no reset");
    assert_eq!(end.unwrap().unwrap_err().reason(), Some(h2::Reason::CANCEL));
}

#[tokio::test]
async fn a_client_that_answers_no_ping_is_gone() {
    let (cook, mut reports) = Cook::new();
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
    assert_eq!(timeout(PATIENCE, reports.recv()).await.expect("the run goes on"), Some(Report::Dropped));
}

#[tokio::test]
async fn an_http_2_connection_without_requests_is_closed() {
    let limits = Limits::default().header_timeout(SHORT).idle_timeout(SHORT);
    let served = Served::start(Server::new().agent("/", Cook::new().0).limits(limits)).await;
    // Without a request, and after one.
    let mut silent = Raw::open(&served).await;
    let end = timeout(PATIENCE, silent.next(&[GOAWAY])).await.expect("the connection stays open");
    assert_eq!(end, Some((GOAWAY, 0, NO_ERROR)));
    assert_eq!(timeout(PATIENCE, silent.next(&[])).await.expect("the connection stays open"), None);

    let stream = TcpStream::connect(served.address).await.unwrap();
    let (client, connection) = h2::client::handshake(stream).await.unwrap();
    let connection = tokio::spawn(connection);
    let mut client = client.ready().await.unwrap();
    let request = http::Request::get("http://localhost/capabilities").body(()).unwrap();
    let (answer, _) = client.send_request(request, true).unwrap();
    assert_eq!(answer.await.unwrap().status(), 200);
    timeout(PATIENCE, connection).await.expect("the connection stays open").unwrap().unwrap();
}

/// A client that sends any frames.
struct Raw {
    stream: TcpStream,
    read: Vec<u8>,
}

/// The types of frames (RFC 9113, section 6).
const DATA: u8 = 0;
const HEADERS: u8 = 1;
const RST_STREAM: u8 = 3;
const GOAWAY: u8 = 7;

const NO_ERROR: u32 = 0;
const REFUSED_STREAM: u32 = 7;
const ENHANCE_YOUR_CALM: u32 = 11;

impl Raw {
    async fn open(served: &Served) -> Self {
        let mut stream = TcpStream::connect(served.address).await.unwrap();
        stream.set_nodelay(true).unwrap();
        stream.write_all(PREFACE).await.unwrap();
        Self { stream, read: Vec::new() }
    }

    /// Sends one frame. False when the server has hung up.
    async fn send(&mut self, kind: u8, flags: u8, stream: u32, payload: &[u8]) -> bool {
        let length = u32::try_from(payload.len()).unwrap().to_be_bytes();
        let frame = [&length[1..], &[kind, flags], &stream.to_be_bytes(), payload].concat();
        self.stream.write_all(&frame).await.is_ok()
    }

    /// Opens a stream with `POST /`, whose body is still to come.
    async fn run(&mut self, stream: u32) -> bool {
        self.run_with(stream, b"").await
    }

    async fn run_with(&mut self, stream: u32, header: &[u8]) -> bool {
        // By index: `POST`, `http`, `/`; then `:authority`, and `content-type`, which is number 31 (RFC 7541, appendix A).
        let head = b"\x83\x86\x84\x01\x09localhost\x0f\x10\x10application/json";
        let head = [head.as_slice(), header].concat();
        self.send(HEADERS, 0x4, stream, &head).await
    }

    /// The next frame of one of these types: its type, its stream, and the error it names.
    async fn next(&mut self, kinds: &[u8]) -> Option<(u8, u32, u32)> {
        let word = |bytes: &[u8]| u32::from_be_bytes(bytes.try_into().unwrap());
        loop {
            while self.read.len() < 9 || self.read.len() < 9 + self.length() {
                if !matches!(self.stream.read_buf(&mut self.read).await, Ok(1..)) {
                    return None;
                }
            }
            let rest = self.read.split_off(9 + self.length());
            let frame = std::mem::replace(&mut self.read, rest);
            match frame[3] {
                GOAWAY if kinds.contains(&GOAWAY) => return Some((GOAWAY, 0, word(&frame[13..17]))),
                kind if kinds.contains(&kind) => {
                    return Some((kind, word(&frame[5..9]), word(&frame[9..13])));
                }
                _ => {}
            }
        }
    }

    fn length(&self) -> usize {
        self.read[..3].iter().fold(0, |length, byte| length << 8 | usize::from(*byte))
    }
}

#[tokio::test]
async fn more_streams_than_a_connection_may_have_are_refused() {
    let recorder = DebuggingRecorder::new();
    let mut seen = RecordedMetrics::of(&recorder);
    let _guard = ::metrics::set_default_local_recorder(&recorder);
    let (cook, _told) = Cook::new();
    let served = Served::start(Server::new().agent("/", cook).limits(Limits::default().streams(2))).await;
    let mut client = Raw::open(&served).await;
    // It ignores the limit that the server sent.
    for stream in [1, 3, 5] {
        assert!(client.run(stream).await);
    }
    let refused = timeout(PATIENCE, client.next(&[RST_STREAM, GOAWAY])).await.expect("no stream is refused");
    assert_eq!(refused, Some((RST_STREAM, 5, REFUSED_STREAM)));
    let now = seen.now();
    assert_eq!(now.get("agui_requests_refused_total{too_many_streams}"), Some(&1), "{now:?}");
}

/// Streams that are reset as soon as they are opened (CVE-2023-44487).
#[tokio::test]
async fn rapid_resets_close_their_connection_leave_nothing_behind_and_others_are_served() {
    let (cook, mut reports) = Cook::new();
    let served = Served::start(Server::new().agent("/", cook)).await;
    let mut attacker = Raw::open(&served).await;
    let attack = tokio::spawn(async move {
        for stream in (1..40_000).step_by(2) {
            // CANCEL
            if !(attacker.run(stream).await && attacker.send(RST_STREAM, 0, stream, &[0, 0, 0, 8]).await) {
                break;
            }
        }
        attacker.next(&[GOAWAY]).await
    });
    let mut waits = Vec::new();
    for _ in 0..200 {
        let start = Instant::now();
        let run = Request::run("/", asking("who").to_string());
        assert_eq!(timeout(PATIENCE, run.send(served.address)).await.expect("no answer").status, 200);
        waits.push(start.elapsed());
    }
    waits::check(waits, "rapid resets", Duration::from_secs(1));
    let end = timeout(PATIENCE, attack).await.expect("the attack goes on").unwrap();
    assert_eq!(end, Some((GOAWAY, 0, ENHANCE_YOUR_CALM)));
    // Runs that were started for it are gone.
    while timeout(SHORT, reports.recv()).await.is_ok() {}
    let mut answer = Request::run("/", asking("wait").to_string()).open(served.address).await;
    answer.until("waiting").await;
}

/// The same by the server's own resets: malformed frames make it reset the streams itself (CVE-2025-8671).
#[tokio::test]
async fn resets_that_a_client_provokes_close_its_connection() {
    let served = Served::start(Server::new().agent("/", Cook::new().0)).await;
    let mut attacker = Raw::open(&served).await;
    let attack = async {
        for stream in (1..1_000).step_by(2) {
            // Longer than its `content-length`, which is number 28 (RFC 9113, section 8.1.1).
            attacker.run_with(stream, b"\x0f\x0d\x011").await;
            attacker.send(DATA, 0, stream, b"{}").await;
            match attacker.next(&[RST_STREAM, GOAWAY]).await {
                Some((RST_STREAM, ..)) => {}
                end => return end,
            }
        }
        None
    };
    let end = timeout(PATIENCE, attack).await.expect("the server does nothing");
    assert_eq!(end, Some((GOAWAY, 0, ENHANCE_YOUR_CALM)));
}

/// One event that is longer than what the client reads in the time: only a reader that takes nothing has stopped.
#[tokio::test]
async fn a_slow_reader_of_one_long_event_is_served() {
    let time = Duration::from_secs(1);
    let served =
        Served::start(Server::new().agent("/", Cook::new().0).limits(Limits::default().write_timeout(time)))
            .await;
    let mut client = client(&served, 640 * 1024).await;
    let (answer, mut body) = client.send_request(run(), false).unwrap();
    body.send_data(asking("too long").to_string().into(), true).unwrap();
    let start = Instant::now();
    let mut answer = answer.await.unwrap();
    let (mut said, mut unread) = (Vec::new(), 0);
    while let Some(data) = answer.body_mut().data().await {
        let data = data.unwrap_or_else(|error| panic!("after {} bytes: {error}", said.len()));
        said.extend_from_slice(&data);
        unread += data.len();
        if unread >= 512 * 1024 {
            tokio::time::sleep(time / 8).await;
            answer.body_mut().flow_control().release_capacity(std::mem::take(&mut unread)).unwrap();
        }
    }
    assert!(start.elapsed() > 2 * time, "it was not slow");
    assert!(String::from_utf8(said).unwrap().contains("RUN_FINISHED"));
}

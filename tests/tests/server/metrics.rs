//! The metrics of a server, as a recorder sees them.

use std::time::Duration;

use agui_runtime::{Limits, Server};
use agui_tests::http::{Connection, Request};
use agui_tests::recorded_metrics::RecordedMetrics;
use axum::extract::Request as AxumRequest;
use axum::middleware::{Next, from_fn};
use http::HeaderValue;
use metrics_util::debugging::DebuggingRecorder;
use tokio::net::TcpStream;

use crate::kitchen::{Cook, Report, Served, asking};

// The runtime of a test has one thread, so that a recorder for this thread sees the whole server.
#[tokio::test]
async fn connections_runs_refusals_and_timeouts_are_counted() {
    let recorder = DebuggingRecorder::new();
    let mut seen = RecordedMetrics::of(&recorder);
    let _guard = metrics::set_default_local_recorder(&recorder);

    let (cook, mut reports) = Cook::new();
    let short = Duration::from_millis(100);
    let limits = Limits::default()
        .runs(1)
        .connections(2)
        .header_timeout(short)
        .body_timeout(short)
        .idle_timeout(short)
        .run_timeout(Duration::from_secs(60));
    let served = Served::start(Server::new().agent("/", cook).limits(limits)).await;
    let mut answer = Request::run("/", asking("wait").to_string()).open(served.address).await;
    answer.until("waiting").await;
    let now = seen.now();
    assert_eq!((now["agui_connections_open"], now["agui_runs_open"]), (1, 1), "{now:?}");
    assert_eq!(usize::try_from(now["agui_body_bytes"]), Ok(asking("wait").to_string().len()), "{now:?}");

    let run = Request::run("/", asking("who").to_string());
    assert_eq!(run.send(served.address).await.status, 503);
    assert_eq!(run.clone().header("origin", "https://evil.example").send(served.address).await.status, 403);
    assert_eq!(run.clone().header("host", "evil.example").send(served.address).await.status, 403);
    assert_eq!(Request::new("GET", "/nothing").send(served.address).await.status, 404);
    let mut half = Connection::open(served.address).await;
    half.send(&run.head()).await;
    assert_eq!(half.answer().await.status, 408);
    let mut half = Connection::open(served.address).await;
    half.send(b"GET / HT").await;
    assert_eq!(half.answer().await.status, 408);
    let mut idle = Connection::open(served.address).await;
    idle.send(&Request::new("GET", "/capabilities").head()).await;
    let idle = idle.answer().await;
    tokio::time::sleep(3 * short).await;
    drop((answer, idle));
    assert_eq!(reports.recv().await, Some(Report::Dropped));

    let now = seen.now();
    for (name, expected) in [
        ("agui_requests_refused_total{server_busy}", 1),
        ("agui_requests_refused_total{origin_not_allowed}", 1),
        ("agui_requests_refused_total{host_not_allowed}", 1),
        ("agui_requests_refused_total{not_found}", 1),
        ("agui_requests_refused_total{body_timeout}", 1),
        ("agui_requests_refused_total{header_timeout}", 1),
        ("agui_timeouts_total{body}", 1),
        ("agui_timeouts_total{header}", 1),
        ("agui_timeouts_total{idle}", 1),
    ] {
        assert_eq!(now.get(name), Some(&expected), "{name}: {now:?}");
    }
    let gone = async {
        loop {
            let now = seen.now();
            // A snapshot takes counters back to zero, and leaves gauges.
            let gauges = ["agui_connections_open", "agui_runs_open", "agui_body_bytes"];
            if gauges.iter().all(|gauge| now[*gauge] == 0) {
                break;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(10), gone).await.expect("gauges do not return to zero");
}

#[tokio::test]
async fn a_refusal_is_counted_by_its_code() {
    let recorder = DebuggingRecorder::new();
    let mut seen = RecordedMetrics::of(&recorder);
    let _guard = metrics::set_default_local_recorder(&recorder);
    let (cook, _told) = Cook::new();
    let identity = |mut request: AxumRequest, next: Next| async move {
        if let Some(name) = request.headers().get("x-name").cloned() {
            request.extensions_mut().insert(name);
        }
        next.run(request).await
    };
    let limits = Limits::default()
        .connections(3)
        .runs_per_thread(1)
        .runs_per_identity(1)
        .header_size(8 * 1024)
        .body_size(200 * 1024)
        .body_size_per_client(0);
    let server = Server::new()
        .agent("/", cook)
        .layer(from_fn(identity))
        .identity(|name: &HeaderValue| format!("{name:?}"))
        .limits(limits);
    let served = Served::start(server).await;
    let run = |thread: &str, name: Option<&str>, padding: usize| {
        let mut input = asking("wait");
        input["threadId"] = thread.into();
        input["state"] = "x".repeat(padding).into();
        let run = Request::run("/", input.to_string());
        name.map_or(run.clone(), |name| run.header("x-name", name))
    };
    let mut first = run("t", None, 150_000).open(served.address).await;
    first.until("waiting").await;
    assert_eq!(run("t", None, 0).send(served.address).await.status, 409);
    let mut second = run("u", Some("ada"), 0).open(served.address).await;
    second.until("waiting").await;
    assert_eq!(run("v", Some("ada"), 0).send(served.address).await.status, 429);
    assert_eq!(
        run("w", None, 150_000).send(served.address).await.status,
        429,
        "two large bodies of one client"
    );
    let mut third = run("x", None, 0).open(served.address).await;
    third.until("waiting").await;
    assert_eq!(Connection::open(served.address).await.answer().await.status, 503, "one connection more");
    drop((second, third));
    let long = run("y", None, 0).header("x-long", &"x".repeat(20_000));
    let mut answer = timeout(long.open(served.address)).await;
    while answer.status == 503 {
        answer = timeout(long.open(served.address)).await;
    }
    assert_eq!(answer.status, 431);
    drop(answer);

    // The same over HTTP/2, where the second refusal is written in one byte.
    let stream = TcpStream::connect(served.address).await.unwrap();
    let (client, connection) = h2::client::handshake(stream).await.unwrap();
    tokio::spawn(connection);
    let long =
        || http::Request::get("http://localhost/capabilities").header("x-long", "x".repeat(20_000)).body(());
    let mut client = client.ready().await.unwrap();
    for _ in 0..2 {
        let (answer, _) = client.send_request(long().unwrap(), true).unwrap();
        assert_eq!(timeout(answer).await.unwrap().status(), 431);
    }
    let request = http::Request::get("http://localhost/capabilities").body(()).unwrap();
    let (answer, _) = client.send_request(request, true).unwrap();
    assert_eq!(timeout(answer).await.unwrap().status(), 200);
    let now = seen.now();
    for (code, expected) in
        [("thread_busy", 1), ("identity_busy", 1), ("client_busy", 1), ("header_too_large", 3)]
    {
        let name = format!("agui_requests_refused_total{{{code}}}");
        assert_eq!(now.get(&name), Some(&expected), "{name}: {now:?}");
    }
    assert!(now["agui_requests_refused_total{too_many_connections}"] >= 1, "{now:?}");
}

async fn timeout<T>(work: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(20), work).await.expect("it takes too long")
}

#[tokio::test]
async fn an_early_end_is_counted_by_its_limit() {
    let recorder = DebuggingRecorder::new();
    let mut seen = RecordedMetrics::of(&recorder);
    let _guard = metrics::set_default_local_recorder(&recorder);
    let short = Duration::from_millis(100);
    let endless = Request::run("/", asking("endless").to_string());
    let waiting = Request::run("/", asking("wait").to_string());

    let (cook, mut reports) = Cook::new();
    let limits = Limits::default().connections(1).write_timeout(short);
    let served = Served::start(Server::new().agent("/", cook).limits(limits)).await;
    let silent = Connection::open(served.address).await;
    let unread = endless.open(served.address).await;
    assert_eq!(reports.recv().await, Some(Report::Dropped));
    drop((silent, unread));

    let (cook, mut reports) = Cook::new();
    let limits = Limits::default().run_timeout(short).shutdown_grace(short);
    let mut served = Served::start(Server::new().agent("/", cook).limits(limits.clone())).await;
    assert_eq!(waiting.send(served.address).await.events().last().unwrap()["code"], "run_timeout");
    assert_eq!(reports.recv().await, Some(Report::Dropped));
    served.stop();
    served.ended().await.unwrap();

    let mut served =
        Served::start(Server::new().agent("/", Cook::new().0).limits(limits.run_timeout(None))).await;
    let mut answer = waiting.open(served.address).await;
    answer.until("waiting").await;
    served.stop();
    answer.until("shutdown").await;

    let now = seen.now();
    for name in [
        "agui_connections_evicted_total",
        "agui_timeouts_total{write}",
        "agui_timeouts_total{run}",
        "agui_timeouts_total{shutdown}",
    ] {
        assert_eq!(now.get(name), Some(&1), "{name}: {now:?}");
    }
}

//! The metrics of a server, as a recorder sees them.

use std::collections::BTreeMap;
use std::time::Duration;

use agui_runtime::{Limits, Server};
use agui_tests::http::{Connection, Request};
use metrics_util::debugging::{DebugValue, DebuggingRecorder, Snapshotter};

use crate::kitchen::{Cook, Served, Told, asking};

/// Every metric with its label, as `name{label}`.
fn seen(snapshotter: &Snapshotter) -> BTreeMap<String, i64> {
    let metrics = snapshotter.snapshot().into_vec();
    metrics
        .into_iter()
        .map(|(key, _, _, value)| {
            let labels: Vec<_> = key.key().labels().map(|label| label.value().to_owned()).collect();
            let name = match labels.as_slice() {
                [] => key.key().name().to_owned(),
                labels => format!("{}{{{}}}", key.key().name(), labels.join(",")),
            };
            let value = match value {
                DebugValue::Counter(count) => i64::try_from(count).unwrap(),
                DebugValue::Gauge(level) => level.into_inner() as i64,
                DebugValue::Histogram(_) => panic!("{name} is a histogram"),
            };
            (name, value)
        })
        .collect()
}

// The runtime of a test has one thread, so that a recorder for this thread sees the whole server.
#[tokio::test]
async fn connections_runs_refusals_and_timeouts_are_counted() {
    let recorder = DebuggingRecorder::new();
    let snapshotter = recorder.snapshotter();
    let _guard = metrics::set_default_local_recorder(&recorder);

    let (cook, mut told) = Cook::new();
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
    let now = seen(&snapshotter);
    assert_eq!((now["agui_connections_open"], now["agui_runs_open"]), (1, 1), "{now:?}");

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
    assert_eq!(told.recv().await, Some(Told::Dropped));

    let now = seen(&snapshotter);
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
            let now = seen(&snapshotter);
            // A snapshot takes counters back to zero, and leaves gauges.
            if (now["agui_connections_open"], now["agui_runs_open"]) == (0, 0) {
                break;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(10), gone).await.expect("gauges do not return to zero");
}

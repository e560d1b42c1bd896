//! A client that hangs up.

use std::net::SocketAddr;
use std::time::Duration;

use agui_tests::http::Request;
use agui_tests::outside::ExampleServer;
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};

use crate::lab::hundred;
use crate::{address, tour};

fn asking(run: &str) -> Request {
    let body = json!({ "threadId": "thread-slow", "runId": run, "protocolVersion": "1.0", "messages": [] });
    Request::run("/lab/slow", body.to_string())
}

async fn status(address: SocketAddr, run: &str) -> Value {
    Request::new("GET", &format!("/lab/slow/status?runId={run}")).send(address).await.json()
}

/// A server of its own, on which a run of the slow route takes two seconds: time enough to observe it before it ends.
fn unhurried() -> ExampleServer {
    ExampleServer::start_with("tour", &[("TOUR_PACE", "0.2")])
}

#[tokio::test]
async fn a_run_stops_when_its_client_hangs_up() {
    let server = unhurried();
    let address = address(&server);
    let mut answer = asking("hung%20up").open(address).await;
    answer.until("\"3 \"").await;
    // The id is percent-encoded in the query only.
    let going_on = status(address, "hung%2520up").await;
    assert_eq!((&going_on["stopped"], &going_on["completed"]), (&json!(false), &json!(false)));
    assert!(going_on["sent"].as_u64().unwrap() >= 2, "{going_on}");

    drop(answer);
    let hung_up = Instant::now();
    let stopped = loop {
        let now = status(address, "hung%2520up").await;
        if now["stopped"] == true {
            break now;
        }
        assert!(hung_up.elapsed() < Duration::from_secs(1), "{now}");
        sleep(Duration::from_millis(10)).await;
    };
    assert_eq!(stopped["completed"], false);
    assert!(stopped["sent"].as_u64().unwrap() < 100, "{stopped}");
    sleep(Duration::from_millis(50)).await;
    assert_eq!(status(address, "hung%2520up").await, stopped, "it has stopped");
}

#[tokio::test]
async fn a_run_that_is_read_to_its_end_completes() {
    let server = tour();
    let address = address(&server);
    let events = asking("read").send(address).await.events();
    let pieces: Vec<&str> = events.iter().filter_map(|event| event["delta"].as_str()).collect();
    assert_eq!(pieces.len(), 100);
    assert_eq!(pieces.concat(), hundred());
    assert_eq!(status(address, "read").await, json!({ "sent": 100, "stopped": false, "completed": true }));
    let unknown = Request::new("GET", "/lab/slow/status?runId=nobody").send(address).await;
    assert_eq!(unknown.status, 404);
}

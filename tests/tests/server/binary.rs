//! Runs in the binary encoding.

use std::fmt::Write;
use std::time::Duration;

use agui_runtime::Server;
use agui_runtime::protocol::Event;
use agui_runtime::receive::FrameIntake;
use agui_runtime::wire::proto::{self, Decoder};
use agui_tests::http::{Piece, Request};
use agui_tests::need;
use agui_tests::outside::{Node, finish};
use agui_tests::wire::fixture;
use serde_json::{Value, json};

use crate::kitchen::{Cook, Served, asking, asking_as_before};

fn run(input: &Value) -> Request {
    Request::run("/", input.to_string()).header("accept", proto::CONTENT_TYPE)
}

/// The events of a whole body.
pub(crate) fn events(body: &[u8]) -> Vec<Event> {
    let (mut decoder, mut intake, mut events) = (Decoder::new(), FrameIntake::new(), Vec::new());
    decoder.push(body);
    while let Some(message) = decoder.next().unwrap() {
        // Heartbeats are frames of an unknown member.
        events.extend(intake.proto(message, &mut |_| {}).unwrap());
    }
    decoder.finish().unwrap();
    events
}

#[tokio::test]
async fn a_client_that_names_the_binary_type_gets_it() {
    let served = Served::cook().await;
    let binary = run(&asking("hello")).send(served.address).await;
    assert_eq!(binary.status, 200);
    assert_eq!(binary.header("content-type"), Some("application/vnd.ag-ui.event+proto"));
    assert_eq!(binary.header("cache-control"), Some("no-cache, no-transform"));
    assert!(!binary.cut);
    let types: Vec<_> = events(&binary.body).iter().map(|event| event.event_type().as_str()).collect();
    let text = Request::run("/", asking("hello").to_string()).send(served.address).await;
    let expected = text.events();
    assert_eq!(types, expected.iter().map(|event| event["type"].as_str().unwrap()).collect::<Vec<_>>());
}

/// `WildcardAccept`.
#[tokio::test]
async fn the_encoding_is_chosen_as_the_official_writer_chooses_except_for_wildcards() {
    let served = Served::cook().await;
    for row in fixture::json("vectors/proto.json")["accept"].as_array().unwrap() {
        let request = Request::run("/", asking("who").to_string());
        let (request, is_wildcard) = match row["accept"].as_str() {
            None => (request.without("accept"), false),
            Some(accept) => (request.header("accept", accept), accept.contains('*')),
        };
        let answer = request.send(served.address).await;
        let expected = if is_wildcard { Some("text/event-stream") } else { row["contentType"].as_str() };
        assert_eq!((answer.status, answer.header("content-type")), (200, expected), "{row}");
    }
}

#[tokio::test]
async fn an_event_that_cannot_be_sent_ends_the_run_and_loses_nothing_before_it() {
    let served = Served::cook().await;
    let answer = run(&asking("too long")).send(served.address).await;
    assert!(!answer.cut, "a run that failed has an end");
    let events = events(&answer.body);
    let types: Vec<_> = events.iter().map(|event| event.event_type().as_str()).collect();
    assert_eq!(types, ["RUN_STARTED", "TEXT_MESSAGE_START", "RUN_ERROR"]);
    let Some(Event::RunError(error)) = events.last() else { panic!("{events:?}") };
    assert_eq!(error.code.as_deref(), Some("unwritable_event"));
    assert!(error.message.contains("longer than clients accept"), "{}", error.message);
}

/// The body of a run that waits for several heartbeats, and the number of heartbeat bytes.
async fn quiet(input: Value) -> (Vec<u8>, usize) {
    let (cook, _told) = Cook::new();
    let bell = cook.bell.clone();
    let served = Served::start(Server::new().agent("/", cook).keep_alive(Duration::from_millis(5))).await;
    let mut answer = run(&input).open(served.address).await;
    let mut body = Vec::new();
    while !body.windows(7).any(|window| window == b"waiting") {
        let Piece::Bytes(bytes) = answer.next().await else { panic!("{body:?}") };
        body.extend(bytes);
    }
    let said = body.len();
    while let Ok(Piece::Bytes(bytes)) = tokio::time::timeout(Duration::from_millis(200), answer.next()).await
    {
        body.extend(bytes);
        if body.len() == said + 5 {
            break;
        }
    }
    let beats = body.len() - said;
    bell.notify_one();
    let rest = answer.whole().await;
    assert!(!rest.cut);
    body.extend(&rest.body);
    (body, beats)
}

#[tokio::test]
async fn a_quiet_binary_stream_has_heartbeats_that_say_nothing() {
    let expected = [
        "RUN_STARTED",
        "TEXT_MESSAGE_START",
        "TEXT_MESSAGE_CONTENT",
        "TEXT_MESSAGE_CONTENT",
        "TEXT_MESSAGE_END",
        "RUN_FINISHED",
    ];
    for (input, expected_beats) in [(asking("wait"), 5), (asking_as_before("wait"), 1)] {
        let (body, beats) = quiet(input.clone()).await;
        assert_eq!(beats, expected_beats, "{input}");
        let types: Vec<_> = events(&body).iter().map(|event| event.event_type().as_str()).collect();
        assert_eq!(types, expected, "{input}");
    }
}

/// The heartbeats of the binary transport have the form that the official readers skip.
#[test]
fn official_clients_read_a_stream_with_heartbeats() {
    let node = need!(Node::ready());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let mut jobs = String::new();
    let clients = [
        ("1.0.0", asking("wait")),
        ("0.0.59", asking_as_before("wait")),
        ("0.0.57", asking_as_before("wait")),
    ];
    for (client, input) in clients {
        let (body, _) = runtime.block_on(quiet(input));
        let pieces: Vec<_> = body.iter().map(|byte| format!("{byte:02x}")).collect();
        writeln!(jobs, "{}", json!({ "client": client, "pieces": pieces })).unwrap();
    }
    let report =
        finish(node.command("clients/heartbeats.mjs"), &jobs, Duration::from_secs(60)).assert_success();
    let reports: Vec<Value> = report.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(reports.len(), 3, "{report}");
    for (report, warnings) in reports.iter().zip([1, 0, 0]) {
        assert!(report.get("error").is_none() && report.get("failure").is_none(), "{report}");
        assert_eq!(report["messages"][0]["content"], "waiting is over", "{report}");
        // One for a quiet time of any length.
        assert_eq!(report["logged"].as_array().unwrap().len(), warnings, "{report}");
    }
}

#[tokio::test]
async fn a_long_run_arrives_whole() {
    let served = Served::cook().await;
    let answer = run(&asking("many")).send(served.address).await;
    let said: String = events(&answer.body)
        .into_iter()
        .filter_map(|event| match event {
            Event::TextMessageContent(event) => Some(event.delta),
            _ => None,
        })
        .collect();
    assert_eq!(said, (0..2000).map(|number| format!("{number} ")).collect::<String>());
}

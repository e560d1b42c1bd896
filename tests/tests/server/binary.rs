//! Runs in the binary encoding.

use std::time::Duration;

use agui_runtime::Server;
use agui_runtime::protocol::Event;
use agui_runtime::receive::Intake;
use agui_runtime::wire::proto::{self, Decoder};
use agui_tests::http::{Piece, Request};
use agui_tests::wire::fixture;
use serde_json::Value;

use crate::kitchen::{Cook, Served, asking};

fn run(input: &Value) -> Request {
    Request::run("/", input.to_string()).header("accept", proto::CONTENT_TYPE)
}

/// The events of a whole body.
fn events(body: &[u8]) -> Vec<Event> {
    let (mut decoder, mut intake, mut events) = (Decoder::new(), Intake::new(), Vec::new());
    decoder.push(body);
    while let Some(message) = decoder.next().unwrap() {
        events.extend(intake.proto(message, &mut |warning| panic!("{warning}")).unwrap());
    }
    decoder.finish().unwrap();
    events
}

#[tokio::test]
async fn who_names_the_binary_type_gets_it() {
    let served = Served::cook().await;
    let binary = run(&asking("hello")).send(served.address).await;
    assert_eq!(binary.status, 200);
    assert_eq!(binary.header("content-type"), Some("application/vnd.ag-ui.event+proto"));
    assert_eq!(binary.header("cache-control"), Some("no-cache"));
    assert!(!binary.cut);
    let types: Vec<_> = events(&binary.body).iter().map(|event| event.event_type().as_str()).collect();
    let text = Request::run("/", asking("hello").to_string()).send(served.address).await;
    let expected = text.events();
    assert_eq!(types, expected.iter().map(|event| event["type"].as_str().unwrap()).collect::<Vec<_>>());
}

/// `Difference::WildcardAccept`.
#[tokio::test]
async fn the_encoding_is_chosen_as_the_official_writer_chooses_but_for_wildcards() {
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
async fn what_cannot_be_sent_ends_the_run_and_loses_nothing_before_it() {
    let served = Served::cook().await;
    let answer = run(&asking("too long")).send(served.address).await;
    assert!(!answer.cut, "a run that failed has an end");
    let events = events(&answer.body);
    let types: Vec<_> = events.iter().map(|event| event.event_type().as_str()).collect();
    assert_eq!(types, ["RUN_STARTED", "TEXT_MESSAGE_START", "RUN_ERROR"]);
    let Some(Event::RunError(error)) = events.last() else { panic!("{events:?}") };
    assert_eq!(error.code.as_deref(), Some("unwritable_event"));
    assert!(error.message.contains("longer than clients take"), "{}", error.message);
}

#[tokio::test]
async fn a_quiet_binary_stream_stays_quiet() {
    let (cook, _told) = Cook::new();
    let bell = cook.bell.clone();
    let served = Served::start(Server::new().agent("/", cook).keep_alive(Duration::from_millis(5))).await;
    let mut answer = run(&asking("wait")).open(served.address).await;
    let mut body = Vec::new();
    while !body.windows(7).any(|window| window == b"waiting") {
        let Piece::Bytes(bytes) = answer.next().await else { panic!("{body:?}") };
        body.extend(bytes);
    }
    tokio::time::sleep(Duration::from_millis(50)).await;
    bell.notify_one();
    let rest = answer.whole().await;
    body.extend(&rest.body);
    assert!(!rest.cut);
    assert_eq!(events(&body).last().unwrap().event_type().as_str(), "RUN_FINISHED");
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

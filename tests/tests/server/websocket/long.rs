//! Events that are longer than a frame.

use std::task::Poll;
use std::time::Duration;

use agui_runtime::thread::Memory;
use agui_runtime::wire::proto;
use agui_runtime::{Limits, Server};
use agui_tests::http::Request;
use axum::body::Body;
use axum::extract::Request as AxumRequest;
use axum::middleware::{Next, from_fn};
use axum::response::Response as AxumResponse;
use bytes::Bytes;
use futures::{StreamExt as _, stream};
use serde_json::{Value, json};
use tokio::time::sleep;
use tokio_tungstenite::tungstenite::Message;

use super::socket::Socket;
use crate::kitchen::{Cook, Served, asking};

/// Returns characters of one to four bytes, so that fragments cut characters.
fn text(length: usize) -> String {
    "a\u{e9}\u{20ac}\u{1f373}\\".repeat(length / 11)
}

/// Serves the cook, with a thread that begins with a long message.
async fn served(length: usize) -> Served {
    serve(Server::new(), length).await
}

async fn serve(server: Server, length: usize) -> Served {
    let served = Served::start(server.websocket().threads(Memory::new()).agent("/", Cook::new().0)).await;
    let mut input = asking("hello");
    input["threadId"] = json!("long");
    input["messages"]
        .as_array_mut()
        .unwrap()
        .insert(0, json!({ "id": "u0", "role": "user", "content": text(length) }));
    assert_eq!(Request::run("/", input.to_string()).send(served.address).await.status, 200);
    served
}

fn connecting() -> Value {
    json!({ "threadId": "long", "runId": "c", "protocolVersion": "1.0", "messages": [] })
}

fn connect(id: &str) -> Value {
    json!({ "type": "run", "id": id, "path": "/connect", "input": connecting() })
}

fn events(frames: &[Value]) -> Vec<Value> {
    frames.iter().filter(|frame| frame["type"] == "event").map(|frame| frame["event"].clone()).collect()
}

#[tokio::test]
async fn long_events_are_those_of_a_request_whatever_their_length() {
    for length in [100, 7_500, 8_000, 8_200, 15_000, 16_500, 700_000] {
        let served = served(length).await;
        let over_http = Request::run("/connect", connecting().to_string()).send(served.address).await;
        let mut socket = Socket::open(served.address).await;
        socket.send(&connect("1")).await;
        let frames = socket.until_end("1").await;
        let text = over_http.text();
        let data = text.lines().filter_map(|line| line.strip_prefix("data: "));
        let data: Vec<Value> = data.map(|data| serde_json::from_str(data).unwrap()).collect();
        assert_eq!(events(&frames), data, "{length}");
        let ids = text.lines().filter_map(|line| line.strip_prefix("id: "));
        let seen = frames.iter().filter_map(|frame| frame["eventId"].as_str());
        assert_eq!(seen.collect::<Vec<_>>(), ids.collect::<Vec<_>>(), "{length}");
    }
}

#[tokio::test]
async fn long_events_take_one_credit_and_let_no_other_frame_between_their_fragments() {
    let served = served(500_000).await;
    let mut socket = Socket::open(served.address).await;
    let mut windowed = connect("windowed");
    windowed["window"] = json!(1);
    socket.send(&windowed).await;
    socket.run("chatty", "endless").await;
    for id in ["1", "2", "3"] {
        socket.send(&connect(id)).await;
    }
    let mut ended = 0;
    let mut of_windowed = Vec::new();
    while ended < 3 {
        let frame = socket.frame().await;
        match frame["id"].as_str().unwrap() {
            "windowed" => of_windowed.push(frame),
            "chatty" => {}
            _ => ended += usize::from(frame["type"] == "end"),
        }
    }
    assert_eq!(events(&of_windowed).len(), 1, "{of_windowed:?}");
    socket.send(&json!({ "type": "window", "id": "windowed", "more": 1000 })).await;
    let rest = socket.until_end("windowed").await;
    assert!(
        events(&rest).iter().any(|event| event["type"] == "MESSAGES_SNAPSHOT"),
        "the second event is the long one"
    );
}

#[tokio::test]
async fn a_run_that_is_cancelled_within_a_long_event_leaves_the_socket_whole() {
    let served = served(6_000_000).await;
    let mut socket = Socket::open(served.address).await;
    socket.send(&connect("1")).await;
    // The server has filled the connection with a part of the event.
    tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    socket.send(&json!({ "type": "cancel", "id": "1" })).await;
    socket.run("2", "hello").await;
    let frames = socket.until_end("1").await;
    let end = frames.last().unwrap();
    assert!(
        end["error"]["code"] == "cancelled"
            && events(&frames).iter().any(|event| event["type"] == "MESSAGES_SNAPSHOT"),
        "{end}"
    );
    assert_eq!(socket.until_end("2").await.pop().unwrap(), json!({ "type": "end", "id": "2" }));
}

/// Serves the cook behind a layer whose bodies panic, or break off, within a long event, for requests with a language.
async fn breaking() -> Served {
    let breaks = from_fn(|request: AxumRequest, next: Next| async move {
        let language = request.headers().get("accept-language").cloned();
        let response = next.run(request).await;
        let Some(language) = language else { return response };
        let (head, body) = response.into_parts();
        // The long event has twice as many bytes.
        let (mut left, mut body) = (100_000, body.into_data_stream());
        let pieces = stream::poll_fn(move |cx| {
            assert!(left > 0 || language != "panic", "deliberate");
            if left == 0 {
                return Poll::Ready(Some(Err(axum::Error::new("deliberate"))));
            }
            body.poll_next_unpin(cx).map_ok(|piece: Bytes| {
                let piece = piece.slice(..piece.len().min(left));
                left -= piece.len();
                piece
            })
        });
        AxumResponse::from_parts(head, Body::from_stream(pieces))
    });
    serve(Server::new().layer(breaks), 200_000).await
}

#[tokio::test]
async fn a_long_event_that_breaks_off_ends_the_socket_and_nothing_follows_it() {
    let served = breaking().await;
    for way in ["panic", "error"] {
        let mut socket = Socket::open(served.address).await;
        socket.run("other", "wait").await;
        socket.until("waiting").await;
        let mut frame = connect("1");
        frame["headers"] = json!({ "accept-language": way });
        socket.send(&frame).await;
        let (code, reason) = socket.closed().await;
        assert_eq!((code, reason.as_str()), (1011, "an event broke off"), "{way}");
    }
}

#[tokio::test]
async fn long_events_of_the_binary_transport_come_in_many_frames() {
    let served = served(200_000).await;
    let mut socket = Socket::open(served.address).await;
    let mut binary = connect("1");
    binary["format"] = json!("binary");
    socket.send(&binary).await;
    let mut bytes = Vec::new();
    let mut longest = 0;
    while let Some(Ok(message)) = socket.0.next().await {
        match message {
            Message::Binary(frame) => {
                longest = longest.max(frame.len());
                bytes.extend_from_slice(&frame[2..]);
            }
            Message::Text(text) if text.contains("\"end\"") => break,
            _ => {}
        }
    }
    let over_http = Request::run("/connect", connecting().to_string());
    let over_http = over_http.header("accept", proto::CONTENT_TYPE).send(served.address).await;
    assert_eq!(bytes, over_http.body);
    assert!(bytes.len() > 200_000 && longest < 20_000, "{longest}");
}

/// The limits of readers hold on a socket as they do for a request, and one reader that is refused does not end the socket.
#[tokio::test]
async fn readers_on_a_socket_have_the_limits_of_requests() {
    let server = Server::new().limits(Limits::default().readers_per_thread(1));
    let served = serve(server, 100).await;
    let follower = Request::new("GET", "/threads/long/events").open(served.address).await;
    assert_eq!(follower.status, 200);
    let mut socket = Socket::open(served.address).await;
    socket.send(&connect("1")).await;
    let refused = socket.frame().await;
    let over_http = Request::run("/connect", connecting().to_string()).send(served.address).await;
    assert_eq!(
        (&refused["type"], &refused["id"], &refused["status"]),
        (&json!("end"), &json!("1"), &json!(429))
    );
    assert_eq!((over_http.status, &refused["body"]), (429, &over_http.json()), "{refused}");
    assert_eq!(refused["body"]["error"]["code"], "too_many_readers");
    drop(follower);
    for attempt in 2..1_000 {
        let id = attempt.to_string();
        socket.send(&connect(&id)).await;
        let frames = socket.until_end(&id).await;
        if frames[0]["type"] == "open" {
            assert!(!events(&frames).is_empty());
            return;
        }
        sleep(Duration::from_millis(10)).await;
    }
    panic!("a reader that ended keeps its place");
}

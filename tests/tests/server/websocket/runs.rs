//! Runs on a socket: their frames, their requests, their refusals.

use std::convert::Infallible;
use std::sync::{Arc, Mutex};
use std::task::Poll;

use agui_runtime::http::Rejection;
use agui_runtime::thread::Memory;
use agui_runtime::wire::proto;
use agui_runtime::{Error, Limits, Server};
use agui_tests::http::Request;
use axum::Router;
use axum::body::Body;
use axum::extract::Request as AxumRequest;
use axum::middleware::{Next, from_fn};
use axum::routing::get;
use bytes::Bytes;
use futures::stream;
use http::HeaderMap;
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;

use super::socket::{Socket, dropped, run};
use crate::kitchen::{Cook, Served, asking};

pub(super) async fn served(limits: Limits) -> Served {
    Served::start(Server::new().websocket().agent("/", Cook::new().0).limits(limits)).await
}

#[tokio::test]
async fn a_run_has_the_events_of_a_request() {
    let served = served(Limits::default()).await;
    let over_http = Request::run("/", asking("hello").to_string()).send(served.address).await;
    let mut socket = Socket::open(served.address).await;
    socket.send(&json!({ "type": "run", "id": "1", "path": "/", "input": asking("hello") })).await;
    let frames = socket.until_end("1").await;
    let hash = over_http.header("x-agui-manifest").unwrap();
    assert_eq!(
        frames[0],
        json!({ "type": "open", "id": "1", "status": 200,
            "headers": { "content-type": "text/event-stream", "x-agui-manifest": hash } })
    );
    let without_ids = |events: Vec<Value>| -> Vec<Value> {
        let strip = |mut event: Value| {
            event.as_object_mut().unwrap().remove("messageId");
            event
        };
        events.into_iter().map(strip).collect()
    };
    let (last, events) = frames[1..].split_last().unwrap();
    assert_eq!(*last, json!({ "type": "end", "id": "1" }));
    assert!(events.iter().all(|frame| frame["type"] == "event" && frame["id"] == "1"), "{events:#?}");
    let events = events.iter().map(|frame| frame["event"].clone()).collect();
    assert_eq!(without_ids(events), without_ids(over_http.events()));
}

#[tokio::test]
async fn runs_interleave_and_one_is_cancelled_alone() {
    let (cook, mut reports) = Cook::new();
    let served = Served::start(Server::new().websocket().agent("/", cook)).await;
    let mut socket = Socket::open(served.address).await;
    socket.run("slow", "wait").await;
    socket.until("waiting").await;
    socket.run("other", "wait").await;
    socket.until("waiting").await;
    socket.run("quick", "hello").await;
    assert!(socket.until_end("quick").await.iter().all(|frame| frame["id"] == "quick"));
    socket.send(&json!({ "type": "cancel", "id": "slow" })).await;
    let end = socket.until_end("slow").await.pop().unwrap();
    assert_eq!(end["error"]["code"], "cancelled");
    dropped(&mut reports).await;
    // The id is free again, and the other run goes on. A late cancel is no mistake.
    socket.send(&json!({ "type": "cancel", "id": "slow" })).await;
    socket.run("slow", "hello").await;
    assert_eq!(socket.until_end("slow").await.pop().unwrap(), json!({ "type": "end", "id": "slow" }));
    drop(socket);
    dropped(&mut reports).await;
}

#[tokio::test]
async fn a_run_in_the_binary_format_has_the_same_bytes_as_a_request() {
    let served = served(Limits::default()).await;
    let mut socket = Socket::open(served.address).await;
    let mut frame = run("é", "hello");
    frame["format"] = json!("binary");
    socket.send(&frame).await;
    let open = socket.frame().await;
    assert_eq!(open["headers"]["content-type"], proto::CONTENT_TYPE);
    let mut decoder = proto::Decoder::new();
    let end = loop {
        match socket.message().await {
            Message::Binary(bytes) => {
                assert_eq!(&bytes[..3], b"\x02\xc3\xa9");
                decoder.push(&bytes[3..]);
            }
            message => break serde_json::from_str::<Value>(message.to_text().unwrap()).unwrap(),
        }
    };
    assert_eq!(end, json!({ "type": "end", "id": "é" }));
    let mut types = Vec::new();
    while let Some(message) = decoder.next().unwrap() {
        let proto::Decoded::Event { json, .. } = proto::decode(message).unwrap() else { panic!() };
        types.push(json["type"].clone());
    }
    assert_eq!((types.first(), types.last()), (Some(&json!("RUN_STARTED")), Some(&json!("RUN_FINISHED"))));
}

#[tokio::test]
async fn a_refused_run_has_the_answer_of_http() {
    let served = served(Limits::default().body_size(2000)).await;
    let mut socket = Socket::open(served.address).await;
    let mut refused = async |frame: Value, status: u16, code: &str| {
        socket.send(&frame).await;
        let frame = socket.frame().await;
        assert_eq!((&frame["type"], &frame["status"]), (&json!("end"), &json!(status)), "{frame:#}");
        assert_eq!(frame["body"]["error"]["code"], code, "{frame:#}");
        frame
    };
    let wrong = json!({ "type": "run", "id": "1", "path": "/", "input": { "threadId": 7 } });
    assert_eq!(refused(wrong, 422, "invalid_input").await["body"]["error"]["path"], "threadId");
    let mut nowhere = run("1", "hello");
    nowhere["path"] = json!("/capabilities");
    refused(nowhere, 404, "not_found").await;
    refused(run("1", &"x".repeat(3000)), 413, "body_too_large").await;
    let mut forged = run("1", "hello");
    forged["headers"] = json!({ "x-forwarded-for": "10.0.0.1" });
    refused(forged, 400, "invalid_header").await;
    let mut broken = run("1", "hello");
    broken["headers"] = json!({ "authorization": "two\nlines" });
    refused(broken, 400, "invalid_header").await;
}

/// Lets requests of one token pass, and records the headers of all.
fn guarded(server: Server) -> (Server, Arc<Mutex<Vec<HeaderMap>>>) {
    let seen: Arc<Mutex<Vec<HeaderMap>>> = Arc::default();
    let record = Arc::clone(&seen);
    let guard = from_fn(move |request: AxumRequest, next: Next| {
        record.lock().unwrap().push(request.headers().clone());
        async move {
            match request.headers().get("authorization") {
                Some(token) if token == "Bearer good" => Ok(next.run(request).await),
                _ => Err(Rejection::unauthenticated("sign in first")),
            }
        }
    });
    (server.layer(guard), seen)
}

#[tokio::test]
async fn layers_see_each_run_with_the_headers_of_the_handshake_and_of_its_frame() {
    let (server, seen) = guarded(Server::new().websocket().agent("/", Cook::new().0));
    let served = Served::start(server).await;
    let mut socket =
        Socket::open_with(served.address, &[("x-tenant", "7"), ("cookie", "a=b")]).await.unwrap();
    assert!(seen.lock().unwrap().is_empty(), "the handshake has no credentials");
    socket.run("1", "hello").await;
    let refused = socket.frame().await;
    assert_eq!(
        (&refused["status"], &refused["headers"]["www-authenticate"]),
        (&json!(401), &json!("Bearer"))
    );
    let mut frame = run("1", "hello");
    frame["headers"] = json!({ "Authorization": "Bearer good" });
    socket.send(&frame).await;
    assert_eq!(socket.frame().await["type"], "open");
    let seen = seen.lock().unwrap();
    assert_eq!(seen.len(), 2);
    for (name, value) in [("x-tenant", "7"), ("cookie", "a=b"), ("content-type", "application/json")] {
        assert_eq!(seen[1][name], value);
    }
    assert!(!seen[1].contains_key("sec-websocket-key") && !seen[1].contains_key("upgrade"));
}

#[tokio::test]
async fn a_frame_cannot_change_a_header_of_the_handshake() {
    let (server, _) = guarded(Server::new().websocket().agent("/", Cook::new().0));
    let served = Served::start(server).await;
    let mut socket = Socket::open_with(served.address, &[("authorization", "Bearer bad")]).await.unwrap();
    let mut frame = run("1", "hello");
    frame["headers"] = json!({ "authorization": "Bearer good" });
    socket.send(&frame).await;
    assert_eq!(socket.frame().await["body"]["error"]["code"], "invalid_header");
}

#[tokio::test]
async fn a_server_that_is_open_to_all_pages_gives_them_no_cookies() {
    for (origin, cookies) in [("https://foreign.example", false), ("", true)] {
        let (server, seen) = guarded(Server::new().websocket().agent("/", Cook::new().0).allow_any_origin());
        let served = Served::start(server).await;
        let headers = [("origin", origin), ("cookie", "a=b"), ("authorization", "Bearer good")];
        let mut socket = Socket::open_with(served.address, &headers).await.unwrap();
        socket.run("1", "hello").await;
        socket.until_end("1").await;
        let seen = seen.lock().unwrap();
        assert_eq!(seen[0].contains_key("cookie"), cookies);
        assert_eq!(seen[0].contains_key("authorization"), cookies);
    }
}

#[tokio::test]
async fn a_layer_that_panics_ends_one_run() {
    let panics = from_fn(|request: AxumRequest, next: Next| async move {
        let language = request.headers().get("accept-language").cloned();
        assert!(language.as_ref().is_none_or(|language| language != "en"), "deliberate");
        let response = next.run(request).await;
        if language.is_none() {
            return response;
        }
        let body = stream::poll_fn(|_| -> Poll<Option<Result<Bytes, Infallible>>> { panic!("deliberate") });
        response.map(|_| Body::from_stream(body))
    });
    let served = Served::start(Server::new().websocket().agent("/", Cook::new().0).layer(panics)).await;
    let mut socket = Socket::open(served.address).await;
    let mut frame = run("1", "hello");
    frame["headers"] = json!({ "accept-language": "en" });
    socket.send(&frame).await;
    assert_eq!(socket.frame().await["status"], 500);
    // After the beginning of the answer.
    frame["headers"]["accept-language"] = json!("de");
    socket.send(&frame).await;
    assert_eq!(socket.frame().await["type"], "open");
    assert_eq!(socket.frame().await["error"]["code"], "lost");
    socket.run("1", "hello").await;
    assert_eq!(socket.until_end("1").await.pop().unwrap(), json!({ "type": "end", "id": "1" }));
}

#[tokio::test]
async fn a_kept_run_is_continued_after_an_event_without_loss_or_repeat() {
    let (cook, _told) = Cook::new();
    let bell = Arc::clone(&cook.bell);
    let served = Served::start(Server::new().websocket().threads(Memory::new()).agent("/", cook)).await;
    let frame = run("1", "wait");
    let mut socket = Socket::open(served.address).await;
    socket.send(&frame).await;
    let mut seen = Vec::new();
    while seen.len() < 3 {
        let frame = socket.frame().await;
        seen.extend((frame["type"] == "event").then_some(frame));
    }
    drop(socket);
    bell.notify_one();
    let cursor = seen.last().unwrap()["eventId"].as_str().unwrap().to_owned();
    let mut again = Socket::open(served.address).await;
    let mut rest = frame.clone();
    rest["lastEventId"] = json!(cursor);
    again.send(&rest).await;
    seen.extend(again.until_end("1").await.into_iter().filter(|frame| frame["type"] == "event"));
    // The whole run, as a client sees it that reads the thread from its beginning.
    again.send(&frame).await;
    let whole = again.until_end("1").await;
    let whole: Vec<_> = whole.into_iter().filter(|frame| frame["type"] == "event").collect();
    assert_eq!(seen, whole);
    // Connecting to the thread works too, and says nothing of an empty one.
    let mut connect = run("1", "wait");
    connect["path"] = json!("/connect");
    again.send(&connect).await;
    assert!(again.until_end("1").await.len() > 2);
    connect["input"]["threadId"] = json!("t-empty");
    again.send(&connect).await;
    let empty = again.frame().await;
    assert_eq!((&empty["type"], &empty["status"]), (&json!("end"), &json!(204)));
}

#[tokio::test]
async fn a_quiet_run_has_heartbeats() {
    let every = std::time::Duration::from_millis(20);
    let server = Server::new().websocket().keep_alive(every).agent("/", Cook::new().0);
    let served = Served::start(server).await;
    let mut socket = Socket::open(served.address).await;
    socket.run("1", "wait").await;
    while socket.frame().await != json!({ "type": "heartbeat", "id": "1" }) {}
}

#[tokio::test]
async fn the_handshake_is_checked_as_every_request() {
    let served = served(Limits::default()).await;
    for (name, value, status) in [
        ("origin", "https://evil.example", 403),
        ("origin", "null", 403),
        ("host", "evil.example", 403),
        ("sec-websocket-protocol", "graphql-ws", 400),
        ("sec-websocket-protocol", "", 400),
        ("sec-websocket-version", "8", 426),
        ("sec-websocket-key", "short", 400),
        ("upgrade", "h2c", 426),
        ("connection", "keep-alive", 426),
    ] {
        let Err(refused) = Socket::open_with(served.address, &[(name, value)]).await else {
            panic!("{name}: {value} was accepted");
        };
        assert_eq!(refused.status(), status, "{name}: {value}");
    }
    let own = format!("http://{}", served.address);
    assert!(Socket::open_with(served.address, &[("origin", &own)]).await.is_ok());
    let several = [("sec-websocket-protocol", "other, agui-runtime.v1")];
    assert!(Socket::open_with(served.address, &several).await.is_ok());
    let plain = Request::new("GET", "/agui/ws").send(served.address).await;
    assert_eq!((plain.status, plain.header("upgrade")), (426, Some("websocket")));
}

#[tokio::test]
async fn a_router_in_another_application_has_the_socket_too() {
    let agents = Server::new().websocket().agent("/chef", Cook::new().0).router().unwrap();
    let app = Router::new().nest("/agents", agents).route("/", get(|| async { "page" }));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, app).await });
    let agent = agui_runtime::client::HttpAgent::new(format!("http://{address}/agents/chef")).unwrap();
    let agent = agent.websocket(format!("ws://{address}/agents/agui/ws")).unwrap();
    let mut session: agui_runtime::client::Session = agui_runtime::client::Session::new(agent);
    session.say("hello");
    assert_eq!(session.run().await.unwrap().text(), "Hello naïve 🦀\u{2028}\n");
}

#[tokio::test]
async fn servers_say_if_they_have_a_socket() {
    let with = served(Limits::default()).await;
    let without = Served::cook().await;
    for (address, expected) in [(with.address, json!(true)), (without.address, Value::Null)] {
        let declared = Request::new("GET", "/capabilities").send(address).await.json();
        assert_eq!(declared["transport"]["websocket"], expected);
    }
    assert_eq!(Request::new("GET", "/agui/ws").send(without.address).await.status, 404);
    let own = Router::new().route("/agui/ws", get(|| async {}));
    let twice = Server::new().websocket().agent("/", Cook::new().0).routes(own).router();
    assert!(matches!(twice, Err(Error::DuplicatePath { .. })));
}

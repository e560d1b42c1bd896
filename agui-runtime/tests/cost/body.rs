//! How much memory one request takes, at the most and while its run goes on: bytes are counted.

use agui_runtime::prelude::*;
use agui_runtime::{Agent, InputLimits, Server};
use axum::body::Body;
use axum::http::{Request, StatusCode};
use bytes::Bytes;
use futures::{StreamExt, stream};
use tower::ServiceExt;

/// Reads nothing of what it is sent.
#[agent]
async fn idle(run: &mut Run<Idle>, input: Input<Idle>) -> Result<(), Stop> {
    drop(input);
    run.say("done").await;
    Ok(())
}

/// The places of an input where JSON of the client's choice can stand: what comes before it, and after it.
const PLACES: [(&str, &str, &str); 17] = [
    ("state", r#"{"threadId":"t","runId":"r","messages":[],"state":["#, "]}"),
    ("forwardedProps", r#"{"threadId":"t","runId":"r","messages":[],"forwardedProps":["#, "]}"),
    ("unknown member", r#"{"threadId":"t","runId":"r","messages":[],"u":["#, "]}"),
    (
        "message metadata",
        r#"{"threadId":"t","runId":"r","messages":[{"id":"","role":"user","content":"","metadata":{"m":["#,
        "]}}]}",
    ),
    (
        "metadata before the role",
        r#"{"threadId":"t","runId":"r","messages":[{"metadata":{"m":["#,
        r#"]},"id":"","role":"user","content":""}]}"#,
    ),
    (
        "unknown member of a message",
        r#"{"threadId":"t","runId":"r","messages":[{"id":"","role":"user","content":"","u":["#,
        "]}]}",
    ),
    (
        "metadata of a part",
        r#"{"threadId":"t","runId":"r","messages":[{"id":"","role":"user","content":[{"type":"text","text":"","metadata":["#,
        "]}]}]}",
    ),
    (
        "data of a binary part",
        r#"{"threadId":"t","runId":"r","messages":[{"id":"","role":"user","content":[{"type":"binary","mimeType":"image/png","data":["#,
        "]}]}]}",
    ),
    (
        "content parts",
        r#"{"threadId":"t","runId":"r","messages":[{"id":"","role":"user","content":["#,
        "]}]}",
    ),
    (
        "call metadata",
        r#"{"threadId":"t","runId":"r","messages":[{"id":"","role":"assistant","toolCalls":[{"id":"c","type":"function","function":{"name":"f","arguments":""},"metadata":{"m":["#,
        "]}}]}]}",
    ),
    (
        "call arguments",
        r#"{"threadId":"t","runId":"r","messages":[{"id":"","role":"assistant","toolCalls":[{"id":"c","type":"function","function":{"name":"f","arguments":["#,
        "]}}]}]}",
    ),
    (
        "activity content",
        r#"{"threadId":"t","runId":"r","messages":[{"id":"","role":"activity","activityType":"a","content":{"m":["#,
        "]}}]}",
    ),
    ("messages", r#"{"threadId":"t","runId":"r","messages":["#, "]}"),
    (
        "tool parameters",
        r#"{"threadId":"t","runId":"r","messages":[],"tools":[{"name":"","description":"","parameters":["#,
        "]}]}",
    ),
    ("tools", r#"{"threadId":"t","runId":"r","messages":[],"tools":["#, "]}"),
    ("context", r#"{"threadId":"t","runId":"r","messages":[],"context":["#, "]}"),
    (
        "resume payload",
        r#"{"threadId":"t","runId":"r","messages":[],"resume":[{"interruptId":"i","status":"resolved","payload":["#,
        "]}]}",
    ),
];

/// What takes the most memory for its length.
const FILLERS: [&str; 4] = ["[0]", r#"{"":0}"#, r#"{"a":0}"#, "[]"];

fn body((_, before, after): (&str, &str, &str), filler: &str, len: usize) -> Vec<u8> {
    let mut body = before.as_bytes().to_vec();
    while body.len() + filler.len() + after.len() < len {
        body.extend_from_slice(filler.as_bytes());
        body.push(b',');
    }
    body.extend_from_slice(filler.as_bytes());
    body.extend_from_slice(after.as_bytes());
    body
}

/// The answer's status, and the most bytes there were at one time.
fn request(server: Server, body: Vec<u8>) -> (StatusCode, usize) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let router = server.router().unwrap();
    // What the client holds of it is not the server's.
    let body: &'static [u8] = body.leak();
    let pieces = body.chunks(16 << 10).map(|piece| Ok::<_, std::io::Error>(Bytes::from_static(piece)));
    let request = Request::post("/")
        .header("content-type", "application/json")
        .header("content-length", body.len())
        .body(Body::from_stream(stream::iter(pieces)))
        .unwrap();
    let mut status = None;
    let counted = allocation_counter::measure(|| {
        let answer = runtime.block_on(async {
            let answer = router.oneshot(request).await.unwrap();
            let (head, body) = answer.into_parts();
            let mut pieces = body.into_data_stream();
            while pieces.next().await.is_some() {}
            head.status
        });
        status = Some(answer);
    });
    (status.unwrap(), counted.bytes_max as usize)
}

fn server(agent: impl Agent) -> Server {
    // Bytes are counted on one thread.
    Server::new().agent("/", agent).input_limits(InputLimits::default().inline(usize::MAX))
}

/// What is well-formed and takes the most memory for its length, in the lists where it may stand.
const TYPED: [(&str, &str); 12] = [
    ("messages", r#"{"id":"","role":"system","content":""}"#),
    ("messages", r#"{"role":"system","id":"","content":""}"#),
    ("messages", r#"{"id":"","role":"user","content":[],"u":0}"#),
    ("messages", r#"{"id":"","role":"assistant"}"#),
    ("content parts", r#"{"type":"text","text":""}"#),
    ("content parts", r#"{"type":"text","text":"","metadata":0}"#),
    ("content parts", r#"{"text":"","type":"text","u":0}"#),
    ("content parts", r#"{"type":"binary","mimeType":"","url":"x"}"#),
    ("content parts", r#"{"type":"binary","mimeType":"image/png","data":"x","filename":"y"}"#),
    ("tools", r#"{"name":"","description":""}"#),
    ("context", r#"{"description":"","value":""}"#),
    ("context", r#"{"value":"","description":"","u":0}"#),
];

#[test]
fn table() {
    for len in [1 << 20, 10 << 20] {
        let typed =
            TYPED.map(|(name, filler)| (PLACES.into_iter().find(|place| place.0 == name).unwrap(), filler));
        let free = PLACES.into_iter().flat_map(|place| FILLERS.map(|filler| (place, filler)));
        for (place, filler) in typed.into_iter().chain(free) {
            let body = body(place, filler, len);
            let len = body.len();
            let (status, peak) = request(server(Idle::new()).body_limit(11 << 20), body);
            println!("{len:>9} {:<28} {filler:<50} {status} {:6.1}", place.0, peak as f64 / len as f64);
        }
    }
}

//! The memory of one request, at its peak and during its run: bytes are counted.
#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "tests")]

use agui_runtime::http::InputLimits;
use agui_runtime::prelude::*;
use agui_runtime::protocol::{Event, RunAgentInput, UserMessage};
use agui_runtime::{Agent, Limits, RunOptions, Server, start};
use axum::body::Body;
use axum::http::{Request, StatusCode};
use bytes::Bytes;
use futures::executor::block_on;
use futures::{StreamExt, stream};
use tokio::sync::Notify;
use tower_service::Service;

/// Reads nothing of its input.
#[agent]
async fn idle(run: &mut Run<Idle>, input: Input<Idle>) -> Result<(), Stop> {
    drop(input);
    run.say("done").await;
    Ok(())
}

/// The places of an input where the client's own JSON can stand: the text before it, and after it.
pub(crate) const PLACES: [(&str, &str, &str); 17] = [
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

/// The JSON with the most memory for its length.
pub(crate) const FILLERS: [&str; 4] = ["[0]", r#"{"":0}"#, r#"{"a":0}"#, "[]"];

pub(crate) fn body((_, before, after): (&str, &str, &str), filler: &str, len: usize) -> Vec<u8> {
    let mut body = before.as_bytes().to_vec();
    while body.len() + filler.len() + after.len() < len {
        body.extend_from_slice(filler.as_bytes());
        body.push(b',');
    }
    body.extend_from_slice(filler.as_bytes());
    body.extend_from_slice(after.as_bytes());
    body
}

/// The answer's status, the greatest number of bytes at one time, and the last piece of the answer.
pub(crate) fn exchange(server: Server, body: Vec<u8>) -> (StatusCode, usize, String) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let mut router = server.router().unwrap();
    // The client's copy is not counted for the server.
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
            let answer = router.call(request).await.unwrap();
            let (head, body) = answer.into_parts();
            let mut pieces = body.into_data_stream();
            let mut last = Bytes::new();
            while let Some(piece) = pieces.next().await {
                last = piece.unwrap();
            }
            (head.status, last)
        });
        status = Some(answer);
    });
    let (status, last) = status.unwrap();
    (status, counted.bytes_max as usize, String::from_utf8(last.to_vec()).unwrap())
}

fn request(server: Server, body: Vec<u8>) -> (StatusCode, usize) {
    let (status, peak, _) = exchange(server, body);
    (status, peak)
}

pub(crate) fn server(agent: impl Agent) -> Server {
    // Bytes are counted on one thread.
    Server::new().agent("/", agent).input_limits(InputLimits::default().inline(usize::MAX))
}

/// Well-formed elements with the most memory for their length, in the lists where they may stand.
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

/// Measures one kind of body, and prints it if the table is wanted.
fn check(limits: InputLimits, (name, before, after): (&str, &str, &str), filler: &str, len: usize) -> bool {
    let body = body((name, before, after), filler, len);
    let len = body.len();
    let (status, peak) =
        request(server(Idle::new()).limits(Limits::default().body_size(2 * len)).input_limits(limits), body);
    let ratio = peak as f64 / len as f64;
    if std::env::var_os("AGUI_BODY_MB").is_some() {
        println!("| {name} | `{filler}` | {len} | {} | {ratio:.1} |", status.as_u16());
    }
    // Besides the body there is the memory of any run.
    assert!(peak <= 8 * len + 32_000, "{name} {filler}: {ratio:.1} times {len} bytes, {status}");
    status == StatusCode::OK
}

/// All bodies that are known to need much memory, once each.
fn all(limits: InputLimits, len: usize) -> usize {
    let place = |name| PLACES.into_iter().find(|place| place.0 == name).unwrap();
    let typed = TYPED.map(|(name, filler)| (place(name), filler));
    let free = PLACES.into_iter().flat_map(|place| FILLERS.map(|filler| (place, filler)));
    typed.into_iter().chain(free).filter(|(place, filler)| check(limits, *place, filler, len)).count()
}

#[test]
fn a_body_takes_eight_times_its_length_at_the_most() {
    // Only the limits keep these from being read; the bound holds without them as well.
    let no = usize::MAX;
    let unlimited =
        InputLimits::default().nodes(no).members(no).messages(no).tools(no).untyped(no).inline(no);
    let read = all(unlimited, 128 << 10);
    assert!(read > PLACES.len() * FILLERS.len() / 2, "most are read: {read}");
    let megabytes = std::env::var("AGUI_BODY_MB").ok().and_then(|megabytes| megabytes.parse::<usize>().ok());
    if let Some(megabytes) = megabytes {
        all(unlimited, megabytes << 20);
        all(InputLimits::default().inline(no), megabytes << 20);
    }
}

/// Distinct ids are stored one by one, in the kernel as well.
#[test]
fn a_conversation_takes_eight_times_its_length_at_the_most() {
    let messages = |number: usize| format!(r#"{{"id":"{number:x}","role":"assistant"}}"#);
    let calls = |number: usize| {
        format!(
            r#"{{"id":"a{number:x}","role":"assistant","toolCalls":[{{"id":"c{number:x}","type":"function","function":{{"name":"f","arguments":""}}}}]}}"#
        )
    };
    let answers = |number: usize| {
        format!(r#"{{"id":"a{number:x}","role":"tool","toolCallId":"c{number:x}","content":""}}"#)
    };
    for message in [&messages as &dyn Fn(usize) -> String, &calls, &answers] {
        let all: Vec<_> = (0..3_000).map(message).collect();
        let body = format!(r#"{{"threadId":"t","runId":"r","messages":[{}]}}"#, all.join(",")).into_bytes();
        let len = body.len();
        let (status, peak) = request(server(Idle::new()), body);
        assert_eq!(status, StatusCode::OK);
        assert!(peak <= 8 * len + 32_000, "{}: {:.1} times", message(0), peak as f64 / len as f64);
    }
}

/// A table, the way a page keeps one.
#[derive(State, Clone, Default, Debug, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
struct Table {
    rows: Vec<Row>,
}

#[derive(State, Clone, Default, Debug, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
struct Row {
    name: String,
    amount: u32,
}

/// Continues with the client's state.
#[agent(state = Table)]
async fn keeper(run: &mut Run<Keeper>, input: Input<Keeper>) -> Result<(), Stop> {
    let table = run.state().adopt(&input)?.ok_or_else(|| Stop::error("the state cannot be kept"))?;
    table.update(|table| table.rows.truncate(1)).await?;
    Ok(())
}

/// The state needs its text, the typed value, and the text that shows if the client holds exactly that: no tree of JSON
/// values.
#[test]
fn a_state_that_is_adopted_is_never_a_tree_of_values() {
    let (before, after) = (r#"{"threadId":"t","runId":"r","messages":[],"state":{"rows":["#, "]}}");
    for row in [r#"{"name":"a","amount":1}"#, r#"{"amount":1, "name":"a"}"#] {
        let body = body(("state", before, after), row, 256 << 10);
        let len = body.len();
        let (status, peak, last) = exchange(server(Keeper::new()), body);
        assert!(status == StatusCode::OK && last.contains("RUN_FINISHED"), "{last}");
        assert!(peak <= 8 * len + 32_000, "{row}: {:.1} times", peak as f64 / len as f64);
    }
}

/// The dialect's readers put what they do not know into memory before they leave it out, so its requests have fewer values.
#[test]
fn a_request_of_the_dialect_takes_eight_times_its_length_or_is_refused() {
    // For the values that any request may have.
    const ALWAYS: usize = 4 << 20;
    const PLACES: [(&str, &str); 6] = [
        (r#"{"messages":[],"u":["#, "]"),
        (r#"{"messages":[],"agent_id":["#, "]"),
        (r#"{"messages":[{"role":"user","content":"","u":["#, "]}]"),
        (r#"{"messages":[{"role":"user","content":["#, "]}]"),
        (r#"{"messages":[{"role":"user","content":[{"u":["#, r#"],"type":"text","text":""}]}]"#),
        (r#"{"messages":[{"role":"user","content":[{"type":"hologram","u":["#, "]}]}]"),
    ];
    let typed = [r#"{"role":"user","content":""}"#, r#"{"content":[],"role":"user","u":0}"#];
    let places = PLACES.into_iter().flat_map(|place| FILLERS.map(|filler| (place, filler)));
    let all = places.chain(typed.map(|filler| ((r#"{"messages":["#, "]"), filler)));
    let (mut read, mut refused, mut wrong) = (0, 0, Vec::<String>::new());
    for ((before, after), filler) in all {
        for len in [128 << 10, 1 << 20] {
            // As many values as are read, and then text, which takes no more than its length.
            for share in [4, 8, 16, 32] {
                let (mut text, values) = (before.to_owned(), vec![filler; len / filler.len() / share]);
                text.push_str(&values.join(","));
                text.push_str(after);
                text.push_str(r#","p":""#);
                text.push_str(&"x".repeat((len - 10).saturating_sub(text.len())));
                text.push_str("\"}");
                let len = text.len();
                let limits = InputLimits::default().inline(usize::MAX);
                let server = Server::new()
                    .snake_case_agent("/", Idle::new())
                    .input_limits(limits)
                    .limits(Limits::default().body_size(2 * len));
                let (status, peak) = request(server, text.into_bytes());
                let ratio = peak as f64 / len as f64;
                if std::env::var_os("AGUI_BODY_MB").is_some() {
                    println!(
                        "| `{before}` | `{filler}` | {len} | {share} | {} | {ratio:.1} | {peak} |",
                        status.as_u16()
                    );
                }
                if peak > 8 * len + ALWAYS {
                    wrong.push(format!("{before} {filler}: {ratio:.1} times {len} bytes, {status}"));
                }
                *(if status == StatusCode::OK { &mut read } else { &mut refused }) += 1;
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(read > 50, "many are read: {read}");
    assert!(refused > 50, "many are refused: {refused}");
}

/// Waits for a signal.
#[agent]
async fn waiter(
    run: &mut Run<Waiter>,
    input: Input<Waiter>,
    bell: &std::sync::Arc<Notify>,
) -> Result<(), Stop> {
    run.say("waiting").await;
    bell.notified().await;
    drop(input);
    Ok(())
}

/// During a run the input exists once, and after its last event was read it is gone, though its stream still exists.
#[test]
fn a_run_releases_its_input_when_it_ends() {
    let text = body(PLACES[0], "[0]", 1 << 20);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let bell = std::sync::Arc::new(Notify::new());
    let router = server(Waiter::new(bell.clone()))
        .input_limits(InputLimits::default().nodes(usize::MAX).inline(usize::MAX));
    let mut router = router.router().unwrap();
    let len = text.len();
    let text: &'static [u8] = text.leak();
    let request = || {
        let body = Body::from_stream(stream::iter([Ok::<_, std::io::Error>(Bytes::from_static(text))]));
        Request::post("/").header("content-type", "application/json").body(body).unwrap()
    };
    let mut answer = None;
    let going_on = allocation_counter::measure(|| {
        let mut pieces = runtime.block_on(router.call(request())).unwrap().into_body().into_data_stream();
        let first = runtime.block_on(pieces.next());
        assert!(first.is_some());
        answer = Some(pieces);
    });
    let held = going_on.bytes_current;
    assert!(held >= len as i64 / 2, "it holds the state: {held}");
    assert!(held <= len as i64 + 64_000, "{held} bytes for {len}");
    bell.notify_one();
    let ended = allocation_counter::measure(|| {
        let pieces = answer.as_mut().unwrap();
        while runtime.block_on(pieces.next()).is_some() {}
    });
    assert!(held + ended.bytes_current <= 32_000, "{} bytes of {held}", held + ended.bytes_current);
}

#[test]
fn a_stream_whose_last_event_was_read_holds_nothing() {
    let messages = (0..2_000).map(|number| UserMessage::new(format!("m-{number}"), "x".repeat(200)).into());
    let mut input =
        Some(RunAgentInput::new("t", "r", messages.collect::<Vec<_>>()).with_protocol_version("1.0"));
    let mut events = None;
    let counted = allocation_counter::measure(|| {
        let input = input.as_ref().unwrap().clone();
        let mut stream = start(std::sync::Arc::new(Idle::new()), input, RunOptions::default());
        while let Some(event) = block_on(stream.next()) {
            if matches!(event, Event::RunFinished(_)) {
                break;
            }
        }
        events = Some(stream);
    });
    assert!(counted.bytes_current <= 4_000, "{} bytes", counted.bytes_current);
    assert!(counted.bytes_max > 400_000, "it held the conversation: {}", counted.bytes_max);
    drop((events, input.take()));
}

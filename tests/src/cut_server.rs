//! A server that keeps one recorded run and cuts its streams: where a client continues is up to the client.
#![allow(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "test support: what goes wrong here fails the test"
)]

use std::collections::HashMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use agui_runtime::order::OrderVerifier;
use agui_runtime::protocol::{Event, MessagesSnapshotEvent, SpanKind, StateSnapshotEvent};
use agui_runtime::receive::ReceivePipeline;
use serde_json::Value;

/// The events of the run. It has each kind of span, and text of several bytes per character.
const EVENTS: [&str; 27] = [
    r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#,
    r#"{"type":"STATE_SNAPSHOT","snapshot":{"title":"Soup","n":0}}"#,
    r#"{"type":"STEP_STARTED","stepName":"plan"}"#,
    r#"{"type":"REASONING_START","messageId":"why"}"#,
    r#"{"type":"REASONING_MESSAGE_START","messageId":"why-1","role":"reasoning"}"#,
    r#"{"type":"REASONING_MESSAGE_CONTENT","messageId":"why-1","delta":"A naïve"}"#,
    r#"{"type":"REASONING_MESSAGE_CONTENT","messageId":"why-1","delta":" plan 🦀."}"#,
    r#"{"type":"REASONING_MESSAGE_END","messageId":"why-1"}"#,
    r#"{"type":"REASONING_END","messageId":"why"}"#,
    r#"{"type":"STEP_FINISHED","stepName":"plan"}"#,
    r#"{"type":"TEXT_MESSAGE_START","messageId":"m","role":"assistant"}"#,
    r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"Let me see"}"#,
    r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":" … \n\n"}"#,
    r#"{"type":"STATE_DELTA","delta":[{"op":"replace","path":"/n","value":1}]}"#,
    r#"{"type":"TEXT_MESSAGE_END","messageId":"m"}"#,
    r#"{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"price","parentMessageId":"m"}"#,
    r#"{"type":"TOOL_CALL_ARGS","toolCallId":"c","delta":"{\"ingredient\""}"#,
    r#"{"type":"TOOL_CALL_ARGS","toolCallId":"c","delta":":\"rice\"}"}"#,
    r#"{"type":"TOOL_CALL_END","toolCallId":"c"}"#,
    r#"{"type":"TOOL_CALL_RESULT","messageId":"c-result","toolCallId":"c","content":"{\"cents\":180}"}"#,
    r#"{"type":"CUSTOM","name":"bell","value":[1,null]}"#,
    r#"{"type":"TEXT_MESSAGE_START","messageId":"n","role":"assistant"}"#,
    r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"n","delta":"It is"}"#,
    r#"{"type":"STATE_DELTA","delta":[{"op":"add","path":"/n","value":2}]}"#,
    r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"n","delta":" 1.80."}"#,
    r#"{"type":"TEXT_MESSAGE_END","messageId":"n"}"#,
    r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r","result":{"done":true}}"#,
];

/// A server with the recorded run at every address, under the run id of the request. The path says how it behaves:
///
/// | path | the first connection | the others |
/// |---|---|---|
/// | `/whole` | all events | |
/// | `/abort/{bytes}` | cut in the middle of a chunk | the rest |
/// | `/close/{bytes}` | ended as if it were complete | the rest |
/// | `/plain/{bytes}` | as `close`, and without ids | |
/// | `/counted/{bytes}` | as `close`, with ids that other servers write: `1`, `2` | |
/// | `/each` | one event | one event each |
/// | `/busy/{bytes}` | as `abort` | status 503 with `Retry-After: 0`, then the rest |
/// | `/trimmed/{events}/{kept}` | cut after `events` events | status 410, then the conversation at event `kept`, and the rest |
/// | `/refused/{status}` | cut after 5 events | this status, for ever |
/// | `/gone` | cut after 5 events | no answer |
/// | `/late/{events}` | `connect` joins run `r` at this event | |
/// | `/empty` | status 204 | |
/// | `/none/{status}` | `connect`: this status | |
/// | `/{any}/stop/{thread}` | `{"stopped": true}` | |
pub struct CutServer {
    url: String,
    kept: Arc<Kept>,
}

#[derive(Default)]
struct Kept {
    requests: Mutex<Vec<Asked>>,
    counts: Mutex<HashMap<String, usize>>,
}

/// A request as it was received.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// The path with its query.
    pub path: String,
    /// The cursor.
    pub cursor: Option<String>,
    /// The body, if it is JSON.
    pub body: Value,
}

impl CutServer {
    /// The number of its events.
    pub const EVENTS: usize = EVENTS.len();

    /// Starts a server that runs until the process ends.
    ///
    /// # Panics
    /// If this machine has no free port.
    #[must_use]
    pub fn start() -> Self {
        let listener = TcpListener::bind(SocketAddr::from(([127, 0, 0, 1], 0))).unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let kept = Arc::new(Kept::default());
        let shared = Arc::clone(&kept);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let kept = Arc::clone(&shared);
                // A client that leaves is no failure.
                thread::spawn(move || serve(stream, &kept).ok());
            }
        });
        Self { url, kept }
    }

    /// The address of a path.
    #[must_use]
    pub fn url(&self, path: &str) -> String {
        format!("{}{path}", self.url)
    }

    /// The requests to paths that begin so, in their order.
    ///
    /// # Panics
    /// If a connection panicked.
    #[must_use]
    pub fn asked(&self, path: &str) -> Vec<Asked> {
        let requests = self.kept.requests.lock().unwrap();
        requests.iter().filter(|asked| asked.path.starts_with(path)).cloned().collect()
    }

    /// The length of the whole stream of a run in bytes.
    #[must_use]
    pub fn bytes(run: &str) -> usize {
        body(run, 0).len()
    }

    /// The length of the first event of a run in bytes.
    #[must_use]
    pub fn first_bytes(run: &str) -> usize {
        Self::bytes(run) - body(run, 1).len()
    }
}

/// An event of the recording, as one of this run.
fn event(at: usize, run: &str) -> String {
    EVENTS[at].replace(r#""runId":"r""#, &format!(r#""runId":"{run}""#))
}

/// The server-sent events of a run from `first` on.
fn body(run: &str, first: usize) -> Vec<u8> {
    let frames =
        (first..EVENTS.len()).map(|at| format!("id: {run}.{}\ndata: {}\n\n", at + 1, event(at, run)));
    frames.collect::<String>().into_bytes()
}

/// The conversation after `kept` events, then the rest.
fn restated(run: &str, kept: usize) -> Vec<u8> {
    let (mut pipeline, mut verifier) = (ReceivePipeline::new(), OrderVerifier::new());
    for at in 0..kept {
        let event: Event = serde_json::from_str(&event(at, run)).unwrap();
        verifier.check(&event).unwrap();
        pipeline.receive(event, |_, _, _| {}).unwrap();
    }
    let reducer = pipeline.reducer();
    let mut prelude = vec![event(0, run)];
    let messages = MessagesSnapshotEvent::new(reducer.messages().to_vec());
    prelude.push(serde_json::to_string(&Event::from(messages)).unwrap());
    let state = StateSnapshotEvent::new(reducer.state().clone());
    prelude.push(serde_json::to_string(&Event::from(state)).unwrap());
    for span in verifier.open() {
        let name = match span.scope {
            SpanKind::Text => "TEXT_MESSAGE_START",
            SpanKind::ToolCall => "TOOL_CALL_START",
            SpanKind::Step => "STEP_STARTED",
            SpanKind::ReasoningSpan => "REASONING_START",
            SpanKind::ReasoningMessage => "REASONING_MESSAGE_START",
            other => panic!("the run opens no {other:?}"),
        };
        let is_it = |event: &&&str| event.contains(name) && event.contains(&format!("\"{}\"", span.id));
        prelude.push((*EVENTS.iter().find(is_it).unwrap()).to_owned());
    }
    if kept == EVENTS.len() {
        prelude.push(event(kept - 1, run));
    }
    let last = prelude.len() - 1;
    let mut text = String::new();
    for (at, event) in prelude.iter().enumerate() {
        if at == last {
            text += &format!("id: {run}.{kept}\n");
        }
        text += &format!("data: {event}\n\n");
    }
    [text.into_bytes(), body(run, kept)].concat()
}

fn serve(stream: TcpStream, kept: &Kept) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let mut reader = BufReader::new(stream.try_clone()?);
    let asked = read(&mut reader)?;
    let (path, is_connect) = match asked.path.strip_suffix("/connect") {
        Some(path) => (path.to_owned(), true),
        None => (asked.path.clone(), false),
    };
    if asked.path.ends_with("/capabilities") {
        return refuse(stream, 404, "not_found");
    }
    kept.requests.lock().unwrap().push(asked.clone());
    if path.contains("/stop/") {
        return answer(stream, 200, r#"{"stopped":true}"#);
    }
    let count = {
        let mut counts = kept.counts.lock().unwrap();
        let count = counts.entry(path.clone()).or_default();
        *count += 1;
        *count
    };
    let parts: Vec<&str> = path.split('/').skip(1).collect();
    let number = |at: usize| parts.get(at).and_then(|part| part.parse::<usize>().ok()).unwrap_or(0);
    let run = asked.body["runId"].as_str().filter(|_| parts.first() != Some(&"late")).unwrap_or("r");
    let after =
        asked.cursor.as_deref().and_then(|cursor| cursor.rsplit_once('.')?.1.parse().ok()).unwrap_or(0);
    let rest = body(run, after);
    let to = |events: usize| body(run, 0).len() - body(run, events).len();
    let is_first = count == 1;
    match (*parts.first().unwrap_or(&""), is_first) {
        ("abort" | "busy", true) => send(stream, &rest[..number(1).min(rest.len())], End::Abort),
        ("close", true) => send(stream, &rest[..number(1).min(rest.len())], End::Close),
        ("plain" | "counted", _) => {
            let id = if parts[0] == "plain" { "" } else { "id: " };
            let text = String::from_utf8(rest).unwrap().replace(&format!("id: {run}."), id);
            let lines = text.lines().filter(|line| parts[0] != "plain" || !is_number(line));
            let text: String = lines.map(|line| format!("{line}\n")).collect();
            send(stream, &text.as_bytes()[..number(1).min(text.len())], End::Close)
        }
        ("each", _) => {
            let one = rest.len() - body(run, after + 1).len();
            send(stream, &rest[..one], End::Abort)
        }
        ("trimmed", true) => send(stream, &rest[..to(number(1))], End::Abort),
        ("trimmed", _) if is_connect && asked.cursor.is_none() => {
            send(stream, &restated(run, number(2)), End::Whole)
        }
        ("trimmed", _) => refuse(stream, 410, "cursor_trimmed"),
        ("refused" | "gone", true) => send(stream, &rest[..to(5)], End::Abort),
        ("refused", false) => refuse(stream, number(1), "refused"),
        ("gone", false) => Ok(()),
        ("busy", false) if count == 2 => refuse(stream, 503, "store_unavailable"),
        ("late", _) if asked.cursor.is_none() => send(stream, &restated(run, number(1)), End::Whole),
        ("empty", _) => refuse(stream, 204, ""),
        ("none", _) if is_connect => refuse(stream, number(1), "not_found"),
        _ => send(stream, &rest, End::Whole),
    }
}

fn is_number(line: &str) -> bool {
    !line.is_empty() && line.bytes().all(|byte| byte.is_ascii_digit())
}

/// The end of a stream.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Whole,
    Abort,
    Close,
}

fn send(mut stream: TcpStream, bytes: &[u8], end: End) -> std::io::Result<()> {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n";
    if end == End::Close {
        write!(stream, "{head}\r\n")?;
        return stream.write_all(bytes);
    }
    write!(stream, "{head}transfer-encoding: chunked\r\n\r\n")?;
    if !bytes.is_empty() {
        write!(stream, "{:x}\r\n", bytes.len())?;
        stream.write_all(bytes)?;
        stream.write_all(b"\r\n")?;
    }
    if end == End::Whole { stream.write_all(b"0\r\n\r\n") } else { Ok(()) }
}

fn refuse(stream: TcpStream, status: usize, code: &str) -> std::io::Result<()> {
    let body = format!(r#"{{"error":{{"code":"{code}","message":"no"}}}}"#);
    answer(stream, status, if status == 204 { "" } else { &body })
}

fn answer(mut stream: TcpStream, status: usize, body: &str) -> std::io::Result<()> {
    let head = "content-type: application/json\r\nretry-after: 0\r\nconnection: close";
    write!(stream, "HTTP/1.1 {status} Status\r\n{head}\r\ncontent-length: {}\r\n\r\n{body}", body.len())
}

fn read(reader: &mut BufReader<TcpStream>) -> std::io::Result<Asked> {
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let path = line.split(' ').nth(1).unwrap_or_default().to_owned();
    let (mut cursor, mut length) = (None, 0);
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let Some((name, value)) = line.trim_end().split_once(':') else { break };
        match name.to_ascii_lowercase().as_str() {
            "last-event-id" => cursor = Some(value.trim().to_owned()),
            "content-length" => length = value.trim().parse().unwrap_or(0),
            _ => {}
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    Ok(Asked { path, cursor, body: serde_json::from_slice(&body).unwrap_or_default() })
}

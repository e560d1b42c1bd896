//! Servers that answer a run with what no agent should send, each at a path of its own.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::thread;

use serde_json::{Map, Value, json};

/// Text that does harm where it is read as HTML.
pub const MARKUP: &str = "<b class=evil>bold</b><img class=evil src=x onerror=\"globalThis.evil=1\"><script class=evil>globalThis.evil=2</script>";

const HEAD: &str = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
/// They stand for those of the input.
const IDS: &str = r#""threadId":"t","runId":"r""#;
const STARTED: &str = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#;
const FINISHED: &str = r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#;

const KINDS: [&str; 14] = [
    "markup", "garbage", "order", "unknown", "cut", "broken", "redirect", "refusal", "few", "many",
    "messages", "huge", "endless", "hidden",
];

/// The servers, which end with the process.
pub struct EvilServer {
    /// Their addresses by kind.
    pub agents: Map<String, Value>,
}

pub fn start() -> EvilServer {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let mut agents: Map<_, _> =
        KINDS.iter().map(|kind| ((*kind).to_owned(), json!(format!("http://{address}/{kind}")))).collect();
    // A port on which no program listens.
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    agents.insert("gone".to_owned(), json!(format!("http://{free}/gone")));
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            thread::spawn(move || answer(stream));
        }
    });
    EvilServer { agents }
}

fn answer(mut stream: TcpStream) {
    let Some((kind, input)) = asked(&mut stream) else { return };
    let id = |name: &str| input[name].as_str().unwrap_or_default().to_owned();
    let ids = format!(r#""threadId":"{}","runId":"{}""#, id("threadId"), id("runId"));
    // A client that has seen enough closes the connection.
    let _ = write(&mut stream, &kind, &ids);
}

/// Reads a request, and returns the last part of its path, and the input.
fn asked(stream: &mut TcpStream) -> Option<(String, Value)> {
    let mut request = Vec::new();
    let mut piece = [0; 4096];
    loop {
        let count = stream.read(&mut piece).ok().filter(|count| *count > 0)?;
        request.extend_from_slice(&piece[..count]);
        let text = String::from_utf8_lossy(&request).into_owned();
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let lengths = head.lines().filter_map(|line| line.split_once(": "));
        let length = lengths
            .filter(|(name, _)| name.eq_ignore_ascii_case("content-length"))
            .map(|(_, length)| length)
            .next();
        if body.len() >= length.and_then(|length| length.parse().ok()).unwrap_or(0) {
            let path = head.split(' ').nth(1)?;
            return Some((
                path.trim_start_matches('/').to_owned(),
                serde_json::from_str(body).unwrap_or_default(),
            ));
        }
    }
}

fn write(stream: &mut TcpStream, kind: &str, ids: &str) -> std::io::Result<()> {
    let mut say = |text: &str| stream.write_all(text.as_bytes());
    match kind {
        "redirect" => {
            return say(
                "HTTP/1.1 307 Temporary Redirect\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n",
            );
        }
        "refusal" => {
            let body = r#"{"error":{"code":"no_tea","message":"<b class=evil>I am a teapot</b>"}}"#;
            return say(&format!(
                "HTTP/1.1 418 I'm a teapot\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
                body.len()
            ));
        }
        "broken" => {
            say("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n")?;
            let frame = format!("data: {}\n\n", STARTED.replace(IDS, ids));
            // The next chunk is announced, and does not come.
            return say(&format!("{:x}\r\n{frame}\r\nff\r\n", frame.len()));
        }
        _ => say(HEAD)?,
    }
    for event in events(kind) {
        say(&format!("data: {}\n\n", event.replace(IDS, ids)))?;
    }
    if kind == "endless" {
        let piece = "x".repeat(100_000);
        loop {
            say(&format!("data: {{\"type\":\"CUSTOM\",\"name\":\"x\",\"value\":\"{piece}\"}}\n\n"))?;
        }
    }
    Ok(())
}

fn events(kind: &str) -> Vec<String> {
    let middle: Vec<Value> = match kind {
        "markup" => return markup(),
        "garbage" => {
            return [STARTED, "{\"type\":<b class=evil>", "\u{0}\u{202e}[]", FINISHED]
                .map(str::to_owned)
                .to_vec();
        }
        "order" => vec![json!({ "type": "TEXT_MESSAGE_END", "messageId": "m" })],
        "unknown" => vec![
            json!({ "type": "<img class=evil src=x>", "__proto__": { "evil": 1 } }),
            json!({ "type": "STEP_STARTED", "stepName": "constructor", "mood": { "toString": 1 } }),
            json!({ "type": "STEP_FINISHED", "stepName": "constructor" }),
        ],
        "few" => many(50),
        "many" => many(19_999),
        "messages" => (0..2_500).flat_map(call).chain(many(50)).collect(),
        "hidden" => hidden(),
        "huge" => vec![json!({ "type": "CUSTOM", "name": "huge", "value": "ü".repeat(700_000) })],
        _ => Vec::new(),
    };
    let mut events = vec![STARTED.to_owned()];
    events.extend(middle.iter().map(Value::to_string));
    match kind {
        "unknown" => {
            events.pop();
            events.push(json!({ "type": "RUN_ERROR", "message": MARKUP }).to_string());
        }
        "cut" | "endless" => {}
        _ => events.push(FINISHED.to_owned()),
    }
    events
}

/// A message in `pieces` pieces.
fn many(pieces: usize) -> Vec<Value> {
    let mut events = vec![json!({ "type": "TEXT_MESSAGE_START", "messageId": "m" })];
    events
        .extend((0..pieces).map(
            |at| json!({ "type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": format!("{at} ") }),
        ));
    events.push(json!({ "type": "TEXT_MESSAGE_END", "messageId": "m" }));
    events
}

/// A call with its result.
fn call(number: usize) -> Vec<Value> {
    let id = format!("c{number}");
    vec![
        json!({ "type": "TOOL_CALL_START", "toolCallId": id, "toolCallName": "look" }),
        json!({ "type": "TOOL_CALL_ARGS", "toolCallId": id, "delta": format!("{{\"at\":{number}}}") }),
        json!({ "type": "TOOL_CALL_END", "toolCallId": id }),
        json!({ "type": "TOOL_CALL_RESULT", "messageId": format!("r{number}"), "toolCallId": id, "content": "found" }),
    ]
}

/// Characters that are not seen, or that reverse the direction of writing, wherever a text stands.
fn hidden() -> Vec<Value> {
    let name = "invoice\u{202e}fdp.exe";
    let numbers: Vec<usize> = (100..160).collect();
    vec![
        json!({ "type": "STATE_SNAPSHOT", "snapshot": { "file": name, "\u{2066}key": "\u{200b}" } }),
        json!({ "type": "TEXT_MESSAGE_START", "messageId": "m", "name": name }),
        json!({ "type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": name }),
        json!({ "type": "TEXT_MESSAGE_END", "messageId": "m" }),
        json!({ "type": "TOOL_CALL_START", "toolCallId": "c", "toolCallName": name }),
        json!({ "type": "TOOL_CALL_ARGS", "toolCallId": "c", "delta": json!({ name: numbers }).to_string() }),
        json!({ "type": "TOOL_CALL_END", "toolCallId": "c" }),
        json!({ "type": "TOOL_CALL_RESULT", "messageId": "r", "toolCallId": "c", "content": name }),
    ]
}

/// Markup in each text that the page shows.
fn markup() -> Vec<String> {
    let schema =
        json!({ "type": "object", "properties": { MARKUP: { "type": "string", "description": MARKUP } } });
    let question = json!({ "id": "q", "reason": MARKUP, "message": MARKUP, "responseSchema": schema });
    let events = [
        json!({ "type": "RUN_STARTED", "threadId": "t", "runId": "r" }),
        json!({ "type": "STATE_SNAPSHOT", "snapshot": { MARKUP: MARKUP, "__proto__": { "evil": 3 } } }),
        json!({ "type": "TEXT_MESSAGE_START", "messageId": MARKUP }),
        json!({ "type": "TEXT_MESSAGE_CONTENT", "messageId": MARKUP, "delta": MARKUP }),
        json!({ "type": "TEXT_MESSAGE_END", "messageId": MARKUP }),
        json!({ "type": "TOOL_CALL_START", "toolCallId": "c", "toolCallName": MARKUP }),
        json!({ "type": "TOOL_CALL_ARGS", "toolCallId": "c", "delta": MARKUP }),
        json!({ "type": "TOOL_CALL_END", "toolCallId": "c" }),
        json!({ "type": "ACTIVITY_SNAPSHOT", "messageId": "a", "activityType": MARKUP, "content": { MARKUP: MARKUP } }),
        json!({ "type": "CUSTOM", "name": MARKUP, "value": MARKUP }),
        json!({ "type": "RUN_FINISHED", "threadId": "t", "runId": "r", "outcome": { "type": "interrupt", "interrupts": [question] } }),
    ];
    events.iter().map(Value::to_string).collect()
}

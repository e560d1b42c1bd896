//! A provider of models that sends given bytes, and keeps what it was asked.
#![allow(
    clippy::missing_panics_doc,
    clippy::indexing_slicing,
    reason = "test support: what goes wrong here fails the test"
)]

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use agui_runtime::provider::{HostedModel, ModelOptions};
use serde_json::{Value, json};

/// One answer of the server.
#[derive(Clone)]
pub struct Answer {
    /// The status.
    pub status: u16,
    /// The lines of the head.
    pub headers: String,
    /// The body, written piece by piece.
    pub pieces: Vec<String>,
    /// The time before each piece.
    pub pace: Duration,
    /// The connection stays open until the client closes it.
    pub hangs: bool,
}

impl Answer {
    /// A stream of these frames.
    pub fn frames<S: AsRef<str>>(frames: impl IntoIterator<Item = S>) -> Self {
        let pieces = frames.into_iter().map(|data| format!("data: {}\n\n", data.as_ref())).collect();
        Self::bytes(pieces)
    }

    /// A stream of these bytes.
    pub fn bytes(pieces: Vec<String>) -> Self {
        let headers = "content-type: text/event-stream\r\n".to_owned();
        Self { status: 200, headers, pieces, pace: Duration::ZERO, hangs: false }
    }

    /// An answer of JSON.
    pub fn status(status: u16, headers: &str, body: &str) -> Self {
        let headers = format!("content-type: application/json\r\n{headers}");
        Self { status, headers, pieces: vec![body.to_owned()], pace: Duration::ZERO, hangs: false }
    }

    /// A turn of a model in Chat Completions: its text in pieces, and its calls.
    pub fn turn(text: &[&str], calls: &[(&str, Value)]) -> Self {
        let delta = |delta: Value, end: Value| {
            json!({ "choices": [{ "index": 0, "delta": delta, "finish_reason": end }] }).to_string()
        };
        let mut frames: Vec<_> =
            text.iter().map(|piece| delta(json!({ "content": piece }), Value::Null)).collect();
        for (index, (tool, arguments)) in calls.iter().enumerate() {
            let function = json!({ "name": tool, "arguments": arguments.to_string() });
            let id = format!("call_{tool}_{index}");
            let call = json!({ "index": index, "id": id, "type": "function", "function": function });
            frames.push(delta(json!({ "tool_calls": [call] }), Value::Null));
        }
        frames.push(delta(json!({}), json!(if calls.is_empty() { "stop" } else { "tool_calls" })));
        frames.push("[DONE]".to_owned());
        Self::frames(frames)
    }

    /// The same, slowly: with this time before each piece.
    pub fn paced(self, pace: Duration) -> Self {
        Self { pace, ..self }
    }

    /// The same, but the connection stays open.
    pub fn hanging(self) -> Self {
        Self { hangs: true, ..self }
    }
}

/// A running server.
pub struct Server {
    port: u16,
    requests: Arc<Mutex<Vec<(String, Value)>>>,
    heads: Arc<Mutex<Vec<String>>>,
    /// The connections that the client closed while the server held them open.
    pub closed: Arc<AtomicUsize>,
}

impl Server {
    /// Starts a server that gives these answers; the last again and again.
    pub fn start(answers: impl Into<Vec<Answer>>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let (requests, heads, closed) = (Arc::default(), Arc::default(), Arc::default());
        let server = Self {
            port,
            requests: Arc::clone(&requests),
            heads: Arc::clone(&heads),
            closed: Arc::clone(&closed),
        };
        let answers = answers.into();
        std::thread::spawn(move || {
            for (at, stream) in listener.incoming().enumerate() {
                let Ok(stream) = stream else { return };
                let answer = answers[at.min(answers.len() - 1)].clone();
                let (requests, heads, closed) =
                    (Arc::clone(&requests), Arc::clone(&heads), Arc::clone(&closed));
                std::thread::spawn(move || serve(stream, &answer, &requests, &heads, &closed));
            }
        });
        server
    }

    /// Returns the port on this machine.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Returns the value of `AGUI_MODEL` for a model behind this server.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/v1#house-model", self.port)
    }

    /// Returns the model of that name behind this server.
    pub fn model(&self, name: &str) -> HostedModel {
        let spec = format!("{name}@http://127.0.0.1:{}/v1/", self.port);
        HostedModel::with_keys(&spec, |_| Some("a key".to_owned())).unwrap().options(quick())
    }

    /// Returns the paths and bodies of the requests so far.
    pub fn requests(&self) -> Vec<(String, Value)> {
        self.requests.lock().unwrap().clone()
    }

    /// Returns the values of a header in the last request.
    pub fn header(&self, name: &str) -> Vec<String> {
        let heads = self.heads.lock().unwrap();
        let fields =
            heads.last().expect("the model was asked").lines().filter_map(|line| line.split_once(':'));
        let named = fields.filter(|(field, _)| field.eq_ignore_ascii_case(name));
        named.map(|(_, value)| value.trim().to_owned()).collect()
    }

    /// Returns the body of the last request.
    pub fn body(&self) -> Value {
        self.requests().last().expect("the model was asked").1.clone()
    }
}

/// Returns options without attempts, and with a short patience.
pub fn quick() -> ModelOptions {
    ModelOptions { retries: 0, silence: Duration::from_secs(10), ..ModelOptions::default() }
}

fn serve(
    mut stream: TcpStream,
    answer: &Answer,
    requests: &Mutex<Vec<(String, Value)>>,
    heads: &Mutex<Vec<String>>,
    closed: &AtomicUsize,
) {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        if stream.read(&mut byte).unwrap_or(0) == 0 {
            return;
        }
        head.push(byte[0]);
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().ok())?
    });
    let mut body = vec![0; length.unwrap_or(0)];
    stream.read_exact(&mut body).unwrap();
    heads.lock().unwrap().push(head.clone());
    let path = head.split_whitespace().nth(1).unwrap_or_default().to_owned();
    requests.lock().unwrap().push((path, serde_json::from_slice(&body).unwrap_or_default()));
    let head = format!("HTTP/1.1 {} Answer\r\n{}connection: close\r\n\r\n", answer.status, answer.headers);
    let _ = stream.write_all(head.as_bytes());
    for piece in &answer.pieces {
        std::thread::sleep(answer.pace);
        let _ = stream.write_all(piece.as_bytes());
        let _ = stream.flush();
    }
    if answer.hangs && stream.read(&mut byte).unwrap_or(0) == 0 {
        closed.fetch_add(1, Ordering::SeqCst);
    }
}

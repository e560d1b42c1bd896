//! JSON-RPC on the standard streams of a process: requests, notifications, and what the server asks meanwhile.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

/// The longest that one message may take. The first answers wait until the dependencies are loaded.
const PATIENCE: Duration = Duration::from_secs(600);

/// The error of a request that an edit has overtaken; the client asks again.
const CONTENT_MODIFIED: i64 = -32801;

pub(crate) struct Connection {
    server: Child,
    input: ChildStdin,
    messages: Receiver<Value>,
    asked: u64,
}

impl Connection {
    pub(crate) fn start(program: &Path, folder: &Path) -> Self {
        let mut server = Command::new(program)
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|why| panic!("{}: {why}", program.display()));
        let input = server.stdin.take().unwrap();
        let mut output = BufReader::new(server.stdout.take().unwrap());
        let (sender, messages) = channel();
        thread::spawn(move || while read(&mut output).is_some_and(|message| sender.send(message).is_ok()) {});
        Self { server, input, messages, asked: 0 }
    }

    pub(crate) fn request(&mut self, method: &str, params: &Value) -> Value {
        loop {
            self.asked += 1;
            let id = self.asked;
            self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
            let answer = self.wait(|message| message["id"] == id && message.get("method").is_none());
            match &answer["error"] {
                Value::Null => return answer["result"].clone(),
                error if error["code"] == CONTENT_MODIFIED => thread::sleep(Duration::from_millis(50)),
                error => panic!("{method}: {error}"),
            }
        }
    }

    pub(crate) fn notify(&mut self, method: &str, params: &Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// Waits for a message, and answers what the server asks: this client has no settings of its own.
    pub(crate) fn wait(&mut self, is_wanted: impl Fn(&Value) -> bool) -> Value {
        loop {
            let message = self.messages.recv_timeout(PATIENCE).expect("rust-analyzer says nothing");
            if message.get("method").is_some()
                && let Some(id) = message.get("id")
            {
                self.send(&json!({ "jsonrpc": "2.0", "id": id, "result": null }));
            }
            if is_wanted(&message) {
                return message;
            }
        }
    }

    fn send(&mut self, message: &Value) {
        let body = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{body}", body.len()).expect("rust-analyzer has ended");
        self.input.flush().expect("rust-analyzer has ended");
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

fn read(output: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        output.read_line(&mut line).ok().filter(|count| *count > 0)?;
        match line.trim_end().split_once(": ") {
            Some(("Content-Length", bytes)) => length = bytes.parse().ok()?,
            Some(_) => {}
            None => break,
        }
    }
    let mut body = vec![0; length];
    output.read_exact(&mut body).ok()?;
    serde_json::from_slice(&body).ok()
}

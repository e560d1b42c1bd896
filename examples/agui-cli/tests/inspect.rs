//! `agui-cli inspect`: the page is for this machine, the program talks to the named agents only, with the given headers.
#![allow(clippy::panic, clippy::unwrap_used, reason = "tests")]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::thread::{self, JoinHandle};

use agui_tests::http::Request;

/// A running inspector, which ends with the test.
struct Inspector {
    child: Child,
    address: SocketAddr,
}

impl Inspector {
    fn start(arguments: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_agui-cli"));
        command.arg("inspect").args(arguments).stdout(Stdio::piped()).stdin(Stdio::null());
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("Inspector on http://").unwrap().parse().unwrap();
        Self { child, address }
    }

    /// The status and the text of an answer.
    fn ask(&self, request: Request) -> (u16, String) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let request = request.header("host", &self.address.to_string());
        let whole = runtime.block_on(request.send(self.address));
        (whole.status, whole.text().to_owned())
    }
}

impl Drop for Inspector {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn body(agent: &str) -> String {
    format!(r#"{{"agent":"{agent}","input":{{"threadId":"t","runId":"r","messages":[]}}}}"#)
}

/// A server for one request: answers with a whole run, and returns the head of the request.
fn agent() -> (String, JoinHandle<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    let asked = thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let head = head_of(&mut stream);
        let run = "data: {\"type\":\"RUN_STARTED\",\"threadId\":\"t\",\"runId\":\"r\"}\n\ndata: {\"type\":\"RUN_FINISHED\",\"threadId\":\"t\",\"runId\":\"r\"}\n\n";
        write!(
            stream,
            "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n{run}"
        )
        .unwrap();
        head
    });
    (url, asked)
}

/// Reads a request, and returns its head.
fn head_of(stream: &mut TcpStream) -> String {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        stream.read_exact(&mut byte).unwrap();
        head.extend_from_slice(&byte);
    }
    let head = String::from_utf8(head).unwrap();
    // A socket with unread bytes is reset when it is closed, and the client may lose the end of the answer.
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap();
    stream.read_exact(&mut vec![0; length.parse().unwrap()]).unwrap();
    head
}

#[test]
fn it_forwards_runs_with_the_headers_of_the_command_line() {
    let (url, asked) = agent();
    let inspector = Inspector::start(&[&url, "-H", "authorization: Bearer secret"]);
    let (status, listed) = inspector.ask(Request::new("GET", "/inspector/agents"));
    assert_eq!(status, 200);
    assert!(listed.contains("\"authorization\"") && !listed.contains("secret"), "{listed}");
    let (status, lines) = inspector.ask(Request::run("/inspector/run", body(&url)));
    assert_eq!((status, lines.lines().count()), (200, 3), "{lines}");
    assert!(lines.contains(r#""outcome":"complete""#), "{lines}");
    assert!(asked.join().unwrap().contains("authorization: Bearer secret\r\n"));
}

#[test]
fn it_answers_its_own_page_only() {
    let (url, _asked) = agent();
    let inspector = Inspector::start(&[&url]);
    let run = || Request::run("/inspector/run", body(&url));
    let own = format!("http://{}", inspector.address);
    let port = inspector.address.port();
    let rows = [
        (run().header("origin", "http://evil.example"), 403),
        (run().header("origin", "http://127.0.0.1:3000"), 403),
        (run().header("origin", &own).header("sec-fetch-site", "cross-site"), 403),
        (Request::run("/inspector/run", body("http://127.0.0.1:1/")).header("origin", &own), 404),
        (run().header("origin", &own).header("content-type", "text/plain"), 415),
    ];
    for (request, status) in rows {
        let (found, text) = inspector.ask(request);
        assert_eq!(found, status, "{text}");
    }
    // A host of an attacker that points to this machine.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    for path in ["/", "/inspector/agents"] {
        let rebound = Request::new("GET", path).header("host", &format!("evil.example:{port}"));
        assert_eq!(runtime.block_on(rebound.send(inspector.address)).status, 403, "{path}");
    }
}

#[test]
fn a_wrong_address_is_named() {
    let refused =
        Command::new(env!("CARGO_BIN_EXE_agui-cli")).args(["inspect", "ftp://x/"]).output().unwrap();
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert_eq!(refused.status.code(), Some(2), "{said}");
    assert!(said.contains("`ftp://x/` is not an http or https address"), "{said}");
}

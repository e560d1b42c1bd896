//! Hostile servers: runs without end, in bytes or in time, and redirects to other hosts.
#![allow(clippy::panic, clippy::unwrap_used, reason = "tests")]

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::Command;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use agui_tests::outside::{Finished, finish};

const LIMIT: Duration = Duration::from_secs(60);

const HEAD: &str = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
const NOT_FOUND: &str = "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
const STARTED: &str = "data: {\"type\":\"RUN_STARTED\",\"threadId\":\"t\",\"runId\":\"r\"}\n\n";

/// A server that reads the head of one request and then answers it; returns the number of bytes that it could send.
fn serving(answer: impl FnOnce(&mut TcpStream) -> usize + Send + 'static) -> (String, JoinHandle<usize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    let served = thread::spawn(move || {
        loop {
            let (mut stream, _) = listener.accept().unwrap();
            let mut request = Vec::new();
            let mut piece = [0; 4096];
            while !request.windows(4).any(|four| four == b"\r\n\r\n") {
                let count = stream.read(&mut piece).unwrap();
                request.extend_from_slice(piece.get(..count).unwrap());
            }
            // It has no capabilities.
            if request.starts_with(b"GET ") {
                stream.write_all(NOT_FOUND.as_bytes()).unwrap();
                continue;
            }
            return answer(&mut stream);
        }
    });
    (url, served)
}

/// Sends these pieces until the peer leaves; returns the number of bytes.
fn endless(stream: &mut TcpStream, first: &str, mut piece: impl FnMut(usize) -> String) -> usize {
    let mut said = 0;
    let mut say = |text: &str| stream.write_all(text.as_bytes()).is_ok().then(|| said += text.len());
    if say(HEAD).is_none() || say(STARTED).is_none() || say(first).is_none() {
        return said;
    }
    for number in 0.. {
        if say(&piece(number)).is_none() {
            break;
        }
    }
    said
}

/// Runs the client with memory for `megabytes` only, if the system supports that.
fn chat(url: &str, options: &[&str], megabytes: usize) -> Finished {
    let mut command = Command::new("sh");
    let limited = format!("ulimit -v {}; exec \"$0\" \"$@\"", megabytes * 1024);
    command.args(["-c", &limited, env!("CARGO_BIN_EXE_agui-cli"), "chat", url, "-m", "hello"]).args(options);
    for proxy in ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"] {
        command.env_remove(proxy);
    }
    finish(command, "", LIMIT)
}

/// A client with memory for `megabytes` gives up a run of these pieces without end, at the limit of `options`.
fn assert_given_up(
    first: &str,
    piece: impl FnMut(usize) -> String + Send + 'static,
    (options, megabytes): (&[&str], usize),
    limit: usize,
) -> usize {
    let first = first.to_owned();
    let (url, served) = serving(move |stream| endless(stream, &first, piece));
    let given_up = chat(&url, options, megabytes);
    assert_eq!(given_up.status.code(), Some(2), "{given_up}");
    assert!(given_up.stderr.contains(&format!("longer than {limit} bytes")), "{given_up}");
    served.join().unwrap()
}

/// An array of many small values: of all content, it takes the most memory for its text.
fn nested() -> String {
    format!("[{}[]]", "[],".repeat(2000))
}

mod a_run_that_never_ends_is_given_up_before_it_takes_all_memory {
    use super::*;

    const MAX: usize = 4 << 20;

    fn assert_given_up(first: &str, piece: impl FnMut(usize) -> String + Send + 'static, limit: usize) {
        let options: [&str; 2] = ["--max-bytes", &MAX.to_string()];
        let said = super::assert_given_up(first, piece, (&options, 400), limit);
        // The rest filled the buffers of the system.
        assert!(said < 4 * MAX + (16 << 20), "{said}");
    }

    #[test]
    fn of_one_text() {
        let first = "data: {\"type\":\"TEXT_MESSAGE_START\",\"messageId\":\"m\"}\n\n";
        let piece = "data: {\"type\":\"TEXT_MESSAGE_CONTENT\",\"messageId\":\"m\",\"delta\":\"xxxxxxxxxxxxxxxx\"}\n\n";
        assert_given_up(first, move |_| piece.to_owned(), MAX);
    }

    #[test]
    fn of_messages() {
        let piece = |number| {
            format!(
                "data: {{\"type\":\"TEXT_MESSAGE_START\",\"messageId\":\"m{number}\"}}\n\n\
                 data: {{\"type\":\"TEXT_MESSAGE_END\",\"messageId\":\"m{number}\"}}\n\n"
            )
        };
        assert_given_up("", piece, MAX);
    }

    #[test]
    fn of_activities() {
        let nested = nested();
        let piece = move |number| {
            format!(
                "data: {{\"type\":\"ACTIVITY_SNAPSHOT\",\"messageId\":\"a{number}\",\"activityType\":\"x\",\
                 \"content\":{{\"a\":{nested}}}}}\n\n"
            )
        };
        assert_given_up("", piece, MAX);
    }

    #[test]
    fn of_comments() {
        assert_given_up("", |_| ": still here\n\n".repeat(100), MAX);
    }

    #[test]
    fn of_a_frame_without_an_end() {
        assert_given_up("data: {\"type\":\"", |_| "x".repeat(1000), 512 << 10);
    }
}

/// With the limit that users have if they name none, and the content that takes the most memory for its text.
mod endless_values_are_given_up_within_a_gigabyte {
    use super::*;

    fn assert_given_up(event: &str) {
        let piece = format!("data: {event}\n\n");
        let first = "data: {\"type\":\"STATE_SNAPSHOT\",\"snapshot\":{\"a\":[]}}\n\n";
        super::assert_given_up(first, move |_| piece.clone(), (&[], 1024), 16 << 20);
    }

    #[test]
    fn of_snapshots() {
        assert_given_up(&format!("{{\"type\":\"STATE_SNAPSHOT\",\"snapshot\":{{\"a\":{}}}}}", nested()));
    }

    #[test]
    fn of_deltas() {
        let op = format!("{{\"op\":\"add\",\"path\":\"/a/-\",\"value\":{}}}", nested());
        assert_given_up(&format!("{{\"type\":\"STATE_DELTA\",\"delta\":[{op}]}}"));
    }

    #[test]
    fn of_custom_events() {
        assert_given_up(&format!("{{\"type\":\"CUSTOM\",\"name\":\"x\",\"value\":{}}}", nested()));
    }
}

#[test]
fn a_run_that_takes_too_long_is_given_up() {
    // It is never silent.
    let (url, served) = serving(|stream| {
        endless(stream, "", |_| {
            thread::sleep(Duration::from_millis(20));
            ": still here\n\n".to_owned()
        })
    });
    let given_up = chat(&url, &["--timeout", "0.3"], 400);
    assert_eq!(given_up.status.code(), Some(2), "{given_up}");
    assert!(given_up.stderr.contains("error: the run took longer than 300ms"), "{given_up}");
    served.join().unwrap();

    let help = finish(
        {
            let mut help = Command::new(env!("CARGO_BIN_EXE_agui-cli"));
            help.args(["chat", "--help"]);
            help
        },
        "",
        LIMIT,
    );
    assert!(help.stdout.contains("[default: 600]") && help.stdout.contains("[default: 16777216]"), "{help}");
}

#[test]
fn a_redirect_is_named_and_not_followed() {
    let elsewhere = TcpListener::bind("127.0.0.1:0").unwrap();
    let place = format!("http://{}/steal", elsewhere.local_addr().unwrap());
    let answer = format!("HTTP/1.1 307 Temporary Redirect\r\nlocation: {place}\r\ncontent-length: 0\r\n\r\n");
    let (url, served) = serving(move |stream| {
        stream.write_all(answer.as_bytes()).unwrap();
        answer.len()
    });
    let refused = chat(&url, &["-H", "x-api-key: secret"], 400);
    served.join().unwrap();
    assert_eq!(refused.status.code(), Some(2), "{refused}");
    assert!(refused.stderr.contains(&format!("redirects to `{place}`, which is not followed")), "{refused}");
    elsewhere.set_nonblocking(true).unwrap();
    assert_eq!(elsewhere.accept().unwrap_err().kind(), ErrorKind::WouldBlock, "it was asked");
}

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
const STARTED: &str = "data: {\"type\":\"RUN_STARTED\",\"threadId\":\"t\",\"runId\":\"r\"}\n\n";

/// A server that reads the head of one request and then answers it; returns the number of bytes that it could send.
fn serving(answer: impl FnOnce(&mut TcpStream) -> usize + Send + 'static) -> (String, JoinHandle<usize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    let served = thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut request = Vec::new();
        let mut piece = [0; 4096];
        while !request.windows(4).any(|four| four == b"\r\n\r\n") {
            let count = stream.read(&mut piece).unwrap();
            request.extend_from_slice(piece.get(..count).unwrap());
        }
        answer(&mut stream)
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

#[test]
fn a_run_that_never_ends_is_given_up_before_it_takes_all_memory() {
    const MAX: usize = 4 << 20;
    let nested = format!("[{}[]]", "[],".repeat(2000));
    type Piece = Box<dyn FnMut(usize) -> String + Send>;
    let rows: [(&str, String, Piece); 5] = [
        (
            "one text",
            "data: {\"type\":\"TEXT_MESSAGE_START\",\"messageId\":\"m\"}\n\n".to_owned(),
            Box::new(|_| {
                "data: {\"type\":\"TEXT_MESSAGE_CONTENT\",\"messageId\":\"m\",\"delta\":\"xxxxxxxxxxxxxxxx\"}\n\n".to_owned()
            }),
        ),
        (
            "messages",
            String::new(),
            Box::new(|number| {
                format!(
                    "data: {{\"type\":\"TEXT_MESSAGE_START\",\"messageId\":\"m{number}\"}}\n\n\
                     data: {{\"type\":\"TEXT_MESSAGE_END\",\"messageId\":\"m{number}\"}}\n\n"
                )
            }),
        ),
        (
            "activities",
            String::new(),
            Box::new(move |number| {
                format!(
                    "data: {{\"type\":\"ACTIVITY_SNAPSHOT\",\"messageId\":\"a{number}\",\"activityType\":\"x\",\
                     \"content\":{{\"a\":{nested}}}}}\n\n"
                )
            }),
        ),
        ("comments", String::new(), Box::new(|_| ": still here\n\n".repeat(100))),
        ("a frame without an end", "data: {\"type\":\"".to_owned(), Box::new(|_| "x".repeat(1000))),
    ];
    for (name, first, piece) in rows {
        let (url, served) = serving(move |stream| endless(stream, &first, piece));
        let given_up = chat(&url, &["--max-bytes", &MAX.to_string()], 400);
        assert_eq!(given_up.status.code(), Some(2), "{name}: {given_up}");
        let limit = if name.starts_with("a frame") {
            "longer than 524288 bytes"
        } else {
            "longer than 4194304 bytes"
        };
        assert!(given_up.stderr.contains(limit), "{name}: {given_up}");
        // The rest filled the buffers of the system.
        let said = served.join().unwrap();
        assert!(said < 4 * MAX + (16 << 20), "{name}: {said}");
    }
}

/// With the limit that users have if they name none, and the content that takes the most memory for its text.
#[test]
fn endless_values_are_given_up_within_a_gigabyte() {
    let values = format!("[{}[]]", "[],".repeat(2000));
    let rows: [(&str, String); 3] = [
        ("snapshots", format!("{{\"type\":\"STATE_SNAPSHOT\",\"snapshot\":{{\"a\":{values}}}}}")),
        (
            "deltas",
            format!(
                "{{\"type\":\"STATE_DELTA\",\"delta\":[{{\"op\":\"add\",\"path\":\"/a/-\",\"value\":{values}}}]}}"
            ),
        ),
        ("custom events", format!("{{\"type\":\"CUSTOM\",\"name\":\"x\",\"value\":{values}}}")),
    ];
    for (name, event) in rows {
        let first = "data: {\"type\":\"STATE_SNAPSHOT\",\"snapshot\":{\"a\":[]}}\n\n";
        let (url, served) = serving(move |stream| endless(stream, first, |_| format!("data: {event}\n\n")));
        let given_up = chat(&url, &[], 1024);
        assert_eq!(given_up.status.code(), Some(2), "{name}: {}", given_up.stderr);
        assert!(given_up.stderr.contains("longer than 16777216 bytes"), "{name}: {}", given_up.stderr);
        served.join().unwrap();
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

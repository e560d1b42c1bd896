//! Ctrl-C during a run.
#![cfg(unix)]
#![allow(clippy::panic, clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use agui_tests::outside::ExampleServer;

/// The program with a run that goes on.
struct Running(Child);

impl Running {
    /// Starts it, and waits for a line that contains the text.
    fn until(arguments: &[&str], seen: &str) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_agui-cli"));
        command
            .arg("chat")
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        for proxy in ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"] {
            command.env_remove(proxy);
        }
        let mut child = command.spawn().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        while !line.contains(seen) {
            line.clear();
            assert!(output.read_line(&mut line).unwrap() > 0, "it ended before `{seen}`");
        }
        // The program does not stop because no program reads.
        thread::spawn(move || output.read_to_end(&mut Vec::new()));
        Self(child)
    }

    fn press(&self) {
        let pressed = Command::new("kill").args(["-INT", &self.0.id().to_string()]).status().unwrap();
        assert!(pressed.success());
    }

    fn ended(mut self) -> Output {
        let begin = Instant::now();
        while self.0.try_wait().unwrap().is_none() {
            if begin.elapsed() > Duration::from_secs(20) {
                self.0.kill().unwrap();
                panic!("the press was lost: {:?}", self.0.wait_with_output().unwrap());
            }
            thread::sleep(Duration::from_millis(10));
        }
        self.0.wait_with_output().unwrap()
    }
}

fn complaint(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_stored_run_is_really_stopped() {
    let server =
        ExampleServer::start_with("recipe", &[("TMPDIR", env!("CARGO_TARGET_TMPDIR")), ("RECIPE_PACE", "1")]);
    let url = format!("{}/cook", server.url());
    let thread = format!("stopped-{}", std::process::id());
    let running = Running::until(&[&url, "--thread", &thread, "-m", "risotto"], "recipe.sizzle");
    running.press();
    let stopped = running.ended();
    assert!(complaint(&stopped).contains("the run is stopped\n"), "{stopped:?}");
    assert_eq!(stopped.status.code(), Some(1));
    // The cook does not go on: the thread has no more than was seen, and no run that could be followed.
    let mut again = Command::new(env!("CARGO_BIN_EXE_agui-cli"));
    again.args(["chat", &url, "--thread", &thread]).stdin(Stdio::null());
    let again = again.output().unwrap();
    let shown = String::from_utf8_lossy(&again.stdout);
    assert!(shown.contains("Mushroom risotto it is!") && !shown.contains("this is how it goes"), "{shown}");
}

/// An agent that talks without end, and cannot be stopped.
fn talker() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            thread::spawn(move || talk(stream));
        }
    });
    url
}

fn talk(mut stream: TcpStream) -> std::io::Result<()> {
    let mut request = [0; 4096];
    let count = stream.read(&mut request)?;
    let head = String::from_utf8_lossy(&request[..count]).into_owned();
    if !head.starts_with("POST / ") {
        return stream.write_all(b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
    }
    stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n")?;
    stream.write_all(b"data: {\"type\":\"RUN_STARTED\",\"threadId\":\"t\",\"runId\":\"r\"}\n\n")?;
    stream.write_all(
        b"data: {\"type\":\"TEXT_MESSAGE_START\",\"messageId\":\"m\",\"role\":\"assistant\"}\n\n",
    )?;
    loop {
        stream.write_all(
            b"data: {\"type\":\"TEXT_MESSAGE_CONTENT\",\"messageId\":\"m\",\"delta\":\"on\\n\"}\n\n",
        )?;
        thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn a_press_between_two_events_is_not_lost_and_only_a_stopped_run_is_reported_as_stopped() {
    let url = talker();
    for attempt in 0..12 {
        let running = Running::until(&[&url, "-m", "hello"], "on");
        thread::sleep(Duration::from_millis(attempt));
        running.press();
        let left = running.ended();
        assert!(complaint(&left).contains("you left the run"), "{left:?}");
        assert!(!complaint(&left).contains("is stopped"), "{left:?}");
        assert_eq!(left.status.code(), Some(1));
    }
}

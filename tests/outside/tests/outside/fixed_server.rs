//! The smallest agent server: answers every POST with events computed from the input.

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{TcpListener, TcpStream},
    thread,
};

use serde_json::Value;

/// The server's answer to an input.
pub(crate) type Answer = fn(&Value) -> Vec<Value>;

const PAGE: &str = include_str!("../../../node/browser/self-test.html");

/// Starts the server and returns its address; it ends with the test process.
pub(crate) fn serve(answer: Answer) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        for stream in listener.incoming() {
            thread::spawn(move || respond(stream.unwrap(), answer));
        }
    });
    address
}

/// One request, one response, one connection. A client that hangs up early has read enough.
fn respond(stream: TcpStream, answer: Answer) -> Option<()> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    let mut request = String::new();
    reader.read_line(&mut request).ok()?;
    let mut length = 0;
    loop {
        let mut header = String::new();
        reader.read_line(&mut header).ok()?;
        match header.trim_end().split_once(": ") {
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                length = value.parse().ok()?;
            }
            Some(_) => {}
            None => break,
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;

    if request.starts_with("GET / ") {
        return write(stream, "200 OK", "text/html; charset=utf-8", &[PAGE.to_owned()]);
    }
    if request.starts_with("GET ") {
        return write(stream, "404 Not Found", "text/plain", &["nothing here".to_owned()]);
    }
    let input: Value = serde_json::from_slice(&body).ok()?;
    let frames: Vec<_> = answer(&input).iter().map(|event| format!("data: {event}\n\n")).collect();
    write(stream, "200 OK", "text/event-stream", &frames)
}

fn write(mut stream: TcpStream, status: &str, kind: &str, parts: &[String]) -> Option<()> {
    write!(stream, "HTTP/1.1 {status}\r\ncontent-type: {kind}\r\nconnection: close\r\n\r\n").ok()?;
    for part in parts {
        stream.write_all(part.as_bytes()).ok()?;
        stream.flush().ok()?;
    }
    Some(())
}

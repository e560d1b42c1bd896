//! `vectors/stream.json`: bodies of responses, piece by piece, and the results of the official client's readers.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::thread;

use agui_runtime::client::{Accept, Frame, HttpAgent, Upstream as _};
use agui_runtime::protocol::RunAgentInput;
use agui_runtime::receive::{FrameIntake, FrameWarning, RejectCode, WarningKind};
use agui_runtime::wire::proto;
use agui_runtime::wire::sse;
use agui_tests::need;
use agui_tests::outside::Node;
use agui_tests::wire::equal;
use futures::StreamExt as _;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::proto::hex;
use crate::vectors::vectors;

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Vector {
    name: String,
    content_type: Option<String>,
    reads_base64: Vec<String>,
    source_end: Ending,
    events: Vec<Value>,
    end: End,
    #[serde(default)]
    warns: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Ending {
    Eof,
    /// The caller aborts.
    Abort,
    /// The network fails.
    Error,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum End {
    Complete,
    Error,
}

/// Our reader's result for a body.
#[derive(Debug, Clone, PartialEq)]
struct Came {
    events: Vec<Value>,
    end: End,
    warns: usize,
}

impl Vector {
    fn is_binary(&self) -> bool {
        self.content_type.as_deref() == Some(proto::CONTENT_TYPE)
    }

    fn reads(&self) -> Vec<Vec<u8>> {
        self.reads_base64.iter().map(|read| of_base64(read)).collect()
    }

    /// The required result here, and the difference if it is not the official one.
    fn expected(&self) -> (Came, Option<&'static str>) {
        let step = |kind: &str| json!({ "type": kind, "stepName": "a" });
        let official = Came { events: self.events.clone(), end: self.end, warns: self.warns };
        if self.source_end == Ending::Abort {
            // A dropped stream reports no end.
            let ours = Came { events: vec![step("STEP_STARTED")], end: End::Complete, warns: 0 };
            return (ours, Some("Abort"));
        }
        if self.name == "CRLF with two events" {
            let events = vec![step("STEP_STARTED"), step("STEP_FINISHED")];
            return (Came { events, end: End::Complete, warns: 0 }, Some("CrLf"));
        }
        (official, None)
    }
}

fn of_base64(text: &str) -> Vec<u8> {
    const DIGITS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bits, mut count, mut bytes) = (0_u32, 0, Vec::new());
    for digit in text.bytes().filter(|digit| *digit != b'=') {
        bits = bits << 6 | DIGITS.bytes().position(|known| known == digit).unwrap() as u32;
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    bytes
}

/// The reader's own verdict on a frame: true if it is an event. Later stages judge its content.
fn judge(frame: &Frame, came: &mut Came) -> bool {
    let mut count = |warning: FrameWarning| {
        if *warning.kind() == WarningKind::UnknownEvent && frame.to_json().is_err() {
            came.warns += 1;
        }
    };
    let read = match frame {
        Frame::Text(text) => FrameIntake::new().text(text, &mut count),
        Frame::Binary(message) => FrameIntake::new().proto(message, &mut count),
        other => panic!("no reader gives {other:?}"),
    };
    let is_none = |code| matches!(code, RejectCode::NotJson | RejectCode::NotAnEvent | RejectCode::NotProto);
    if read.is_err_and(|rejected| is_none(rejected.code())) {
        came.end = End::Error;
        return false;
    }
    came.events.extend(frame.to_json());
    true
}

/// The decoder for the content type, with the first stage behind it.
fn decoded(vector: &Vector, reads: &[&[u8]]) -> Came {
    let mut came = Came { events: Vec::new(), end: End::Complete, warns: 0 };
    let fails = if vector.is_binary() {
        through_binary(reads, vector.source_end, &mut came)
    } else {
        through_sse(reads, vector.source_end, &mut came)
    };
    if fails || vector.source_end == Ending::Error {
        came.end = End::Error;
    }
    came
}

fn through_sse(reads: &[&[u8]], ending: Ending, came: &mut Came) -> bool {
    let mut decoder = sse::Decoder::new();
    for read in reads {
        decoder.push(read);
        loop {
            match decoder.next() {
                Ok(Some(text)) if judge(&Frame::Text(text.to_string()), came) => {}
                Ok(None) => break,
                _ => return true,
            }
        }
    }
    if ending != Ending::Eof {
        return false;
    }
    match decoder.finish() {
        Ok(Some(text)) => !judge(&Frame::Text(text.into_owned()), came),
        other => other.is_err(),
    }
}

fn through_binary(reads: &[&[u8]], ending: Ending, came: &mut Came) -> bool {
    let mut decoder = proto::Decoder::new();
    for read in reads {
        decoder.push(read);
        loop {
            match decoder.next() {
                Ok(Some(message)) if judge(&Frame::Binary(message.to_vec()), came) => {}
                Ok(None) => break,
                _ => return true,
            }
        }
    }
    ending == Ending::Eof && decoder.finish().is_err()
}

fn all() -> Vec<Vector> {
    let vectors: Vec<Vector> = vectors("stream.json");
    assert_eq!(vectors.len(), 43);
    vectors
}

fn assert_same(vector: &Vector, ours: &Came, how: &str) {
    let (expected, _) = vector.expected();
    let is_same = (ours.end, ours.warns) == (expected.end, expected.warns)
        && equal(&json!(ours.events), &json!(expected.events));
    assert!(is_same, "{}, {how}: {ours:?} is not {expected:?}", vector.name);
}

#[test]
fn the_decoders_read_bodies_as_the_vectors_say() {
    for vector in all() {
        let reads = vector.reads();
        let whole = reads.concat();
        let bytes: Vec<&[u8]> = whole.chunks(1).collect();
        let reads: Vec<&[u8]> = reads.iter().map(Vec::as_slice).collect();
        assert_same(&vector, &decoded(&vector, &reads), "as it came");
        assert_same(&vector, &decoded(&vector, &[&whole]), "at once");
        assert_same(&vector, &decoded(&vector, &bytes), "byte by byte");
    }
}

fn official(node: &Node, vectors: &[Vector]) -> Vec<Came> {
    let job = |vector: &Vector| {
        let pieces: Vec<String> = vector.reads().iter().map(|read| hex(read)).collect();
        let end = match vector.source_end {
            Ending::Eof => "eof",
            Ending::Abort => "abort",
            Ending::Error => "error",
        };
        json!({ "pieces": pieces, "contentType": vector.content_type, "end": end })
    };
    let came = |official: Value| Came {
        events: official["payloads"].as_array().unwrap().clone(),
        end: if official["error"].is_string() { End::Error } else { End::Complete },
        warns: official["warnings"].as_u64().unwrap() as usize,
    };
    node.oracle("sse.mjs", &[], &vectors.iter().map(job).collect::<Vec<_>>()).into_iter().map(came).collect()
}

/// Shows a difference on both sides.
pub(crate) fn shown(node: &Node, difference: &'static str) {
    let mut vectors = all();
    vectors.retain(|vector| vector.expected().1 == Some(difference));
    assert!(!vectors.is_empty());
    for (vector, theirs) in vectors.iter().zip(official(node, &vectors)) {
        let reads = vector.reads();
        let ours = decoded(vector, &reads.iter().map(Vec::as_slice).collect::<Vec<_>>());
        assert_same(vector, &ours, "as it came");
        assert_ne!(ours, theirs, "{}", vector.name);
    }
}

#[test]
fn the_vectors_are_what_the_official_client_makes_of_bodies() {
    let node = need!(Node::ready());
    let vectors = all();
    let (mut crlf, mut aborted) = (0, 0);
    for (vector, theirs) in vectors.iter().zip(official(&node, &vectors)) {
        let recorded = Came { events: vector.events.clone(), end: vector.end, warns: vector.warns };
        assert_eq!(theirs, recorded, "{}", vector.name);
        let (ours, difference) = vector.expected();
        // A difference must differ, and other cases must not.
        assert_eq!(ours != theirs, difference.is_some(), "{}", vector.name);
        crlf += usize::from(difference == Some("CrLf"));
        aborted += usize::from(difference == Some("Abort"));
    }
    assert_eq!((crlf, aborted), (1, 2));
}

/// Answers one request with a vector: each read is a piece of the body, and a network that fails cuts it.
fn answer(mut stream: TcpStream, vector: &Vector) -> std::io::Result<()> {
    let mut request = Vec::new();
    let mut buffer = [0; 4096];
    while !request.ends_with(b"}") {
        let count = stream.read(&mut buffer)?;
        request.extend_from_slice(&buffer[..count]);
    }
    let content_type = vector.content_type.as_ref().map(|name| format!("content-type: {name}\r\n"));
    let headers = content_type.unwrap_or_default();
    write!(stream, "HTTP/1.1 200 OK\r\n{headers}transfer-encoding: chunked\r\n\r\n")?;
    for read in vector.reads() {
        write!(stream, "{:x}\r\n", read.len())?;
        stream.write_all(&read)?;
        stream.write_all(b"\r\n")?;
        stream.flush()?;
    }
    match vector.source_end {
        Ending::Eof => stream.write_all(b"0\r\n\r\n"),
        Ending::Error => Ok(()),
        // It continues until the client leaves, which ends its input.
        Ending::Abort => stream.read_to_end(&mut request).map(drop),
    }
}

/// The same for a client on a socket, which chooses the reader by the content type.
#[tokio::test]
async fn the_client_reads_responses_as_the_vectors_say() {
    for vector in all() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/", listener.local_addr().unwrap());
        let script = vector.clone();
        let server = thread::spawn(move || answer(listener.accept().unwrap().0, &script));
        let agent = HttpAgent::new(url).unwrap().accept(Accept::Binary);
        let mut frames = agent.open(RunAgentInput::new("t", "r", []));
        let mut came = Came { events: Vec::new(), end: End::Complete, warns: 0 };
        while let Some(frame) = frames.next().await {
            match frame {
                Ok(frame) if !judge(&frame, &mut came) => break,
                Ok(_) if vector.source_end == Ending::Abort => break,
                Ok(_) => {}
                Err(_) => came.end = End::Error,
            }
        }
        drop(frames);
        assert_same(&vector, &came, "over a socket");
        // The server notices an abort.
        let served = tokio::task::spawn_blocking(move || server.join().unwrap()).await.unwrap();
        assert!(served.is_ok() || vector.source_end != Ending::Abort, "{}", vector.name);
    }
}

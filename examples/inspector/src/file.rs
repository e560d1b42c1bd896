//! `POST /inspector/read`: the findings about a recording, one line an event.
//!
//! A recording is JSON Lines, as `agui-cli --record` and the page itself write them, or a body of server-sent events, as
//! `curl -N` prints it.

use agui_runtime::client::Frame;
use agui_runtime::wire::sse::Decoder;
use axum::response::Response;
use bytes::Bytes;
use futures::stream;

use crate::judge::Judge;
use crate::note::{Finding, Level};
use crate::run::lines;

pub(crate) async fn read(recording: String) -> Response {
    lines(stream::iter(judged(&recording)))
}

fn judged(recording: &str) -> Vec<Bytes> {
    let mut judge = Judge::recording();
    let mut found = Vec::new();
    let broken = match frames(recording) {
        Ok(frames) => frames.iter().find_map(|frame| match judge.event(frame, None) {
            Ok(line) => {
                found.push(line);
                None
            }
            Err(finding) => Some(finding),
        }),
        Err(finding) => Some(finding),
    };
    found.push(judge.end(None, broken));
    found
}

fn frames(recording: &str) -> Result<Vec<Frame>, Finding> {
    let first = recording.trim_start();
    let is_stream = ["data:", "id:", "event:", "retry:", ":"].iter().any(|field| first.starts_with(field));
    if !is_stream {
        let lines = recording.lines().filter(|line| !line.trim().is_empty());
        return Ok(lines.map(|line| Frame::from(line.to_owned())).collect());
    }
    let mut decoder = Decoder::new();
    decoder.push(recording.as_bytes());
    // The last record of a file may lack its empty line.
    decoder.push(b"\n\n");
    let mut frames = Vec::new();
    loop {
        match decoder.next() {
            Ok(Some(record)) => frames.push(Frame::from(record.into_owned())),
            Ok(None) => return Ok(frames),
            Err(error) => {
                return Err(Finding {
                    level: Level::Refused,
                    code: "too_long".to_owned(),
                    text: error.to_string(),
                });
            }
        }
    }
}

//! The decoder of server-sent events: any cut of the bytes reads the same, and as the official reader reads them.

use std::borrow::Cow;
use std::fmt::Write as _;

use agui_runtime::wire::sse::{Decoder, RecordTooLong};
use agui_tests::outside::Node;
use agui_tests::{is_exhaustive, need};
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};

/// The records of a response, given in pieces and read after each.
fn read(pieces: &[&[u8]], limit: usize) -> Result<Vec<String>, RecordTooLong> {
    let mut decoder = Decoder::new().max_record(limit);
    let mut payloads = Vec::new();
    for piece in pieces {
        decoder.push(piece);
        while let Some(payload) = decoder.next()? {
            payloads.push(payload.into_owned());
        }
    }
    payloads.extend(decoder.finish()?.map(Cow::into_owned));
    Ok(payloads)
}

fn whole(body: &[u8]) -> Vec<String> {
    read(&[body], usize::MAX).expect("there is no limit")
}

#[test]
fn the_grammar_is_read_as_the_protocol_says() {
    #[rustfmt::skip]
    let cases: [(&[u8], &[&str]); 16] = [
        (b"", &[]),
        (b"data: {}\n\n", &["{}"]),
        (b"data:{}\n\n", &["{}"]),
        (b"data:  two spaces\n\n", &[" two spaces"]),
        (b"data: a\ndata: b\n\n", &["a\nb"]),
        (b"data: a\ndata:\ndata: b\n\n", &["a\n\nb"]),
        (b"data:\n\n", &[""]),
        (b": a comment\nevent: x\nid: 1\nretry: 5\ndata\n data: indented\ndatabase: no\n\n", &[]),
        (b": a comment\ndata: a\nid: 1\n\n", &["a"]),
        (b"\n\n\ndata: a\n\n\n\n\ndata: b\n\n", &["a", "b"]),
        (b"data: a\r\n\r\ndata: b\r\n\r\n", &["a", "b"]),
        (b"data: a\r\n\ndata: b\n\r\n", &["a", "b"]),
        (b"data: cut off", &["cut off"]),
        (b"data: cut off\n", &["cut off"]),
        (b"\xEF\xBB\xBFdata: a\n\n", &["a"]),
        (b"data: \xFF\xE2\x82\n\n", &["\u{FFFD}\u{FFFD}"]),
    ];
    for (body, payloads) in cases {
        assert_eq!(whole(body), payloads, "{:?}", String::from_utf8_lossy(body));
    }
}

#[test]
fn a_record_has_a_limit_and_a_stream_has_none() {
    let body = b"data: 12345\n\n".repeat(1000);
    assert_eq!(read(&[&body], 13).map(|payloads| payloads.len()), Ok(1000));
    assert_eq!(read(&[&body], 12), Err(RecordTooLong { limit: 12 }));

    let mut decoder = Decoder::new().max_record(1 << 10);
    let too_long = RecordTooLong { limit: 1 << 10 };
    for _ in 0..1 << 10 {
        decoder.push(b": no end");
        if decoder.next().is_err() {
            break;
        }
    }
    assert_eq!(decoder.next(), Err(too_long), "it stays wrong");
    decoder.push(b"\n\ndata: a\n\n");
    assert_eq!(decoder.next(), Err(too_long), "and nothing after it is read");
}

/// The parts of bodies, with the difficult ones among them.
fn parts(with_crlf: bool) -> impl Strategy<Value = Vec<Vec<u8>>> {
    let mut parts: Vec<&[u8]> = vec![
        b"data: {\"type\":\"A\"}",
        b"data:{\"type\":\"B\",\"x\":\"\xC3\xA9\"}",
        b"data: {\"type\":\"\xF0\x9F\x8D\x9A\xE2\x80\x8D\"}",
        b"data: {\"type\":\"F\"}\n\n",
        b"id: 7\ndata: {\"type\":\"G\"}\n\n: quiet\n\n",
        b"data: {\"type\":\ndata: \"H\"}\n\n",
        b"\ndata: {\"type\":\"I\"}\n\n",
        b"data: {\"type\":",
        b"data: \"C\"}",
        b"data: {\"type\":\"D\\n\",\"x\":\"\xFF\xE2\x82\"}",
        b"data:",
        b"data",
        b" data: {\"type\":\"E\"}",
        b": comment",
        b"event: x",
        b"id:\xE2\x82",
        b"\xEF\xBB\xBF",
        b"\xEF\xBB",
        b"\n",
        b"\n",
        b"\n",
        b"\n\n",
        b"\n\n",
        b"\n\n",
        b"\n\n",
    ];
    if with_crlf {
        parts.extend([b"\r\n".as_slice(), b"\r\n\r\n", b"\r"]);
    }
    let parts: Vec<Vec<u8>> = parts.into_iter().map(<[u8]>::to_vec).collect();
    prop::collection::vec(prop::sample::select(parts), 0..16)
}

fn cut<'b>(body: &'b [u8], cuts: &[prop::sample::Index]) -> Vec<&'b [u8]> {
    let mut places: Vec<usize> = cuts.iter().map(|cut| cut.index(body.len() + 1)).collect();
    places.sort_unstable();
    places.push(body.len());
    let mut from = 0;
    places.into_iter().map(|to| &body[std::mem::replace(&mut from, to)..to]).collect()
}

proptest! {
    #[test]
    fn any_cut_reads_the_same(
        parts in parts(true),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..8),
        limit in 1_usize..200,
    ) {
        let body = parts.concat();
        prop_assert_eq!(read(&cut(&body, &cuts), usize::MAX).unwrap(), whole(&body));
        let bytes: Vec<&[u8]> = body.chunks(1).collect();
        prop_assert_eq!(read(&bytes, usize::MAX).unwrap(), whole(&body));
        // The place where it stops depends on the bytes alone, too.
        prop_assert_eq!(read(&bytes, limit), read(&cut(&body, &cuts), limit));
    }

    #[test]
    fn any_bytes_are_read(body in prop::collection::vec(any::<u8>(), 0..200)) {
        let bytes: Vec<&[u8]> = body.chunks(1).collect();
        prop_assert_eq!(read(&bytes, usize::MAX).unwrap(), whole(&body));
    }
}

/// The events up to the first payload that is not an event, as the official reader returns them.
fn events(payloads: Vec<String>) -> (Vec<Value>, bool) {
    let mut events = Vec::new();
    for payload in payloads {
        match serde_json::from_str::<Value>(&payload) {
            Ok(event) if event["type"].as_str().is_some_and(|name| !name.is_empty()) => events.push(event),
            _ => return (events, true),
        }
    }
    (events, false)
}

/// LF only: `CrLf`.
#[test]
fn bodies_read_as_the_official_reader_reads_them() {
    let node = need!(Node::ready());
    let mut runner = TestRunner::deterministic();
    let strategy = (parts(false), prop::collection::vec(any::<prop::sample::Index>(), 0..4));
    let count = if is_exhaustive() { 4000 } else { 1000 };
    let bodies: Vec<(Vec<u8>, Vec<prop::sample::Index>)> = (0..count)
        .map(|_| strategy.new_tree(&mut runner).expect("a body").current())
        .map(|(parts, cuts)| (parts.concat(), cuts))
        .collect();
    let jobs: Vec<Value> = bodies
        .iter()
        .map(|(body, cuts)| {
            let pieces = cut(body, cuts).into_iter().map(|piece| {
                piece.iter().fold(String::new(), |mut text, byte| {
                    let _ = write!(text, "{byte:02x}");
                    text
                })
            });
            json!({ "pieces": pieces.collect::<Vec<_>>() })
        })
        .collect();
    let (mut read, mut refused) = (0, 0);
    for ((body, _), official) in bodies.iter().zip(node.oracle("sse.mjs", &[], &jobs)) {
        let (events, failed) = events(whole(body));
        let theirs =
            (official["payloads"].as_array().cloned().unwrap_or_default(), official["error"].is_string());
        assert_eq!((events.clone(), failed), theirs, "{:?}: {official}", String::from_utf8_lossy(body));
        read += events.len();
        refused += usize::from(failed);
    }
    assert!(
        read > count / 4 && refused > count / 10,
        "the bodies are too tame: {read} events, {refused} refused"
    );
}

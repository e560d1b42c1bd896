//! Bytes as a stream of server-sent events, cut in two places that they choose: nothing panics, cuts change nothing,
//! and the limit bounds the memory.
//!
//! `cd tests/fuzz && cargo run --release --bin sse -- -max_total_time=60 -artifact_prefix=target/`, on stable Rust. A
//! finding becomes a case in `tests/tests/wire/sse.rs`.
#![no_main]

use std::borrow::Cow;

use agui_runtime::wire::sse::{Decoder, RecordTooLong};
use libfuzzer_sys::fuzz_target;

fn payloads(pieces: &[&[u8]], limit: usize) -> (Vec<String>, Option<RecordTooLong>) {
    let mut decoder = Decoder::new().max_record(limit);
    let mut payloads = Vec::new();
    let mut longest = 0;
    for piece in pieces {
        longest = longest.max(piece.len());
        decoder.push(piece);
        loop {
            // The bytes of one push, the overhead of a record, and its data spread over lines.
            let most = longest.saturating_add(limit).saturating_mul(9) / 8;
            assert!(decoder.held() <= most.saturating_add(limit), "{} bytes are held", decoder.held());
            match decoder.next() {
                Ok(Some(payload)) => payloads.push(payload.into_owned()),
                Ok(None) => break,
                Err(error) => return failed(decoder, payloads, error),
            }
        }
    }
    match decoder.finish() {
        Ok(last) => payloads.extend(last.map(Cow::into_owned)),
        Err(error) => return failed(decoder, payloads, error),
    }
    (payloads, None)
}

/// A failed decoder keeps failing, and keeps none of the later bytes.
fn failed(
    mut decoder: Decoder,
    payloads: Vec<String>,
    error: RecordTooLong,
) -> (Vec<String>, Option<RecordTooLong>) {
    decoder.push(b"\n\ndata: more\n\n");
    assert_eq!((decoder.held(), decoder.next()), (0, Err(error)));
    assert_eq!(decoder.finish(), Err(error));
    (payloads, Some(error))
}

fuzz_target!(|data: &[u8]| {
    let Some((cuts, body)) = data.split_first_chunk::<2>() else { return };
    let [first, second] = cuts.map(|cut| usize::from(cut).min(body.len()));
    let (start, rest) = body.split_at(first.min(second));
    let (middle, end) = rest.split_at(first.abs_diff(second));
    let whole = payloads(&[body], usize::MAX);
    assert_eq!(whole, payloads(&[start, middle, end], usize::MAX));
    assert!(whole.1.is_none());
    // A limit changes only the place of the end.
    let (fewer, _) = payloads(&[start, middle, end], 64);
    assert!(whole.0.starts_with(&fewer) && fewer.iter().all(|payload| payload.len() <= 3 * 64));
});

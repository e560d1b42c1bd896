//! Bytes as a body of the binary transport, cut in two places that they choose, and as a message: nothing panics, cuts
//! change nothing, the limit bounds the memory, the fast reader and the careful one agree, and an event that was read
//! is read again as it was written.
//!
//! `cd tests/fuzz && cargo run --release --bin proto -- -max_total_time=60 -artifact_prefix=target/`, on stable Rust. A
//! finding becomes a case in `tests/proofs/tests/receive/proto`.
#![no_main]

use agui_runtime::protocol::Event;
use agui_runtime::receive::FrameIntake;
use agui_runtime::wire::proto::{self, Decoded, Decoder, FrameError};
use libfuzzer_sys::fuzz_target;

/// The limit of a frame, low enough for a fuzzer to exceed.
const LIMIT: usize = 1 << 12;

fn messages(pieces: &[&[u8]]) -> (Vec<Vec<u8>>, Option<FrameError>) {
    let mut decoder = Decoder::new().max_frame(LIMIT);
    let mut messages = Vec::new();
    let mut longest = 0;
    for piece in pieces {
        longest = longest.max(piece.len());
        decoder.push(piece);
        loop {
            assert!(decoder.held() <= (LIMIT + longest) * 9 / 8, "{} bytes are held", decoder.held());
            match decoder.next() {
                Ok(Some(message)) => messages.push(message.to_vec()),
                Ok(None) => break,
                Err(error) => {
                    // A failed decoder keeps failing, and keeps none of the later bytes.
                    decoder.push(&[0; 8]);
                    assert_eq!((decoder.held(), decoder.finish()), (0, Err(error)));
                    return (messages, Some(error));
                }
            }
        }
    }
    let end = decoder.finish().err();
    (messages, end)
}

fn read(message: &[u8]) {
    let came = FrameIntake::new().proto(message, &mut |_| {});
    match proto::decode(message) {
        Ok(Decoded::Event { json, .. }) => assert_eq!(came, FrameIntake::new().value(json, &mut |_| {})),
        Ok(Decoded::Unknown) => assert_eq!(came, Ok(None)),
        Err(_) => assert!(came.is_err()),
    }
    if let Ok(Some(event)) = came {
        assert_eq!(again(&event), Some(event));
    }
}

/// The event, written and read. Parts of a patch operation that have no place on this wire were not on it before.
fn again(event: &Event) -> Option<Event> {
    let mut frame = Vec::new();
    proto::encode(event, &mut frame).ok()?;
    FrameIntake::new().proto(&frame[4..], &mut |_| {}).ok()?
}

fuzz_target!(|data: &[u8]| {
    read(data);
    let Some((cuts, body)) = data.split_first_chunk::<2>() else { return };
    let [first, second] = cuts.map(|cut| usize::from(cut).min(body.len()));
    let (start, rest) = body.split_at(first.min(second));
    let (middle, end) = rest.split_at(first.abs_diff(second));
    let (whole, error) = messages(&[body]);
    assert_eq!((whole.clone(), error), messages(&[start, middle, end]));
    whole.iter().for_each(|message| read(message));
});

//! Bytes as a frame: nothing panics, and the fast reader and the careful one agree. As a run, they build no document
//! beyond its limits.
//!
//! `cd tests/fuzz && cargo run --release --bin intake -- -max_total_time=60 -artifact_prefix=target/`, on stable Rust.
//! A finding becomes a case in `tests/proofs/tests/receive`.
#![no_main]

#[path = "../../src/intake.rs"]
#[allow(dead_code, unreachable_pub, unused_imports, reason = "the tests use what is not used here")]
mod intake;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let _ = intake::fuzz(data);
    intake::fold(data);
});

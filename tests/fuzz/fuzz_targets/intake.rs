//! Bytes taken for a frame: nothing panics, and the fast way in and the careful one agree.
//!
//! `cd tests/fuzz && cargo run --release --bin intake -- -max_total_time=60 -artifact_prefix=target/`. What it finds becomes a case in
//! `tests/tests/receive`.
#![no_main]

#[path = "../../src/intake.rs"]
#[allow(dead_code, unreachable_pub, reason = "the tests use what is not used here")]
mod intake;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| _ = intake::fuzz(data));

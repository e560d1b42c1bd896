//! Bytes taken for a frame: nothing panics, and the fast way in and the careful one agree.
//!
//! `cargo fuzz run -s none intake -- -max_total_time=60`; what it finds becomes a case in `tests/tests/receive`.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| _ = agui_tests::intake::fuzz(data));

//! A type of the zoo and two byte strings: two values, and everything that must hold of the patch between them.
//!
//! `cargo fuzz run -s none state -- -max_total_time=60`; what it finds becomes a case in `tests/tests/state`.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| agui_tests::patching::fuzz(data));

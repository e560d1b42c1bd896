//! A type of the zoo and two byte strings: two values, and the properties of the patch between them.
//!
//! `cd tests/fuzz && cargo run --release --bin state -- -max_total_time=60 -artifact_prefix=target/`, on stable Rust:
//! see `.cargo/config.toml`. To run a file that it wrote again, name the file. A finding becomes a case in
//! `tests/proofs/tests/state`.
#![no_main]

#[path = "../../proofs/src/patching/mod.rs"]
#[allow(dead_code, unreachable_pub, unused_imports, reason = "the tests use what is not used here")]
mod patching;
#[path = "../../proofs/src/zoo/mod.rs"]
#[allow(dead_code, unreachable_pub, unused_imports, reason = "the tests use what is not used here")]
mod zoo;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| patching::fuzz(data));

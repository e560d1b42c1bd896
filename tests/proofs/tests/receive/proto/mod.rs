//! The binary transport.
//!
//! What is compared with what: our bytes and our reading with the official client's, with the vectors, and with what prost makes of the
//! schema; our fast way in with our careful one.

mod damage;
mod generated;
mod parity;
mod rows;
mod streams;
mod vectors;

use agui_runtime::protocol::Event;
use agui_runtime::wire::proto;

/// What we write of an event, without its length.
pub(crate) fn message(event: &Event) -> Vec<u8> {
    let mut frame = Vec::new();
    proto::encode(event, &mut frame).unwrap();
    frame.split_off(4)
}

/// Bytes as the official oracle takes them.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

pub(crate) fn bytes(hex: &str) -> Vec<u8> {
    let digits = hex.as_bytes().chunks(2);
    digits.map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap()).collect()
}

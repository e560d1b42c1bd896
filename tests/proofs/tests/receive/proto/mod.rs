//! The binary transport.
//!
//! The comparisons: our bytes and our reading with the official client's, with the vectors, and with prost's result for
//! the schema; our fast reader with our careful one.

mod damage;
mod generated;
mod parity;
mod rows;
mod streams;
mod vectors;

use agui_runtime::protocol::Event;
use agui_runtime::wire::proto;

/// Our bytes of an event, without its length.
pub(crate) fn message(event: &Event) -> Vec<u8> {
    let mut frame = Vec::new();
    proto::encode(event, &mut frame).unwrap();
    frame.split_off(4)
}

/// Bytes in the form of the official oracle.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

pub(crate) fn bytes(hex: &str) -> Vec<u8> {
    let digits = hex.as_bytes().chunks(2);
    digits.map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap()).collect()
}

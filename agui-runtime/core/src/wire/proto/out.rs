//! The output buffer for messages.

use serde_json::Value;

use super::value;
use crate::protocol::JsonObject;

const VARINT: u32 = 0;
const FIXED: u32 = 1;
const BYTES: u32 = 2;

/// Bytes that are written once and in order.
///
/// Writing does not fail: the first error is stored, and the caller that takes the bytes checks the error.
#[derive(Debug, Default)]
pub(super) struct Out {
    pub(super) bytes: Vec<u8>,
    pub(super) error: Option<serde_json::Error>,
}

impl Out {
    /// Appends bytes that are a well-formed part of a message.
    #[inline]
    pub(super) fn raw(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    #[inline]
    fn key(&mut self, number: u32, kind: u32) {
        self.varint(u64::from(number << 3 | kind));
    }

    #[inline]
    fn varint(&mut self, value: u64) {
        match u8::try_from(value) {
            Ok(byte) if byte < 0x80 => self.bytes.push(byte),
            _ => self.long_varint(value),
        }
    }

    fn long_varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.bytes.push(value as u8);
    }

    #[inline]
    pub(super) fn integer(&mut self, number: u32, value: u64) {
        self.key(number, VARINT);
        self.varint(value);
    }

    #[inline]
    pub(super) fn double(&mut self, number: u32, value: f64) {
        self.key(number, FIXED);
        self.raw(&value.to_le_bytes());
    }

    #[inline]
    pub(super) fn text(&mut self, number: u32, text: &str) {
        self.key(number, BYTES);
        self.varint(text.len() as u64);
        self.raw(text.as_bytes());
    }

    /// Writes a text, or nothing for an empty text.
    #[inline]
    pub(super) fn plain_text(&mut self, number: u32, text: &str) {
        if !text.is_empty() {
            self.text(number, text);
        }
    }

    /// Writes a nested message.
    ///
    /// The length comes before the message but is known only afterwards. Most messages are shorter than 128 bytes, so one byte is
    /// reserved, and a longer message is moved. This takes one pass; measuring first would take one pass for each level.
    #[inline]
    pub(super) fn message(&mut self, number: u32, write: impl FnOnce(&mut Self)) {
        self.key(number, BYTES);
        let start = self.bytes.len();
        self.bytes.push(0);
        write(self);
        let len = self.bytes.len() - start - 1;
        match (u8::try_from(len), self.bytes.get_mut(start)) {
            (Ok(len), Some(place)) if len < 0x80 => *place = len,
            _ => self.move_for_length(start, len),
        }
    }

    fn move_for_length(&mut self, start: usize, len: usize) {
        let mut length = [0; 10];
        let (mut left, mut used) = (len as u64, 0);
        for byte in &mut length {
            used += 1;
            *byte = left as u8 & 0x7F;
            left >>= 7;
            if left == 0 {
                break;
            }
            *byte |= 0x80;
        }
        // The iterator knows its length, so `splice` allocates nothing in between.
        self.bytes.splice(start..=start, length.into_iter().take(used));
    }

    /// Writes any JSON value.
    pub(super) fn value(&mut self, number: u32, value: &Value) {
        self.message(number, |out| value::put(value, out));
    }

    /// Writes a JSON object into a `Struct` field.
    pub(super) fn object(&mut self, number: u32, object: &JsonObject) {
        self.message(number, |out| value::put_object(object, out));
    }

    /// Writes a JSON object into a `Value` field.
    pub(super) fn object_value(&mut self, number: u32, object: &JsonObject) {
        self.message(number, |out| out.object(value::STRUCT, object));
    }

    /// Writes any JSON value from text.
    pub(super) fn value_text(&mut self, number: u32, text: &str) {
        self.message(number, |out| {
            let mut json = serde_json::Deserializer::from_str(text);
            if let Err(error) = value::write(&mut json, out) {
                out.error.get_or_insert(error);
            }
        });
    }
}

//! Number scanning.

use serde_json::Value;

use super::JsonScanner;

impl JsonScanner<'_> {
    /// Reads any number. serde_json reads numbers other than plain integers.
    pub(in crate::protocol) fn number(&mut self) -> Option<Value> {
        let start = self.mark();
        let is_negative = self.peek()? == b'-';
        match self.integer() {
            // `-0` is a float in serde_json, not an integer.
            Some(0) if is_negative => {}
            Some(number) => return Some(number.into()),
            None => {}
        }
        self.back_to(start);
        let len = self.measure(Self::skip_value)?;
        serde_json::from_str(self.take(len)?).ok()
    }

    /// Reads a whole number in plain spelling.
    pub(in crate::protocol) fn integer(&mut self) -> Option<i64> {
        let is_negative = self.peek()? == b'-';
        if is_negative {
            self.skip(1);
        }
        let digits = self.rest();
        let len = digits.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(digits.len());
        let is_plain = match digits.get(..len)? {
            [] | [b'0', _, ..] => false,
            // Every number of the protocol has at most 16 digits.
            _ => len <= 16,
        };
        let number = self.take(len)?;
        if !is_plain || matches!(self.peek(), Some(b'.' | b'e' | b'E')) {
            return None;
        }
        let number = number.bytes().fold(0, |number: i64, digit| number * 10 + i64::from(digit - b'0'));
        Some(if is_negative { -number } else { number })
    }
}

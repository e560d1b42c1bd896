//! JSON text, equal to serde_json's.

use std::io;

use serde::Serialize;

use crate::protocol::forms::print::escape;

/// serde_json's serializer on the same text, for values that only serde can write.
pub type JsonSerializer<'o> = serde_json::Serializer<JsonSink<'o>>;

/// The text as a byte sink. Bytes that are not UTF-8 are refused; serde_json writes none.
#[derive(Debug)]
pub struct JsonSink<'o>(&'o mut String);

impl io::Write for JsonSink<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_all(bytes).map(|()| bytes.len())
    }

    #[inline]
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        let text = std::str::from_utf8(bytes).map_err(io::Error::other)?;
        self.0.push_str(text);
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A value that can be written as JSON, without the type.
pub trait WriteJson {
    /// Appends the value.
    fn json(&self, out: &mut JsonOut);
    /// Returns a cheap lower bound for the text's length.
    fn least(&self) -> usize;
}

impl<T: super::StateNode> WriteJson for T {
    fn json(&self, out: &mut JsonOut) {
        self.write(out);
    }

    fn least(&self) -> usize {
        self.floor()
    }
}

/// The text that JSON is written to.
///
/// Writing does not fail: the first error is kept for the text's reader. Past the limit no long value is written any more, because
/// the text will be thrown away.
#[derive(Debug)]
pub struct JsonOut {
    pub(super) text: String,
    pub(super) limit: usize,
    error: Option<serde_json::Error>,
}

impl Default for JsonOut {
    fn default() -> Self {
        Self { text: String::new(), limit: usize::MAX, error: None }
    }
}

impl JsonOut {
    /// Appends JSON text unchanged: punctuation and names.
    #[inline]
    pub fn raw(&mut self, json: &str) {
        self.text.push_str(json);
    }

    /// Appends a punctuation byte.
    #[inline]
    pub fn byte(&mut self, byte: u8) {
        self.text.push(char::from(byte));
    }

    /// Appends a member name that is known at compile time, `"name":` with quotes and colon, after a comma unless it is the
    /// object's first.
    #[inline]
    pub fn member(&mut self, name: &str) {
        self.comma();
        self.raw(name);
    }

    /// Appends a comma unless an object or array has just been opened.
    #[inline]
    pub fn comma(&mut self) {
        if !matches!(self.text.as_bytes().last(), Some(b'{' | b'[')) {
            self.text.push(',');
        }
    }

    /// Appends a member name, after a comma unless it is the object's first.
    pub fn name(&mut self, name: &str) {
        self.comma();
        self.str(name);
        self.text.push(':');
    }

    /// Appends a string.
    pub fn str(&mut self, text: &str) {
        if self.is_full() {
            return;
        }
        self.text.reserve(text.len() + 2);
        self.text.push('"');
        escape::write(text, &mut self.text);
        self.text.push('"');
    }

    /// Appends an integer.
    #[inline]
    pub fn integer(&mut self, number: impl itoa::Integer) {
        self.text.push_str(itoa::Buffer::new().format(number));
    }

    /// Appends a float; `null` for NaN and the infinities.
    pub fn f64(&mut self, number: f64) {
        if number.is_finite() {
            self.text.push_str(zmij::Buffer::new().format_finite(number));
        } else {
            self.raw("null");
        }
    }

    /// Appends a float with the digits that distinguish it from neighbouring `f32`s.
    pub fn f32(&mut self, number: f32) {
        if number.is_finite() {
            self.text.push_str(zmij::Buffer::new().format_finite(number));
        } else {
            self.raw("null");
        }
    }

    /// Appends a value as serde writes it.
    pub fn serde<T: Serialize + ?Sized>(&mut self, value: &T) {
        self.serialize(|serializer| value.serialize(serializer));
    }

    /// Appends what a function with serde's signature writes: `out.serialize(|s| module::serialize(&value, s))`.
    pub fn serialize(
        &mut self,
        write: impl FnOnce(&mut JsonSerializer<'_>) -> Result<(), serde_json::Error>,
    ) {
        let before = self.text.len();
        if let Err(error) = write(&mut JsonSerializer::new(JsonSink(&mut self.text))) {
            self.text.truncate(before);
            self.fail(error);
        }
    }

    /// Records that a value has no JSON form.
    #[cold]
    pub fn fail_with(&mut self, message: &str) {
        self.fail(serde::ser::Error::custom(message));
    }

    #[cold]
    pub(crate) fn fail(&mut self, error: serde_json::Error) {
        // The text stays valid JSON.
        self.raw("null");
        self.error.get_or_insert(error);
    }

    /// Returns the text.
    ///
    /// # Errors
    /// The first error, when a value had no JSON form.
    pub fn finish(mut self) -> Result<String, serde_json::Error> {
        match self.take_error() {
            Some(error) => Err(error),
            None => Ok(self.text),
        }
    }

    /// Returns true if a value had no JSON form.
    pub(super) fn has_failed(&self) -> bool {
        self.error.is_some()
    }

    /// Takes the first error since the last call.
    pub(crate) fn take_error(&mut self) -> Option<serde_json::Error> {
        self.error.take()
    }

    /// Returns true if the text has become too long to be used. Call this before long values: texts and elements.
    #[must_use]
    #[inline]
    pub fn is_full(&self) -> bool {
        self.text.len() > self.limit
    }
}

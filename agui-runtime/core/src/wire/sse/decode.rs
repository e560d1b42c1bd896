//! Decodes server-sent events.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use memchr::memchr;

use super::lossy::text_of;
use super::record::{Record, RecordTooLong};
use crate::wire::room::make_room;

/// The default record limit in bytes: 10 · 2²⁰, as in the official clients.
///
/// ```
/// use agui_runtime::wire::sse::{Decoder, MAX_RECORD};
///
/// let mut decoder = Decoder::new();
/// decoder.push(&vec![b'x'; MAX_RECORD]);
/// assert_eq!(decoder.next()?, None);
/// decoder.push(b"x");
/// assert!(decoder.next().is_err());
/// # Ok::<(), agui_runtime::wire::sse::RecordTooLong>(())
/// ```
pub const MAX_RECORD: usize = 10 << 20;

/// Splits a response's bytes, pushed in chunks of any size, into record payloads.
///
/// A payload is the content of a record's `data:` lines, joined by LF: for AG-UI the JSON text of one event (AG-UI 1.0, section
/// "Server-sent events"). Comments, the fields `event:`, `id:` and `retry:`, and records without data are skipped. Lines end in LF
/// or in CRLF. A byte order mark at the start is skipped, and invalid UTF-8 becomes U+FFFD, as the HTML standard requires.
///
/// The decoder is a plain state machine: no I/O, no JSON parsing.
///
/// ```
/// use agui_runtime::wire::sse;
///
/// let mut decoder = sse::Decoder::new();
/// decoder.push(b"data: {\"type\":\"STEP_STAR");
/// assert_eq!(decoder.next()?, None);
/// decoder.push(b"TED\"}\n\n: keep-alive\n\ndata: last");
/// assert_eq!(decoder.next()?.as_deref(), Some(r#"{"type":"STEP_STARTED"}"#));
/// assert_eq!(decoder.next()?, None);
/// assert_eq!(decoder.finish()?.as_deref(), Some("last"));
/// # Ok::<(), sse::RecordTooLong>(())
/// ```
pub struct Decoder {
    buffer: Vec<u8>,
    /// The current record's offset.
    record: usize,
    /// The current line's offset.
    line: usize,
    /// The offset up to which the line was searched.
    seen: usize,
    /// The record's only data line so far.
    data: Option<Range<usize>>,
    /// All data lines, once there are several.
    joined: Option<Vec<u8>>,
    /// The value in the record's last `id:` line.
    id: Option<Range<usize>>,
    /// The value in the record's last `event:` line.
    name: Option<Range<usize>>,
    /// The lines that are not event fields, if requested.
    foreign: Option<Vec<String>>,
    /// True if the stream may still begin with a byte order mark.
    is_fresh: bool,
    /// True after a record beyond the limit: nothing more can be read.
    has_failed: bool,
    limit: usize,
}

impl Decoder {
    /// Creates a decoder for one response.
    ///
    /// ```
    /// assert!(agui_runtime::wire::sse::Decoder::new().finish()?.is_none());
    /// # Ok::<(), agui_runtime::wire::sse::RecordTooLong>(())
    /// ```
    #[must_use]
    pub fn new() -> Self {
        Self {
            buffer: Vec::new(),
            record: 0,
            line: 0,
            seen: 0,
            data: None,
            joined: None,
            id: None,
            name: None,
            foreign: None,
            is_fresh: true,
            has_failed: false,
            limit: MAX_RECORD,
        }
    }

    /// Sets the record limit in bytes, field names and line ends included; the default is [`MAX_RECORD`].
    ///
    /// A peer can make the decoder buffer that much memory, or twice as much for data spread over lines, plus the bytes pushed
    /// between two calls to [`next`](Self::next). Invalid UTF-8 becomes a text up to three times as long. After an error the
    /// buffer is empty.
    #[must_use]
    pub fn max_record(mut self, bytes: usize) -> Self {
        self.limit = bytes;
        self
    }

    /// Collects the lines that are not event fields, which the HTML standard skips: servers write errors there.
    #[must_use]
    pub fn keep_foreign_lines(mut self) -> Self {
        self.foreign = Some(Vec::new());
        self
    }

    /// Takes the collected lines from the records so far.
    pub fn take_foreign_lines(&mut self) -> Vec<String> {
        self.foreign.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Adds the response's next bytes. [`next`](Self::next) decodes them. After an error they are dropped.
    pub fn push(&mut self, bytes: &[u8]) {
        if self.has_failed {
            return;
        }
        if self.record > 0 {
            let read = self.record;
            self.buffer.drain(..read);
            self.record = 0;
            self.line -= read;
            self.seen -= read;
            for range in [&mut self.data, &mut self.id, &mut self.name].into_iter().flatten() {
                *range = range.start - read..range.end - read;
            }
        }
        make_room(&mut self.buffer, bytes.len(), self.limit);
        self.buffer.extend_from_slice(bytes);
    }

    /// Returns the bytes after the last record.
    #[cfg(all(feature = "server", feature = "websocket"))]
    pub(crate) fn unread(&self) -> &[u8] {
        self.buffer.get(self.record..).unwrap_or_default()
    }

    /// Returns the buffer size in bytes: pushed bytes that were not read yet, and spare capacity.
    #[must_use]
    pub fn held(&self) -> usize {
        self.buffer.capacity() + self.joined.as_ref().map_or(0, Vec::capacity)
    }

    /// Returns the next complete record's payload; `None` until more bytes are pushed.
    ///
    /// # Errors
    /// [`RecordTooLong`] if a record, complete or not, is longer than [`max_record`](Self::max_record). The record's end is
    /// unknown, so nothing more can be read, and every further call fails the same way.
    #[allow(
        clippy::should_implement_trait,
        reason = "the result borrows the decoder, which an iterator does not allow"
    )]
    pub fn next(&mut self) -> Result<Option<Cow<'_, str>>, RecordTooLong> {
        Ok(self.next_record()?.map(|record| record.data))
    }

    /// Like [`next`](Self::next), with the record's `id:` and `event:` values. AG-UI has no `event:` lines, other protocols do.
    ///
    /// # Errors
    /// As [`next`](Self::next).
    ///
    /// ```
    /// let mut decoder = agui_runtime::wire::sse::Decoder::new();
    /// decoder.push(b"event: message\ndata: {}\n\ndata: 1\n\n");
    /// let named = decoder.next_record()?.unwrap();
    /// assert_eq!((named.event.as_deref(), &*named.data), (Some("message"), "{}"));
    /// assert_eq!(decoder.next_record()?.unwrap().event, None);
    /// # Ok::<(), agui_runtime::wire::sse::RecordTooLong>(())
    /// ```
    pub fn next_record(&mut self) -> Result<Option<Record<'_>>, RecordTooLong> {
        if let Some((id, data)) = self.plain_record() {
            let id = id.and_then(|id| self.buffer.get(id)).map(text_of);
            let data = text_of(self.buffer.get(data).unwrap_or_default());
            return Ok(Some(Record { id, event: None, data }));
        }
        while let Some(found) = memchr(b'\n', self.buffer.get(self.seen..).unwrap_or_default()) {
            let end = self.seen + found;
            self.seen = end + 1;
            self.check()?;
            let is_last = self.read_line(end);
            self.line = self.seen;
            if is_last {
                self.record = self.line;
                let (id, name) = (self.id.take(), self.name.take());
                if self.data.is_some() || self.joined.is_some() {
                    return Ok(Some(self.payload(id, name)));
                }
            }
        }
        self.seen = self.buffer.len();
        self.check()?;
        Ok(None)
    }

    /// Returns the last record's payload, if the response ended without the record's final empty line. Call [`next`](Self::next)
    /// for the complete records first.
    ///
    /// # Errors
    /// As [`next`](Self::next).
    ///
    /// ```
    /// let mut decoder = agui_runtime::wire::sse::Decoder::new();
    /// decoder.push(b"data: cut off");
    /// assert_eq!(decoder.finish()?.as_deref(), Some("cut off"));
    /// # Ok::<(), agui_runtime::wire::sse::RecordTooLong>(())
    /// ```
    pub fn finish(&mut self) -> Result<Option<Cow<'_, str>>, RecordTooLong> {
        Ok(self.finish_record()?.map(|record| record.data))
    }

    /// Like [`finish`](Self::finish), with the record's `id:` and `event:` values.
    ///
    /// # Errors
    /// As [`next`](Self::next).
    pub fn finish_record(&mut self) -> Result<Option<Record<'_>>, RecordTooLong> {
        self.push(b"\n\n");
        self.next_record()
    }

    /// Reads a record that is one data line in the plainest spelling, or such a line after an `id:` line, as nearly all are;
    /// returns the ranges of the id and the text.
    #[inline]
    fn plain_record(&mut self) -> Option<(Option<Range<usize>>, Range<usize>)> {
        const ID: &[u8] = b"id: ";
        const NAME: &[u8] = b"data: ";
        if self.seen != self.record {
            return None;
        }
        let mut place = self.record;
        let mut id = None;
        if let Some(text) = self.buffer.get(place..)?.strip_prefix(ID) {
            let value = place + ID.len();
            let end = value + memchr(b'\n', text)?;
            id = Some(value..end);
            place = end + 1;
        }
        let text = self.buffer.get(place..)?.strip_prefix(NAME)?;
        let start = place + NAME.len();
        let end = start + memchr(b'\n', text)?;
        let ends_with_return =
            |range: &Range<usize>| self.buffer.get(range.clone()).is_some_and(|line| line.ends_with(b"\r"));
        let is_plain = self.buffer.get(end + 1) == Some(&b'\n')
            && !ends_with_return(&(start..end))
            && !id.as_ref().is_some_and(ends_with_return);
        if !is_plain || end + 2 - self.record > self.limit {
            return None;
        }
        self.record = end + 2;
        (self.line, self.seen) = (self.record, self.record);
        self.is_fresh = false;
        Some((id, start..end))
    }

    /// Reads the line that ends at `end`; true for the empty line that ends a record.
    fn read_line(&mut self, end: usize) -> bool {
        if std::mem::take(&mut self.is_fresh) && self.buffer.starts_with(b"\xEF\xBB\xBF") {
            self.line = 3;
        }
        let line = self.buffer.get(self.line..end).unwrap_or_default();
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let Some(data) = line.strip_prefix(b"data:") else {
            if let Some(foreign) = &mut self.foreign
                && is_foreign(line)
            {
                foreign.push(text_of(line).into_owned());
            }
            for (field, place) in [(&b"event:"[..], &mut self.name), (b"id:", &mut self.id)] {
                if let Some(value) = line.strip_prefix(field) {
                    let text = value.strip_prefix(b" ").unwrap_or(value);
                    let start = self.line + line.len() - text.len();
                    *place = Some(start..start + text.len());
                }
            }
            return line.is_empty();
        };
        let text = data.strip_prefix(b" ").unwrap_or(data);
        let start = self.line + line.len() - text.len();
        let text = start..start + text.len();
        match (self.data.take(), &mut self.joined) {
            (None, None) => self.data = Some(text),
            (None, Some(joined)) => {
                make_room(joined, 1 + text.len(), self.limit);
                joined.push(b'\n');
                joined.extend_from_slice(self.buffer.get(text).unwrap_or_default());
            }
            (Some(first), _) => {
                let lines = [first, text].map(|line| self.buffer.get(line).unwrap_or_default());
                self.joined = Some(lines.join(&b'\n'));
            }
        }
        false
    }

    fn payload(&mut self, id: Option<Range<usize>>, name: Option<Range<usize>>) -> Record<'_> {
        let [id, event] = [id, name].map(|value| value.and_then(|value| self.buffer.get(value)).map(text_of));
        let data = match (self.data.take(), self.joined.take()) {
            (_, Some(joined)) => Cow::Owned(match String::from_utf8(joined) {
                Ok(text) => text,
                Err(error) => text_of(error.as_bytes()).into_owned(),
            }),
            (data, None) => text_of(data.and_then(|data| self.buffer.get(data)).unwrap_or_default()),
        };
        Record { id, event, data }
    }

    fn check(&mut self) -> Result<(), RecordTooLong> {
        if !self.has_failed && self.seen - self.record <= self.limit {
            return Ok(());
        }
        let limit = self.limit;
        let foreign = self.foreign.take();
        *self = Self { has_failed: true, limit, foreign, ..Self::new() };
        Err(RecordTooLong { limit })
    }
}

/// True for a line that is neither an event field nor a comment.
fn is_foreign(line: &[u8]) -> bool {
    let name = line.split(|byte| *byte == b':').next().unwrap_or_default();
    !line.is_empty() && !matches!(name, b"" | b"event" | b"id" | b"retry" | b"data")
}

impl Default for Decoder {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Decoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Decoder").field("held", &self.held()).finish_non_exhaustive()
    }
}

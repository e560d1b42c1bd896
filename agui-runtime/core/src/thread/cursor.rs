//! An event's position in a thread, as clients name the position: the `id` of a server-sent event.

use std::fmt;
use std::str::FromStr;

use crate::protocol::RunId;

/// An event's position: run and sequence number in the thread.
///
/// The text form is `<run>.<seq>`. Run id bytes other than `A-Z`, `a-z`, `0-9`, `-`, `_` and `~` are percent-encoded, so that the
/// text fits in a header and in a server-sent event's `id` field.
///
/// ```
/// use agui_runtime::thread::ThreadCursor;
///
/// let cursor = ThreadCursor::new("trip 7", 42);
/// assert_eq!(cursor.to_string(), "trip%207.42");
/// assert_eq!("trip%207.42".parse(), Ok(cursor));
/// assert!("trip 7".parse::<ThreadCursor>().is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ThreadCursor {
    run: RunId,
    seq: u64,
}

/// A text that is no [`ThreadCursor`]: the error from parsing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected the id of an event of this server, `<run>.<number>`")]
pub struct InvalidCursor;

impl ThreadCursor {
    /// Creates the [`ThreadCursor`] for a run's event with a sequence number.
    pub fn new(run: impl Into<RunId>, seq: u64) -> Self {
        Self { run: run.into(), seq }
    }

    /// Returns the run.
    #[must_use]
    pub fn run(&self) -> &RunId {
        &self.run
    }

    /// Returns the event's sequence number in the thread.
    #[must_use]
    pub fn seq(&self) -> u64 {
        self.seq
    }
}

fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'~')
}

impl fmt::Display for ThreadCursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for byte in self.run.as_str().bytes() {
            if is_plain(byte) { write!(f, "{}", char::from(byte))? } else { write!(f, "%{byte:02X}")? }
        }
        write!(f, ".{}", self.seq)
    }
}

impl FromStr for ThreadCursor {
    type Err = InvalidCursor;

    /// # Errors
    /// [`InvalidCursor`] unless the text is exactly what [`Display`](fmt::Display) writes.
    fn from_str(text: &str) -> Result<Self, InvalidCursor> {
        let (run, seq) = text.rsplit_once('.').ok_or(InvalidCursor)?;
        let seq = seq.parse().map_err(|_| InvalidCursor)?;
        let mut bytes = Vec::with_capacity(run.len());
        let mut rest = run.bytes();
        while let Some(byte) = rest.next() {
            bytes.push(match byte {
                b'%' => {
                    let mut digit = || char::from(rest.next()?).to_digit(16);
                    let (high, low) = digit().zip(digit()).ok_or(InvalidCursor)?;
                    u8::try_from(high * 16 + low).map_err(|_| InvalidCursor)?
                }
                byte => byte,
            });
        }
        let run = String::from_utf8(bytes).map_err(|_| InvalidCursor)?;
        let cursor = Self::new(run, seq);
        // One position has one text, so `+1`, `01` and `%61` are refused.
        if cursor.to_string() == text { Ok(cursor) } else { Err(InvalidCursor) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_run_id_survives_its_text() {
        for run in ["", "r", "a.b", "100%", "Küche", "a\nb\0c", "%41", "1.2.3"] {
            let cursor = ThreadCursor::new(run, 7);
            let text = cursor.to_string();
            assert!(text.bytes().all(|byte| byte.is_ascii_graphic()), "{text}");
            assert_eq!(text.parse(), Ok(cursor));
        }
    }

    #[test]
    fn a_place_has_one_text() {
        for text in [
            "",
            ".",
            "r",
            "r.",
            "r.-1",
            "r.+1",
            "r.01",
            "r.1 ",
            " r.1",
            "%61.1",
            "%c3%28.1",
            "%4.1",
            "%.1",
            "r.99999999999999999999",
            "a b.1",
        ] {
            assert_eq!(text.parse::<ThreadCursor>(), Err(InvalidCursor), "{text:?}");
        }
    }
}

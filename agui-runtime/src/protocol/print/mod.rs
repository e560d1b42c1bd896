//! The fast writer: JSON text directly from the types, without an intermediate value.
//!
//! The output equals that of serde_json byte for byte: the macros that declare a type make both writers
//! from one list of its members.

pub(crate) mod escape;

/// A type that can be printed. Printing never fails.
pub(crate) trait Print {
    /// The text of the type, if it has only one value.
    const TEXT: Option<&'static str> = None;

    /// Appends the JSON of the value.
    fn print(&self, out: &mut Vec<u8>);

    /// Appends the value as a member of an object, unless it is absent. `start` is the result of [`start`]
    /// for its name; the quote at its end begins a string, so other types leave it out.
    #[inline]
    fn member(&self, start: &[u8], out: &mut Vec<u8>) {
        if let [key @ .., _quote] = start {
            out.extend_from_slice(key);
        }
        self.print(out);
    }
}

/// The length of [`key`].
pub(crate) const fn key_len(name: &str) -> usize {
    name.len() + 4
}

/// Returns the name of a member with its punctuation: `,"name":`. [`close`] replaces the first comma with a
/// brace.
pub(crate) const fn key<const LEN: usize>(name: &str) -> [u8; LEN] {
    joined(&[",\"", name, "\":"])
}

/// The length of [`start`].
pub(crate) const fn start_len(name: &str) -> usize {
    name.len() + 5
}

/// Returns the same with the opening quote of a string: `,"name":"`.
pub(crate) const fn start<const LEN: usize>(name: &str) -> [u8; LEN] {
    joined(&[",\"", name, "\":\""])
}

/// The length of [`whole`].
pub(crate) const fn whole_len(name: &str, text: Option<&str>) -> usize {
    match text {
        Some(text) => name.len() + text.len() + 6,
        None => 0,
    }
}

/// Returns the same with the whole string, which has nothing to escape: `,"name":"text"`. Empty if the type
/// has more than one value.
pub(crate) const fn whole<const LEN: usize>(name: &str, text: Option<&str>) -> [u8; LEN] {
    match text {
        Some(text) => joined(&[",\"", name, "\":\"", text, "\""]),
        None => joined(&[]),
    }
}

/// Concatenates the pieces, which have `LEN` bytes together.
const fn joined<const LEN: usize>(mut pieces: &[&str]) -> [u8; LEN] {
    let mut joined = [b' '; LEN];
    let mut left: &mut [u8] = &mut joined;
    while let [piece, others @ ..] = pieces {
        let (place, behind) = left.split_at_mut(piece.len());
        place.copy_from_slice(piece.as_bytes());
        (left, pieces) = (behind, others);
    }
    joined
}

/// Appends the comma, name and colon before a member's value, in the form that [`close`] expects.
pub(crate) fn member(name: &str, out: &mut Vec<u8>) {
    out.push(b',');
    text(name, out);
    out.push(b':');
}

/// Makes an object of the members that were appended since `start`.
#[inline]
pub(crate) fn close(start: usize, out: &mut Vec<u8>) {
    match out.get_mut(start) {
        Some(comma) => *comma = b'{',
        None => out.push(b'{'),
    }
    out.push(b'}');
}

/// Appends a string.
#[inline]
pub(crate) fn text(text: &str, out: &mut Vec<u8>) {
    out.push(b'"');
    escape::write(text, out);
    out.push(b'"');
}

/// Appends a string as a member of an object: see [`Print::member`].
#[inline]
pub(crate) fn text_member(start: &[u8], text: &str, out: &mut Vec<u8>) {
    out.extend_from_slice(start);
    escape::write(text, out);
    out.push(b'"');
}

/// Appends a string that is known to have nothing to escape.
#[inline]
pub(crate) fn plain(text: &str, out: &mut Vec<u8>) {
    out.push(b'"');
    out.extend_from_slice(text.as_bytes());
    out.push(b'"');
}

/// Appends an integer.
pub(crate) fn integer(number: impl itoa::Integer, out: &mut Vec<u8>) {
    out.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
}

/// Appends a list.
pub(crate) fn list<'i, T: Print + 'i>(items: impl IntoIterator<Item = &'i T>, out: &mut Vec<u8>) {
    let start = out.len();
    for item in items {
        out.push(b',');
        item.print(out);
    }
    match out.get_mut(start) {
        Some(comma) => *comma = b'[',
        None => out.push(b'['),
    }
    out.push(b']');
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_key_is_printed_with_its_punctuation() {
        assert_eq!(super::key::<{ super::key_len("messageId") }>("messageId"), *b",\"messageId\":");
        assert_eq!(super::key::<{ super::key_len("") }>(""), *b",\"\":");
        assert_eq!(super::start::<{ super::start_len("id") }>("id"), *b",\"id\":\"");
        assert_eq!(
            super::whole::<{ super::whole_len("op", Some("add")) }>("op", Some("add")),
            *b",\"op\":\"add\""
        );
        assert_eq!(super::whole::<{ super::whole_len("op", None) }>("op", None), [0; 0]);
    }
}

//! The fast writer: JSON text directly from the types, without an intermediate value.
//!
//! The output equals serde_json's byte for byte: the declaring macros make both writers from one member list.

pub(crate) mod escape;

/// A type that can be printed. Printing never fails.
pub(crate) trait JsonPrint {
    /// Appends the value as JSON.
    fn print(&self, out: &mut Vec<u8>);

    /// Appends the value as an object member, unless absent. `start` is the member name with punctuation, `,"name":"`; the final
    /// quote begins a string, so other types leave it out.
    #[inline]
    fn member(&self, start: &'static str, out: &mut Vec<u8>) {
        if let [key @ .., _quote] = start.as_bytes() {
            out.extend_from_slice(key);
        }
        self.print(out);
    }
}

/// Returns the length for [`whole`].
pub(crate) const fn whole_len(name: &str, text: &str) -> usize {
    name.len() + text.len() + 6
}

/// Returns a member whose text has nothing to escape: `,"name":"text"`. [`close`] replaces the first comma with a brace.
pub(crate) const fn whole<const LEN: usize>(name: &str, text: &str) -> [u8; LEN] {
    joined(&[",\"", name, "\":\"", text, "\""])
}

/// Concatenates the pieces, `LEN` bytes in total.
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

/// Makes an object from the members that were appended since `start`.
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

/// Appends a string as an object member: see [`JsonPrint::member`].
#[inline]
pub(crate) fn text_member(start: &'static str, text: &str, out: &mut Vec<u8>) {
    out.extend_from_slice(start.as_bytes());
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
pub(crate) fn list<'i, T: JsonPrint + 'i>(items: impl IntoIterator<Item = &'i T>, out: &mut Vec<u8>) {
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
    fn a_member_is_printed_with_its_punctuation() {
        assert_eq!(super::whole::<{ super::whole_len("op", "add") }>("op", "add"), *b",\"op\":\"add\"");
    }
}

//! The fast way out: JSON text straight from the types, with nothing in between.
//!
//! Byte for byte what serde_json makes of the same value: the macros that declare a type make both from one list of its members.

pub(crate) mod escape;
mod value;

/// A type that can be printed. Printing never fails.
pub(crate) trait Print {
    /// Its text, if it has no other.
    const TEXT: Option<&'static str> = None;

    /// Appends its JSON.
    fn print(&self, out: &mut Vec<u8>);

    /// Appends it as a member of an object, unless it is absent. `start` is what [`start`] makes of its name: the quote at its end is that
    /// of a string, and nothing else begins with one.
    #[inline]
    fn member(&self, start: &[u8], out: &mut Vec<u8>) {
        if let [key @ .., _quote] = start {
            out.extend_from_slice(key);
        }
        self.print(out);
    }
}

/// How long [`key`] is.
pub(crate) const fn key_len(name: &str) -> usize {
    name.len() + 4
}

/// A member's name with everything around it: `,"name":`. The comma before the first is made a brace by [`close`].
pub(crate) const fn key<const LEN: usize>(name: &str) -> [u8; LEN] {
    joined(&[",\"", name, "\":"])
}

/// How long [`start`] is.
pub(crate) const fn start_len(name: &str) -> usize {
    name.len() + 5
}

/// The same with the quote that a string begins with: `,"name":"`.
pub(crate) const fn start<const LEN: usize>(name: &str) -> [u8; LEN] {
    joined(&[",\"", name, "\":\""])
}

/// How long [`whole`] is.
pub(crate) const fn whole_len(name: &str, text: Option<&str>) -> usize {
    match text {
        Some(text) => name.len() + text.len() + 6,
        None => 0,
    }
}

/// The same with all of the string, which has nothing to escape: `,"name":"text"`. Nothing if it has other texts.
pub(crate) const fn whole<const LEN: usize>(name: &str, text: Option<&str>) -> [u8; LEN] {
    match text {
        Some(text) => joined(&[",\"", name, "\":\"", text, "\""]),
        None => joined(&[]),
    }
}

/// Pieces one behind the other, `LEN` bytes together.
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

/// Appends what stands before a member's value, for [`close`] as well.
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
    fn a_key_has_everything_around_its_name() {
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

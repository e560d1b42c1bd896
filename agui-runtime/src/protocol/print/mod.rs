//! The fast way out: JSON text straight from the types, with nothing in between.
//!
//! Byte for byte what serde_json makes of the same value: the macros that declare a type make both from one list of its members.

pub(crate) mod escape;
mod value;

/// A type that can be printed. Printing never fails.
pub(crate) trait Print {
    /// Appends its JSON.
    fn print(&self, out: &mut Vec<u8>);

    /// Appends it as a member of an object, unless it is absent. `key` is what [`key`] makes of its name.
    #[inline]
    fn member(&self, key: &[u8], out: &mut Vec<u8>) {
        out.extend_from_slice(key);
        self.print(out);
    }
}

/// How long [`key`] is.
pub(crate) const fn key_len(name: &str) -> usize {
    name.len() + 4
}

/// A member's name with everything around it: `,"name":`. The comma before the first is made a brace by [`close`].
pub(crate) const fn key<const LEN: usize>(name: &str) -> [u8; LEN] {
    let mut key = [b'"'; LEN];
    let mut rest = name.as_bytes();
    let whole: &mut [u8] = &mut key;
    if let [comma, _, inside @ ..] = whole {
        *comma = b',';
        let mut left: &mut [u8] = inside;
        while let ([byte, after @ ..], [first, others @ ..]) = (rest, left) {
            *first = *byte;
            rest = after;
            left = others;
        }
    }
    let whole: &mut [u8] = &mut key;
    if let [.., colon] = whole {
        *colon = b':';
    }
    key
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
    }
}

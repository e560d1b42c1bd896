//! Patch operations, read back from the text that the pass has written.

use std::borrow::Cow;

use super::super::patch::PatchOp;
use super::spot::{TextSegments, segments};

/// One operation, with pointers as segments.
#[derive(Debug, Clone)]
pub(super) struct ParsedOperation<'t> {
    pub(super) op: PatchOp,
    /// The `from` pointer; for [`PatchOp::Move`].
    pub(super) from: TextSegments<'t>,
    pub(super) path: TextSegments<'t>,
    /// The value's JSON; for [`PatchOp::Add`] and [`PatchOp::Replace`].
    pub(super) value: Option<Cow<'t, str>>,
}

impl<'t> ParsedOperation<'t> {
    /// Reads an operation as [`PatchText`](super::super::Patch) writes it.
    pub(super) fn read(text: &'t str) -> Option<Self> {
        let (op, rest) = PatchOp::ALL.into_iter().find_map(|op| Some((op, text.strip_prefix(op.head())?)))?;
        let (first, rest) = until_quote(rest)?;
        if let PatchOp::Move = op {
            let (path, _) = until_quote(rest.strip_prefix(PatchOp::TO)?)?;
            return Some(Self { op, from: segments(first), path: segments(path), value: None });
        }
        let value = match rest.strip_prefix(PatchOp::VALUE) {
            Some(rest) => Some(Cow::Borrowed(rest.strip_suffix('}')?)),
            None => None,
        };
        Some(Self { op, from: Vec::new(), path: segments(first), value })
    }

    pub(super) fn write(&self, out: &mut String) {
        out.push_str(self.op.head());
        if let PatchOp::Move = self.op {
            write_pointer(&self.from, out);
            out.push_str(PatchOp::TO);
        }
        write_pointer(&self.path, out);
        match &self.value {
            Some(value) => {
                out.push_str(PatchOp::VALUE);
                out.push_str(value);
                out.push('}');
            }
            None => out.push_str("\"}"),
        }
    }
}

pub(super) fn write_pointer(pointer: &[Cow<'_, str>], out: &mut String) {
    for segment in pointer {
        out.push('/');
        out.push_str(segment);
    }
}

/// Splits a text at the quote that ends the leading JSON string; the quote is in the second part.
fn until_quote(text: &str) -> Option<(&str, &str)> {
    let mut bytes = text.bytes().enumerate();
    while let Some((place, byte)) = bytes.next() {
        match byte {
            b'"' => return text.split_at_checked(place),
            b'\\' => drop(bytes.next()),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_operation_is_written_as_it_was_read() {
        for text in [
            r#"{"op":"add","path":"/a/-","value":{"b":[1,"}"]}}"#,
            r#"{"op":"replace","path":"","value":null}"#,
            r#"{"op":"remove","path":"/a~1b/\"\\/0"}"#,
            r#"{"op":"move","from":"/a/\"/1","path":"/b/c/2"}"#,
        ] {
            let operation = ParsedOperation::read(text).unwrap();
            let mut written = String::new();
            operation.write(&mut written);
            assert_eq!(written, text, "{operation:?}");
        }
    }
}

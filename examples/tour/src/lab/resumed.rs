//! The answer of a user, in words.

use std::io;

use agui_runtime::protocol::{ResumeEntry, ResumeStatus};
use serde::Serialize;
use serde_json::Value;
use serde_json::ser::{Formatter, Serializer};

/// `resolved` or `cancelled`.
pub fn status(answer: &ResumeEntry) -> &'static str {
    match answer.status {
        ResumeStatus::Resolved => "resolved",
        ResumeStatus::Cancelled => "cancelled",
    }
}

/// `id: status`, and the payload if there is one.
pub fn spelled_out(answer: &ResumeEntry) -> String {
    let status = format!("{}: {}", answer.interrupt_id, status(answer));
    match &answer.payload {
        Some(payload) => format!("{status} {}", spaced(payload)),
        None => status,
    }
}

/// JSON on one line, keys sorted, with a space after colons and commas.
fn spaced(value: &Value) -> String {
    let mut value = value.clone();
    value.sort_all_objects();
    let mut text = Vec::new();
    let written = value.serialize(&mut Serializer::with_formatter(&mut text, Spaced));
    debug_assert!(written.is_ok(), "a vector takes what is written into it");
    String::from_utf8_lossy(&text).into_owned()
}

struct Spaced;

impl Formatter for Spaced {
    fn begin_array_value<W: ?Sized + io::Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        if first { Ok(()) } else { writer.write_all(b", ") }
    }

    fn begin_object_key<W: ?Sized + io::Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        if first { Ok(()) } else { writer.write_all(b", ") }
    }

    fn begin_object_value<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b": ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_sorted_at_any_depth_and_spaces_are_where_people_put_them() {
        let value = serde_json::json!({ "b": [1, { "z": null, "a": "x, y: z" }], "a": {}, "c": [] });
        assert_eq!(spaced(&value), r#"{"a": {}, "b": [1, {"a": "x, y: z", "z": null}], "c": []}"#);
    }
}

//! Doc comment text, before a language formats the text.

use crate::hidden::is_hidden;
use crate::ir::{DocComment, Type};
use crate::lower::is_wide;

/// Splits a description into lines, without the white space that Rust leaves around the text.
pub(super) fn lines(text: &str) -> Vec<String> {
    text.trim().lines().map(|line| line.trim_end().to_owned()).collect()
}

/// Escapes hidden characters, so that a line stays inside its comment in any language. A control character
/// could end the comment or make the file unreadable. A character that changes the text direction makes a
/// reader see other code than the code that runs.
pub(crate) fn comment_line(line: &str) -> String {
    let mut shown = String::with_capacity(line.len());
    for char in line.chars() {
        match u32::from(char) {
            _ if !is_hidden(char) => shown.push(char),
            code @ ..=0xff => shown.push_str(&format!("\\x{code:02x}")),
            code => shown.push_str(&format!("\\u{code:04x}")),
        }
    }
    shown
}

/// Returns the lines that describe a member or a type: the description, then the facts that the printed type
/// does not show.
pub(super) fn described(doc: &DocComment, ty: &Type, note: impl Fn(&str, &str) -> String) -> Vec<String> {
    let mut text = doc.description.as_deref().map(lines).unwrap_or_default();
    let mut notes = Vec::new();
    if let Some(default) = &doc.default {
        notes.push(note("default", &default.to_string()));
    }
    if let Some(format) = format_note(ty) {
        notes.push(note("format", &format));
    }
    if doc.deprecated {
        notes.push(note("deprecated", ""));
    }
    if !text.is_empty() && !notes.is_empty() {
        text.push(String::new());
    }
    text.extend(notes.into_iter().map(|note| note.trim_end().to_owned()));
    text
}

fn format_note(ty: &Type) -> Option<String> {
    match ty {
        Type::Nullable(inner) => format_note(inner),
        Type::String(text) => text.format.clone(),
        Type::Integer(bounds) if is_wide(bounds) => {
            bounds.format.as_ref().map(|format| format!("{format} (exact up to 2^53)"))
        }
        _ => None,
    }
}

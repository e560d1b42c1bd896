//! The text of a doc comment, before a language formats it.

pub(super) use crate::hidden::comment_line;
use crate::ir::{Doc, Type};
use crate::lower::is_wide;

/// The lines of a description, without the white space that Rust leaves around it.
pub(super) fn lines(text: &str) -> Vec<String> {
    text.trim().lines().map(|line| line.trim_end().to_owned()).collect()
}

/// The lines that describe a member or a type: the description, then the facts that the type does not show.
pub(super) fn described(doc: &Doc, ty: &Type, note: impl Fn(&str, &str) -> String) -> Vec<String> {
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

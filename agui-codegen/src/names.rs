//! Rust and wire names, spelled for other languages and kept distinct.

use std::collections::BTreeMap;

use unicode_ident::{is_xid_continue, is_xid_start};
use unicode_normalization::UnicodeNormalization as _;

/// Converts to Pascal case: `add_todo`, `addTodo`, `add-todo`, `AddTodo` → `AddTodo`.
pub(crate) fn pascal(name: &str) -> String {
    words(name).iter().map(|word| capitalised(word)).collect()
}

/// Converts to Pascal case, also from capitals: `TRIP_PLAN`, `trip-plan`, `tripPlan` → `TripPlan`.
pub(crate) fn upper_camel(name: &str) -> String {
    pascal(&snake(name))
}

/// Converts to snake case: `AddTodo`, `add-todo`, `HTTPServer` → `add_todo`, `http_server`.
pub(crate) fn snake(name: &str) -> String {
    words(name).iter().map(|word| word.to_lowercase()).collect::<Vec<_>>().join("_")
}

/// Converts to capitals with underscores: `AddTodo` → `ADD_TODO`.
pub(crate) fn screaming(name: &str) -> String {
    snake(name).to_uppercase()
}

/// Returns true if `name` can be an identifier in Rust, TypeScript and Python, except for keywords.
pub(crate) fn is_identifier(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next().is_some_and(|first| is_xid_start(first) || first == '_') && chars.all(is_xid_continue)
}

/// Normalizes an identifier as Python does (NFKC): names with equal results are the same name in Python.
pub(crate) fn compatible(name: &str) -> String {
    name.nfkc().collect()
}

/// Returns `name` if valid as an identifier; otherwise the words in Pascal case, or the code points if the name has no
/// words.
pub(crate) fn type_identifier(name: &str) -> String {
    match pascal(name) {
        _ if is_identifier(name) => name.to_owned(),
        words if words.is_empty() => code_points(name),
        words => identifier(&words),
    }
}

/// Replaces each character in `name` that is not a letter or digit by the code point: `,` becomes `U2C`.
pub(crate) fn code_points(name: &str) -> String {
    let spelled = name
        .chars()
        .map(|c| if c.is_alphanumeric() { c.to_string() } else { format!("U{:X}", u32::from(c)) });
    spelled.collect()
}

/// Replaces each character in `name` that no identifier may contain by `_`.
pub(crate) fn identifier(name: &str) -> String {
    let mut text: String = name.chars().map(|c| if is_xid_continue(c) { c } else { '_' }).collect();
    if !text.chars().next().is_some_and(|first| is_xid_start(first) || first == '_') {
        text.insert(0, '_');
    }
    text
}

fn capitalised(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// Splits at every character that is not a letter or digit, before a capital after a small letter, and before the last
/// capital in a run that a small letter follows. Each word keeps its spelling.
fn words(name: &str) -> Vec<String> {
    let chars: Vec<char> = name.chars().collect();
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    for (index, &c) in chars.iter().enumerate() {
        let before = index.checked_sub(1).and_then(|i| chars.get(i)).copied();
        let after = chars.get(index + 1).copied();
        let starts = c.is_uppercase()
            && (before.is_some_and(|b| b.is_lowercase() || b.is_ascii_digit())
                || (before.is_some_and(char::is_uppercase) && after.is_some_and(char::is_lowercase)));
        if (starts || !c.is_alphanumeric()) && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if c.is_alphanumeric() {
            word.push(c);
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

/// The names in use in one scope, with their owners.
#[derive(Debug, Default)]
pub(crate) struct NameClaims {
    taken: BTreeMap<String, String>,
}

impl NameClaims {
    /// Gives `name` to `owner`; returns the present owner if the name is taken.
    pub(crate) fn claim(&mut self, name: &str, owner: &str) -> Result<(), String> {
        match self.taken.get(name) {
            Some(first) if first != owner => Err(first.clone()),
            _ => {
                self.taken.insert(name.to_owned(), owner.to_owned());
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_name_in_every_case() {
        for (name, pascal_case, snake_case) in [
            ("add_todo", "AddTodo", "add_todo"),
            ("addTodo", "AddTodo", "add_todo"),
            ("AddTodo", "AddTodo", "add_todo"),
            ("add-todo", "AddTodo", "add_todo"),
            ("HTTPServer", "HTTPServer", "http_server"),
            ("totalBytes2", "TotalBytes2", "total_bytes2"),
            ("H264Frame", "H264Frame", "h264_frame"),
            ("Page_of_string", "PageOfString", "page_of_string"),
            ("größe", "Größe", "größe"),
            ("日本", "日本", "日本"),
            ("", "", ""),
        ] {
            assert_eq!(pascal(name), pascal_case, "{name}");
            assert_eq!(snake(name), snake_case, "{name}");
        }
        assert_eq!(screaming("FilterMode"), "FILTER_MODE");
    }

    #[test]
    fn a_type_keeps_its_name_where_it_can() {
        for (name, identifier) in [
            ("struct", "struct"),
            ("Page_of_string", "Page_of_string"),
            ("my-type", "MyType"),
            ("2d", "_2d"),
            ("m²", "M_"),
            ("🦀", "U1F980"),
        ] {
            assert_eq!(type_identifier(name), identifier, "{name}");
        }
    }

    #[test]
    fn a_name_is_given_once() {
        let mut claims = NameClaims::default();
        assert_eq!(claims.claim("Todo", "the type Todo"), Ok(()));
        assert_eq!(claims.claim("Todo", "the type Todo"), Ok(()));
        assert_eq!(claims.claim("Todo", "a variant"), Err("the type Todo".into()));
    }
}

//! Call arguments that are still arriving.

use serde_json::Value;

use crate::protocol::ToolCall;

/// The received part of a call's arguments: JSON text that may stop anywhere.
///
/// ```
/// use agui_runtime::client::PartialArguments;
/// use agui_runtime::protocol::{FunctionCall, ToolCall};
/// use serde_json::json;
///
/// let call = ToolCall::new("c", FunctionCall::new("price", r#"{"name":"saff"#));
/// let partial = PartialArguments::of(&call);
/// assert_eq!(partial.completed(), r#"{"name":"saff"}"#);
/// assert_eq!(partial.value(), Some(json!({ "name": "saff" })));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PartialArguments<'a> {
    tool: &'a str,
    text: &'a str,
}

impl<'a> PartialArguments<'a> {
    /// Returns the arguments of `call`.
    ///
    /// ```
    /// use agui_runtime::client::PartialArguments;
    /// use agui_runtime::protocol::{FunctionCall, ToolCall};
    ///
    /// let call = ToolCall::new("c", FunctionCall::new("price", ""));
    /// assert_eq!(PartialArguments::of(&call).text(), "");
    /// ```
    #[must_use]
    pub fn of(call: &'a ToolCall) -> Self {
        Self { tool: &call.function.name, text: &call.function.arguments }
    }

    /// Returns the tool name.
    #[must_use]
    pub fn tool(&self) -> &'a str {
        self.tool
    }

    /// Returns the received text.
    #[must_use]
    pub fn text(&self) -> &'a str {
        self.text
    }

    /// Completes the text to a JSON document, as the official client does: open strings, lists and objects are closed, a begun
    /// word is completed (`tr` becomes `true`), a number gets a zero if needed (`1.` becomes `1.0`); a key without a value and an
    /// incomplete escape are dropped. Empty if no text has arrived. Each call parses the whole text.
    ///
    /// ```
    /// use agui_runtime::client::PartialArguments;
    /// use agui_runtime::protocol::{FunctionCall, ToolCall};
    ///
    /// let call = ToolCall::new("c", FunctionCall::new("price", r#"{"names":["rice","fl"#));
    /// assert_eq!(PartialArguments::of(&call).completed(), r#"{"names":["rice","fl"]}"#);
    /// ```
    #[must_use]
    pub fn completed(&self) -> String {
        complete(self.text)
    }

    /// Parses the completed text; `None` if malformed.
    #[must_use]
    pub fn value(&self) -> Option<Value> {
        serde_json::from_str(&self.completed()).ok()
    }
}

/// The expected token within a list or object.
#[derive(Clone, Copy, PartialEq, Eq)]
enum At {
    Key,
    Colon,
    Value,
    Comma,
}

fn complete(text: &str) -> String {
    let bytes = text.as_bytes();
    // The closing brackets of open lists and objects, innermost last.
    let mut open: Vec<char> = Vec::new();
    let mut at = At::Value;
    // The text up to this index, with all open brackets closed, is a document. Nothing opens or closes
    // after it.
    let mut kept = 0;
    let mut index = 0;
    while let Some(byte) = bytes.get(index) {
        match byte {
            b'"' => {
                let Some(end) = end_of_string(bytes, index) else {
                    return if at == At::Value {
                        with_open_string(text, &open)
                    } else {
                        closed(text, kept, &open)
                    };
                };
                index = end;
                at = if at == At::Key { At::Colon } else { At::Comma };
            }
            b'{' => {
                open.push('}');
                at = At::Key;
                index += 1;
                kept = index;
            }
            b'[' => {
                open.push(']');
                at = At::Value;
                index += 1;
                kept = index;
            }
            b'}' | b']' => {
                open.pop();
                at = At::Comma;
                index += 1;
            }
            b',' => {
                at = if open.last() == Some(&'}') { At::Key } else { At::Value };
                index += 1;
            }
            b':' => {
                at = At::Value;
                index += 1;
            }
            b' ' | b'\t' | b'\n' | b'\r' => index += 1,
            _ => {
                let rest = bytes.get(index..).unwrap_or_default();
                let length = rest.iter().take_while(|byte| !b" \t\n\r,:]}[{\"".contains(byte)).count();
                let is_last = index + length == bytes.len();
                let word = text.get(index..index + length).unwrap_or_default();
                if is_last && serde_json::from_str::<Value>(word).is_err() {
                    return match rest_of(word) {
                        Some(rest) => closed(&format!("{text}{rest}"), text.len() + rest.len(), &open),
                        None => closed(text, kept, &open),
                    };
                }
                index += length;
                at = At::Comma;
            }
        }
        if at == At::Comma {
            kept = index;
        }
    }
    closed(text, kept, &open)
}

/// Returns the missing end for a begun word or number.
fn rest_of(word: &str) -> Option<&'static str> {
    let of_word = ["true", "false", "null"].into_iter().find_map(|whole| whole.strip_prefix(word));
    of_word.or_else(|| serde_json::from_str::<Value>(&format!("{word}0")).is_ok().then_some("0"))
}

fn closed(text: &str, kept: usize, open: &[char]) -> String {
    let mut whole = text.get(..kept).unwrap_or_default().to_owned();
    whole.extend(open.iter().rev());
    whole
}

/// Completes a text that ends within a string value.
fn with_open_string(text: &str, open: &[char]) -> String {
    let mut whole = without_half_escape(text).to_owned();
    whole.push('"');
    whole.extend(open.iter().rev());
    whole
}

fn without_half_escape(text: &str) -> &str {
    let backslashes = text.bytes().rev().take_while(|byte| *byte == b'\\').count();
    if backslashes % 2 == 1 {
        return without_half_pair(text.get(..text.len() - 1).unwrap_or_default());
    }
    // Handles `\u` with up to three of its digits. The first half of a surrogate pair before it is dropped
    // with it.
    for digits in 0..4 {
        let Some((head, tail)) = text.len().checked_sub(digits + 2).and_then(|at| text.split_at_checked(at))
        else {
            break;
        };
        let is_escape =
            tail.strip_prefix("\\u").is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_hexdigit()));
        if is_escape && head.bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 0 {
            return without_half_pair(head);
        }
    }
    without_half_pair(text)
}

/// Drops an unpaired first surrogate escape.
fn without_half_pair(text: &str) -> &str {
    let Some((head, tail)) = text.len().checked_sub(6).and_then(|at| text.split_at_checked(at)) else {
        return text;
    };
    let code = tail.strip_prefix("\\u").and_then(|digits| u32::from_str_radix(digits, 16).ok());
    match code {
        Some(0xD800..0xDC00) => head,
        _ => text,
    }
}

/// Returns the index after the closing quote for the string that begins at `start`.
fn end_of_string(bytes: &[u8], start: usize) -> Option<usize> {
    let mut index = start + 1;
    loop {
        match bytes.get(index)? {
            b'"' => return Some(index + 1),
            b'\\' => index += 2,
            _ => index += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_prefix_of_a_document_is_completed_to_a_document() {
        let document = r#"{"a":[1,-2.5e3,{"b":"x\"\\\u00e9\ud83d\ude00é"}],"c":true,"d":{"e":null},"f":""}"#;
        let whole: Value = serde_json::from_str(document).unwrap();
        for end in (1..=document.len()).filter(|end| document.is_char_boundary(*end)) {
            let completed = complete(&document[..end]);
            let read = serde_json::from_str::<Value>(&completed);
            assert!(read.is_ok(), "{} became {completed}: {read:?}", &document[..end]);
        }
        assert_eq!(complete(document), document);
        assert_eq!(serde_json::from_str::<Value>(&complete(document)).unwrap(), whole);
    }

    /// Collecting the open brackets anew at each position would take hours.
    #[test]
    fn deep_documents_are_completed_in_linear_time() {
        assert_eq!(complete(&"[".repeat(1_000_000)), "[".repeat(1_000_000) + &"]".repeat(1_000_000));
    }

    #[test]
    fn incomplete_words_and_escapes_are_completed_or_dropped() {
        let rows = [
            ("", ""),
            ("{", "{}"),
            (r#"{"a"#, "{}"),
            (r#"{"a":"#, "{}"),
            (r#"{"a":1,"b"#, r#"{"a":1}"#),
            (r#"{"a":1,"b":tr"#, r#"{"a":1,"b":true}"#),
            (r#"{"a":n"#, r#"{"a":null}"#),
            (r#"{"a":xy"#, "{}"),
            (r#"["a",-"#, r#"["a",-0]"#),
            (r#"[1e+"#, "[1e+0]"),
            (r#"{"a":12"#, r#"{"a":12}"#),
            (r#"{"a":1."#, r#"{"a":1.0}"#),
            (r#"["x","y\"#, r#"["x","y"]"#),
            (r#"["\u00"#, r#"[""]"#),
            (r#"["\ud83d\u"#, r#"[""]"#),
            (r#"["a\\"#, r#"["a\\"]"#),
        ];
        for (text, expected) in rows {
            assert_eq!(complete(text), expected, "{text}");
        }
    }
}

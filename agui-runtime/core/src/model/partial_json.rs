//! Values from JSON whose end has not arrived yet.

use serde::de::DeserializeOwned;

/// The most readings of one text: each leaves out one more container that is not complete.
const MOST_READINGS: usize = 16;

/// Reads a value from the beginning of its JSON text: open strings, lists and objects are closed.
///
/// A part that does not fit the type yet, such as an object without a required member, is left out, and so is a number that
/// may go on. `None` if nothing fits.
pub(super) fn read_partial<T: DeserializeOwned>(json: &str) -> Option<T> {
    let scan = JsonScan::new(json);
    let Some(innermost) = scan.open.len().checked_sub(1) else {
        return serde_json::from_str(json.get(..scan.end?)?).ok();
    };
    if let Some(text) = scan.with_open_text(json)
        && let Ok(value) = serde_json::from_str(&text)
    {
        return Some(value);
    }
    let levels = (0..=innermost).rev().take(MOST_READINGS);
    levels.filter_map(|level| scan.cut_at(json, level)).find_map(|text| serde_json::from_str(&text).ok())
}

/// An object or a list without its end.
struct OpenContainer {
    closer: char,
    /// The end of the last complete part.
    complete: usize,
}

/// A string without its end.
struct OpenText {
    is_key: bool,
    /// The begin of an escape without its end, or of half a character.
    cut: Option<usize>,
}

/// The structure of a JSON text up to its end so far.
struct JsonScan {
    open: Vec<OpenContainer>,
    text: Option<OpenText>,
    /// The end of the whole value.
    end: Option<usize>,
}

impl JsonScan {
    fn new(json: &str) -> Self {
        let mut scan = Self { open: Vec::new(), text: None, end: None };
        let (mut expects_key, mut is_scalar) = (false, false);
        let mut at = 0;
        while let Some(&byte) = json.as_bytes().get(at) {
            if is_scalar && matches!(byte, b',' | b']' | b'}' | b' ' | b'\n' | b'\r' | b'\t') {
                is_scalar = false;
                scan.complete(at);
            }
            let mut next = at + 1;
            match byte {
                b'{' | b'[' => {
                    expects_key = byte == b'{';
                    let closer = if expects_key { '}' } else { ']' };
                    scan.open.push(OpenContainer { closer, complete: next });
                }
                b'}' | b']' => {
                    scan.open.pop();
                    scan.complete(next);
                }
                b',' => expects_key = scan.open.last().is_some_and(|open| open.closer == '}'),
                b':' => expects_key = false,
                b'"' => match text_end(json, next) {
                    Ok(end) => {
                        next = end;
                        if !expects_key {
                            scan.complete(end);
                        }
                    }
                    Err(cut) => {
                        scan.text = Some(OpenText { is_key: expects_key, cut });
                        return scan;
                    }
                },
                b' ' | b'\n' | b'\r' | b'\t' => {}
                _ => is_scalar = true,
            }
            if scan.end.is_some() {
                return scan;
            }
            at = next;
        }
        scan
    }

    fn complete(&mut self, at: usize) {
        match self.open.last_mut() {
            Some(open) => open.complete = at,
            None => self.end = Some(at),
        }
    }

    /// Returns the text with the open string, and the ends of all containers.
    fn with_open_text(&self, json: &str) -> Option<String> {
        let text = self.text.as_ref().filter(|text| !text.is_key)?;
        let mut closed = json.get(..text.cut.unwrap_or(json.len()))?.to_owned();
        closed.push('"');
        self.close(closed, self.open.len())
    }

    /// Returns the text without the part that is not complete at this level.
    fn cut_at(&self, json: &str, level: usize) -> Option<String> {
        let closed = json.get(..self.open.get(level)?.complete)?.to_owned();
        self.close(closed, level + 1)
    }

    fn close(&self, mut text: String, levels: usize) -> Option<String> {
        text.extend(self.open.get(..levels)?.iter().rev().map(|open| open.closer));
        Some(text)
    }
}

/// Returns the place behind the end of a string; the error is the place of an escape that is not complete.
fn text_end(json: &str, begin: usize) -> Result<usize, Option<usize>> {
    let bytes = json.as_bytes();
    let mut at = begin;
    // The place of the first half of a pair, whose second half must follow.
    let mut half = None;
    loop {
        match bytes.get(at) {
            None => return Err(half),
            Some(b'"') => return Ok(at + 1),
            Some(b'\\') => {
                let length = if bytes.get(at + 1) == Some(&b'u') { 6 } else { 2 };
                let Some(escape) = json.get(at..at + length) else { return Err(half.or(Some(at))) };
                let is_first = matches!(
                    escape.as_bytes().get(2..4),
                    Some([b'd' | b'D', b'8'..=b'9' | b'a'..=b'b' | b'A'..=b'B'])
                );
                half = is_first.then_some(at);
                at += length;
            }
            Some(_) => {
                half = None;
                at += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::{Value, json};

    use super::*;

    fn read(json: &str) -> Option<Value> {
        read_partial(json)
    }

    #[test]
    fn open_ends_are_closed_and_unclear_ends_are_left_out() {
        for (text, expected) in [
            ("", None),
            (" ", None),
            ("{", Some(json!({}))),
            (r#"{"na"#, Some(json!({}))),
            (r#"{"name""#, Some(json!({}))),
            (r#"{"name":"#, Some(json!({}))),
            (r#"{"name":""#, Some(json!({ "name": "" }))),
            (r#"{"name":"ri"#, Some(json!({ "name": "ri" }))),
            (r#"{"name":"a\"#, Some(json!({ "name": "a" }))),
            (r#"{"name":"a\u00"#, Some(json!({ "name": "a" }))),
            (r#"{"name":"a\ud83d"#, Some(json!({ "name": "a" }))),
            (r#"{"name":"a\ud83d\ude0"#, Some(json!({ "name": "a" }))),
            (r#"{"name":"a\ud83d\ude00"#, Some(json!({ "name": "a😀" }))),
            (r#"{"name":"ä","kilos":1"#, Some(json!({ "name": "ä" }))),
            (r#"{"name":"a","kilos":1 "#, Some(json!({ "name": "a", "kilos": 1 }))),
            (r#"{"list":[1,2"#, Some(json!({ "list": [1] }))),
            (r#"{"list":[true,{"a":nul"#, Some(json!({ "list": [true, {}] }))),
            (r#"{"list":["{\"",["x"]],"#, Some(json!({ "list": ["{\"", ["x"]] }))),
            (r#"{"a":1} and more"#, Some(json!({ "a": 1 }))),
            ("no JSON", None),
            ("}", None),
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
    }

    #[derive(Debug, Default, Deserialize, PartialEq)]
    #[serde(default)]
    struct Plan {
        title: String,
        steps: Vec<Step>,
    }

    #[derive(Debug, Deserialize, PartialEq)]
    struct Step {
        text: String,
        minutes: u8,
    }

    #[test]
    fn a_part_that_does_not_fit_yet_is_left_out() {
        let text = r#"{"title":"Soup","steps":[{"text":"Stir","minutes":5},{"text":"Serve","minutes":1}]}"#;
        let mut seen = vec![(0, 0)];
        for end in (0..=text.len()).filter(|end| text.is_char_boundary(*end)) {
            let Some(plan) = read_partial::<Plan>(&text[..end]) else { continue };
            assert!("Soup".starts_with(&plan.title));
            let size = (plan.title.len(), plan.steps.len());
            assert!(size >= *seen.last().unwrap(), "{size:?} after {seen:?}");
            seen.push(size);
        }
        seen.dedup();
        assert_eq!(seen, [(0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (4, 1), (4, 2)]);
    }
}

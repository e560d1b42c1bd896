//! Hashes call arguments as a JSON value.
//!
//! The official clients keep the arguments text byte by byte. Other programs parse the text and serialize the value again:
//! CopilotKit's legacy message format does, and so do database stores. This changes spaces, member order and number notation, so
//! the value is hashed instead of the text. The value is read without loss: numbers are compared as decimals of any length, and an
//! ambiguous text (a duplicate member, half a surrogate pair) is hashed byte by byte.

use hmac_sha256::Hash as Sha256;
use serde::de::IgnoredAny;

use crate::consent::field::field;

/// Arguments with deeper nesting are hashed byte by byte.
const DEEPEST: usize = 100;

/// Arguments with more values are hashed byte by byte, because the value tree takes much memory.
const MOST_VALUES: usize = 20_000;

/// Adds arguments to a hash. An empty text counts as `{}`, which is how a tool without arguments reads the text.
pub(super) fn update(hash: &mut Sha256, text: &str) {
    let json = if text.trim().is_empty() { "{}" } else { text };
    match ArgumentsReader::parse(json) {
        Some(value) => {
            hash.update(b"j");
            value.update(hash);
        }
        None => {
            hash.update(b"x");
            field(hash, text);
        }
    }
}

enum ArgumentsForm<'t> {
    /// `null`, `true` or `false`.
    Word(&'t str),
    Number(CanonicalDecimal),
    Text(String),
    List(Vec<ArgumentsForm<'t>>),
    /// Sorted by name.
    Object(Vec<(String, ArgumentsForm<'t>)>),
}

impl ArgumentsForm<'_> {
    fn update(&self, hash: &mut Sha256) {
        match self {
            Self::Word(word) => tagged(hash, b'w', word),
            Self::Number(number) => tagged(hash, b'n', &number.0),
            Self::Text(text) => tagged(hash, b't', text),
            Self::List(items) => {
                count(hash, b'l', items.len());
                items.iter().for_each(|item| item.update(hash));
            }
            Self::Object(members) => {
                count(hash, b'o', members.len());
                for (name, value) in members {
                    field(hash, name);
                    value.update(hash);
                }
            }
        }
    }
}

fn tagged(hash: &mut Sha256, tag: u8, text: &str) {
    hash.update([tag]);
    field(hash, text);
}

fn count(hash: &mut Sha256, tag: u8, count: usize) {
    hash.update([tag]);
    hash.update((count as u64).to_be_bytes());
}

/// A number in canonical notation: digits without zeros at either end, then a power of ten.
struct CanonicalDecimal(String);

impl CanonicalDecimal {
    /// Returns `None` if the exponent is out of range.
    fn from_token(token: &str) -> Option<Self> {
        let (mantissa, exponent) = match token.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, exponent.parse::<i64>().ok()?),
            None => (token, 0),
        };
        let (sign, mantissa) = match mantissa.strip_prefix('-') {
            Some(mantissa) => ("-", mantissa),
            None => ("", mantissa),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits = format!("{whole}{fraction}");
        let significant = digits.trim_end_matches('0');
        let trailing = digits.len() - significant.len();
        let significant = significant.trim_start_matches('0');
        if significant.is_empty() {
            return Some(Self("0".to_owned()));
        }
        let exponent = exponent
            .checked_sub(i64::try_from(fraction.len()).ok()?)?
            .checked_add(i64::try_from(trailing).ok()?)?;
        Some(Self(format!("{sign}{significant}e{exponent}")))
    }
}

/// Reads text that is known to be JSON.
struct ArgumentsReader<'t> {
    text: &'t str,
    at: usize,
    depth: usize,
    values: usize,
}

impl<'t> ArgumentsReader<'t> {
    fn parse(text: &'t str) -> Option<ArgumentsForm<'t>> {
        serde_json::from_str::<IgnoredAny>(text).ok()?;
        ArgumentsReader { text, at: 0, depth: 0, values: 0 }.value()
    }

    fn value(&mut self) -> Option<ArgumentsForm<'t>> {
        self.values += 1;
        if self.values > MOST_VALUES {
            return None;
        }
        match self.next()? {
            b'"' => self.string().map(ArgumentsForm::Text),
            b'[' => self.nested(Self::list),
            b'{' => self.nested(Self::object),
            b'-' | b'0'..=b'9' => CanonicalDecimal::from_token(self.token()?).map(ArgumentsForm::Number),
            _ => self.token().map(ArgumentsForm::Word),
        }
    }

    fn nested(
        &mut self,
        read: impl FnOnce(&mut Self) -> Option<ArgumentsForm<'t>>,
    ) -> Option<ArgumentsForm<'t>> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return None;
        }
        self.at += 1;
        let form = read(self)?;
        self.at += 1;
        self.depth -= 1;
        Some(form)
    }

    fn list(&mut self) -> Option<ArgumentsForm<'t>> {
        let mut items = Vec::new();
        while self.next()? != b']' {
            self.past(b',')?;
            items.push(self.value()?);
        }
        Some(ArgumentsForm::List(items))
    }

    fn object(&mut self) -> Option<ArgumentsForm<'t>> {
        let mut members = Vec::new();
        while self.next()? != b'}' {
            self.past(b',')?;
            let name = self.string()?;
            self.past(b':')?;
            members.push((name, self.value()?));
        }
        members.sort_unstable_by(|(first, _), (second, _)| first.cmp(second));
        // Readers differ in which of two duplicate members they use.
        let has_duplicate =
            members.windows(2).any(|pair| matches!(pair, [(first, _), (second, _)] if first == second));
        (!has_duplicate).then_some(ArgumentsForm::Object(members))
    }

    /// Returns the next byte after spaces, without consuming that byte.
    fn next(&mut self) -> Option<u8> {
        loop {
            let byte = *self.text.as_bytes().get(self.at)?;
            if !matches!(byte, b' ' | b'\n' | b'\r' | b'\t') {
                return Some(byte);
            }
            self.at += 1;
        }
    }

    /// Consumes the separator if next, and the spaces that follow.
    fn past(&mut self, separator: u8) -> Option<()> {
        if self.next()? == separator {
            self.at += 1;
            self.next()?;
        }
        Some(())
    }

    /// Reads a number or a word.
    fn token(&mut self) -> Option<&'t str> {
        let rest = self.text.get(self.at..)?;
        let end = rest.find([',', ']', '}', ' ', '\n', '\r', '\t']).unwrap_or(rest.len());
        self.at += end;
        rest.get(..end)
    }

    fn string(&mut self) -> Option<String> {
        let rest = self.text.get(self.at..)?;
        let mut is_escaped = false;
        let end = rest.bytes().skip(1).position(|byte| {
            let is_end = byte == b'"' && !is_escaped;
            is_escaped = byte == b'\\' && !is_escaped;
            is_end
        })?;
        let length = end + 2;
        self.at += length;
        serde_json::from_str(rest.get(..length)?).ok()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn hash(text: &str) -> [u8; 32] {
        let mut hash = Sha256::new();
        update(&mut hash, text);
        hash.finalize()
    }

    #[test]
    fn one_value_has_one_hash_in_every_notation() {
        let rows: &[&[&str]] = &[
            &["", " \n", "{}", "{ }"],
            &[r#"{"a":1,"b":[true,null]}"#, " { \"b\" : [ true , null ] ,\t\"a\" : 1 } "],
            &["1", "1.0", "10e-1", "0.1E+1", "1000e-3"],
            &["0", "-0", "0.0", "0e9", "-0.000"],
            &["1e21", "1000000000000000000000"],
            &["-2.50", "-25e-1"],
            &[r#""é/\n""#, r#""\u00e9\/\n""#, "\"\\u00E9/\\u000a\""],
            &[r#""🦀""#, r#""\ud83e\udd80""#],
            &[r#"["\\","\""]"#, r#"[ "\\" , "\u0022" ]"#],
            &["[]", "[ ]"],
            &["[[],{}]", "[ [ ] , { } ]"],
        ];
        let mut known = BTreeMap::new();
        for (row, texts) in rows.iter().enumerate() {
            for text in *texts {
                assert_eq!(hash(text), hash(texts[0]), "{text}");
            }
            assert_eq!(known.insert(hash(texts[0]), row), None, "{texts:?}");
        }
    }

    #[test]
    fn other_values_have_other_hashes() {
        let rows = [
            "null",
            "true",
            "false",
            "0",
            "1",
            "-1",
            "10",
            "1e-2",
            "0.1",
            "\"1\"",
            "\"\"",
            "\"null\"",
            "[]",
            "{}",
            "[1]",
            "[[1]]",
            "[1,1]",
            "[11]",
            r#"{"a":1}"#,
            r#"{"a":"1"}"#,
            r#"{"b":1}"#,
            r#"{"a":1,"b":1}"#,
            r#"{"a":{"b":1}}"#,
            r#"{"a":[1]}"#,
            r#"{"":1}"#,
            r#"["a",1]"#,
            r#"[{"a":1}]"#,
            r#"[["a"],1]"#,
            r#"[["a",1]]"#,
            "[null]",
            "[true,false]",
            "[false,true]",
            // Neighbours that are equal as binary floats.
            "9007199254740993",
            "9007199254740992",
            "1180591620717411303424",
            "1180591620717411303425",
            "0.1000000000000000055",
            "1e400",
            "1e401",
        ];
        let mut known = BTreeMap::new();
        for row in rows {
            assert_eq!(known.insert(hash(row), row), None, "{row}");
        }
    }

    #[test]
    fn ambiguous_texts_are_hashed_byte_by_byte() {
        let pairs = [
            (r#"{"path":"a","path":"b"}"#, r#"{"path":"b"}"#),
            (r#"{"path":"a","path":"b"}"#, r#"{"path":"a"}"#),
            (r#"{"path":"a","path":"b"}"#, r#"{"path":"a", "path":"b"}"#),
            (r#"{"a":{"x":1,"x":1}}"#, r#"{"a":{"x":1}}"#),
            (r#""\ud83e""#, r#""\ud83f""#),
            ("not json", "not  json"),
            ("1e99999999999999999999", "1e99999999999999999998"),
            (r#"{"a":1"#, r#"{"a":1}"#),
            ("1 1", "11"),
        ];
        for (one, other) in pairs {
            assert_eq!(hash(one), hash(one));
            assert_ne!(hash(one), hash(other), "{one} and {other}");
        }
        let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        assert_eq!(hash(&nested(DEEPEST)), hash(&format!(" {}", nested(DEEPEST))));
        assert_ne!(hash(&nested(DEEPEST + 1)), hash(&format!(" {}", nested(DEEPEST + 1))));
        assert_ne!(hash(&nested(100_000)), hash(&nested(100_001)));
        let long = |items: usize| format!("[{}0]", "0,".repeat(items));
        assert_ne!(hash(&long(MOST_VALUES)), hash(&format!(" {}", long(MOST_VALUES))));
    }

    #[test]
    fn every_prefix_of_a_text_is_hashed() {
        let text = r#"{"a":[1,-2.5e3,"x\"\\\u00e9🦀",null],"b":{"c":true},"d":"#;
        for (end, _) in text.char_indices() {
            hash(&text[..end]);
            hash(&text[end..]);
        }
    }
}

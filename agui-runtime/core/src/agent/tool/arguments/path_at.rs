//! JSON path for a position in a JSON text, where parsing stopped.

use std::fmt::Write as _;

/// A container that is open at the position.
enum OpenContainer {
    /// An object, with the member's key.
    Object(Option<String>),
    /// An array, with the element's index.
    Array(usize),
}

/// Returns the path for the value that ends at or contains this position: `.` for the whole text. Path syntax as in the crate
/// serde_path_to_error: `lines[2].name`.
pub(in crate::agent::tool) fn path_at(text: &str, line: usize, column: usize) -> String {
    let before: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let read = text.get(..before.saturating_add(column)).unwrap_or(text);
    let mut open = Vec::new();
    let mut rest = read.char_indices();
    while let Some((at, next)) = rest.next() {
        match (next, open.last_mut()) {
            ('{', _) => open.push(OpenContainer::Object(None)),
            ('[', _) => open.push(OpenContainer::Array(0)),
            ('}' | ']', _) => drop(open.pop()),
            (',', Some(OpenContainer::Object(key))) => *key = None,
            (',', Some(OpenContainer::Array(index))) => *index += 1,
            ('"', last) => {
                let mut is_escaped = false;
                let end = rest.find(|(_, next)| {
                    let is_end = *next == '"' && !is_escaped;
                    is_escaped = *next == '\\' && !is_escaped;
                    is_end
                });
                if let (Some(OpenContainer::Object(key @ None)), Some((end, _))) = (last, end) {
                    *key = read.get(at..=end).and_then(|key| serde_json::from_str(key).ok());
                }
            }
            _ => {}
        }
    }
    written(&open)
}

fn written(open: &[OpenContainer]) -> String {
    let mut path = String::new();
    for container in open {
        // Writing to a string cannot fail.
        let _ = match container {
            OpenContainer::Object(None) => Ok(()),
            OpenContainer::Object(Some(key)) if path.is_empty() => write!(path, "{key}"),
            OpenContainer::Object(Some(key)) => write!(path, ".{key}"),
            OpenContainer::Array(index) => write!(path, "[{index}]"),
        };
    }
    if path.is_empty() { ".".to_owned() } else { path }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;
    use serde::Deserialize;
    use serde::de::DeserializeOwned;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[expect(dead_code, reason = "only read")]
    struct Order {
        name: String,
        count: Option<u32>,
        lines: Vec<Line>,
        sizes: BTreeMap<String, (u8, bool)>,
    }

    #[derive(Debug, Deserialize)]
    #[expect(dead_code, reason = "only read")]
    struct Line {
        at: [f64; 2],
        kind: Kind,
    }

    #[derive(Debug, Deserialize)]
    #[expect(dead_code, reason = "only read")]
    enum Kind {
        Small,
        Large(u8),
    }

    fn both<T: DeserializeOwned>(text: &str) -> Option<(String, String)> {
        let error = serde_json::from_str::<T>(text).err()?;
        let ours = path_at(text, error.line(), error.column());
        let careful = serde_path_to_error::deserialize::<_, T>(&mut serde_json::Deserializer::from_str(text));
        Some((ours, careful.err()?.path().to_string()))
    }

    #[test]
    fn it_is_where_the_careful_reader_finds_it() {
        for (text, path) in [
            (r#"{"name":7}"#, "name"),
            (r#"{"name":"a","lines":[]}"#, "."),
            (r#"{"name":"a","count":-1}"#, "count"),
            (r#"{"name":"a\"}{[\\","count": "b"}"#, "count"),
            (r#"{"name":[1]}"#, "name"),
            (r#"{"lines":[{"at":[1,2],"kind":"Small"},{"at":[1,"x"]}]}"#, "lines[1].at[1]"),
            (r#"{"lines":[{"at":[1]}]}"#, "lines[0].at"),
            (r#"{"lines":[{"at":[1,2],"kind":"Medium"}]}"#, "lines[0].kind"),
            ("{\n  \"name\": \"a\",\n  \"lines\": [\n {\"kind\": {\"Large\": 300}}]}", "lines[0].kind.Large"),
            (r#"{"lines":[{}]}"#, "lines[0]"),
            (r#"{"sizes":{"é\u00e9":[1,2]}}"#, "sizes.éé[1]"),
            (r#"["a","x"]"#, "[1]"),
        ] {
            let (ours, careful) = both::<Order>(text).unwrap_or_else(|| panic!("{text} can be read"));
            assert_eq!(ours, path, "{text}");
            assert_eq!(careful, path, "{text}");
        }
    }

    #[test]
    fn a_text_that_is_cut_off_is_named_by_its_last_value() {
        for (text, path) in [
            (r#"{"name":"a"#, "name"),
            (r#"{"name":"a","na"#, "."),
            (r#"{"name":"a","lines":[],"sizes":{}"#, "sizes"),
        ] {
            assert_eq!(both::<Order>(text).map(|(ours, _)| ours).as_deref(), Some(path), "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "[\\[\\]{}\",:\\\\a1é\n ]{0,40}", line in 0_usize..5, column in 0_usize..50) {
            path_at(&text, line, column);
        }
    }
}

//! Places in the files of the program.

use serde_json::{Value, json};

/// A place in a text of ASCII letters: `word` in the only occurrence of `around`.
#[derive(Clone, Copy, Debug)]
pub struct Place<'t> {
    pub file: &'t str,
    pub around: &'t str,
    pub word: &'t str,
}

impl Place<'_> {
    /// The position of the word's first letter.
    pub(crate) fn position(&self, text: &str) -> Value {
        position(text, only(text, self.around) + only(self.around, self.word))
    }
}

/// The text with `written` in the place of the comment `// marker`, and the position behind it.
pub fn after(text: &str, marker: &str, written: &str) -> (String, Value) {
    let comment = format!("// {marker}\n");
    let start = only(text, &comment);
    let changed = text.replace(&comment, &format!("{written}\n"));
    let end = position(&changed, start + written.len());
    (changed, end)
}

fn only(text: &str, part: &str) -> usize {
    let mut places = text.match_indices(part);
    let (Some((place, _)), None) = (places.next(), places.next()) else {
        panic!("`{part}` is not once in the text");
    };
    place
}

fn position(text: &str, offset: usize) -> Value {
    let before = &text[..offset];
    let line = before.matches('\n').count();
    let character = offset - before.rfind('\n').map_or(0, |end| end + 1);
    json!({ "line": line, "character": character })
}

/// The text with the edits of a rename.
pub(crate) fn edited(text: &str, edits: &[Value]) -> String {
    let offset = |position: &Value| {
        let number = |name: &str| usize::try_from(position[name].as_u64().unwrap()).unwrap();
        text.split_inclusive('\n').take(number("line")).map(str::len).sum::<usize>() + number("character")
    };
    let mut edits: Vec<_> = edits
        .iter()
        .map(|edit| {
            (
                offset(&edit["range"]["start"]),
                offset(&edit["range"]["end"]),
                edit["newText"].as_str().unwrap(),
            )
        })
        .collect();
    edits.sort_unstable();
    let mut changed = text.to_owned();
    for (start, end, new) in edits.into_iter().rev() {
        changed.replace_range(start..end, new);
    }
    changed
}

//! Reasoning inside the text: `<think>…</think>` at the reply's beginning.

/// The tag names in use.
const NAMES: [&str; 3] = ["think", "thinking", "thought"];

/// A piece: text or reasoning.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum TextPassage {
    Text(String),
    Reasoning(String),
}

/// Splits reply text into reasoning and text, for pieces with any length.
#[derive(Debug)]
pub(super) enum ThinkTags {
    /// The reply may still begin with a tag; the string buffers the text read.
    Beginning(String),
    /// Inside this tag. The string buffers a possible start for the end tag.
    Inside { name: &'static str, held: String },
    /// After the end tag: leading white space is skipped.
    Behind,
    /// All further text passes unchanged.
    Text,
}

impl ThinkTags {
    pub(super) fn new() -> Self {
        Self::Beginning(String::new())
    }

    /// Splits the next piece.
    pub(super) fn push(&mut self, piece: &str) -> Vec<TextPassage> {
        let mut passages = Vec::new();
        let mut rest = piece.to_owned();
        loop {
            match self {
                Self::Text => {
                    passages.extend((!rest.is_empty()).then_some(TextPassage::Text(rest)));
                    return passages;
                }
                Self::Behind => {
                    let text = rest.trim_start();
                    if text.is_empty() {
                        return passages;
                    }
                    rest = text.to_owned();
                    *self = Self::Text;
                }
                Self::Beginning(held) => {
                    held.push_str(&rest);
                    let text = held.trim_start();
                    if let Some((name, inside)) = NAMES.into_iter().find_map(|name| opened(text, name)) {
                        rest = inside.to_owned();
                        *self = Self::Inside { name, held: String::new() };
                    } else if NAMES.iter().any(|name| format!("<{name}>").starts_with(text)) {
                        return passages;
                    } else {
                        rest = std::mem::take(held);
                        *self = Self::Text;
                    }
                }
                Self::Inside { name, held } => {
                    held.push_str(&rest);
                    let end = format!("</{name}>");
                    if let Some(at) = held.find(&end) {
                        let behind = held.split_off(at + end.len());
                        held.truncate(at);
                        passages
                            .extend((!held.is_empty()).then(|| TextPassage::Reasoning(std::mem::take(held))));
                        rest = behind;
                        *self = Self::Behind;
                    } else {
                        let kept = beginning_of(held, &end);
                        let tail = held.split_off(held.len() - kept);
                        let said = std::mem::replace(held, tail);
                        passages.extend((!said.is_empty()).then_some(TextPassage::Reasoning(said)));
                        return passages;
                    }
                }
            }
        }
    }

    /// Returns buffered text at the reply's end.
    pub(super) fn finish(&mut self) -> Option<TextPassage> {
        let passage = match std::mem::replace(self, Self::Text) {
            Self::Beginning(held) => TextPassage::Text(held),
            Self::Inside { held, .. } => TextPassage::Reasoning(held),
            Self::Behind | Self::Text => return None,
        };
        match &passage {
            TextPassage::Text(text) | TextPassage::Reasoning(text) if text.is_empty() => None,
            _ => Some(passage),
        }
    }
}

fn opened<'t>(text: &'t str, name: &'static str) -> Option<(&'static str, &'t str)> {
    let inside = text.strip_prefix('<')?.strip_prefix(name)?.strip_prefix('>')?;
    Some((name, inside))
}

/// Returns the length of the longest text suffix that is a prefix of the tag.
fn beginning_of(text: &str, tag: &str) -> usize {
    (1..tag.len())
        .rev()
        .find(|length| tag.get(..*length).is_some_and(|begin| text.ends_with(begin)))
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns reasoning and text, read in pieces with this length.
    fn read(text: &str, length: usize) -> (String, String) {
        let (mut tags, mut thought, mut said) = (ThinkTags::new(), String::new(), String::new());
        let letters: Vec<char> = text.chars().collect();
        let mut passages = Vec::new();
        for piece in letters.chunks(length) {
            passages.extend(tags.push(&piece.iter().collect::<String>()));
        }
        passages.extend(tags.finish());
        for passage in passages {
            match passage {
                TextPassage::Text(text) => said.push_str(&text),
                TextPassage::Reasoning(text) => thought.push_str(&text),
            }
        }
        (thought, said)
    }

    #[test]
    fn a_tag_at_the_beginning_is_reasoning_however_it_is_cut() {
        for (text, thought, said) in [
            ("<think>Hm.</think>\n\nHello.", "Hm.", "Hello."),
            ("\n <thinking>a < b</think></thinking>c", "a < b</think>", "c"),
            ("<thought></thought>Hello.", "", "Hello."),
            ("<think>Hm.", "Hm.", ""),
            ("<think>Hm.</thi", "Hm.</thi", ""),
            ("<thinker>Hm.</thinker>", "", "<thinker>Hm.</thinker>"),
            ("Say <think>this</think>", "", "Say <think>this</think>"),
            ("<th", "", "<th"),
            ("  ", "", "  "),
            ("<think>é</think>ü", "é", "ü"),
        ] {
            for length in 1..=text.chars().count() {
                assert_eq!(read(text, length), (thought.to_owned(), said.to_owned()), "{text} by {length}");
            }
        }
    }
}

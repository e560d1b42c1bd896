//! Texts in a JSON object that is still being written.

mod text;

#[cfg(test)]
mod tests;

use text::{DecodeOutcome, StringDecoder};

/// Reads chosen members from a JSON object whose text arrives in arbitrary pieces, and holds the known part of each string member.
///
/// The reader runs ahead of the parser that judges the complete text. Unreadable text silently ends reading, and only the first of
/// two duplicate members counts. Each byte is visited once.
#[derive(Debug)]
pub(crate) struct ArrivingMembers {
    members: Vec<ArrivingMember>,
    at: ObjectPosition,
    key: String,
    decoder: StringDecoder,
}

#[derive(Debug)]
struct ArrivingMember {
    name: &'static str,
    text: String,
    /// The text length known before the last piece.
    known: usize,
    is_begun: bool,
    is_news: bool,
}

/// The object part that the next byte belongs to.
#[derive(Clone, Copy, Debug)]
enum ObjectPosition {
    Start,
    BeforeKey,
    Key,
    BeforeColon,
    BeforeValue,
    /// A chosen member's text, by member number.
    Text(usize),
    /// Another member's value, with its open bracket count.
    Other {
        depth: usize,
    },
    /// A string in another member's value.
    OtherText {
        depth: usize,
        is_escaped: bool,
    },
    AfterValue,
    /// The object's end, or the position where it became unreadable.
    End,
}

impl ArrivingMembers {
    pub(crate) fn new(names: &[&'static str]) -> Self {
        let member =
            |&name| ArrivingMember { name, text: String::new(), known: 0, is_begun: false, is_news: false };
        Self {
            members: names.iter().map(member).collect(),
            at: ObjectPosition::Start,
            key: String::new(),
            decoder: StringDecoder::Plain,
        }
    }

    /// Reads the next piece. True if the piece extends a chosen member.
    pub(crate) fn feed(&mut self, piece: &str) -> bool {
        for member in &mut self.members {
            member.known = member.text.len();
            member.is_news = false;
        }
        let mut rest = piece;
        while !rest.is_empty() && !matches!(self.at, ObjectPosition::End) {
            rest = self.step(rest);
        }
        self.members.iter().any(|member| member.is_news)
    }

    /// Returns a member's known text, and the part that the last piece added. `None` if the piece added nothing to that member.
    pub(crate) fn news(&self, number: usize) -> Option<(&str, &str)> {
        let member = self.members.get(number).filter(|member| member.is_news)?;
        Some((&member.text, member.text.get(member.known..)?))
    }

    fn step<'p>(&mut self, rest: &'p str) -> &'p str {
        match self.at {
            ObjectPosition::Key => {
                let (rest, read) = self.decoder.decode(rest, &mut self.key);
                self.follow(&read, ObjectPosition::BeforeColon);
                rest
            }
            ObjectPosition::Text(number) => {
                let Some(member) = self.members.get_mut(number) else { return self.end() };
                let before = member.text.len();
                let (rest, read) = self.decoder.decode(rest, &mut member.text);
                member.is_news |= member.text.len() > before;
                self.follow(&read, ObjectPosition::AfterValue);
                rest
            }
            ObjectPosition::Other { depth } => self.skip_value(rest, depth),
            ObjectPosition::OtherText { depth, is_escaped } => self.skip_text(rest, depth, is_escaped),
            ObjectPosition::Start
            | ObjectPosition::BeforeKey
            | ObjectPosition::BeforeColon
            | ObjectPosition::BeforeValue
            | ObjectPosition::AfterValue
            | ObjectPosition::End => self.punctuation(rest.trim_start_matches([' ', '\n', '\r', '\t'])),
        }
    }

    fn follow(&mut self, read: &DecodeOutcome, next: ObjectPosition) {
        match read {
            DecodeOutcome::More => {}
            DecodeOutcome::Closed => self.at = next,
            DecodeOutcome::Broken => self.at = ObjectPosition::End,
        }
    }

    fn end<'p>(&mut self) -> &'p str {
        self.at = ObjectPosition::End;
        ""
    }

    fn punctuation<'p>(&mut self, rest: &'p str) -> &'p str {
        let mut letters = rest.chars();
        let Some(letter) = letters.next() else { return rest };
        self.at = match (self.at, letter) {
            (ObjectPosition::Start, '{') | (ObjectPosition::AfterValue, ',') => ObjectPosition::BeforeKey,
            (ObjectPosition::BeforeKey, '"') => {
                self.key.clear();
                ObjectPosition::Key
            }
            (ObjectPosition::BeforeColon, ':') => ObjectPosition::BeforeValue,
            (ObjectPosition::BeforeValue, '"') => self.begin_text(),
            // The value itself begins with this letter.
            (ObjectPosition::BeforeValue, _) => {
                self.at = ObjectPosition::Other { depth: 0 };
                return rest;
            }
            _ => ObjectPosition::End,
        };
        letters.as_str()
    }

    fn begin_text(&mut self) -> ObjectPosition {
        let wanted = |member: &ArrivingMember| member.name == self.key && !member.is_begun;
        let Some(number) = self.members.iter().position(wanted) else {
            return ObjectPosition::OtherText { depth: 0, is_escaped: false };
        };
        if let Some(member) = self.members.get_mut(number) {
            member.is_begun = true;
            member.is_news = true;
        }
        ObjectPosition::Text(number)
    }

    fn skip_value<'p>(&mut self, rest: &'p str, mut depth: usize) -> &'p str {
        for (at, letter) in rest.bytes().enumerate() {
            match letter {
                b'"' => {
                    self.at = ObjectPosition::OtherText { depth, is_escaped: false };
                    return rest.get(at + 1..).unwrap_or_default();
                }
                b',' | b'}' | b']' if depth == 0 => {
                    self.at = ObjectPosition::AfterValue;
                    return rest.get(at..).unwrap_or_default();
                }
                b'{' | b'[' => depth += 1,
                b'}' | b']' => depth -= 1,
                _ => {}
            }
        }
        self.at = ObjectPosition::Other { depth };
        ""
    }

    fn skip_text<'p>(&mut self, rest: &'p str, depth: usize, mut is_escaped: bool) -> &'p str {
        for (at, letter) in rest.bytes().enumerate() {
            match letter {
                _ if is_escaped => is_escaped = false,
                b'\\' => is_escaped = true,
                b'"' => {
                    self.at =
                        if depth == 0 { ObjectPosition::AfterValue } else { ObjectPosition::Other { depth } };
                    return rest.get(at + 1..).unwrap_or_default();
                }
                _ => {}
            }
        }
        self.at = ObjectPosition::OtherText { depth, is_escaped };
        ""
    }
}

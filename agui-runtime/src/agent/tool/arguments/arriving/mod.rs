//! Texts in a JSON object that is still being written.

mod text;

#[cfg(test)]
mod tests;

use text::{Decoder, Read};

/// Reads chosen members from a JSON object whose text arrives in arbitrary pieces, and holds the known part of each string member.
///
/// The reader runs ahead of the parser that judges the complete text. Unreadable text silently ends reading, and only the first of
/// two duplicate members counts. Each byte is visited once.
#[derive(Debug)]
pub(crate) struct Arriving {
    members: Vec<Member>,
    at: At,
    key: String,
    decoder: Decoder,
}

#[derive(Debug)]
struct Member {
    name: &'static str,
    text: String,
    /// The text length known before the last piece.
    known: usize,
    is_begun: bool,
    is_news: bool,
}

/// The object part that the next byte belongs to.
#[derive(Clone, Copy, Debug)]
enum At {
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

impl Arriving {
    pub(crate) fn new(names: &[&'static str]) -> Self {
        let member = |&name| Member { name, text: String::new(), known: 0, is_begun: false, is_news: false };
        Self {
            members: names.iter().map(member).collect(),
            at: At::Start,
            key: String::new(),
            decoder: Decoder::Plain,
        }
    }

    /// Reads the next piece. True if the piece extends a chosen member.
    pub(crate) fn feed(&mut self, piece: &str) -> bool {
        for member in &mut self.members {
            member.known = member.text.len();
            member.is_news = false;
        }
        let mut rest = piece;
        while !rest.is_empty() && !matches!(self.at, At::End) {
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
            At::Key => {
                let (rest, read) = self.decoder.decode(rest, &mut self.key);
                self.follow(&read, At::BeforeColon);
                rest
            }
            At::Text(number) => {
                let Some(member) = self.members.get_mut(number) else { return self.end() };
                let before = member.text.len();
                let (rest, read) = self.decoder.decode(rest, &mut member.text);
                member.is_news |= member.text.len() > before;
                self.follow(&read, At::AfterValue);
                rest
            }
            At::Other { depth } => self.skip_value(rest, depth),
            At::OtherText { depth, is_escaped } => self.skip_text(rest, depth, is_escaped),
            At::Start | At::BeforeKey | At::BeforeColon | At::BeforeValue | At::AfterValue | At::End => {
                self.punctuation(rest.trim_start_matches([' ', '\n', '\r', '\t']))
            }
        }
    }

    fn follow(&mut self, read: &Read, next: At) {
        match read {
            Read::More => {}
            Read::Closed => self.at = next,
            Read::Broken => self.at = At::End,
        }
    }

    fn end<'p>(&mut self) -> &'p str {
        self.at = At::End;
        ""
    }

    fn punctuation<'p>(&mut self, rest: &'p str) -> &'p str {
        let mut letters = rest.chars();
        let Some(letter) = letters.next() else { return rest };
        self.at = match (self.at, letter) {
            (At::Start, '{') | (At::AfterValue, ',') => At::BeforeKey,
            (At::BeforeKey, '"') => {
                self.key.clear();
                At::Key
            }
            (At::BeforeColon, ':') => At::BeforeValue,
            (At::BeforeValue, '"') => self.begin_text(),
            // The value itself begins with this letter.
            (At::BeforeValue, _) => {
                self.at = At::Other { depth: 0 };
                return rest;
            }
            _ => At::End,
        };
        letters.as_str()
    }

    fn begin_text(&mut self) -> At {
        let wanted = |member: &Member| member.name == self.key && !member.is_begun;
        let Some(number) = self.members.iter().position(wanted) else {
            return At::OtherText { depth: 0, is_escaped: false };
        };
        if let Some(member) = self.members.get_mut(number) {
            member.is_begun = true;
            member.is_news = true;
        }
        At::Text(number)
    }

    fn skip_value<'p>(&mut self, rest: &'p str, mut depth: usize) -> &'p str {
        for (at, letter) in rest.bytes().enumerate() {
            match letter {
                b'"' => {
                    self.at = At::OtherText { depth, is_escaped: false };
                    return rest.get(at + 1..).unwrap_or_default();
                }
                b',' | b'}' | b']' if depth == 0 => {
                    self.at = At::AfterValue;
                    return rest.get(at..).unwrap_or_default();
                }
                b'{' | b'[' => depth += 1,
                b'}' | b']' => depth -= 1,
                _ => {}
            }
        }
        self.at = At::Other { depth };
        ""
    }

    fn skip_text<'p>(&mut self, rest: &'p str, depth: usize, mut is_escaped: bool) -> &'p str {
        for (at, letter) in rest.bytes().enumerate() {
            match letter {
                _ if is_escaped => is_escaped = false,
                b'\\' => is_escaped = true,
                b'"' => {
                    self.at = if depth == 0 { At::AfterValue } else { At::Other { depth } };
                    return rest.get(at + 1..).unwrap_or_default();
                }
                _ => {}
            }
        }
        self.at = At::OtherText { depth, is_escaped };
        ""
    }
}

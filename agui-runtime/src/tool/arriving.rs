//! Texts of a JSON object that is still being written.

/// Chosen members of a JSON object whose text arrives in pieces, cut anywhere: what is known so far of those that are
/// strings.
///
/// It reads ahead of the one who judges the text once it is complete. What cannot be read ends it quietly, and a member
/// written twice counts once. Each byte is looked at once.
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
    /// How much of the text was known before the last piece.
    known: usize,
    is_begun: bool,
    is_news: bool,
}

/// What the next byte belongs to.
#[derive(Clone, Copy, Debug)]
enum At {
    Start,
    BeforeKey,
    Key,
    BeforeColon,
    BeforeValue,
    /// The text of a chosen member, by its number.
    Text(usize),
    /// A value nobody asked for: how many brackets are open in it.
    Other {
        depth: usize,
    },
    /// A string in a value nobody asked for.
    OtherText {
        depth: usize,
        is_escaped: bool,
    },
    AfterValue,
    /// At the end of the object, or where it stopped being one.
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

    /// Reads the next piece; whether it says anything of the chosen members.
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

    /// The text of a member as far as it is known, and the end of it that the last piece brought. `None` when the piece
    /// said nothing of it.
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

/// Where in a JSON string (RFC 8259, section 7) the next letter stands.
#[derive(Clone, Copy, Debug)]
enum Decoder {
    Plain,
    Escape,
    /// In the four digits behind `\u`.
    Hex {
        digits: u8,
        unit: u16,
        high: Option<u16>,
    },
    /// Behind the first half of a surrogate pair: the other one must follow.
    Low {
        high: u16,
        is_escaped: bool,
    },
}

enum Read {
    More,
    Closed,
    Broken,
}

impl Decoder {
    /// Decodes into `text` until the string ends or the piece does; what is left of the piece.
    fn decode<'p>(&mut self, piece: &'p str, text: &mut String) -> (&'p str, Read) {
        let mut rest = piece;
        while !rest.is_empty() {
            if let Self::Plain = self {
                let run = rest.bytes().position(|byte| byte < b' ' || byte == b'"' || byte == b'\\');
                let (plain, behind) = rest.split_at(run.unwrap_or(rest.len()));
                text.push_str(plain);
                rest = behind;
            }
            let mut letters = rest.chars();
            let Some(letter) = letters.next() else { break };
            rest = letters.as_str();
            match self.letter(letter, text) {
                Read::More => {}
                done => return (rest, done),
            }
        }
        (rest, Read::More)
    }

    fn letter(&mut self, letter: char, text: &mut String) -> Read {
        let next = match (*self, letter) {
            (Self::Plain, '"') => return Read::Closed,
            (Self::Plain, '\\') => Some(Self::Escape),
            (Self::Escape, 'u') => Some(Self::Hex { digits: 0, unit: 0, high: None }),
            (Self::Escape, letter) => unescaped(letter).map(|letter| {
                text.push(letter);
                Self::Plain
            }),
            (Self::Hex { digits, unit, high }, letter) => hex(letter).and_then(|digit| {
                let unit = unit << 4 | digit;
                if digits < 3 {
                    Some(Self::Hex { digits: digits + 1, unit, high })
                } else {
                    unicode(high, unit, text)
                }
            }),
            (Self::Low { high, is_escaped: false }, '\\') => Some(Self::Low { high, is_escaped: true }),
            (Self::Low { high, is_escaped: true }, 'u') => {
                Some(Self::Hex { digits: 0, unit: 0, high: Some(high) })
            }
            (Self::Plain | Self::Low { .. }, _) => None,
        };
        match next {
            Some(next) => {
                *self = next;
                Read::More
            }
            None => Read::Broken,
        }
    }
}

fn unescaped(letter: char) -> Option<char> {
    Some(match letter {
        '"' | '\\' | '/' => letter,
        'b' => '\u{8}',
        'f' => '\u{c}',
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        _ => return None,
    })
}

fn hex(letter: char) -> Option<u16> {
    letter.to_digit(16).and_then(|digit| u16::try_from(digit).ok())
}

/// A whole UTF-16 unit: a letter, one half of one, or nothing that could be text.
fn unicode(high: Option<u16>, unit: u16, text: &mut String) -> Option<Decoder> {
    if high.is_none() && (0xD800..0xDC00).contains(&unit) {
        return Some(Decoder::Low { high: unit, is_escaped: false });
    }
    let mut letters = char::decode_utf16(high.into_iter().chain([unit]));
    let (Some(Ok(letter)), None) = (letters.next(), letters.next()) else { return None };
    text.push(letter);
    Some(Decoder::Plain)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Map, Value};

    use super::*;

    /// Both members after all pieces, each put together from what every piece brought.
    fn arrive<'p>(pieces: impl IntoIterator<Item = &'p str>) -> [Option<String>; 2] {
        let mut arriving = Arriving::new(&["document", "title"]);
        let mut texts = [None, None];
        for piece in pieces {
            let is_news = arriving.feed(piece);
            let news = [0, 1].map(|number| arriving.news(number));
            assert_eq!(is_news, news.iter().any(Option::is_some));
            for (text, news) in texts.iter_mut().zip(news) {
                if let Some((so_far, new)) = news {
                    let text = text.get_or_insert_with(String::new);
                    text.push_str(new);
                    assert_eq!(text, so_far);
                }
            }
        }
        texts
    }

    fn document(json: &str) -> Option<String> {
        let [document, _] = arrive([json]);
        document
    }

    #[test]
    fn a_text_is_known_as_far_as_it_was_written() {
        let mut arriving = Arriving::new(&["document"]);
        let mut feed = |piece| {
            arriving.feed(piece);
            arriving.news(0).map(|(text, new)| (text.to_owned(), new.to_owned()))
        };
        let news = |text: &str, new: &str| Some((text.to_owned(), new.to_owned()));
        assert_eq!(feed(r#" { "doc"#), None);
        assert_eq!(feed(r#"ument" : ""#), news("", ""), "it begins");
        assert_eq!(feed("Stir\\"), news("Stir", "Stir"));
        assert_eq!(feed("n"), news("Stir\n", "\n"));
        assert_eq!(feed(r"\ud8"), None);
        assert_eq!(feed(r"3d\u"), None);
        assert_eq!(feed("de0"), None);
        assert_eq!(feed("0 sl"), news("Stir\n😀 sl", "😀 sl"));
        assert_eq!(feed(r#"owly","document":"again"#), news("Stir\n😀 slowly", "owly"));
        assert_eq!(feed(r#"","other":1}"#), None);
    }

    #[test]
    fn only_members_of_the_object_itself_count() {
        for json in [
            r#"{"a":{"document":"no"},"b":[{"document":"no"}],"c":"\"document\":\"no\"","d":"{\"document\":\"no","#,
            r#"{"a":[[{}],{"b":"]}"}],"n":-1.5e3,"t":true,"x":null,"document":null,"#,
            r#"{"document":{"document":"no"},"#,
            r#"{"documents":"no","Document":"no","":"no","#,
        ] {
            assert_eq!(document(&format!("{json}\"z\":0}}")), None, "{json}");
            let with_it = format!(r#"{json}"title":"yes"}}"#);
            assert_eq!(arrive([with_it.as_str()]), [None, Some("yes".to_owned())], "{json}");
        }
    }

    #[test]
    fn what_cannot_be_read_ends_it() {
        for (json, known) in [
            (r#"["document":"no"]"#, None),
            (r#"{"document" "no"}"#, None),
            (r#"{,"document":"no"}"#, None),
            (r#"{"a":1}{"document":"no"}"#, None),
            (r#"{"a":"b" "document":"no"}"#, None),
            (r#"{"\q":1,"document":"no"}"#, None),
            (r#"{"document":"a\qb"}"#, Some("a")),
            ("{\"document\":\"a\nb\"}", Some("a")),
            (r#"{"document":"a\u12g4b"}"#, Some("a")),
            (r#"{"document":"a\ude00b"}"#, Some("a")),
            (r#"{"document":"a\ud83db"}"#, Some("a")),
            (r#"{"document":"a\ud83d\n"}"#, Some("a")),
            (r#"{"document":"a\ud83d\ud83db"}"#, Some("a")),
            (r#"{"document":"a"}"#, Some("a")),
        ] {
            assert_eq!(document(json).as_deref(), known, "{json}");
        }
    }

    #[test]
    fn names_may_be_escaped() {
        assert_eq!(document(r#"{"doc\u0075ment":"x"}"#).as_deref(), Some("x"));
    }

    #[test]
    fn a_megabyte_of_single_letters_is_no_more_than_that() {
        let mut arriving = Arriving::new(&["document"]);
        arriving.feed(r#"{"document":""#);
        for _ in 0..1_000_000 {
            assert!(arriving.feed("a"));
        }
        assert_eq!(arriving.news(0), Some((&*"a".repeat(1_000_000), "a")));
    }

    /// The JSON string of a text, its letters escaped in the ways the numbers say.
    fn written(text: &str, ways: &[u8]) -> String {
        let mut json = String::from('"');
        for (letter, way) in text.chars().zip(ways.iter().cycle()) {
            match (way % 3, letter) {
                (0, _) => {
                    for unit in letter.encode_utf16(&mut [0; 2]) {
                        json += &format!("\\u{unit:04X}");
                    }
                }
                (1, '/') => json += "\\/",
                _ => {
                    let quoted = serde_json::to_string(&letter).unwrap();
                    json += &quoted[1..quoted.len() - 1];
                }
            }
        }
        json + "\""
    }

    fn cut<'t>(text: &'t str, cuts: &[prop::sample::Index]) -> Vec<&'t str> {
        let mut places: Vec<_> = cuts
            .iter()
            .map(|cut| cut.index(text.len() + 1))
            .filter(|&place| text.is_char_boundary(place))
            .chain([0, text.len()])
            .collect();
        places.sort_unstable();
        places.windows(2).map(|pair| &text[pair[0]..pair[1]]).collect()
    }

    fn value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            any::<String>().prop_map(Value::from),
            any::<f32>().prop_map(Value::from),
            any::<Option<bool>>().prop_map(Value::from),
        ];
        leaf.prop_recursive(3, 16, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::btree_map(key(), inner, 0..4)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    fn key() -> impl Strategy<Value = String> {
        prop_oneof![Just("document".to_owned()), Just("title".to_owned()), any::<String>()]
    }

    fn object() -> impl Strategy<Value = Map<String, Value>> {
        prop::collection::btree_map(key(), value(), 0..6).prop_map(|map| map.into_iter().collect())
    }

    proptest! {
        #[test]
        fn pieces_of_an_object_give_its_texts(
            object in object(),
            pretty: bool,
            cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..20),
        ) {
            let object = Value::Object(object);
            let json = if pretty { serde_json::to_string_pretty(&object) } else { serde_json::to_string(&object) };
            let json = json.unwrap();
            let texts = ["document", "title"].map(|name| object[name].as_str().map(str::to_owned));
            prop_assert_eq!(arrive(cut(&json, &cuts)), texts);
        }

        #[test]
        fn every_way_to_escape_is_read(
            text: String,
            ways in prop::collection::vec(any::<u8>(), 1..8),
            cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..20),
        ) {
            let json = format!("{{\"document\":{}}}", written(&text, &ways));
            prop_assert_eq!(&serde_json::from_str::<Value>(&json).unwrap()["document"], &text);
            prop_assert_eq!(arrive(cut(&json, &cuts)), [Some(text), None]);
        }

        #[test]
        fn any_text_is_survived_and_pieces_make_no_difference(
            json in r#"\{?("(document|title|\\u0064ocument|a)" ?:? ?["\[\{]?([a-z😀]|\\[nu"\\q]|\\ud83d|\\ude00|["\]\}]){0,12},?){0,5}\}?"#,
            cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..20),
        ) {
            let whole = arrive([json.as_str()]);
            prop_assert_eq!(&arrive(cut(&json, &cuts)), &whole);
            if let Ok(value) = serde_json::from_str::<Map<String, Value>>(&json) {
                let once = json.matches("ocument\"").count() < 2;
                if once && let Some(Value::String(text)) = value.get("document") {
                    prop_assert_eq!(whole[0].as_ref(), Some(text));
                }
            }
        }
    }
}

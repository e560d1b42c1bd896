//! Tests that a text's known part equals the text that a complete parser reads.

use proptest::prelude::*;
use serde_json::{Map, Value};

use super::*;

/// Returns both members after all pieces, each assembled from every piece's news.
fn arrive<'p>(pieces: impl IntoIterator<Item = &'p str>) -> [Option<String>; 2] {
    let mut arriving = ArrivingMembers::new(&["document", "title"]);
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
fn the_written_part_of_a_text_is_known() {
    let mut arriving = ArrivingMembers::new(&["document"]);
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
fn members_of_nested_objects_do_not_count() {
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
fn unreadable_text_ends_the_reader() {
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
fn a_megabyte_of_single_letters_is_read_in_linear_time() {
    let mut arriving = ArrivingMembers::new(&["document"]);
    arriving.feed(r#"{"document":""#);
    for _ in 0..1_000_000 {
        assert!(arriving.feed("a"));
    }
    assert_eq!(arriving.news(0), Some((&*"a".repeat(1_000_000), "a")));
}

/// Returns a text's JSON string; `ways` chooses each letter's notation.
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

//! Texts from a page that try to end their comment or string: Rust's parser must see the same code as with harmless
//! texts.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::frontend::{TranslationOptions, print, read, translate};

/// Prefixes that end a comment or a string.
const ENDS: &[&str] = &[
    "\n", "\r", "\r\n", "\u{b}", "\u{c}", "\u{0}", "\u{85}", "\u{2028}", "\u{2029}", "\u{202e}", "*/", "/*",
    "\"", "\"#", "'", "\\", "\\\"", "\"]\n", "\")]\n", "`", "```", "#", "//", "{", "}", "x", " ",
];

fn hostile() -> impl Strategy<Value = String> {
    let end = proptest::sample::select(ENDS);
    (proptest::collection::vec(end.clone(), 1..4), proptest::collection::vec(end, 0..3))
        .prop_map(|(before, after)| format!("x{}fn ran() {{}}{}", before.concat(), after.concat()))
}

/// Returns the Rust code for tools that have such a text in every position.
fn printed(texts: &[String]) -> String {
    let mut next = texts.iter().cycle();
    let mut text = || next.next().unwrap().clone();
    let mut properties = serde_json::Map::new();
    properties.insert(text(), json!({ "type": "integer", "description": text() }));
    properties.insert("said".into(), json!({ "type": "string", "description": text(), "default": text() }));
    properties
        .insert("kind".into(), json!({ "type": "string", "enum": [text(), "B"], "description": text() }));
    properties.insert("pattern".into(), json!({ "type": "string", "format": text() }));
    let parameters = json!({ "type": "object", "properties": properties, "description": text() });
    let tools = json!([
        { "name": "book", "description": text(), "parameters": parameters },
        { "name": "odd", "description": text(), "parameters": { "type": "object", "properties": 7, "title": text() } },
        { "name": text(), "description": text() },
    ]);
    let declared = read(&tools.to_string()).unwrap();
    let translations: Vec<_> = declared
        .iter()
        .map(|declared| translate(&declared.tool, "Book", TranslationOptions::default()))
        .collect();
    print(&declared, &translations, &text(), &text()).unwrap().text
}

/// Returns the token kinds, without names, literal contents and descriptions.
fn shape(tokens: TokenStream) -> Vec<Value> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut shapes = Vec::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        at += match (token, tokens.get(at + 1), tokens.get(at + 2), tokens.get(at + 3)) {
            // A text with several lines is documentation with several lines.
            (TokenTree::Punct(sign), Some(TokenTree::Group(group)), ..)
                if sign.as_char() == '#' && is_description(group.stream()) =>
            {
                2
            }
            (TokenTree::Punct(comma), Some(TokenTree::Ident(name)), _, Some(TokenTree::Literal(_)))
                if comma.as_char() == ',' && name == "description" =>
            {
                4
            }
            _ => {
                shapes.push(match token {
                    TokenTree::Group(group) => {
                        json!([delimiter(group.delimiter()), shape(group.stream())])
                    }
                    TokenTree::Punct(sign) => json!(sign.as_char().to_string()),
                    TokenTree::Ident(_) => json!("name"),
                    TokenTree::Literal(_) => json!("literal"),
                });
                1
            }
        };
    }
    shapes
}

fn delimiter(delimiter: Delimiter) -> String {
    format!("{delimiter:?}")
}

/// Returns true for `doc = "..."` and `schemars(description = "...")`.
fn is_description(attribute: TokenStream) -> bool {
    let tokens: Vec<TokenTree> = attribute.into_iter().collect();
    match &tokens[..] {
        [TokenTree::Ident(name), TokenTree::Punct(_), TokenTree::Literal(_)] => {
            name == "doc" || name == "description"
        }
        [TokenTree::Ident(name), TokenTree::Group(inner)] => {
            name == "schemars" && is_description(inner.stream())
        }
        _ => false,
    }
}

fn tree(text: &str) -> Vec<Value> {
    let file = syn::parse_file(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    shape(quote::quote!(#file))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn no_text_of_a_page_becomes_code(texts in proptest::collection::vec(hostile(), 16)) {
        let harmless: Vec<String> = (0..texts.len())
            .map(|at| texts.iter().position(|text| *text == texts[at]).unwrap_or(at))
            .map(|place| format!("x-harmless {place}"))
            .collect();
        let (found, expected) = (printed(&texts), printed(&harmless));
        prop_assert_eq!(tree(&found), tree(&expected), "{}", found);
        let header = |text: &str| text.lines().take_while(|line| line.starts_with("//")).count();
        prop_assert_eq!(header(&found), header(&expected), "{}", found);
    }
}

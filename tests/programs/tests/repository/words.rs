//! The words of crates and pages: type names are compound nouns that one can search for, and docs are short of "of" and "it". The
//! figures of each crate and page are printed; a limit fails beyond its target.

use std::collections::BTreeMap;
use std::fs;

use agui_programs::workspace_dir;

use crate::{files, sources};

/// A package, and the percentages that it may reach. `None` is measured, and not limited yet.
struct Row {
    package: &'static str,
    single_words: Option<f64>,
    shared_names: Option<f64>,
    of: Option<f64>,
    pronouns: Option<f64>,
}

const ROWS: [Row; 3] = [
    Row {
        package: "agui-macros",
        single_words: Some(35.0),
        shared_names: Some(8.0),
        of: Some(3.0),
        pronouns: Some(1.5),
    },
    Row {
        package: "agui-runtime",
        single_words: Some(25.0),
        shared_names: Some(8.0),
        of: Some(3.0),
        pronouns: Some(1.5),
    },
    Row {
        package: "agui-codegen",
        single_words: Some(35.0),
        shared_names: Some(8.0),
        of: Some(3.0),
        pronouns: Some(1.5),
    },
];

/// The number of types of a limited crate that may have the same name.
const NAMESAKES: usize = 3;

/// The percentages of "of", and of "it" and its forms, that a page may reach.
const PAGE_LIMITS: [f64; 2] = [3.0, 1.5];

/// The number of words that a shorter page counts as: one word more is no style.
const SHORT_PAGE: usize = 100;

/// Pages whose text is recorded or copied.
const FOREIGN_PAGES: [&str; 2] = ["tests/fixtures/", "tests/oracle/"];

/// The type that an unindented line declares: examples in tests and code in macros are indented.
fn declared(line: &str) -> Option<&str> {
    let item = line.strip_prefix("pub").map_or(line, |rest| {
        let rest = rest.trim_start();
        rest.strip_prefix('(').and_then(|rest| rest.split_once(") ")).map_or(rest, |(_, item)| item)
    });
    let keywords = ["struct ", "enum ", "trait ", "type ", "union "];
    let name = keywords.iter().find_map(|keyword| item.strip_prefix(keyword))?;
    name.split(|c: char| !c.is_alphanumeric() && c != '_').next()
}

fn is_single_word(name: &str) -> bool {
    name.chars().filter(char::is_ascii_uppercase).count() < 2
}

/// The words of doc comments, in lower case, without code and links.
fn words(source: &str) -> Vec<String> {
    let mut is_fenced = false;
    let mut words = Vec::new();
    for line in source.lines().map(str::trim_start) {
        let Some(text) = line.strip_prefix("///").or_else(|| line.strip_prefix("//!")) else {
            is_fenced = false;
            continue;
        };
        if text.trim_start().starts_with("```") {
            is_fenced = !is_fenced;
        } else if !is_fenced {
            let prose =
                text.split('`').step_by(2).flat_map(|prose| prose.split(|c: char| !c.is_alphabetic()));
            words.extend(prose.filter(|word| !word.is_empty()).map(str::to_lowercase));
        }
    }
    words
}

/// The words of a page in Markdown, in lower case, without code, comments and the targets of links.
fn page_words(page: &str) -> Vec<String> {
    let mut is_fenced = false;
    let mut words = Vec::new();
    for line in page.lines() {
        if line.trim_start().starts_with("```") {
            is_fenced = !is_fenced;
        } else if !is_fenced && !line.trim_start().starts_with("<!--") {
            let prose = line.split('`').step_by(2).collect::<Vec<_>>().join(" ");
            let mut parts = prose.split("](");
            let first = parts.next();
            let rest = parts.filter_map(|part| part.split_once(')').map(|(_, text)| text));
            for text in first.into_iter().chain(rest) {
                let found = text.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty());
                words.extend(found.map(str::to_lowercase));
            }
        }
    }
    words
}

#[expect(clippy::cast_precision_loss, reason = "counts of words are small")]
fn percent(part: usize, whole: usize) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

#[test]
fn names_and_sentences_keep_to_their_targets() {
    let mut wrong = Vec::new();
    for row in ROWS {
        let files = sources(row.package);
        let mut types: BTreeMap<&str, usize> = BTreeMap::new();
        for name in files.iter().flat_map(|(_, text)| text.lines().filter_map(declared)) {
            *types.entry(name).or_default() += 1;
        }
        let all: usize = types.values().sum();
        assert!(all > 20, "{} has only {all} types", row.package);
        let count = |is: &dyn Fn(&str, usize) -> bool| -> usize {
            types.iter().filter(|(name, count)| is(name, **count)).map(|(_, count)| count).sum()
        };
        let docs: Vec<_> = files.iter().flat_map(|(_, text)| words(text)).collect();
        let said = |wanted: &[&str]| docs.iter().filter(|word| wanted.contains(&word.as_str())).count();
        let figures = [
            (
                "single-word type names",
                percent(count(&|name, _| is_single_word(name)), all),
                row.single_words,
            ),
            ("shared type names", percent(count(&|_, count| count > 1), all), row.shared_names),
            ("\"of\" in docs", percent(said(&["of"]), docs.len()), row.of),
            (
                "it, its, these, those in docs",
                percent(said(&["it", "its", "these", "those"]), docs.len()),
                row.pronouns,
            ),
        ];
        for (what, figure, limit) in figures {
            println!("{}: {figure:.1} % {what}", row.package);
            if limit.is_some_and(|limit| figure > limit) {
                wrong.push(format!("{}: {figure:.1} % {what}, {limit:?} are allowed", row.package));
            }
        }
        let crowded = types.iter().filter(|(_, count)| row.shared_names.is_some() && **count > NAMESAKES);
        wrong.extend(crowded.map(|(name, count)| format!("{}: {count} types are {name}", row.package)));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn pages_keep_to_their_targets() {
    let root = workspace_dir();
    let (mut wrong, mut count) = (Vec::new(), 0);
    for path in files(root) {
        let name = path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
        if !name.ends_with(".md") || FOREIGN_PAGES.iter().any(|folder| name.starts_with(folder)) {
            continue;
        }
        count += 1;
        let words = page_words(&fs::read_to_string(&path).unwrap());
        let whole = words.len().max(SHORT_PAGE);
        let said = |wanted: &[&str]| words.iter().filter(|word| wanted.contains(&word.as_str())).count();
        let figures = [percent(said(&["of"]), whole), percent(said(&["it", "its", "these", "those"]), whole)];
        let [of, pronouns] = figures;
        let line = format!("{name}: {of:.1} % \"of\", {pronouns:.1} % it, its, these, those");
        println!("{line}");
        let is_over = figures.iter().zip(PAGE_LIMITS).any(|(figure, limit)| *figure > limit);
        if is_over {
            wrong.push(line);
        }
    }
    assert!(count > 50, "only {count} pages: is the repository somewhere else?");
    assert!(wrong.is_empty(), "{PAGE_LIMITS:?} are allowed:\n{}", wrong.join("\n"));
}

#[test]
fn words_of_a_page_are_found() {
    let page = "# The `of` of [it](of/its.md) and\n\n```\nof\n```\n<!-- of -->\n| those | [a](b) its |\n";
    assert_eq!(page_words(page), ["the", "of", "it", "and", "those", "a", "its"]);
}

#[test]
fn declared_types_are_found() {
    let source =
        "pub(crate) struct A<T>;\npub enum BigB {}\n    struct Quoted;\n/// The `of` of it.\ntype C = u8;";
    assert_eq!(source.lines().filter_map(declared).collect::<Vec<_>>(), ["A", "BigB", "C"]);
    assert_eq!(words(source), ["the", "of", "it"]);
    assert!(is_single_word("A") && !is_single_word("BigB"));
}

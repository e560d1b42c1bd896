//! Docs, comments, messages and test names are plain English: no sentence begins with "What" or "Whether", none speaks of
//! "nobody" and "whom". A finding names the file and the line, and says what to write instead.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod rules;
mod text;

use std::{fs, path::Path, thread};

use agui_tests::outside::workspace_dir;

use rules::findings;
use text::{Language, prose};

/// Folders and files whose text is not ours: built, installed, recorded, or copied from other projects.
const FOREIGN: [&str; 8] = [
    "target",
    "tests/fixtures",
    "tests/fuzz/target",
    "agui-codegen/tests/foreign",
    "examples/desk/web/dist",
    "examples/recipe/web/dist",
    // Generated from a file of the runtime.
    "tests/src/wire/ag_ui.rs",
    // Quotes the words that it looks for.
    "tests/tests/prose",
];

/// Returns the path and the language of each file of the repository whose prose is checked.
fn files(folder: &Path) -> Vec<(String, Language)> {
    let root = workspace_dir();
    let mut entries: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    let mut files = Vec::new();
    for path in entries {
        let relative = path.strip_prefix(root).unwrap().to_str().unwrap();
        let name = path.file_name().unwrap().to_str().unwrap();
        if FOREIGN.contains(&relative) || matches!(name, ".git" | "node_modules" | ".venv" | "__pycache__") {
            continue;
        }
        if path.is_dir() {
            files.extend(self::files(&path));
        } else if let Some(language) = path.extension().and_then(|ending| Language::of(ending.to_str()?)) {
            files.push((relative.to_owned(), language));
        }
    }
    files
}

/// True for a file whose strings are text that users read: the sources of the crates, the examples, and the programs of the tests.
fn has_messages(path: &str) -> bool {
    path.starts_with("agui-") && path.contains("/src/")
        || ["examples/", "tests/src/bin/"].iter().any(|folder| path.starts_with(folder))
}

/// Returns the findings of some files, each with its place.
fn wrong_in(files: &[(String, Language)]) -> Vec<String> {
    let wrong = files.iter().flat_map(|(path, language)| {
        let source = fs::read_to_string(workspace_dir().join(path)).unwrap();
        let found = findings(&prose(*language, &source), has_messages(path)).into_iter();
        found.map(move |at| format!("{path}:{}: \"{}\": {}", at.line, at.found, at.instead))
    });
    wrong.collect()
}

#[test]
fn prose_is_plain_english() {
    let files = files(workspace_dir());
    assert!(files.len() > 1000, "only {} files: is the repository somewhere else?", files.len());
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let wrong: Vec<_> = thread::scope(|scope| {
        let parts =
            files.chunks(files.len().div_ceil(4 * threads)).map(|part| scope.spawn(|| wrong_in(part)));
        let parts: Vec<_> = parts.collect();
        parts.into_iter().flat_map(|part| part.join().unwrap()).collect()
    });
    assert!(wrong.is_empty(), "{} sentences are not plain English:\n{}", wrong.len(), wrong.join("\n"));
}

/// The lines of the findings in a planted text.
fn lines(language: Language, source: &str) -> Vec<usize> {
    findings(&prose(language, source), true).into_iter().map(|found| found.line).collect()
}

#[test]
fn planted_words_are_found_in_rust() {
    let source = "\
//! What this is.

/// Returns it.
/// Of which nobody
/// knows. Whether it
/// is so is open.
/// ```
/// // What is code is not read.
/// ```
fn what_comes_first() {
    // The first line. Those
    // are fine inside. Those are not
    say(\"the question is none\"); // whom it says so
    say(\"What is it\"); // What is it?
}
";
    assert_eq!(lines(Language::Rust, source), [1, 4, 5, 10, 11, 12, 13, 13]);
}

#[test]
fn a_string_over_several_lines_is_read_as_one() {
    let source = "say(\"the first line and \\\n     a question that is \\\n     none\");\nsay(\"it is\");\nsay(\"none\");\n";
    assert_eq!(lines(Language::Rust, source), [2]);
    let source =
        "say(\"the first line \\\n     // nobody\");\n// The comment behind it.\nfn whoever_asks() {}\n";
    assert_eq!(lines(Language::Rust, source), [2, 4]);
}

#[test]
fn each_phrase_is_found_once() {
    for phrase in [
        "whoever asks",
        "for everybody",
        "if anybody reads",
        "no one reads",
        "Answers one that is open",
        "the client is told so",
        "agents are told",
        "it will be told",
        "is said to be closed",
        "so many as fit",
        "of so many bytes",
        "clients from before 1.0",
        "a legacy peer reads",
        "an old client reads",
        "a server that keeps threads",
        "the runs of kept threads",
        "refused for want of credit",
    ] {
        assert_eq!(lines(Language::Rust, &format!("/// Here {phrase}.\n/// Fine.\n")), [1], "{phrase}");
        assert_eq!(lines(Language::Rust, &format!("say(\"{phrase}\");\n")), [1], "{phrase}");
    }
}

#[test]
fn planted_words_are_found_in_markdown_typescript_and_python() {
    let markdown = "# What it is\n\nText\nwith somebody.\n\n- Whether it is\n\n| what | Who asks |\n\n```\nnobody\n```\n";
    assert_eq!(lines(Language::Markdown, markdown), [4, 6, 8]);
    let script = "/** What it is. */\nlet a = 1; // nobody\n/**\n * Reads it.\n * Those are read.\n */\n// Reads it.\n";
    assert_eq!(lines(Language::Script, script), [1, 2, 5]);
    let python = "def a():\n    \"\"\"What it is.\"\"\"\n    \"\"\"Reads it.\n\n    Whom it serves.\n    \"\"\"\n    # So many are kept.\n";
    assert_eq!(lines(Language::Python, python), [2, 5, 7]);
}

#[test]
fn plain_words_are_not_found() {
    let source = "\
//! Reads what a client sends.
/// Returns true if the user, who is asked, answers. What does it cost?
/// The events of those runs, if there are some: there is none that is lost.
fn somewhat_late() -> Whatever {
    // Where the page is.
    say(\"the one thing: that one is fine\");
}
";
    assert_eq!(lines(Language::Rust, source), [0; 0]);
}

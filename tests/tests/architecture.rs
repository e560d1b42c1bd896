//! ARCHITECTURE.md describes the repository as it is: its paths exist, its floors are those of the test, its glossary is short.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::collections::BTreeSet;
use std::fs;

use agui_tests::outside::workspace_dir;

fn text() -> String {
    fs::read_to_string(workspace_dir().join("ARCHITECTURE.md")).unwrap()
}

/// The lines of a section, without its heading.
fn section<'t>(text: &'t str, heading: &str) -> Vec<&'t str> {
    let lines = text.lines().skip_while(|line| *line != heading).skip(1);
    let lines: Vec<_> = lines.take_while(|line| !line.starts_with("## ")).collect();
    assert!(!lines.is_empty(), "no section {heading}");
    lines
}

/// The cells of the rows of a table, without its head.
fn rows<'t>(lines: &[&'t str]) -> Vec<Vec<&'t str>> {
    let table = lines.iter().filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"));
    table.skip(1).map(|row| row.split(" | ").collect()).collect()
}

/// The words in backticks that name a file or a folder.
fn paths(text: &str) -> BTreeSet<&str> {
    let quoted = text.split('`').skip(1).step_by(2);
    let is_path = |word: &&str| {
        !word.contains(|c: char| c.is_whitespace() || "(){}<>&:*#|=".contains(c))
            && (word.contains('/') || word.ends_with(".rs"))
    };
    quoted.filter(is_path).collect()
}

#[test]
fn every_path_exists() {
    let text = text();
    let root = workspace_dir();
    let outside_fences: String = text.split("```").step_by(2).collect();
    let paths = paths(&outside_fences);
    assert!(paths.len() > 60, "{paths:?}");
    let is_there = |path: &&str| {
        ["", "agui-runtime/src/"].iter().any(|base| root.join(format!("{base}{path}")).exists())
    };
    let missing: Vec<_> = paths.into_iter().filter(|path| !is_there(path)).collect();
    assert_eq!(missing, [""; 0]);
}

#[test]
fn a_planted_path_is_seen() {
    assert_eq!(paths("see `kernel/hub.rs` and `no/such`, `cargo test -p x`, `a::b`, `Hub`").len(), 2);
}

/// Compares the modules named here with the folders and files of the runtime. `boundaries.rs` compares its own table with the imports.
#[test]
fn every_module_of_the_runtime_has_a_floor() {
    let text = text();
    let table = rows(&section(&text, "## Floors of the runtime"));
    assert_eq!(table.len(), 10);
    let named: BTreeSet<_> = table.iter().flat_map(|row| row[1].split('`').skip(1).step_by(2)).collect();
    let entries = fs::read_dir(workspace_dir().join("agui-runtime/src")).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    // They only re-export names.
    let facades = [
        "__private.rs",
        "docs",
        "events.rs",
        "future.rs",
        "http.rs",
        "interrupts.rs",
        "lib.rs",
        "prelude.rs",
        "runs.rs",
        "tools.rs",
    ];
    let modules: BTreeSet<_> = names
        .filter(|name| !facades.contains(&name.as_str()))
        .map(|name| name.trim_end_matches(".rs").to_owned())
        .collect();
    assert_eq!(named, modules.iter().map(String::as_str).collect());
}

#[test]
fn the_tables_are_as_long_as_they_should_be() {
    let text = text();
    assert!(rows(&section(&text, "## Glossary")).len() <= 15);
    assert_eq!(rows(&section(&text, "## Invariants")).len(), 10);
    let changes = rows(&section(&text, "## Where a change goes, and its test"));
    assert!(changes.len() >= 20, "{}", changes.len());
    assert!(changes.iter().all(|row| row.len() == 3), "{changes:?}");
}

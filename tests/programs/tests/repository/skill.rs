//! The skill for coding assistants: its head is one that assistants read, and it quotes the compiler. Its blocks are documentation
//! tests of the runtime.

use std::collections::BTreeSet;
use std::fs;

use agui_programs::workspace_dir;

use crate::documents::{section, table};
use crate::{files, read};

const SKILL: &str = "agui-runtime/SKILL.md";

/// The first lines of all errors and warnings in the messages that programs with mistakes get.
fn headlines() -> BTreeSet<String> {
    let messages = files(&workspace_dir().join("tests/compile-fail/tests/ui")).into_iter();
    let messages = messages.filter(|path| path.extension().is_some_and(|ending| ending == "stderr"));
    let texts = messages.map(|path| fs::read_to_string(path).unwrap());
    let of_text = |text: String| {
        let lines = text.lines().filter(|line| line.starts_with("error") || line.starts_with("warning"));
        lines.filter_map(|line| Some(line.split_once(": ")?.1.to_owned())).collect::<Vec<_>>()
    };
    texts.flat_map(of_text).collect()
}

/// The content of a code span, with one backtick or two.
fn code(cell: &str) -> &str {
    let inner = cell.strip_prefix("`` ").and_then(|rest| rest.strip_suffix(" ``"));
    inner.unwrap_or_else(|| cell.trim_matches('`'))
}

#[test]
fn the_skill_quotes_the_compiler() {
    let (text, said) = (read(SKILL), headlines());
    let rows = table(&section(&text, "## Reading our errors"));
    assert!(rows.len() > 12, "{rows:?}");
    let invented: Vec<_> =
        rows.iter().map(|row| code(row[0])).filter(|quote| !said.contains(*quote)).collect();
    assert_eq!(invented, [""; 0], "no message of tests/compile-fail begins like this");
}

/// The limits are those of the format: 64 letters of a name, 1,024 of a description, which says what the skill is for and when.
#[test]
fn the_head_of_the_skill_is_read_by_assistants() {
    let text = read(SKILL);
    let head = text.strip_prefix("---\n").and_then(|rest| rest.split("\n---\n").next()).unwrap();
    let value = |key: &str| head.lines().find_map(|line| line.strip_prefix(key)).unwrap().trim();
    let (name, description) = (value("name:"), value("description:"));
    assert!(name.len() <= 64 && name.chars().all(|c| c.is_ascii_lowercase() || c == '-'), "{name}");
    assert!(description.len() <= 1024 && description.contains("Use for"), "{description}");
    assert!(!text.contains("\n# use "), "a line that only rustdoc hides");
}

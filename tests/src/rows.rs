//! A list of requirements, each with the tests that show it.

use std::fs;
use std::path::Path;

/// A requirement, and the files below the repository, each with its test: `fn` and the name, or another text of the file.
pub type Row = (&'static str, &'static [(&'static str, &'static str)]);

/// Fails for each row without tests, and for each test that is gone.
///
/// # Panics
/// If there are any.
pub fn assert_shown(rows: &[Row]) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut gone = Vec::new();
    for (row, tests) in rows {
        assert!(!tests.is_empty(), "{row}");
        for (file, test) in *tests {
            assert_ne!(*test, "fn ", "{row}: name the test");
            if !fs::read_to_string(root.join(file)).is_ok_and(|text| has(&text, test)) {
                gone.push(format!("{row}: {file}: {test}"));
            }
        }
    }
    assert!(gone.is_empty(), "{}", gone.join("\n"));
}

/// Returns true if a text has a test: the function of that whole name, or a text that is no function.
fn has(text: &str, test: &str) -> bool {
    let is_whole = |rest: &str| !test.starts_with("fn ") || rest.starts_with(['(', '<']);
    text.match_indices(test).any(|(at, found)| is_whole(&text[at + found.len()..]))
}

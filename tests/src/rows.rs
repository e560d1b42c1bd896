//! A list of requirements, each with the tests that show it.

use std::fs;
use std::path::Path;

/// A requirement, and the files below the repository with a text that a test of it has: most often its name.
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
            if !fs::read_to_string(root.join(file)).is_ok_and(|text| text.contains(test)) {
                gone.push(format!("{row}: {file}: {test}"));
            }
        }
    }
    assert!(gone.is_empty(), "{}", gone.join("\n"));
}

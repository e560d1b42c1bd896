//! `#[tool]` and the runtime, for tools that exist only at run time, have the same limits of names and descriptions.

use std::collections::BTreeMap;
use std::fs;

use agui_tests::outside::workspace_dir;

/// The constants of a file with these names, and their values as the file writes them.
fn constants(file: &str) -> BTreeMap<String, String> {
    let text = fs::read_to_string(workspace_dir().join(file)).unwrap();
    let private =
        |line: &'_ str| line.trim_start_matches("pub(crate) ").trim_start_matches("pub ").to_owned();
    let lines = text.lines().map(private);
    let lines = lines.filter_map(|line| line.strip_prefix("const ").map(str::to_owned));
    let named = lines.filter_map(|line| {
        let (name, rest) = line.split_once(':')?;
        let (_, value) = rest.strip_suffix(';')?.split_once(" = ")?;
        Some((name.to_owned(), value.to_owned()))
    });
    named.collect()
}

#[test]
fn the_attribute_and_the_runtime_have_the_same_limits() {
    let ours = constants("agui-runtime/core/src/agent/tool/allowed_names.rs");
    let names: Vec<_> = ours.keys().map(String::as_str).collect();
    assert_eq!(names, ["FINAL_RESULT", "LONGEST_DESCRIPTION", "LONGEST_NAME", "RESERVED_PREFIX"]);
    assert_eq!(constants("agui-macros/src/tool/check.rs"), ours);
}

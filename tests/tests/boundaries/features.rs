//! The features of the runtime: each has its row in the documentation, and CI builds each without the others.

use std::collections::BTreeSet;
use std::fs;

use agui_tests::outside::workspace_dir;

/// The features that CI builds together: none changes what the others compile.
const TYPES_OF_OTHER_CRATES: [&str; 7] =
    ["bytes", "chrono", "indexmap", "jiff", "rust_decimal", "url", "uuid"];

fn read(file: &str) -> String {
    fs::read_to_string(workspace_dir().join(file)).unwrap()
}

/// The optional features of the runtime, as its manifest lists them.
fn declared() -> BTreeSet<String> {
    let manifest = read("agui-runtime/Cargo.toml");
    let (_, list) = manifest.split_once("\n[features]\n").unwrap();
    let (list, _) = list.split_once("\n[").unwrap();
    let names = list.lines().filter_map(|line| line.split_once(" = [")).map(|(name, _)| name.to_owned());
    names.filter(|name| name != "default").collect()
}

#[test]
fn ci_builds_each_feature_alone() {
    let script = read(".ci/run");
    let (_, list) = script.split_once("for features in ").unwrap();
    let (list, _) = list.split_once("; do").unwrap();
    let words: BTreeSet<_> = list.split([' ', '\\', '\n']).filter(|word| !word.is_empty()).collect();
    let together = TYPES_OF_OTHER_CRATES.join(",");
    assert!(words.contains(together.as_str()), "{words:?}");
    let alone =
        |name: &String| words.contains(name.as_str()) || TYPES_OF_OTHER_CRATES.contains(&name.as_str());
    let missing: Vec<_> = declared().into_iter().filter(|name| !alone(name)).collect();
    assert_eq!(missing, [""; 0], "add them to the loop in .ci/run");
}

#[test]
fn the_documentation_has_a_row_for_each_feature() {
    let documentation = read("agui-runtime/src/lib.rs");
    let (_, table) = documentation.split_once("//! # Features\n").unwrap();
    let (table, _) = table.split_once("//! # ").unwrap();
    let first_cells = table.lines().filter_map(|line| line.strip_prefix("//! |")?.split('|').next());
    let documented: BTreeSet<_> =
        first_cells.flat_map(|cell| cell.split('`').skip(1).step_by(2)).map(str::to_owned).collect();
    assert_eq!(documented, declared());
}

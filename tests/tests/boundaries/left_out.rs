//! The tests that `cargo test` leaves out: CI runs and lints each of them, and contributors read how to run them.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use agui_tests::outside::workspace_dir;
use serde_json::Value;

use crate::dependencies::{cargo, everyday_packages, packages};
use crate::source::rust_files;

fn read(file: &str) -> String {
    fs::read_to_string(workspace_dir().join(file)).unwrap()
}

/// The tests of all packages whose manifests say `test = false`.
fn left_out() -> BTreeSet<String> {
    let packages = packages();
    let targets = packages.iter().flat_map(|package| package["targets"].as_array().unwrap());
    let left_out = targets.filter(|target| target["kind"][0] == "test" && target["test"] == false);
    left_out.map(|target| target["name"].as_str().unwrap().to_owned()).collect()
}

/// A list of tests in CI's script.
fn listed(script: &str, variable: &str) -> Vec<String> {
    let (_, list) = script.split_once(&format!("\nexport {variable}=\"")).unwrap();
    let (list, _) = list.split_once('"').unwrap();
    list.split(' ').map(str::to_owned).collect()
}

#[test]
fn ci_knows_each_test_that_is_left_out() {
    let script = read(".ci/run");
    let (optional, long) = (listed(&script, "OPTIONAL_TESTS"), listed(&script, "LONG_TESTS"));
    let known: BTreeSet<_> = optional.iter().chain(&long).cloned().collect();
    assert_eq!(known, left_out(), "in .ci/run, and in the manifests");
    for test in &long {
        assert!(script.contains(&format!("--test {test} ")) || script.contains(&format!("--test {test}\n")));
    }
    for command in [
        "cargo test --locked --no-fail-fast --features optional --lib --test ${OPTIONAL_TESTS// / --test }\n",
        "left_out=\"$OPTIONAL_TESTS $LONG_TESTS\"\n",
        "cargo clippy --locked --features optional --test ${left_out// / --test } ",
    ] {
        assert!(script.contains(command), "{command}");
    }
}

/// The folder of a library's or a program's sources.
fn folder(target: &Value) -> PathBuf {
    Path::new(target["src_path"].as_str().unwrap()).parent().unwrap().to_owned()
}

#[test]
fn no_everyday_program_of_tests_is_empty() {
    let packages = everyday_packages();
    let targets = packages.iter().flat_map(|package| package["targets"].as_array().unwrap());
    let tested = targets.filter(|target| target["test"] == true && target["kind"][0] != "test");
    let has_test = |file: &PathBuf| {
        let text = fs::read_to_string(file).unwrap();
        text.lines().any(|line| line.trim_start().starts_with("#[") && line.contains("test]"))
    };
    let empty = tested.filter(|target| !rust_files(&folder(target)).iter().any(has_test));
    let empty: Vec<_> = empty.map(|target| target["name"].as_str().unwrap().to_owned()).collect();
    assert_eq!(
        empty, [""; 0],
        "`test = false` in their manifests: each is compiled and linked a second time"
    );
}

#[test]
fn everyday_tests_do_not_compile_mcp() {
    let tree =
        cargo(&["tree", "--locked", "--edges", "normal,build,dev", "--prefix", "none", "--format", "{p}"]);
    assert!(tree.contains("agui-runtime v"), "{tree}");
    assert!(!tree.contains("rmcp v"), "tests of the feature are behind the feature `optional` of agui-tests");
}

#[test]
fn contributors_run_the_same_tests_as_ci() {
    let command = format!(
        "`cargo test --features optional --lib --test {}`",
        listed(&read(".ci/run"), "OPTIONAL_TESTS").join(" --test ")
    );
    assert!(read(".github/CONTRIBUTING.md").contains(&command), "{command}");
}

//! The tests that `cargo test` leaves out: CI runs and lints each of them, and contributors read how to run them.

use std::collections::BTreeSet;
use std::fs;

use agui_tests::outside::workspace_dir;

use crate::dependencies::packages;

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
        "cargo test --locked --no-fail-fast --test ${OPTIONAL_TESTS// / --test }\n",
        "left_out=\"$OPTIONAL_TESTS $LONG_TESTS\"\n",
        "cargo clippy --locked --test ${left_out// / --test } ",
    ] {
        assert!(script.contains(command), "{command}");
    }
}

#[test]
fn contributors_run_the_same_tests_as_ci() {
    let command =
        format!("`cargo test --test {}`", listed(&read(".ci/run"), "OPTIONAL_TESTS").join(" --test "));
    assert!(read(".github/CONTRIBUTING.md").contains(&command), "{command}");
}

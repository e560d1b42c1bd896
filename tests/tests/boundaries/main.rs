//! The dependencies that crates and their modules may have.
#![allow(clippy::string_slice, clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

mod examples;
mod floors;
mod heads;
mod helpers;
mod items;
mod reachable;
mod source;
mod surface;

use std::{collections::BTreeSet, env, process::Command};

use agui_tests::outside::workspace_dir;

const EXECUTORS_AND_SOCKETS: [&str; 8] =
    ["async-std", "mio", "smol", "socket2", "tokio", "tokio-util", "tower", "tower-http"];
const WEB: [&str; 6] = ["axum", "axum-core", "h2", "hyper", "hyper-util", "reqwest"];
const OURS: [&str; 3] = ["agui-codegen", "agui-macros", "agui-runtime"];

/// The names of the packages that end up in a program that uses `package`.
fn dependencies(package: &str, options: &[&str]) -> BTreeSet<String> {
    let mut command = Command::new(env::var_os("CARGO").unwrap());
    command.current_dir(workspace_dir()).args(["tree", "--locked", "--package", package]);
    command.args(["--edges", "normal", "--prefix", "none", "--format", "{p}"]).args(options);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let names = String::from_utf8(output.stdout).unwrap();
    let names: BTreeSet<_> =
        names.lines().filter_map(|line| line.split(' ').next()).map(str::to_owned).collect();
    assert!(names.contains(package), "{names:?}");
    names
}

/// Readers are promised an agent behind bearer tokens, with a tool that knows its customer, of this length.
#[test]
fn the_agent_behind_bearer_tokens_has_forty_lines() {
    let program = std::fs::read_to_string(workspace_dir().join("examples/members/src/main.rs")).unwrap();
    assert!(program.contains("#[request]") && program.lines().count() <= 40, "{}", program.lines().count());
}

/// Returns the `names` that are among `dependencies`.
fn found<'a>(dependencies: &BTreeSet<String>, names: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    names.into_iter().filter(|name| dependencies.contains(*name)).collect()
}

#[test]
fn the_macros_depend_on_nothing_of_ours() {
    assert_eq!(found(&dependencies("agui-macros", &[]), OURS), ["agui-macros"]);
}

#[test]
fn the_code_generator_has_no_executor_and_no_web_framework() {
    let dependencies = dependencies("agui-codegen", &[]);
    assert_eq!(found(&dependencies, EXECUTORS_AND_SOCKETS.into_iter().chain(WEB)), [""; 0]);
    assert_eq!(found(&dependencies, OURS), OURS);
}

#[test]
fn the_runtime_without_features_has_no_executor_and_no_sockets() {
    let dependencies = dependencies("agui-runtime", &["--no-default-features"]);
    assert_eq!(found(&dependencies, EXECUTORS_AND_SOCKETS.into_iter().chain(WEB)), [""; 0]);
    assert_eq!(found(&dependencies, OURS), ["agui-macros", "agui-runtime"]);
}

#[test]
fn the_server_would_be_seen() {
    let dependencies = dependencies("agui-runtime", &[]);
    assert_eq!(
        found(&dependencies, ["axum", "hyper", "mio", "socket2", "tokio"]).len(),
        5,
        "{dependencies:?}"
    );
}

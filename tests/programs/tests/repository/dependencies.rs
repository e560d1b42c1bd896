//! The crates that each package and feature bring into a program, and the tiers of tests.

use std::collections::BTreeSet;
use std::process::Command;

use agui_programs::cargo;
use serde_json::Value;

use crate::read;

const EXECUTORS_AND_SOCKETS: [&str; 8] =
    ["async-std", "mio", "smol", "socket2", "tokio", "tokio-util", "tower", "tower-http"];
const WEB: [&str; 6] = ["axum", "axum-core", "h2", "hyper", "hyper-util", "reqwest"];

/// The crates that only one feature or another should bring, beside those above. aws-lc-rs builds C for 20 s; ring does the
/// same, faster.
const OF_FEATURES: [&str; 11] = [
    "aws-lc-rs",
    "base64",
    "process-wrap",
    "redis",
    "ring",
    "rmcp",
    "rusqlite",
    "sse-stream",
    "tokio-postgres",
    "tokio-tungstenite",
    "tungstenite",
];

/// The output of Cargo for these arguments.
pub fn ask(arguments: &[&str]) -> String {
    let mut command: Command = cargo();
    let output = command.args(arguments).args(["--locked", "--offline"]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The packages of the workspace, as Cargo describes them.
pub fn packages() -> Vec<Value> {
    let metadata = ask(&["metadata", "--no-deps", "--format-version", "1"]);
    let metadata: Value = serde_json::from_str(&metadata).unwrap();
    metadata["packages"].as_array().unwrap().clone()
}

/// Which of the named crates end up in a program that uses `package`, as `found`.
fn found(package: &str, options: &[&str]) -> BTreeSet<String> {
    let tree = ["tree", "--package", package, "--edges", "normal", "--prefix", "none", "--format", "{p}"];
    let tree = ask(&[tree.as_slice(), options].concat());
    let names = tree.lines().filter_map(|line| line.split(' ').next());
    let all = EXECUTORS_AND_SOCKETS.into_iter().chain(WEB).chain(OF_FEATURES);
    let all: BTreeSet<_> = all.collect();
    names.filter(|name| all.contains(name)).map(str::to_owned).collect()
}

#[test]
fn packages_bring_only_what_they_should() {
    let only = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<_>>();
    // It reads manifests over HTTP, without an executor, and ends groups of processes. Only the inspector is a server.
    assert_eq!(found("agui-codegen", &[]), only(&["base64", "process-wrap"]));
    let others = ["--features", "expand,frontend-tools,https"];
    assert_eq!(found("agui-codegen", &others), only(&["base64", "process-wrap", "ring"]));
    let full = found("agui-codegen", &["--features", "full"]);
    assert!(full.contains("axum") && !full.contains("aws-lc-rs"), "{full:?}");
    let runtime = |features: &str| found("agui-runtime", &["--no-default-features", "--features", features]);
    assert_eq!(runtime("a2ui,dialect,drafts,metrics,preserve-order,proto,receive,threads"), only(&[]));
    assert_eq!(runtime("model,webhook-signatures"), only(&["base64"]));
    assert_eq!(runtime("sqlite"), only(&["rusqlite"]));
    let clients = runtime("a2a,client,mcp,providers");
    assert!(clients.contains("reqwest") && !clients.contains("axum"), "{clients:?}");
    let of_several = ["aws-lc-rs", "base64", "ring"];
    let of_a_feature: Vec<_> = OF_FEATURES.into_iter().filter(|name| !of_several.contains(name)).collect();
    let usual = runtime("a2a,client,dialect,drafts,model,providers,server,webhooks");
    let without = of_a_feature.iter().copied().filter(|name| usual.contains(*name)).collect::<Vec<_>>();
    assert_eq!(without, [""; 0]);
    let all = found("agui-runtime", &["--all-features"]);
    assert!(!all.contains("aws-lc-rs"), "{all:?}");
    let gone: Vec<_> = of_a_feature.into_iter().filter(|name| !all.contains(*name)).collect();
    assert_eq!(gone, [""; 0], "nothing looks for these crates any more: are they named otherwise?");
}

/// The part of a text between two others.
fn between<'t>(text: &'t str, start: &str, end: &str) -> &'t str {
    let (_, rest) = text.split_once(start).unwrap_or_else(|| panic!("no {start}"));
    rest.split_once(end).unwrap_or_else(|| panic!("no {end} after {start}")).0
}

#[test]
fn the_documentation_has_a_row_for_each_feature() {
    let packages = packages();
    let runtime = packages.iter().find(|package| package["name"] == "agui-runtime").unwrap();
    let names = runtime["features"].as_object().unwrap().keys().map(String::as_str);
    let declared: BTreeSet<_> = names.filter(|name| *name != "default").collect();
    let documentation = read("agui-runtime/src/lib.rs");
    let table = between(&documentation, "//! # Features\n", "//! # ");
    let cells = table.lines().filter_map(|line| line.strip_prefix("//! |")?.split('|').next());
    let documented: BTreeSet<_> = cells.flat_map(|cell| cell.split('`').skip(1).step_by(2)).collect();
    assert_eq!(documented, declared);
}

/// A test that `cargo test` leaves out runs in a tier, whose command is an alias of Cargo.
#[test]
fn each_test_that_is_left_out_is_in_a_tier() {
    let packages = packages();
    let targets = packages.iter().flat_map(|package| package["targets"].as_array().unwrap());
    let left_out = targets.filter(|target| target["kind"][0] == "test" && target["test"] == false);
    let left_out: BTreeSet<_> = left_out.map(|target| target["name"].as_str().unwrap()).collect();
    let aliases = read(".cargo/config.toml");
    let words = aliases.split(|c: char| c.is_whitespace() || c == '"').collect::<Vec<_>>();
    let tiers: BTreeSet<_> =
        words.windows(2).filter(|pair| pair[0] == "--test").map(|pair| pair[1]).collect();
    assert_eq!(tiers, left_out);
}

/// With these crates, `cargo install agui-codegen` takes more than twice the time.
#[test]
fn the_generator_is_built_without_crates_of_its_features() {
    let tree = |features: &[&str]| {
        let command =
            ["tree", "--package", "agui-codegen", "--edges", "normal", "--prefix", "none", "--format", "{p}"];
        ask(&[command.as_slice(), features].concat())
    };
    let (usual, full) = (tree(&[]), tree(&["--features", "full"]));
    for name in ["jsonschema v", "prettyplease v", "rustls v", "typify v"] {
        assert!(!usual.contains(name), "{name}");
        assert!(full.contains(name), "{name} is in no feature any more: is it named otherwise?");
    }
}

#[test]
fn everyday_tests_do_not_compile_mcp() {
    let tree = ask(&["tree", "--edges", "normal,build,dev", "--prefix", "none", "--format", "{p}"]);
    assert!(tree.contains("agui-runtime v"), "{tree}");
    assert!(!tree.contains("rmcp v"), "tests of the feature are behind the feature `optional` of agui-tests");
}

//! The dependencies of a package: its sources name each of them, and those that it must not have are not among them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};
use std::{env, fs, process::Command};

use agui_tests::outside::workspace_dir;
use serde_json::Value;

use crate::source::{code, rust_files};

const EXECUTORS_AND_SOCKETS: [&str; 8] =
    ["async-std", "mio", "smol", "socket2", "tokio", "tokio-util", "tower", "tower-http"];
const WEB: [&str; 6] = ["axum", "axum-core", "h2", "hyper", "hyper-util", "reqwest"];
const OURS: [&str; 3] = ["agui-codegen", "agui-macros", "agui-runtime"];

/// The dependencies that no source names, each with the reason: package, dependency, reason.
const UNNAMED: [[&str; 3]; 0] = [];

/// The answers of Cargo. Each takes it a while, and several tests ask for the same.
static ANSWERS: Mutex<BTreeMap<Vec<String>, Arc<OnceLock<String>>>> = Mutex::new(BTreeMap::new());

/// The output of Cargo for these arguments.
pub fn cargo(arguments: &[&str]) -> String {
    let key = arguments.iter().map(|argument| (*argument).to_owned()).collect();
    let answer = Arc::clone(ANSWERS.lock().unwrap().entry(key).or_default());
    answer.get_or_init(|| ask_cargo(arguments)).clone()
}

fn ask_cargo(arguments: &[&str]) -> String {
    let mut command = Command::new(env::var_os("CARGO").unwrap());
    let output = command.current_dir(workspace_dir()).args(arguments).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn metadata() -> Value {
    let metadata = cargo(&["metadata", "--no-deps", "--format-version", "1", "--locked", "--offline"]);
    serde_json::from_str(&metadata).unwrap()
}

/// The packages of the workspace, as Cargo describes them.
pub fn packages() -> Vec<Value> {
    metadata()["packages"].as_array().unwrap().clone()
}

/// The packages whose tests `cargo test` runs.
pub fn everyday_packages() -> Vec<Value> {
    let metadata = metadata();
    let everyday = metadata["workspace_default_members"].as_array().unwrap();
    packages().into_iter().filter(|package| everyday.contains(&package["id"])).collect()
}

/// The names of the packages that end up in a program that uses `package`.
fn dependencies(package: &str, options: &[&str]) -> BTreeSet<String> {
    let tree = ["tree", "--locked", "--package", package];
    let format = ["--edges", "normal", "--prefix", "none", "--format", "{p}"];
    let names = cargo(&[tree.as_slice(), &format, options].concat());
    let names: BTreeSet<_> =
        names.lines().filter_map(|line| line.split(' ').next()).map(str::to_owned).collect();
    assert!(names.contains(package), "{names:?}");
    names
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

/// The crates that only a program with the feature `mcp` compiles.
const OF_MCP: [&str; 3] = ["process-wrap", "rmcp", "sse-stream"];

#[test]
fn only_the_feature_mcp_brings_its_crates() {
    let others = "client,dialect,model,providers,server";
    assert_eq!(found(&dependencies("agui-runtime", &["--features", others]), OF_MCP), [""; 0]);
    let mcp = dependencies("agui-runtime", &["--no-default-features", "--features", "mcp"]);
    assert_eq!(found(&mcp, OF_MCP), OF_MCP);
    // It builds C for 20 s; ring does the same.
    assert_eq!(found(&mcp, ["aws-lc-rs", "axum", "ring"]), ["ring"]);
}

#[test]
fn only_the_feature_websocket_brings_its_crate() {
    let of_sockets = ["tokio-tungstenite", "tungstenite"];
    let others = "client,dialect,mcp,model,providers,server";
    assert_eq!(found(&dependencies("agui-runtime", &["--features", others]), of_sockets), [""; 0]);
    let with = dependencies("agui-runtime", &["--features", "client,server,websocket"]);
    assert_eq!(found(&with, of_sockets), of_sockets);
    // Connections and TLS are those of hyper and reqwest.
    assert_eq!(found(&with, ["native-tls", "tokio-native-tls", "webpki-roots"]), [""; 0]);
}

#[test]
fn an_agent_without_signed_interrupts_compiles_less() {
    let bare = dependencies("agui-runtime", &["--no-default-features"]);
    let signed = dependencies("agui-runtime", &["--no-default-features", "--features", "signed-interrupts"]);
    let of_signatures = ["base64", "getrandom", "libc", "time"];
    assert_eq!(found(&bare, of_signatures), [""; 0]);
    assert_eq!(found(&signed, of_signatures), of_signatures);
}

#[test]
fn a_receiver_of_webhooks_has_one_crate_more_than_an_agent() {
    let mut bare = dependencies("agui-runtime", &["--no-default-features"]);
    bare.insert("base64".to_owned());
    let receiver =
        dependencies("agui-runtime", &["--no-default-features", "--features", "webhook-signatures"]);
    assert_eq!(receiver, bare);
    assert_eq!(
        found(&receiver, ["base64", "hmac-sha256", "reqwest", "ring", "tokio"]),
        ["base64", "hmac-sha256"]
    );
    let sender = dependencies("agui-runtime", &["--no-default-features", "--features", "webhooks"]);
    assert_eq!(found(&sender, ["aws-lc-rs", "axum", "reqwest", "ring"]), ["axum", "reqwest", "ring"]);
}

#[test]
fn the_feature_a2a_brings_no_server() {
    let a2a = dependencies("agui-runtime", &["--no-default-features", "--features", "a2a"]);
    assert_eq!(found(&a2a, ["aws-lc-rs", "axum", "reqwest", "ring", "rmcp"]), ["reqwest", "ring"]);
}

/// The crates that only a program with the feature of an engine of threads compiles.
const OF_ENGINES: [[&str; 2]; 3] =
    [["sqlite", "rusqlite"], ["postgres", "tokio-postgres"], ["redis", "redis"]];

#[test]
fn only_the_features_of_engines_bring_their_crates() {
    let others = dependencies("agui-runtime", &["--features", "client,dialect,mcp,model,providers,server"]);
    assert_eq!(found(&others, OF_ENGINES.map(|[_, krate]| krate)), [""; 0]);
    for [feature, krate] in OF_ENGINES {
        let own = dependencies("agui-runtime", &["--no-default-features", "--features", feature]);
        assert_eq!(found(&own, OF_ENGINES.map(|[_, krate]| krate)), [krate]);
    }
    let sqlite = dependencies("agui-runtime", &["--no-default-features", "--features", "sqlite"]);
    assert_eq!(found(&sqlite, EXECUTORS_AND_SOCKETS.into_iter().chain(WEB)), [""; 0]);
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

/// The Rust files of a package, and the files elsewhere that they have as modules by `#[path]`.
fn sources(package: &Path, packages: &[PathBuf]) -> BTreeSet<PathBuf> {
    let is_own = |file: &PathBuf| {
        !packages
            .iter()
            .any(|other| other != package && other.starts_with(package) && file.starts_with(other))
    };
    let mut next: Vec<_> = rust_files(package).into_iter().filter(is_own).collect();
    let mut files = BTreeSet::new();
    while let Some(file) = next.pop() {
        let Ok(file) = file.canonicalize() else { continue };
        let text = fs::read_to_string(&file).unwrap();
        let folder = file.parent().unwrap().to_owned();
        if files.insert(file) {
            let paths = text.split("#[path = \"").skip(1).filter_map(|rest| rest.split('"').next());
            for path in paths.map(|path| folder.join(path)) {
                if path.ends_with("mod.rs") {
                    next.extend(rust_files(path.parent().unwrap()));
                }
                next.push(path);
            }
        }
    }
    files
}

/// True if the code has a path into the crate, imports it or calls a macro of its name.
fn names(code: &str, krate: &str) -> bool {
    code.match_indices(krate).any(|(at, _)| {
        let is_of_name = |c: char| c.is_alphanumeric() || c == '_';
        let (before, after) = (&code[..at], &code[at + krate.len()..]);
        let import = before.trim_end_matches("::").trim_end();
        !before.ends_with(is_of_name)
            && !after.starts_with(is_of_name)
            && (after.trim_start().starts_with("::") || after.starts_with('!') || import.ends_with("use"))
    })
}

/// The code of a file with its examples, which name dependencies too.
fn code_and_examples(text: &str) -> String {
    let examples = text.lines().map(str::trim_start).filter_map(|line| {
        line.strip_prefix("///").or_else(|| line.strip_prefix("//!")).map(|line| format!("{line}\n"))
    });
    code(text) + "\n" + &examples.collect::<String>()
}

#[test]
fn every_dependency_is_named() {
    let packages = packages();
    let folder = |package: &Value| {
        Path::new(package["manifest_path"].as_str().unwrap()).parent().unwrap().canonicalize().unwrap()
    };
    let mut folders: Vec<_> = packages.iter().map(folder).collect();
    // It is a workspace of its own.
    folders.push(workspace_dir().join("tests/fuzz").canonicalize().unwrap());
    let mut unused = Vec::new();
    let mut count = 0;
    for package in &packages {
        let name = package["name"].as_str().unwrap();
        let sources = sources(&folder(package), &folders);
        let code: String =
            sources.iter().map(|file| code_and_examples(&fs::read_to_string(file).unwrap())).collect();
        for dependency in package["dependencies"].as_array().unwrap() {
            let used = dependency["rename"].as_str().or(dependency["name"].as_str()).unwrap();
            count += 1;
            if !names(&code, &used.replace('-', "_")) {
                unused.push([name, used]);
            }
        }
    }
    assert!(count > 150, "only {count} dependencies");
    assert_eq!(unused, UNNAMED.map(|[package, dependency, _]| [package, dependency]));
}

#[test]
fn a_dependency_that_only_looks_named_is_seen() {
    for code in ["url::Url", "use url;", "url!()", "use ::url as other;", "let x = url ::Url;"] {
        assert!(names(code, "url"), "{code}");
    }
    for code in ["let url = 1;", "my_url::Url", "url_of::x", "f(url)"] {
        assert!(!names(code, "url"), "{code}");
    }
    assert_eq!(code_and_examples("// url::A\n/// url::B\nf(\"url::C\");").matches("url").count(), 1);
}

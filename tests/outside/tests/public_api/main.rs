//! The public API of each package, as committed in `tests/public-api`: a change is seen in review. Another crate's types are in the API
//! only if the list here allows the crate, because each of its major versions is then a major version of ours.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use agui_tests::outside::{cargo, finish, target_dir, tests_dir};
use public_api::Builder;

/// The crates whose types every package may have: those of the language, of serde and schemars, and our own.
const EVERYWHERE: [&str; 7] = ["alloc", "core", "schemars", "serde", "serde_core", "serde_json", "std"];

/// A package, its library, and the other crates in its API.
const PACKAGES: [(&str, &str, &[&str]); 8] = [
    ("agui-codegen", "agui_codegen", &["agui_runtime_core", "indexmap"]),
    ("agui-runtime", "agui_runtime", &["agui_runtime_core"]),
    ("agui-runtime-core", "agui_runtime_core", CORE),
    ("agui-runtime-mcp", "agui_runtime_mcp", MCP),
    ("agui-runtime-postgres", "agui_runtime_postgres", ENGINE),
    ("agui-runtime-providers", "agui_runtime_providers", &["agui_runtime_core"]),
    ("agui-runtime-redis", "agui_runtime_redis", ENGINE),
    ("agui-runtime-sqlite", "agui_runtime_sqlite", ENGINE),
];

/// The log of a thread has bytes, and boxed futures.
const ENGINE: &[&str] = &["agui_runtime_core", "bytes", "futures_core"];

/// A program brings the process of a server, or a stream; a header that is not valid has the error of
/// crate http; a list of tools is a `ToolSource`, whose method returns a boxed future.
const MCP: &[&str] = &["agui_runtime_core", "futures_core", "http", "tokio"];

/// In this order: routers, layers and requests of a server, and its listener; records and streams; the types that features are named
/// after, which are state; what a program brings: a span, an HTTP client.
const CORE: &[&str] = &[
    "axum",
    "axum_core",
    "http",
    "tower_layer",
    "tower_service",
    "tokio",
    "bytes",
    "futures_core",
    "chrono",
    "jiff",
    "rust_decimal",
    "url",
    "uuid",
    "tracing",
    "reqwest",
    "inventory",
];

/// Writes the API of all packages as JSON, in one build; returns the folder. Rustdoc's JSON is unstable, as are the badges of
/// features on docs.rs (`docsrs`): the variable allows them on a stable compiler.
fn json() -> PathBuf {
    let folder = target_dir().join("outside/public-api");
    let mut command: Command = cargo();
    command.args(["doc", "--quiet", "--locked", "--lib", "--no-deps", "--all-features"]);
    command.args(PACKAGES.iter().flat_map(|(package, ..)| ["--package", package]));
    command.arg("--target-dir").arg(&folder);
    let options = "-Z unstable-options --output-format json --cap-lints allow --cfg docsrs";
    command.env("RUSTC_BOOTSTRAP", "1").env("RUSTDOCFLAGS", options);
    drop(finish(command, "", Duration::from_secs(1_200)).assert_success());
    folder.join("doc")
}

/// The lines of a library's API.
fn api(json: &Path, library: &str) -> Vec<String> {
    let api = Builder::from_rustdoc_json(json.join(format!("{library}.json")))
        .omit_blanket_impls(true)
        .omit_auto_trait_impls(true)
        .omit_auto_derived_impls(true)
        .build()
        .unwrap();
    api.items().map(ToString::to_string).collect()
}

/// The crates whose items a line names.
fn crates(line: &str) -> BTreeSet<&str> {
    let is_of_name = |c: char| c.is_alphanumeric() || c == '_';
    let heads = line.match_indices("::").filter_map(|(at, _)| {
        let before = &line[..at];
        let start = before.rfind(|c| !is_of_name(c)).map_or(0, |start| start + 1);
        // The rest of a longer path.
        (!before[..start].ends_with("::")).then(|| &before[start..])
    });
    heads.filter(|name| name.starts_with(|c: char| c.is_lowercase()) && !PRIMITIVES.contains(name)).collect()
}

/// The types that have methods and associated types, and belong to no crate.
const PRIMITIVES: [&str; 17] = [
    "bool", "char", "f32", "f64", "i128", "i16", "i32", "i64", "i8", "isize", "str", "u128", "u16", "u32",
    "u64", "u8", "usize",
];

#[test]
fn the_public_api_is_the_committed_one_and_names_allowed_crates() {
    let (json, mut wrong) = (json(), Vec::new());
    for (package, library, allowed) in PACKAGES {
        let lines = api(&json, library);
        assert!(lines.len() > 3, "{package}: {lines:?}");
        let foreign: BTreeSet<_> = lines.iter().flat_map(|line| crates(line)).collect();
        let is_allowed =
            |name: &&str| *name == library || EVERYWHERE.contains(name) || allowed.contains(name);
        let unknown: Vec<_> = foreign.iter().filter(|name| !is_allowed(name)).collect();
        if !unknown.is_empty() {
            wrong.push(format!(
                "{package} has types of {unknown:?} in its API: make a type of our own, or allow the crate"
            ));
        }
        let unused: Vec<_> = allowed.iter().filter(|name| !foreign.contains(*name)).collect();
        if !unused.is_empty() {
            wrong.push(format!("{package} has no type of {unused:?} any more: take the crate off the list"));
        }
        let (path, text) = (tests_dir().join(format!("public-api/{package}.txt")), lines.join("\n") + "\n");
        if std::env::var_os("AGUI_UPDATE").is_some() {
            fs::write(&path, text).unwrap();
        } else if fs::read_to_string(&path).unwrap_or_default() != text {
            wrong.push(format!("the API of {package} has changed: `AGUI_UPDATE=1 cargo test -p agui-outside --test public_api`"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_crates_of_a_line_are_found() {
    let line = "pub fn a::B::c(&self, axum::Router<S>) -> core::result::Result<(), <T as http::Body>::Error>";
    assert_eq!(crates(line), BTreeSet::from(["a", "axum", "core", "http"]));
}

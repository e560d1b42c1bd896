//! The packages that are published: what a registry shows of them is complete, and all files that they compile are in
//! them. `cargo package` of all three compiles them; that takes minutes, and is a command of its own.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

use agui_tests::outside::workspace_dir;
use serde_json::Value;

use crate::dependencies::{cargo, packages};
use crate::source::rust_files;

const PUBLISHED: [&str; 3] = ["agui-codegen", "agui-macros", "agui-runtime"];

/// The limits of registries for keywords.
const KEYWORDS: usize = 5;
const LONGEST_KEYWORD: usize = 20;

/// The categories in use. Registries refuse others than their own.
const CATEGORIES: [&str; 5] =
    ["asynchronous", "command-line-utilities", "development-tools", "encoding", "web-programming"];

/// The packages that a registry would accept.
fn published() -> Vec<Value> {
    packages().into_iter().filter(|package| package["publish"].is_null()).collect()
}

/// The files of a package as it would be published.
fn files(package: &str) -> BTreeSet<PathBuf> {
    let list = cargo(&["package", "--list", "--locked", "--offline", "--allow-dirty", "--package", package]);
    list.lines().map(PathBuf::from).collect()
}

/// Every lack of a package's description.
fn lacks(package: &Value) -> Vec<String> {
    let mut lacks = Vec::new();
    let mut need = |is_there: bool, what: &str| lacks.extend((!is_there).then(|| what.to_owned()));
    let text = |key: &str| package[key].as_str().unwrap_or_default().to_owned();
    let list = |key: &str| -> Vec<String> {
        let values = package[key].as_array().into_iter().flatten();
        values.filter_map(|value| value.as_str().map(str::to_owned)).collect()
    };
    need(text("description").ends_with('.'), "a description in a sentence");
    need(text("license") == "MIT OR Apache-2.0", "its license");
    need(!text("rust_version").is_empty(), "a rust-version");
    let keywords = list("keywords");
    need((1..=KEYWORDS).contains(&keywords.len()), "one to five keywords");
    need(keywords.iter().all(|keyword| keyword.len() <= LONGEST_KEYWORD), "short keywords");
    let categories = list("categories");
    need(
        !categories.is_empty() && categories.iter().all(|name| CATEGORIES.contains(&name.as_str())),
        "categories",
    );
    need(package["metadata"]["docs"]["rs"]["all-features"] == true, "all features in its documentation");
    for dependency in package["dependencies"].as_array().into_iter().flatten() {
        let is_for_tests = dependency["kind"] == "dev";
        let name = dependency["name"].as_str().unwrap_or_default();
        need(is_for_tests || dependency["req"] != "*", &format!("a version of `{name}`"));
    }
    lacks
}

#[test]
fn the_descriptions_are_complete() {
    let packages = published();
    let names: BTreeSet<_> = packages.iter().map(|package| package["name"].as_str().unwrap()).collect();
    assert_eq!(names, BTreeSet::from(PUBLISHED));
    for package in &packages {
        assert_eq!(lacks(package), [""; 0], "{}", package["name"]);
    }
}

#[test]
fn a_lack_is_seen() {
    let package = &published()[0];
    for (pointer, without, lack) in [
        ("/description", Value::Null, "a description in a sentence"),
        ("/keywords", serde_json::json!([]), "one to five keywords"),
        ("/categories", serde_json::json!(["agents"]), "categories"),
        ("/metadata", Value::Null, "all features in its documentation"),
        ("/dependencies/0/req", Value::from("*"), "a version of `"),
    ] {
        let mut package = package.clone();
        *package.pointer_mut(pointer).unwrap() = without;
        let lacks = lacks(&package);
        assert!(lacks.len() == 1 && lacks[0].starts_with(lack), "{pointer}: {lacks:?}");
    }
}

/// The README of each package begins with its name, and its first sentence is more than that.
#[test]
fn the_readmes_and_licenses_are_in_the_packages() {
    for package in PUBLISHED {
        let files = files(package);
        for file in ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE", "Cargo.lock"] {
            assert!(files.contains(Path::new(file)), "{package} has no {file}: {files:?}");
        }
        let readme = fs::read_to_string(workspace_dir().join(package).join("README.md")).unwrap();
        assert!(readme.starts_with(&format!("# {package}\n\n")), "{package}");
        assert!(readme.lines().nth(2).is_some_and(|line| line.len() > 40), "{package}");
        assert!(readme.contains("```"), "the README of {package} has no example");
    }
}

/// The paths that a file includes, from the folder of the file. Paths that a macro builds are left out.
fn included(text: &str) -> Vec<&str> {
    let starts = ["include_str!(\"", "include_bytes!(\"", "include!(\""];
    let after = starts.iter().flat_map(|start| text.split(start).skip(1));
    after.filter_map(|rest| rest.split('"').next()).collect()
}

/// A path without `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(plain.pop()),
            part => plain.push(part),
        }
    }
    plain
}

#[test]
fn files_that_sources_include_are_in_the_packages() {
    let mut count = 0;
    for package in PUBLISHED {
        let (folder, files) = (workspace_dir().join(package), files(package));
        for source in rust_files(&folder.join("src")) {
            let text = fs::read_to_string(&source).unwrap();
            let name = source.strip_prefix(&folder).unwrap();
            assert!(files.contains(name), "{package} does not have {}", name.display());
            // Unit tests are not compiled by users.
            let program = text.split("#[cfg(test)]").next().unwrap();
            for path in included(program) {
                let path = plain(&name.parent().unwrap().join(path));
                assert!(files.contains(&path), "{package}: {} includes {}", name.display(), path.display());
                count += 1;
            }
        }
    }
    assert!(count > 30, "only {count} included files");
    let template = files("agui-codegen").into_iter().filter(|file| file.starts_with("template")).count();
    assert!(template > 15, "{template} files of the template");
}

/// Every feature is in the first cell of a row in the documentation of the runtime.
#[test]
fn every_feature_is_documented() {
    let package = published().into_iter().find(|package| package["name"] == "agui-runtime").unwrap();
    let docs = fs::read_to_string(workspace_dir().join("agui-runtime/src/lib.rs")).unwrap();
    let cells = docs.lines().filter_map(|line| line.strip_prefix("//! | ")?.split(" | ").next());
    let documented: BTreeSet<_> = cells.flat_map(|cell| cell.split('`').skip(1).step_by(2)).collect();
    let features = package["features"].as_object().unwrap().keys();
    let silent: Vec<_> =
        features.filter(|name| *name != "default" && !documented.contains(name.as_str())).collect();
    assert_eq!(silent, [""; 0]);
}

//! The metadata of the published packages: the index has all of it, and `rust-version` is true.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::Value;

use crate::dependencies::ask;
use crate::published::published;

/// The compiler that the newest part of the language in our sources needs: `if let … && …`.
const OWN: RustVersion = (1, 88);

/// Major and minor.
type RustVersion = (u32, u32);

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().unwrap_or_default()
}

/// The `rust-version` of a package; 0 for a package without one.
fn rust_version(package: &Value) -> RustVersion {
    let mut numbers = text(package, "rust_version").split('.').map(|number| number.parse().unwrap_or(0));
    (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0))
}

#[test]
fn the_metadata_is_complete() {
    for package in published() {
        let name = text(&package, "name");
        for key in ["description", "homepage", "license", "readme", "repository"] {
            assert!(!text(&package, key).is_empty(), "{name} has no {key}");
        }
        assert_eq!(text(&package, "documentation"), format!("https://docs.rs/{name}"));
        for (key, most) in [("keywords", 5), ("categories", 5)] {
            let count = package[key].as_array().unwrap().len();
            assert!((1..=most).contains(&count), "{name} has {count} {key}");
        }
        let documented = &package["metadata"]["docs"]["rs"];
        assert_eq!(documented["all-features"], true, "{name}");
        // The macros have no features to show.
        if package["features"].as_object().unwrap().is_empty() && name.ends_with("-macros") {
            continue;
        }
        assert_eq!(documented["rustdoc-args"], serde_json::json!(["--cfg", "docsrs"]), "{name}");
        let folder = Path::new(text(&package, "manifest_path")).parent().unwrap();
        let library = std::fs::read_to_string(folder.join("src/lib.rs")).unwrap();
        assert!(library.contains("#![cfg_attr(docsrs, feature(doc_cfg))]"), "{name} shows no features");
    }
}

/// The packages that each package compiles, except for its tests.
fn needs(metadata: &Value) -> BTreeMap<&str, BTreeSet<&str>> {
    let nodes = metadata["resolve"]["nodes"].as_array().unwrap();
    let needs = nodes.iter().map(|node| {
        let dependencies = node["deps"].as_array().unwrap().iter();
        let compiled = dependencies.filter(|dependency| {
            dependency["dep_kinds"].as_array().unwrap().iter().any(|kind| kind["kind"] != "dev")
        });
        (text(node, "id"), compiled.map(|dependency| text(dependency, "pkg")).collect())
    });
    needs.collect()
}

/// The packages that are compiled for a package with all its features, except packages of ours that are behind one: such a package
/// tells its users itself which compiler it needs.
fn compiled<'m>(
    package: &'m Value,
    needs: &BTreeMap<&'m str, BTreeSet<&'m str>>,
    packages: &BTreeMap<&str, &Value>,
) -> BTreeSet<&'m str> {
    let declared = packages.values().flat_map(|package| package["dependencies"].as_array().unwrap());
    let optional: BTreeSet<_> = declared
        .filter(|dependency| dependency["optional"] == true && !dependency["path"].is_null())
        .map(|dependency| text(dependency, "name"))
        .collect();
    let (mut found, mut open) = (BTreeSet::new(), vec![text(package, "id")]);
    while let Some(id) = open.pop() {
        let others = needs[id].iter().filter(|id| !optional.contains(text(packages[*id], "name")));
        open.extend(others.filter(|id| found.insert(**id)));
    }
    found
}

/// CI has one compiler, so the test reads what the dependencies declare. The
/// functions of the standard library that a package uses are checked by clippy's `incompatible_msrv`.
#[test]
fn rust_version_is_the_newest_that_a_package_or_its_dependencies_need() {
    let metadata = ask(&["metadata", "--all-features", "--format-version", "1"]);
    let metadata: Value = serde_json::from_str(&metadata).unwrap();
    let packages: BTreeMap<_, _> = metadata["packages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|package| (text(package, "id"), package))
        .collect();
    let needs = needs(&metadata);
    for package in &published() {
        let name = text(package, "name");
        let crates = compiled(package, &needs, &packages);
        assert!(crates.len() >= 4, "{name}: {crates:?}");
        let newest = crates.iter().map(|id| rust_version(packages[id])).fold(OWN, RustVersion::max);
        let by: Vec<_> = crates.iter().filter(|id| rust_version(packages[*id]) == newest).collect();
        assert_eq!(rust_version(package), newest, "{name}, by {by:?}");
    }
}

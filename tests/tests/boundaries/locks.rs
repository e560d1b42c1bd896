//! The lock files of workspaces beside this one: they know the dependencies that our packages have now.

use std::collections::BTreeSet;
use std::fs;

use agui_tests::outside::workspace_dir;
use serde_json::Value;

use crate::dependencies::cargo;

const BESIDE: [&str; 3] = ["tests/editor", "tests/fuzz", "tests/peers"];

/// The packages of a lock file that come from no registry, each with its dependencies.
fn local(lock: &str) -> Vec<(&str, BTreeSet<&str>)> {
    let packages = lock.split("[[package]]").skip(1).filter(|package| !package.contains("\nsource = "));
    packages
        .map(|package| {
            let (_, name) = package.split_once("name = \"").unwrap();
            let listed = package.split_once("dependencies = [").map_or("", |(_, list)| list);
            // With several versions of a package, its version follows the name.
            let names = listed.split('"').skip(1).step_by(2).filter_map(|entry| entry.split(' ').next());
            (name.split('"').next().unwrap(), names.collect())
        })
        .collect()
}

/// Returns what a lock file has too much or too little, given our packages as cargo describes them.
fn differences(lock: &str, packages: &[Value]) -> Vec<String> {
    let mut differences = Vec::new();
    for (name, locked) in local(lock) {
        let Some(package) = packages.iter().find(|package| package["name"] == name) else { continue };
        let dependencies = package["dependencies"].as_array().unwrap().iter();
        let built: Vec<_> = dependencies.filter(|dependency| dependency["kind"] != "dev").collect();
        let name_of = |dependency: &&&Value| dependency["name"].as_str().unwrap().to_owned();
        let declared: BTreeSet<_> = built.iter().map(|dependency| name_of(&dependency)).collect();
        let required = built.iter().filter(|dependency| dependency["optional"] == false).map(|d| name_of(&d));
        differences.extend(
            required.filter(|it| !locked.contains(it.as_str())).map(|it| format!("{name} lacks {it}")),
        );
        differences.extend(
            locked.iter().filter(|it| !declared.contains(**it)).map(|it| format!("{name} has no {it}")),
        );
    }
    differences
}

fn packages() -> Vec<Value> {
    let metadata = cargo(&["metadata", "--no-deps", "--format-version", "1", "--locked"]);
    let metadata: Value = serde_json::from_str(&metadata).unwrap();
    metadata["packages"].as_array().unwrap().clone()
}

#[test]
fn lock_files_beside_the_workspace_are_up_to_date() {
    let packages = packages();
    for folder in BESIDE {
        let lock = fs::read_to_string(workspace_dir().join(folder).join("Cargo.lock")).unwrap();
        let names: Vec<_> = local(&lock).into_iter().map(|(name, _)| name).collect();
        assert!(names.contains(&"agui-runtime") && names.contains(&"agui-macros"), "{folder}: {names:?}");
        let differences = differences(&lock, &packages);
        assert!(differences.is_empty(), "{differences:?}: run `cargo update --workspace` in {folder}");
    }
}

#[test]
fn an_old_lock_file_is_seen() {
    let packages = packages();
    let lock = "[[package]]\nname = \"agui-macros\"\ndependencies = [\n \"heck 0.5.0\",\n \"nothing\",\n]\n";
    let differences = differences(lock, &packages);
    for difference in ["agui-macros lacks syn", "agui-macros has no nothing"] {
        assert!(differences.iter().any(|it| it == difference), "{differences:?}");
    }
}

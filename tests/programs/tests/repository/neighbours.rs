//! The table of neighbours: its versions are those of the lock files.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use agui_programs::workspace_dir;
use serde_json::Value;

use crate::documents::table;
use crate::read;

const PAGE: &str = ".github/site/pages/neighbours.md";

type Versions = BTreeMap<String, BTreeSet<String>>;

/// The packages of a row, each with its versions: `package` 1.0.0, 0.9.0; `other` 2.0.0.
fn packages(cell: &str) -> Vec<(&str, BTreeSet<String>)> {
    let packages = cell.split(';').filter_map(|package| {
        let (name, numbers) = package.trim().strip_prefix('`')?.split_once("` ")?;
        Some((name, numbers.split(',').map(|number| number.trim().to_owned()).collect()))
    });
    packages.collect()
}

/// The packages in the lock files of npm below `tests/node`.
fn npm_locks() -> Vec<Value> {
    let folders =
        fs::read_dir(workspace_dir().join("tests/node")).unwrap().map(|entry| entry.unwrap().path());
    let locks = folders.chain([workspace_dir().join("tests/node")]);
    let locks = locks.filter_map(|folder| fs::read_to_string(folder.join("package-lock.json")).ok());
    locks.map(|lock| serde_json::from_str::<Value>(&lock).unwrap()["packages"].take()).collect()
}

/// The packages in the lock files of npm, under their real names: those that a lock file asks for, or if none does, those that
/// others brought.
fn npm() -> Versions {
    let (mut asked, mut brought) = (Versions::new(), Versions::new());
    for packages in npm_locks() {
        for (path, package) in packages.as_object().unwrap() {
            let name = path.strip_prefix("node_modules/").filter(|name| !name.contains("/node_modules/"));
            let (Some(name), Some(version)) = (name, package["version"].as_str()) else { continue };
            let is_asked = packages[""]["dependencies"].get(name).is_some();
            let real = package["name"].as_str().unwrap_or(name).to_owned();
            let found = if is_asked { &mut asked } else { &mut brought };
            found.entry(real).or_default().insert(version.to_owned());
        }
    }
    brought.extend(asked);
    brought
}

/// Every version in the lock files of npm, of PyPI and of crates.
fn locked() -> Versions {
    let mut found = npm();
    let mut add = |name: &str, version: &str| {
        found.entry(name.to_owned()).or_default().insert(version.to_owned());
    };
    for line in [
        "requirements.txt",
        "a2a/requirements.txt",
        "mcp-newer/requirements.txt",
        "mcp-older/requirements.txt",
    ]
    .map(|file| read(&format!("tests/python/{file}")))
    .concat()
    .lines()
    {
        if let Some((name, version)) = line.split_once("==") {
            add(name, version.split(' ').next().unwrap());
        }
    }
    for package in read("Cargo.lock").split("[[package]]").skip(1) {
        let value = |key: &str| {
            let line = package.lines().find_map(|line| line.strip_prefix(key));
            line.map(|value| value.trim_matches('"').to_owned()).unwrap()
        };
        add(&value("name = "), &value("version = "));
    }
    found
}

#[test]
fn the_versions_are_those_of_the_lock_files() {
    let locked = locked();
    let text = read(PAGE);
    let rows = table(&text.lines().collect::<Vec<_>>());
    assert!(rows.len() > 8, "only {} rows", rows.len());
    for row in rows {
        for (package, numbers) in packages(row[1]) {
            let tested = locked.get(package).unwrap_or_else(|| panic!("{package} is not locked: {row:?}"));
            assert_eq!(&numbers, tested, "{package}: {row:?}");
        }
    }
}

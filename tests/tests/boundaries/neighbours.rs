//! The README's table of neighbours: its versions are those of the lock files, its commands run tests that exist, and every
//! package that tests install is in it, unless it is a tool.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use agui_tests::outside::workspace_dir;
use serde_json::Value;

const HEADING: &str = "## Neighbours";

/// Packages of npm that build, drive or check our side, or that a neighbour needs.
const TOOLS: [&str; 21] = [
    "axe-core",
    "@types/react",
    "@types/react-dom",
    "@vitejs/plugin-react",
    "create-vite",
    "esbuild",
    "eslint",
    "express",
    "happy-dom",
    "playwright-core",
    "pyright",
    "react-dom",
    "rollup",
    "rxjs",
    "typescript",
    "typescript-eslint",
    "vite",
    "@ag-ui/encoder",
    "@ag-ui/proto",
    "@ag-ui/core",
    "fast-json-patch",
];

type Versions = BTreeMap<String, BTreeSet<String>>;

struct Row {
    text: String,
    versions: Vec<(String, BTreeSet<String>)>,
    command: String,
}

/// The table below the heading.
fn rows() -> Vec<Row> {
    let readme = fs::read_to_string(workspace_dir().join("README.md")).unwrap();
    let (_, section) = readme.split_once(HEADING).expect("the README has no section of neighbours");
    let section = section.split("\n## ").next().unwrap();
    let table = section.lines().filter(|line| line.starts_with('|')).skip(2);
    table.map(row).collect()
}

/// `| who | `package` 1.0.0, 0.9.0; `other` 2.0.0 | `command` |`
fn row(line: &str) -> Row {
    let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
    let [_, versions, command] = cells.as_slice() else { panic!("{line}: three cells") };
    let versions = versions.split(';').filter_map(|package| {
        let (name, numbers) = package.trim().strip_prefix('`')?.split_once("` ")?;
        Some((name.to_owned(), numbers.split(',').map(|number| number.trim().to_owned()).collect()))
    });
    Row { text: line.to_owned(), versions: versions.collect(), command: command.trim_matches('`').to_owned() }
}

/// The packages in the lock files of npm below `tests/node`.
fn npm_locks() -> Vec<Value> {
    let folders =
        fs::read_dir(workspace_dir().join("tests/node")).unwrap().map(|entry| entry.unwrap().path());
    let locks = folders.chain([workspace_dir().join("tests/node")]);
    let locks = locks.filter_map(|folder| fs::read_to_string(folder.join("package-lock.json")).ok());
    locks.map(|lock| serde_json::from_str::<Value>(&lock).unwrap()["packages"].take()).collect()
}

/// Adds a package of a lock file under its real name.
fn add_npm(found: &mut Versions, name: &str, package: &Value) {
    let real = package["name"].as_str().unwrap_or(name);
    let version = package["version"].as_str().unwrap_or_else(|| panic!("{name}: {package}"));
    found.entry(real.to_owned()).or_default().insert(version.to_owned());
}

/// The direct dependencies in the lock files of npm.
fn npm() -> Versions {
    let mut found = Versions::new();
    for packages in npm_locks() {
        for name in packages[""]["dependencies"].as_object().unwrap().keys() {
            add_npm(&mut found, name, &packages[format!("node_modules/{name}")]);
        }
    }
    found
}

/// The packages of npm that only other packages depend on.
fn npm_indirect(direct: &Versions) -> Versions {
    let mut found = Versions::new();
    for packages in npm_locks() {
        for (path, package) in packages.as_object().unwrap() {
            let name = path.strip_prefix("node_modules/").filter(|name| !name.contains("/node_modules/"));
            if let Some(name) = name.filter(|_| package["version"].is_string()) {
                add_npm(&mut found, name, package);
            }
        }
    }
    found.retain(|name, _| !direct.contains_key(name));
    found
}

/// Every version in the lock files of npm, of PyPI and of crates.
fn locked() -> Versions {
    let mut found = npm();
    let indirect = npm_indirect(&found);
    found.extend(indirect);
    let read = |path: &str| fs::read_to_string(workspace_dir().join(path)).unwrap();
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

/// The folder or file of a test target, if there is one.
fn sources(package: &str, target: &str) -> Option<String> {
    let folder = match package {
        "agui-outside" => "tests/outside/tests",
        "agui-tests" => "tests/tests",
        "agui-proofs" => "tests/proofs/tests",
        _ => return None,
    };
    let path = workspace_dir().join(folder).join(target);
    if path.join("main.rs").is_file() {
        let mut all = String::new();
        collect(&path, &mut all);
        return Some(all);
    }
    fs::read_to_string(path.with_extension("rs")).ok()
}

fn collect(folder: &Path, into: &mut String) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, into);
        } else {
            into.push_str(&fs::read_to_string(path).unwrap());
        }
    }
}

#[test]
fn the_versions_are_those_of_the_lock_files() {
    let locked = locked();
    let rows = rows();
    assert!(rows.len() > 8, "only {} rows", rows.len());
    for Row { text, versions, .. } in rows {
        for (package, numbers) in versions {
            let tested = locked.get(&package).unwrap_or_else(|| panic!("{package} is not locked: {text}"));
            assert_eq!(&numbers, tested, "{package}: {text}");
        }
    }
}

#[test]
fn every_package_that_tests_install_has_a_row() {
    let named: BTreeSet<String> =
        rows().into_iter().flat_map(|row| row.versions).map(|(package, _)| package).collect();
    let missing: Vec<String> = npm()
        .into_keys()
        .filter(|package| !named.contains(package) && !TOOLS.contains(&package.as_str()))
        .collect();
    assert!(missing.is_empty(), "neither in the README's table nor a tool: {missing:?}");
}

#[test]
fn the_commands_run_tests() {
    for Row { text, command, .. } in rows() {
        let command = command.replace(" --features optional", "");
        let words: Vec<&str> = command.split_whitespace().collect();
        let ["cargo", "test", "-p", package, "--test", target, filters @ ..] = words.as_slice() else {
            panic!("`{command}` is no test: {text}");
        };
        let sources =
            sources(package, target).unwrap_or_else(|| panic!("{package} has no test `{target}`: {text}"));
        for filter in filters {
            let filter = filter.trim_end_matches("::");
            let named = [format!("mod {filter}"), format!("fn {filter}"), format!("_{filter}")];
            assert!(named.iter().any(|name| sources.contains(name)), "nothing is named `{filter}`: {text}");
        }
    }
}

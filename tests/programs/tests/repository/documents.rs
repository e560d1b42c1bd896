//! The documents describe the repository as it is: the paths of ARCHITECTURE.md exist, the commands that the documents name have
//! something to run, and every test that a promise names exists.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use agui_programs::workspace_dir;
use serde_json::Value;

use crate::{files, read};

/// The lines of a section, without its heading.
pub fn section<'t>(text: &'t str, heading: &str) -> Vec<&'t str> {
    let lines = text.lines().skip_while(|line| *line != heading).skip(1);
    let lines: Vec<_> = lines.take_while(|line| !line.starts_with("## ")).collect();
    assert!(!lines.is_empty(), "no section {heading}");
    lines
}

/// The cells of the rows of a table, without its head.
pub fn table<'t>(lines: &[&'t str]) -> Vec<Vec<&'t str>> {
    let table = lines.iter().filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"));
    table.skip(1).map(|row| row.split(" | ").collect()).collect()
}

/// The words in backticks that name a file or a folder.
pub fn paths(text: &str) -> BTreeSet<&str> {
    let quoted = text.split('`').skip(1).step_by(2);
    let is_path = |word: &&str| {
        !word.contains(|c: char| c.is_whitespace() || "(){}<>&:*#|=".contains(c))
            && (word.contains('/') || word.ends_with(".rs"))
    };
    quoted.filter(is_path).collect()
}

#[test]
fn every_path_exists() {
    let text = read("ARCHITECTURE.md");
    let root = workspace_dir();
    let outside_fences: String = text.split("```").step_by(2).collect();
    let paths = paths(&outside_fences);
    assert!(paths.len() > 60, "{paths:?}");
    let is_there = |path: &&str| {
        ["", "agui-runtime/core/src/"].iter().any(|base| root.join(format!("{base}{path}")).exists())
    };
    let missing: Vec<_> = paths.into_iter().filter(|path| !is_there(path)).collect();
    assert_eq!(missing, [""; 0]);
}

#[test]
fn a_planted_path_is_seen() {
    assert_eq!(paths("see `kernel/hub.rs` and `no/such`, `cargo test -p x`, `a::b`, `Hub`").len(), 2);
}

/// The documents with commands.
const DOCUMENTS: [&str; 11] = [
    "ARCHITECTURE.md",
    ".github/CONTRIBUTING.md",
    ".github/site/pages/index.md",
    ".github/site/pages/neighbours.md",
    ".github/site/pages/recipes.md",
    ".github/site/pages/start.md",
    "README.md",
    "agui-runtime/SKILL.md",
    "tests/docs/commands.md",
    "tests/docs/figures.md",
    "tests/docs/suites.md",
];

/// The pages with promises, which name the tests that hold them.
const PROMISES: [&str; 3] =
    ["SECURITY.md", "agui-runtime/core/src/docs/trust.md", "agui-runtime/src/docs/deploying.md"];

/// A target of a package of the repository.
struct Target {
    package: String,
    /// `bin`, `test`, `bench`, `example` or `lib`.
    kind: String,
    name: String,
    /// The file with its root.
    root: PathBuf,
}

/// The targets of all packages; the editor, the fuzzers and the peers are workspaces of their own.
fn targets() -> Vec<Target> {
    let beside = ["tests/editor/Cargo.toml", "tests/fuzz/Cargo.toml", "tests/peers/Cargo.toml"];
    let manifests = ["Cargo.toml"].into_iter().chain(beside).map(|path| workspace_dir().join(path));
    let mut targets = Vec::new();
    for manifest in manifests {
        let mut cargo = Command::new(env::var_os("CARGO").unwrap());
        let cargo =
            cargo.args(["metadata", "--no-deps", "--offline", "--format-version", "1", "--manifest-path"]);
        let output = cargo.arg(manifest).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
        for package in metadata["packages"].as_array().unwrap() {
            for target in package["targets"].as_array().unwrap() {
                let text = |value: &Value| value.as_str().unwrap().to_owned();
                targets.push(Target {
                    package: text(&package["name"]),
                    kind: text(&target["kind"][0]),
                    name: text(&target["name"]),
                    root: text(&target["src_path"]).into(),
                });
            }
        }
    }
    targets
}

/// The commands in a document: those in backticks and in fenced blocks. Commands after `agui-codegen new` are for the new
/// project.
fn commands(text: &str) -> Vec<String> {
    let mut commands = Vec::new();
    for (place, block) in text.split("```").enumerate() {
        if place % 2 == 1 {
            let lines = block.lines().skip(1).map(|line| {
                // A comment may follow.
                line.trim_start_matches("$ ").split(" # ").next().unwrap_or_default()
            });
            let of_the_repository = lines.take_while(|line| !line.starts_with("agui-codegen new"));
            commands.extend(of_the_repository.map(str::to_owned));
        } else {
            commands.extend(block.split('`').skip(1).step_by(2).map(|code| code.replace('\n', " ")));
        }
    }
    commands.retain(|command| {
        ["cargo test", "cargo run", "cargo bench"].iter().any(|cargo| command.contains(cargo))
            || command.starts_with("--test ")
    });
    commands
}

/// The commands for the tests that a page names, as `target filter` or `package target filter`.
fn named_tests(text: &str) -> Vec<String> {
    let after = text.split("(test").skip(1).filter_map(|rest| rest.split_once(':'));
    let named =
        after.filter(|(words, _)| ["", "s", " in the repository", "s in the repository"].contains(words));
    let quoted =
        named.flat_map(|(_, rest)| rest.split(')').next().unwrap_or_default().split('`').skip(1).step_by(2));
    let command = |name: &str| match *name.split_whitespace().collect::<Vec<_>>() {
        [target, filter] => format!("cargo test --test {target} {filter}"),
        [package, target, filter] => format!("cargo test -p {package} --test {target} {filter}"),
        _ => format!("cargo test -p {name}"),
    };
    quoted.map(command).collect()
}

/// The obstacle to a command: a package or a target that does not exist, or a filter that no test of its targets has.
fn obstacle(command: &str, targets: &[Target]) -> Option<String> {
    let arguments = command.split(" -- ").next().unwrap_or_default();
    let mut words =
        arguments.split_whitespace().skip_while(|word| !word.starts_with("cargo") && !word.starts_with('-'));
    let is_fuzzing = arguments.contains("cd tests/fuzz");
    let (mut packages, mut asked, mut filters) = (Vec::new(), Vec::new(), Vec::new());
    let mut runs = false;
    while let Some(word) = words.next() {
        match word {
            "-p" | "--package" => packages.push(words.next()?),
            "--test" | "--bin" | "--bench" | "--example" => asked.push((&word[2..], words.next()?)),
            "--features" => drop(words.next()),
            "run" => runs = true,
            "cargo" | "test" | "bench" | "--" => {}
            option if option.starts_with('-') => {}
            filter => filters.push(filter),
        }
    }
    if is_fuzzing {
        packages.push("agui-fuzz");
    }
    if let Some(package) = packages.iter().find(|name| !targets.iter().any(|target| target.package == **name))
    {
        return Some(format!("there is no package {package}"));
    }
    if runs && asked.is_empty() {
        let has_program =
            |target: &Target| target.kind == "bin" && packages.contains(&target.package.as_str());
        return (!targets.iter().any(has_program)).then(|| "there is no program".to_owned());
    }
    let mut found = Vec::new();
    for (kind, name) in &asked {
        let known = |target: &&Target| {
            target.kind == *kind
                && target.name == *name
                && (packages.is_empty() || packages.contains(&target.package.as_str()))
        };
        match targets.iter().find(known) {
            Some(target) => found.push(target),
            None => return Some(format!("{packages:?} has no {kind} {name}")),
        }
    }
    let missing = filters.iter().find(|filter| !found.iter().any(|target| has_test(&target.root, filter)));
    missing.filter(|_| !found.is_empty()).map(|filter| format!("no test has {filter} in its name"))
}

/// True if the files of a target have a module or a function with the text in its name.
fn has_test(root: &Path, filter: &str) -> bool {
    let is_folder = root.ends_with("main.rs") || root.ends_with("generator.rs");
    let files = if is_folder { files(root.parent().unwrap()) } else { vec![root.to_owned()] };
    let name = filter.rsplit("::").next().unwrap_or(filter);
    let declares = |line: &str| {
        let line = line.trim_start().trim_start_matches("async ");
        line.strip_prefix("fn ").or_else(|| line.strip_prefix("mod ")).is_some_and(|rest| {
            rest.split(|c: char| !c.is_alphanumeric() && c != '_')
                .next()
                .is_some_and(|word| word.contains(name))
        })
    };
    files
        .iter()
        .filter(|file| file.extension().is_some_and(|extension| extension == "rs"))
        .any(|file| fs::read_to_string(file).unwrap().lines().any(declares))
}

#[test]
fn every_command_of_the_documents_has_something_to_run() {
    let targets = targets();
    let mut count = 0;
    let mut wrong = Vec::new();
    for document in DOCUMENTS {
        for command in commands(&read(document)) {
            count += 1;
            wrong.extend(obstacle(&command, &targets).map(|what| format!("{document}: `{command}`: {what}")));
        }
    }
    assert!(count > 100, "only {count} commands");
    assert_eq!(wrong, [""; 0]);
}

#[test]
fn a_command_without_anything_to_run_is_seen() {
    let targets = targets();
    let text = "`cargo test -p agui-tests --test flow consent`, `A=1 cargo run -p tour`\n```console\n$ cargo test\n```\n\
        `cd tests/fuzz && cargo run --release --bin sse -- -x`, `--test server flood`, `flow`";
    let right = commands(text);
    assert_eq!(right.len(), 5, "{right:?}");
    assert!(right.iter().all(|command| obstacle(command, &targets).is_none()));
    let wrong = [
        "cargo test -p no-such",
        "cargo test -p agui-tests --test no_such",
        "cargo test -p agui-tests --test state",
        "cargo test -p agui-tests --test flow no_such",
        "cargo run -p agui-compile-fail",
        "cargo run -p agui-tests --bin no_such -- x",
        "cd tests/fuzz && cargo run --bin no_such",
        "--test no_such",
    ];
    assert!(wrong.iter().all(|command| obstacle(command, &targets).is_some()));
}

#[test]
fn every_test_that_a_promise_names_exists() {
    let targets = targets();
    for page in PROMISES {
        let named = named_tests(&read(page));
        assert!(!named.is_empty(), "{page} names no test");
        let missing: Vec<_> =
            named.iter().filter_map(|test| Some((test, obstacle(test, &targets)?))).collect();
        assert!(missing.is_empty(), "{page}: {missing:?}");
    }
    let planted = named_tests("It holds (tests: `threads nothing_like_it`, and `no-package threads away`).");
    assert_eq!(planted.iter().filter(|test| obstacle(test, &targets).is_some()).count(), 2);
}

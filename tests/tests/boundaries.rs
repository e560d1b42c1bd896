//! What each crate and each room may know of the others.
#![allow(clippy::string_slice, clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

use std::{collections::BTreeSet, env, fs, path::Path, process::Command};

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

/// Those of `names` that are among `dependencies`.
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

/// The rooms of its own crate that a source file names: what follows `crate::`, in groups too, with the line.
fn rooms_named(source: &str) -> Vec<(usize, String)> {
    let code =
        source.lines().map(|line| line.split("//").next().unwrap_or("")).collect::<Vec<_>>().join("\n");
    let starts = code.match_indices("crate::");
    let paths = starts.filter(|(at, _)| !code[..*at].ends_with(|c: char| c.is_alphanumeric() || c == '_'));
    paths
        .flat_map(|(at, start)| {
            let line = code[..at].lines().count().max(1);
            first_names(&code[at + start.len()..]).into_iter().map(move |name| (line, name))
        })
        .collect()
}

/// `a` of `a::b`; `a` and `c` of `{a::{b, d}, c}`.
fn first_names(path: &str) -> Vec<String> {
    let name =
        |text: &str| text.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    let Some(group) = path.strip_prefix('{') else { return vec![name(path)] };
    let mut depth = 0;
    let mut names = vec![name(group)];
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => names.push(name(&group[at + 1..])),
            _ => {}
        }
    }
    names.retain(|name| !name.is_empty());
    names
}

#[test]
fn rooms_are_found_however_they_are_named() {
    let source = "use crate::protocol::Event;
        // use crate::comment;
        use crate::{emit::{Hub, order}, server, state::{self}};
        pub(in crate::wire) fn f() -> crate::tool::Tool { $crate::agent::x!(mycrate::no) }";
    let found: Vec<_> =
        rooms_named(source).into_iter().map(|(line, name)| format!("{line} {name}")).collect();
    assert_eq!(found, ["1 protocol", "3 emit", "3 server", "3 state", "4 wire", "4 tool", "4 agent"]);
}

/// Calls `visit` with each Rust file under `folder`, its path relative to the runtime's sources, and its text.
fn each_source(folder: &Path, visit: &mut dyn FnMut(&str, &str)) {
    let root = workspace_dir().join("agui-runtime/src");
    for entry in fs::read_dir(root.join(folder)).unwrap() {
        let path = entry.unwrap().path();
        let relative = path.strip_prefix(&root).unwrap().to_owned();
        if path.is_dir() {
            each_source(&relative, visit);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            visit(relative.to_str().unwrap(), &fs::read_to_string(&path).unwrap());
        }
    }
}

#[test]
fn the_protocol_knows_no_other_room() {
    let mut files = 0;
    let mut wrong = Vec::new();
    each_source(Path::new("protocol"), &mut |file, source| {
        files += 1;
        let others = rooms_named(source).into_iter().filter(|(_, room)| room != "protocol");
        wrong.extend(others.map(|(line, room)| format!("{file}:{line} names crate::{room}")));
        // One step up from the folder's own module is the crate.
        if file == "protocol/mod.rs" && source.contains("use super::") {
            wrong.push(format!("{file} reaches the crate through super"));
        }
    });
    assert!(files > 5, "only {files} files: is the room somewhere else?");
    assert_eq!(wrong, [""; 0]);
}

#[test]
fn nothing_reaches_into_the_server_or_the_client() {
    // Tables of contents: they only hand on names.
    const FACADES: [&str; 4] = ["__private.rs", "__private/mod.rs", "lib.rs", "prelude.rs"];
    let mut files = 0;
    let mut wrong = Vec::new();
    each_source(Path::new(""), &mut |file, source| {
        files += 1;
        for ends in ["server", "client"] {
            if file.starts_with(ends) || FACADES.contains(&file) {
                continue;
            }
            let named = rooms_named(source).into_iter().filter(|(_, room)| room == ends);
            wrong.extend(named.map(|(line, room)| format!("{file}:{line} names crate::{room}")));
        }
    });
    assert!(files > 0);
    assert_eq!(wrong, [""; 0]);
}

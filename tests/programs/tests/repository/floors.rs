//! The floors of the runtime, as ARCHITECTURE.md has them: a module imports only from floors below its own.

use std::collections::{BTreeMap, BTreeSet};

use crate::documents::{section, table};
use crate::{read, rust_files};

/// Tables of contents, which only hand on names, and the guide, which has only text.
const FACADES: [&str; 12] = [
    "__leaf",
    "__private",
    "bounds",
    "events",
    "future",
    "guide",
    "http",
    "interrupts",
    "lib",
    "prelude",
    "runs",
    "tools",
];

/// Macros of `macro_rules!` are exported at the root alone.
const MACROS: [&str; 1] = ["assert_events"];

/// The modules of the crate, each with the number of its floor.
fn floors() -> BTreeMap<String, usize> {
    let text = read("ARCHITECTURE.md");
    let rows = table(&section(&text, "## Floors of the runtime"));
    let modules = rows.iter().flat_map(|row| {
        let floor = row[0].parse().unwrap();
        row[1].split('`').skip(1).step_by(2).map(move |name| (name.to_owned(), floor))
    });
    modules.collect()
}

/// The code of a file without its comments and its unit tests, line by line as it was.
fn code(text: &str) -> String {
    let program = text.split("]\nmod tests {").next().unwrap_or_default();
    let line = |line: &str| match line.trim_start().starts_with("//") {
        true => String::new(),
        false => line.split(" // ").next().unwrap_or_default().to_owned(),
    };
    program.lines().map(|text| line(text) + "\n").collect()
}

fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The names of the root that a file uses by way of `crate::` or enough `super::`, each with its line. `depth` is the number
/// of modules around the file, with its own.
fn named(code: &str, depth: usize) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut add = |at: usize, path: &str| {
        let line = code[..at].matches('\n').count() + 1;
        for name in heads(path) {
            found.push((line, name.to_owned()));
        }
    };
    for (at, start) in code.match_indices("crate::") {
        add(at, &code[at + start.len()..]);
    }
    let climb = "super::".repeat(depth);
    for (at, _) in code.match_indices(&climb) {
        let rest = &code[at + climb.len()..];
        if !code[..at].ends_with("super::") && !rest.starts_with("super::") {
            add(at, rest);
        }
    }
    found
}

/// The first names of a path, which may be a group.
fn heads(path: &str) -> Vec<&str> {
    let Some(group) = path.strip_prefix('{') else {
        let end = path.find(|c| !is_of_name(c)).unwrap_or(path.len());
        return vec![&path[..end]];
    };
    let (mut depth, mut is_head, mut names) = (0_usize, true, Vec::new());
    for (at, c) in group.char_indices() {
        match c {
            '}' if depth == 0 => break,
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => is_head = true,
            c if is_head && is_of_name(c) => {
                names.extend(heads(&group[at..]));
                is_head = false;
            }
            _ => {}
        }
    }
    names
}

/// Returns the wrong imports of a file, each with its line.
fn upward(file: &str, text: &str, floors: &BTreeMap<String, usize>) -> Vec<String> {
    let path = file.strip_suffix(".rs").unwrap();
    let module: Vec<_> = path.strip_suffix("/mod").unwrap_or(path).split('/').collect();
    let own = module[0];
    if FACADES.contains(&own) {
        return Vec::new();
    }
    let Some(at) = floors.get(own) else { return vec![format!("{file}: `{own}` has no floor")] };
    let names = named(&code(text), module.len());
    let others = names.into_iter().filter(|(_, name)| name != own && !MACROS.contains(&name.as_str()));
    let wrong = others.filter_map(|(line, name)| match floors.get(&name) {
        Some(below) if below < at => None,
        Some(_) => Some(format!("{file}:{line} imports `{name}`, which is not on a floor below `{own}`")),
        None => Some(format!("{file}:{line} names `{name}` of the root: name the module that has it")),
    });
    wrong.collect()
}

/// True for a file of unit tests.
fn is_test(file: &str) -> bool {
    file.ends_with("tests.rs") || file.ends_with("linear_cost.rs") || file.contains("tests/")
}

#[test]
fn modules_import_only_from_floors_below() {
    let (sources, floors) = (rust_files("agui-runtime/core/src"), floors());
    let checked = sources.iter().filter(|(file, _)| !is_test(file));
    let wrong: Vec<_> = checked.flat_map(|(file, text)| upward(file, text, &floors)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let top = |file: &str| file.split('/').next().unwrap().trim_end_matches(".rs").to_owned();
    let modules: BTreeSet<_> = sources.iter().map(|(file, _)| top(file)).collect();
    let known: BTreeSet<_> = floors.into_keys().chain(FACADES.map(str::to_owned)).collect();
    assert_eq!(modules, known, "the table in ARCHITECTURE.md, and the facades");
}

#[test]
fn an_upward_import_is_found_however_it_is_written() {
    let floors = floors();
    let cases = [
        ("use crate::emit::Emit;", "1 emit"),
        ("\n\nuse super::super::agent::Run;", "3 agent"),
        ("use crate::{protocol::{Event, A}, kernel::{Hub, Peer}, server};", "1 server"),
        ("fn f() -> crate::agent::Stop { todo!() }", "1 agent"),
        ("pub(in crate::kernel) fn f() {}\nuse crate::client;", "2 client"),
    ];
    for (text, expected) in cases {
        let (line, module) = expected.split_once(' ').unwrap();
        let expected =
            format!("kernel/end.rs:{line} imports `{module}`, which is not on a floor below `kernel`");
        assert_eq!(upward("kernel/end.rs", text, &floors), [expected], "{text}");
    }
    assert_eq!(upward("receive/mod.rs", "use crate::Run;", &floors).len(), 1);
    assert_eq!(upward("cellar/mod.rs", "", &floors), ["cellar/mod.rs: `cellar` has no floor"]);
    let none = "// use crate::agent::Run;\nfn f() {} // crate::agent\n\n#[cfg(test)]\nmod tests {\n    use crate::agent::Run;\n}\n";
    assert_eq!(upward("emit/mod.rs", none, &floors), [""; 0]);
}

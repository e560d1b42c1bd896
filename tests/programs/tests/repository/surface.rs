//! The surface of the runtime: the names of its root, and of the modules that hand on the others.

use std::collections::{BTreeMap, BTreeSet};

use crate::read;

/// The names that the root may have. It must only fall.
const ROOT_NAMES: usize = 60;

/// The files that hand on the names that the root does not have.
const MODULES: [&str; 7] =
    ["events.rs", "future.rs", "http.rs", "interrupts.rs", "runs.rs", "state/mod.rs", "tools.rs"];

/// The names in the `pub use` and `pub mod` of a file without anything else, comments left out.
pub fn exported(text: &str) -> BTreeSet<String> {
    let code: Vec<_> = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    let code = code.join("\n");
    let mut names = BTreeSet::new();
    for item in code.split(';') {
        let Some(at) = item.find("pub use ") else {
            let module = item.rfind("pub mod ").map(|at| item[at + "pub mod ".len()..].trim());
            names.extend(module.map(str::to_owned));
            continue;
        };
        let path = item[at + "pub use ".len()..].trim();
        let leaves = path.split_once('{').map_or(path, |(_, group)| group.trim_end().trim_end_matches('}'));
        for leaf in leaves.split(',').map(str::trim).filter(|leaf| !leaf.is_empty()) {
            let name = leaf.rsplit_once(" as ").map_or(leaf, |(_, name)| name);
            names.insert(name.rsplit("::").next().unwrap_or(name).to_owned());
        }
    }
    names
}

#[test]
fn exported_names_are_found() {
    let text = "/// use a;\npub use {b, c};\npub use d::{e, f as g,\n h};\npub mod i;\nmod j;\npub use k::l;";
    assert_eq!(exported(text), ["b", "c", "e", "g", "h", "i", "l"].map(str::to_owned).into());
}

#[test]
fn the_root_has_few_names() {
    let modules = [
        "a2a",
        "a2ui",
        "bounds",
        "client",
        "dialect",
        "drafts",
        "events",
        "future",
        "guide",
        "http",
        "interrupts",
        "json",
        "manifest",
        "model",
        "order",
        "prelude",
        "protocol",
        "provider",
        "receive",
        "runs",
        "state",
        "telemetry",
        "testing",
        "thread",
        "tools",
        "wire",
    ];
    let mut names = exported(&read("agui-runtime/core/src/lib.rs"));
    for module in modules.into_iter().chain(["__leaf", "__private"]) {
        assert!(names.remove(module), "{module} is no module of the root");
    }
    println!("{} names at the root", names.len());
    assert!(names.len() <= ROOT_NAMES, "{} names at the root: {names:?}", names.len());
}

#[test]
fn every_name_is_exported_once() {
    let root = exported(&read("agui-runtime/core/src/lib.rs"));
    assert!(exported(&read("agui-runtime/core/src/future.rs")).len() > 30);
    let mut places: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for name in root {
        places.entry(name).or_default().push("lib.rs");
    }
    for module in MODULES {
        let names = exported(&read(&format!("agui-runtime/core/src/{module}")));
        assert!(names.len() > 3, "{module} exports {names:?}");
        for name in names {
            places.entry(name).or_default().push(module);
        }
    }
    places.retain(|_, places| places.len() > 1);
    assert!(places.is_empty(), "{places:?}");
}

//! The surface of the runtime: the names of its root, and those of expansions.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use agui_tests::outside::workspace_dir;

use crate::items::word;
use crate::source::{Place, Sources};

/// The names that the root may have. It must only fall.
const ROOT_NAMES: usize = 60;

/// The files that hand on the names that the root does not have.
const MODULES: [&str; 7] =
    ["events.rs", "future.rs", "http.rs", "interrupts.rs", "runs.rs", "state/mod.rs", "tools.rs"];

/// The names with two meanings: the typed form of a thing of the protocol, a trait that users implement, and in `protocol`
/// its JSON form, with the reason. Each links the other in the first sentence of its documentation.
const IN_TWO_FORMS: [(&str, &str); 3] = [
    (
        "CustomEvent",
        "a derive has the name of its trait, as serde's do, and AG-UI names the JSON of CUSTOM so",
    ),
    (
        "Interrupt",
        "a derive has the name of its trait, as serde's do, and AG-UI names the JSON of a question so",
    ),
    ("Tool", "`#[tool]` implements the trait of its name, and AG-UI names the JSON that describes a tool so"),
];

/// The names that the module of each transport has: `sse::encode` does for one what `proto::encode` does for the other.
const OF_EACH_TRANSPORT: [&str; 3] = ["CONTENT_TYPE", "Decoder", "encode"];

fn read(file: &str) -> String {
    fs::read_to_string(workspace_dir().join(file)).unwrap()
}

/// The names in the `pub use` and `pub mod` of a file without anything else, comments left out.
pub fn exported(text: &str) -> BTreeSet<String> {
    let code: Vec<_> = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    let code = code.join("\n");
    let mut names = BTreeSet::new();
    for item in code.split(';') {
        let (Some(at), public_module) = (item.find("pub use "), item.rfind("pub mod ")) else {
            let module = item.rfind("pub mod ").map(|at| item[at + "pub mod ".len()..].trim());
            names.extend(module.map(str::to_owned));
            continue;
        };
        assert!(public_module.is_none(), "{item}");
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
        "mcp",
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
    let mut names = exported(&read("agui-runtime/src/lib.rs"));
    for module in modules.into_iter().chain(["__private"]) {
        assert!(names.remove(module), "{module} is no module of the root");
    }
    println!("{} names at the root", names.len());
    assert!(names.len() <= ROOT_NAMES, "{} names at the root: {names:?}", names.len());
}

#[test]
fn every_name_is_exported_once() {
    let root = exported(&read("agui-runtime/src/lib.rs"));
    assert!(exported(&read("agui-runtime/src/future.rs")).len() > 30);
    let mut places: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for name in root {
        places.entry(name).or_default().push("lib.rs");
    }
    for module in MODULES {
        let names = exported(&read(&format!("agui-runtime/src/{module}")));
        assert!(names.len() > 3, "{module} exports {names:?}");
        for name in names {
            places.entry(name).or_default().push(module);
        }
    }
    places.retain(|_, places| places.len() > 1);
    assert!(places.is_empty(), "{places:?}");
}

/// The public items that the text of a module defines itself.
fn defined(text: &str) -> BTreeSet<String> {
    const KINDS: [&str; 7] = ["struct ", "enum ", "trait ", "type ", "const ", "static ", "fn "];
    let items = text.lines().filter_map(|line| line.strip_prefix("pub "));
    let items = items.map(|item| {
        ["const fn ", "async fn "]
            .iter()
            .find_map(|kind| item.strip_prefix(kind))
            .unwrap_or_else(|| KINDS.iter().find_map(|kind| item.strip_prefix(kind)).unwrap_or_default())
    });
    let names = items.map(|item| item.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect());
    names.filter(|name: &String| !name.is_empty()).collect()
}

#[test]
fn defined_names_are_found() {
    let text = "pub struct A;\npub(crate) enum B {}\npub const fn c() {\n    pub fn d() {}\n}\npub const E: u8 = 1;\n\
        pub use f::G;\npub mod h;\npub async fn i() {}\nfn j() {}\npub type K<T> = T;";
    assert_eq!(defined(text), ["A", "c", "E", "i", "K"].map(str::to_owned).into());
}

/// Every name of the public modules, with the modules that define an item of that name.
fn meanings(sources: &Sources, src: &Path) -> BTreeMap<String, BTreeSet<Place>> {
    let mut meanings: BTreeMap<String, BTreeSet<Place>> = BTreeMap::new();
    let mut modules = vec![(Place::new(), "lib.rs".to_owned())];
    while let Some((module, file)) = modules.pop() {
        let text = fs::read_to_string(src.join(&file)).unwrap();
        let (text, _) = text.split_once("#[cfg(test)]\nmod tests {").unwrap_or((&text, ""));
        let hidden: BTreeSet<&str> = text
            .split("#[doc(hidden)]\npub mod ")
            .skip(1)
            .filter_map(|rest| rest.split(';').next())
            .collect();
        for name in exported(text).into_iter().chain(defined(text)) {
            let place: Place = module.iter().cloned().chain([name.clone()]).collect();
            let path = place.join("/");
            let files = [format!("{path}.rs"), format!("{path}/mod.rs")];
            let file = files
                .into_iter()
                .find(|file| text.contains(&format!("pub mod {name};")) && src.join(file).exists());
            match file {
                Some(_) if hidden.contains(name.as_str()) => {}
                Some(file) => modules.push((place, file)),
                None => drop(meanings.entry(name).or_default().insert(sources.resolve(&place))),
            }
        }
    }
    meanings
}

#[test]
fn no_name_means_two_things() {
    let src = workspace_dir().join("agui-runtime/src");
    let mut meanings = meanings(Sources::of_crate("agui-runtime"), &src);
    assert!(meanings.len() > 400, "only {} names", meanings.len());
    meanings.retain(|_, places| places.len() > 1);
    for (name, _) in IN_TWO_FORMS {
        let places = meanings.remove(name).unwrap_or_default();
        let of_the_protocol =
            places.iter().filter(|place| place.first().is_some_and(|module| module == "protocol"));
        assert_eq!((places.len(), of_the_protocol.count()), (2, 1), "`{name}`: {places:?}");
    }
    for name in OF_EACH_TRANSPORT {
        let places = meanings.remove(name).unwrap_or_default();
        let transports: BTreeSet<_> =
            places.iter().map(|place| place.iter().take(2).cloned().collect()).collect();
        let each = ["proto", "sse"].map(|transport| vec!["wire".to_owned(), transport.to_owned()]);
        assert_eq!(transports, BTreeSet::<Place>::from(each), "`{name}`: {places:?}");
    }
    assert!(meanings.is_empty(), "names that several modules define: {meanings:#?}");
}

/// The first sentence of the documentation of an item.
fn first_sentence(text: &str, item: &str) -> String {
    let (before, _) = text.split_once(item).unwrap_or_else(|| panic!("no `{item}`"));
    let lines = before.trim_end().lines().rev().map(str::trim);
    let documentation =
        lines.skip_while(|line| !line.starts_with("///")).take_while(|line| line.starts_with("///"));
    let mut lines: Vec<&str> = documentation.map(|line| line.trim_start_matches('/').trim()).collect();
    lines.reverse();
    let whole = lines.join(" ");
    whole.split_once(". ").map_or(whole.clone(), |(first, _)| first.to_owned())
}

#[test]
fn the_two_forms_of_a_thing_link_each_other() {
    let forms = [
        ("CustomEvent", "emit/custom.rs", "protocol/passthrough.rs"),
        ("Interrupt", "agent/interrupt.rs", "protocol/interrupt.rs"),
        ("Tool", "agent/tool/mod.rs", "protocol/input.rs"),
    ];
    assert_eq!(forms.map(|(name, ..)| name), IN_TWO_FORMS.map(|(name, _)| name));
    for (name, typed, json) in forms {
        let typed =
            first_sentence(&read(&format!("agui-runtime/src/{typed}")), &format!("pub trait {name}:"));
        assert!(
            typed.contains("typed form") && typed.contains(&format!("](crate::protocol::{name})")),
            "{typed}"
        );
        let json = first_sentence(&read(&format!("agui-runtime/src/{json}")), &format!("pub struct {name} "));
        assert!(json.contains("JSON form") && json.contains(&format!("](trait@crate::{name})")), "{json}");
    }
}

#[test]
fn the_documentation_of_the_root_has_every_name_of_it() {
    let text = read("agui-runtime/src/lib.rs");
    let (_, table) = text.split_once("\n//! # Names\n").unwrap();
    let (table, _) = table.split_once("\n//! # ").unwrap();
    let mut names = exported(&text);
    names.remove("__private");
    names.remove("prelude");
    let modules = [
        "a2a", "a2ui", "bounds", "client", "dialect", "drafts", "guide", "json", "manifest", "mcp", "model",
        "order", "protocol", "provider", "receive", "wire",
    ];
    let missing: Vec<_> = names
        .iter()
        .filter(|name| !modules.contains(&name.as_str()))
        .filter(|name| !table.contains(&format!("`{name}`")) && !table.contains(&format!("@{name}`")))
        .collect();
    assert!(missing.is_empty(), "not in the table: {missing:?}");
}

/// The names that a module exports, but its documentation does not link. Hidden names need no link.
fn unlinked(text: &str) -> BTreeSet<String> {
    let documentation: String = text.lines().filter(|line| line.starts_with("//!")).collect();
    let hidden: String =
        text.split("#[doc(hidden)]\n").skip(1).filter_map(|rest| rest.split_inclusive(';').next()).collect();
    let mut names: BTreeSet<_> =
        text.split_inclusive(';').filter(|item| item.contains("pub use ")).flat_map(exported).collect();
    names.retain(|name| {
        let is_linked =
            ["`]", "()`]", "`](trait@"].iter().any(|end| documentation.contains(&format!("[`{name}{end}")));
        !is_linked && !exported(&hidden).contains(name)
    });
    names
}

#[test]
fn the_documentation_of_a_module_has_every_name_of_it() {
    for module in MODULES {
        let missing = unlinked(&read(&format!("agui-runtime/src/{module}")));
        assert!(missing.is_empty(), "{module} does not link {missing:?}");
    }
}

#[test]
fn a_name_without_a_link_is_found() {
    let text = "//! [`A`], `B`, [`d()`]\n\n#[doc(hidden)]\npub use a::C;\npub use a::{A, B, d};\n";
    assert_eq!(unlinked(text), ["B"].map(str::to_owned).into());
}

/// The names that follow `__private::` in the text of expansions, alone or in a group.
fn named_by_expansions(text: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for rest in text.split("__private::").skip(1) {
        let group = rest.strip_prefix('{').and_then(|rest| rest.split('}').next());
        for leaf in group.unwrap_or(rest).split(',').take(if group.is_some() { usize::MAX } else { 1 }) {
            names.insert(word(leaf.trim_start()));
        }
    }
    names.remove("");
    names
}

/// The names that a file exports or defines for other crates.
fn exposed(text: &str) -> BTreeSet<String> {
    let imports = text.split_inclusive(';').filter(|item| item.contains("pub use "));
    let mut names: BTreeSet<_> = imports.flat_map(exported).collect();
    names.extend(defined(text));
    names
}

#[test]
fn snapshots_name_everything_that_is_exposed_for_expansions() {
    let private = read("agui-runtime/src/__private.rs");
    let (private, _) = private.split_once("#[cfg(test)]\nmod tests").unwrap();
    let exposed = exposed(private);
    assert!(exposed.len() > 70, "{exposed:?}");
    let snapshots = fs::read_dir(workspace_dir().join("agui-macros/src/snapshots")).unwrap();
    let expansions: String =
        snapshots.map(|file| fs::read_to_string(file.unwrap().path()).unwrap()).collect();
    let mut named = named_by_expansions(&expansions);
    // The compiler names these by this path, in messages that `tests/compile-fail` expects.
    named.extend(["Argument", "serde_json"].map(str::to_owned));
    let unused: Vec<_> = exposed.difference(&named).collect();
    assert!(unused.is_empty(), "no snapshot of an expansion names {unused:?}");
    let missing: Vec<_> = named.difference(&exposed).collect();
    assert!(missing.is_empty(), "expansions name {missing:?}");
}

#[test]
fn a_name_that_an_expansion_only_contains_is_not_used() {
    let text =
        "::agui_runtime::__private::Mut::new(Side);\nuse crate::__private::{A as _, B};\n\"__private\", Node";
    assert_eq!(named_by_expansions(text), ["A", "B", "Mut"].map(str::to_owned).into());
    let text = "use a::Side;\npub use b::{C, d};\npub type E = Side;\npub const fn f() {}\nfn g() {}";
    assert_eq!(exposed(text), ["C", "E", "d", "f"].map(str::to_owned).into());
}

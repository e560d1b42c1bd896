//! Every public item of the runtime and of the code generator has an example that compiles.
//!
//! - A type, a trait, a function, a method and a constant has an example of its own, or its docs link an item whose example
//!   names it.
//! - A method or a constant of a trait may instead be named by the example of the trait.
//! - The `new` of a type that a macro of the protocol declares is in the example of that type. Its setters and constants are
//!   made of its members, which have no examples.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use agui_tests::outside::workspace_dir;

use crate::items::{Item, documented};
use crate::reachable::Reachable;
use crate::source::Sources;

/// The macros that declare types with a `new`.
const DECLARE_TYPES: [&str; 5] = ["event", "media_part", "message", "object", "operation"];

/// The library crates, each with the least number of public items that it has.
const CRATES: [(&str, usize); 2] = [("agui-codegen", 70), ("agui-runtime", 1100)];

fn src(krate: &str) -> PathBuf {
    workspace_dir().join(krate).join("src")
}

/// The public items of a crate.
fn items(krate: &str) -> Vec<Item> {
    let read = |file: &str| fs::read_to_string(src(krate).join(file)).unwrap();
    let sources = Sources::of_crate(krate);
    let reachable = Reachable::of(sources, read);
    let files = sources.all.iter().filter(|source| !source.is_test).map(|source| source.file.as_str());
    let items = files.filter(|file| *file != "__private.rs").flat_map(|file| documented(file, &read(file)));
    items.filter(|item| reachable.has(item, sources)).collect()
}

fn place(item: &Item) -> String {
    format!("{}:{} {}", item.file, item.line, item.path())
}

/// True if the code names the item.
fn names(code: &str, item: &Item) -> bool {
    code.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == item.name)
}

/// The items that no example shows.
fn without_example(items: &[Item]) -> Vec<&Item> {
    let mut examples: BTreeMap<String, String> = BTreeMap::new();
    for item in items {
        examples.entry(item.path()).or_default().push_str(&item.example());
    }
    let shows = |path: &str, item: &Item| examples.get(path).is_some_and(|code| names(code, item));
    let is_shown = |item: &Item| {
        let own = !item.example().trim().is_empty();
        let by_trait = || item.is_of_trait && item.owner.as_deref().is_some_and(|owner| shows(owner, item));
        let by_link = || item.links().iter().any(|path| shows(path, item));
        // The types that are declared with it show it: see `types_of_macros_show_how_they_are_made`.
        let by_types = || item.name == "new" && item.links().iter().any(|path| path.starts_with('$'));
        own || by_trait() || by_link() || by_types()
    };
    items.iter().filter(|item| !is_shown(item)).collect()
}

#[test]
fn public_items_have_examples() {
    let mut missing = Vec::new();
    for (krate, least) in CRATES {
        let items = items(krate);
        println!("{krate}: {} public items", items.len());
        assert!(items.len() > least, "only {} items: are they somewhere else?", items.len());
        missing
            .extend(without_example(&items).into_iter().map(|item| format!("{krate}/src/{}", place(item))));
    }
    assert_eq!(missing, [""; 0], "these items have no example");
}

#[test]
fn types_of_macros_show_how_they_are_made() {
    let items = items("agui-runtime");
    let is_declared = |item: &&Item| {
        item.owner.is_none() && item.declared_by.as_deref().is_some_and(|by| DECLARE_TYPES.contains(&by))
    };
    let declared: Vec<_> = items.iter().filter(is_declared).collect();
    assert!(declared.len() > 75, "only {} types", declared.len());
    let silent: Vec<_> = declared
        .into_iter()
        .filter(|item| !item.example().contains(&format!("{}::new(", item.name)))
        .map(place)
        .collect();
    assert_eq!(silent, [""; 0], "their examples make none");
}

#[test]
fn macros_have_examples() {
    let read = |file: &str| fs::read_to_string(src("agui-runtime").join(file)).unwrap();
    let root = read("lib.rs");
    let mut docs = None;
    let mut macros = 0;
    for line in root.lines() {
        if let Some(file) = line.strip_prefix("#[doc = include_str!(\"") {
            docs = file.split('"').next();
        } else if let Some(name) = line.strip_prefix("pub use agui_macros::") {
            macros += 1;
            let docs = read(docs.take().unwrap_or_else(|| panic!("`{name}` has no docs of its own")));
            let item = Item { docs, ..Item::default() };
            assert!(!item.example().is_empty(), "`{name}` has no example");
        }
    }
    assert!(macros >= 7, "only {macros} macros");
}

#[test]
fn an_example_of_another_item_counts_if_the_docs_link_it_and_it_names_the_item() {
    let source = "/// A.\n/// ```\n/// a.shown();\n/// ```\npub struct A;\nimpl A {\n    /// As in [`A`].\n    \
        pub fn shown() {}\n    /// As in [`A`].\n    pub fn not_named() {}\n    /// Not linked.\n    pub fn linked() {}\n}\n";
    let items = documented("a.rs", source);
    let without: Vec<_> = without_example(&items).into_iter().map(Item::path).collect();
    assert_eq!(without, ["A::not_named", "A::linked"]);
}

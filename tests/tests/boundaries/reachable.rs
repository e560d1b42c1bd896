//! The names of a crate that its users can reach.

use std::collections::BTreeSet;

use crate::items::{Item, kind_and_name, word};
use crate::source::{Place, Sources};
use crate::surface::exported;

/// The types, traits, functions and constants that users of a crate can name, each with the module that declares it.
#[derive(Debug, Default)]
pub struct Reachable(BTreeSet<(Place, String)>);

impl Reachable {
    /// Follows the public modules from the root, and what they hand on. `text` reads a file.
    pub fn of(sources: &Sources, text: impl Fn(&str) -> String) -> Self {
        let mut reachable = Self::default();
        let mut modules = vec![Place::new()];
        while let Some(module) = modules.pop() {
            let Some(source) = sources.all.iter().find(|source| source.module == module) else { continue };
            let text = text(&source.file);
            let mut is_hidden = false;
            for line in text.lines() {
                if let Some(name) = line.strip_prefix("pub mod ").filter(|_| !is_hidden) {
                    modules.push(module.iter().cloned().chain([word(name)]).collect());
                } else if let Some((_, name)) = line.strip_prefix("pub ").and_then(kind_and_name) {
                    reachable.0.insert((module.clone(), name));
                }
                is_hidden = line.starts_with("#[doc(hidden)]") || is_hidden && line.starts_with("#[");
            }
            for name in exported(&text) {
                if let Some(named) = source.named.iter().find(|named| named.imports && named.name == name) {
                    let own = named.path.last().cloned().unwrap_or_default();
                    reachable.0.insert((sources.resolve(&named.path), own));
                }
            }
        }
        reachable
    }

    /// True if users can name the item, or the type that it belongs to.
    pub fn has(&self, item: &Item, sources: &Sources) -> bool {
        let Some(source) = sources.all.iter().find(|source| source.file == item.file) else { return false };
        let name = match &item.owner {
            _ if item.is_of_macro => return true,
            Some(owner) if owner.starts_with('$') => return true,
            Some(owner) => owner,
            None => &item.name,
        };
        let own = (source.module.clone(), name.clone());
        if self.0.contains(&own) {
            return true;
        }
        let import = source.named.iter().find(|named| named.imports && named.name == *name);
        import.filter(|_| item.owner.is_some()).is_some_and(|named| {
            let own = named.path.last().cloned().unwrap_or_default();
            self.0.contains(&(sources.resolve(&named.path), own))
        })
    }
}

#[test]
fn reachable_names_are_those_of_public_modules() {
    let files = [
        ("lib.rs", "mod a;\npub mod b;\n#[doc(hidden)]\npub mod c;\npub use a::{A, X as Y};\n"),
        ("a.rs", "pub struct A;\npub struct X;\npub struct Z;\n"),
        ("b.rs", "pub fn f() {}\npub use crate::a::inner::I;\n"),
        ("c.rs", "pub fn hidden() {}\n"),
        ("a/inner.rs", "pub struct I;\n"),
    ];
    let sources =
        Sources::of(files.iter().map(|(file, text)| (file.to_string(), text.to_string())).collect());
    let text = |file: &str| files.iter().find(|(name, _)| *name == file).unwrap().1.to_owned();
    let reachable = Reachable::of(&sources, text);
    let names: Vec<_> =
        reachable.0.iter().map(|(module, name)| format!("{}::{name}", module.join("::"))).collect();
    assert_eq!(names, ["a::A", "a::X", "a::inner::I", "b::f"]);
}

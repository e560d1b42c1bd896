//! Finds the shortest names that distinguish a manifest's types.
//!
//! A manifest keeps types by path. If only one type has a name, the name alone is enough. Otherwise the name gets as
//! many path parts as distinguish the type from the others: the type parameters, then the enclosing modules, the
//! nearest first. Parts that all types with the same name share are left out. The names depend only on the set of
//! paths, so no order changes them.

use std::collections::{BTreeMap, BTreeSet};

use agui_runtime::manifest::Manifest;

use super::problem::SchemaProblem;
use crate::names::{code_points, identifier, pascal, type_identifier};

/// Returns each type's name by key, and problems for the types that cannot be distinguished.
pub(super) fn short_names(manifest: &Manifest) -> (BTreeMap<String, String>, Vec<SchemaProblem>) {
    let keys: BTreeSet<&str> =
        manifest.types.out.keys().chain(manifest.types.input.keys()).map(String::as_str).collect();
    let paths: Vec<TypePath<'_>> =
        keys.into_iter().map(|key| TypePath::new(key, manifest.type_name(key))).collect();
    let mut groups: BTreeMap<String, Vec<&TypePath<'_>>> = BTreeMap::new();
    for path in &paths {
        groups.entry(type_identifier(path.name)).or_default().push(path);
    }
    // The number of additional parts by key: a name with just enough parts may still equal another type's name.
    let mut more: BTreeMap<&str, usize> = BTreeMap::new();
    loop {
        let names: Vec<NamedType<'_>> = groups.values().flat_map(|group| named(group, &more)).collect();
        let mut owners: BTreeMap<String, Vec<&NamedType<'_>>> = BTreeMap::new();
        for named in &names {
            owners.entry(type_identifier(&named.name)).or_default().push(named);
        }
        owners.retain(|_, same| same.len() > 1);
        let mut grown = Vec::new();
        for same in owners.values() {
            // A type without parts keeps its name.
            let has_parts = same.iter().any(|named| named.has_parts);
            let growing = same.iter().filter(|named| named.has_parts == has_parts);
            let grows = |named: &&&NamedType<'_>| {
                more.get(named.path.key).copied().unwrap_or(0) < named.path.parts.len()
            };
            grown.extend(growing.filter(grows).map(|named| named.path.key));
        }
        if grown.is_empty() {
            let problems = owners.into_iter().map(|(name, same)| SchemaProblem {
                owner: same
                    .iter()
                    .map(|named| format!("type `{}`", named.path.key))
                    .collect::<Vec<_>>()
                    .join(", "),
                path: String::new(),
                message: format!(
                    "would be generated as `{name}`: rename one with `#[schemars(rename = \"…\")]`"
                ),
            });
            let problems = problems.collect();
            let names = names.into_iter().map(|named| (named.path.key.to_owned(), named.name));
            return (names.collect(), problems);
        }
        for key in grown {
            *more.entry(key).or_default() += 1;
        }
    }
}

/// A type with a name.
struct NamedType<'p> {
    path: &'p TypePath<'p>,
    name: String,
    has_parts: bool,
}

/// A type's path, split into parts.
struct TypePath<'m> {
    key: &'m str,
    name: &'m str,
    /// The parts that can distinguish the type from others with the same name, in order.
    parts: Vec<PathSegment>,
}

/// A path part.
#[derive(PartialEq, Eq)]
enum PathSegment {
    /// The type parameters: their names, or their whole paths.
    Parameters(String),
    Module(String),
}

impl<'m> TypePath<'m> {
    fn new(key: &'m str, whole_name: &'m str) -> Self {
        let (path, parameters) = match key.split_once('<') {
            Some((path, rest)) => (path, rest.strip_suffix('>').unwrap_or(rest)),
            None => (key, ""),
        };
        // Kubernetes and OpenAPI names are paths themselves: `io.k8s.api.core.v1.Pod`.
        let (namespace, name) = match whole_name.rsplit_once('.') {
            Some((namespace, name)) if !name.is_empty() => (namespace, name),
            _ => ("", whole_name),
        };
        let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
        let last = |path: &str| pascal(path.rsplit("::").next().unwrap_or(path));
        let signed = with_signs(parameters);
        let mut parts = vec![
            PathSegment::Parameters(signed.split(|c| !is_part(c)).map(last).collect()),
            PathSegment::Parameters(pascal(&signed)),
            PathSegment::Parameters(code_points(parameters)),
        ];
        let outer = path.rsplit_once("::").map_or("", |(modules, _)| modules);
        let modules = namespace.rsplit('.').chain(outer.rsplit("::")).filter(|module| !module.is_empty());
        parts.extend(modules.map(|module| PathSegment::Module(pascal(module))));
        Self { key, name, parts }
    }

    /// Returns the name with the parts at these places.
    fn spelled(&self, places: impl Iterator<Item = usize>) -> Option<String> {
        let (mut modules, mut parameters) = (String::new(), "");
        for place in places {
            match self.parts.get(place) {
                Some(PathSegment::Parameters(text)) => parameters = text,
                Some(PathSegment::Module(text)) => modules.insert_str(0, text),
                None => {}
            }
        }
        let of = if parameters.is_empty() { "" } else { "Of" };
        let has_parts = !(modules.is_empty() && parameters.is_empty());
        has_parts.then(|| identifier(&format!("{modules}{}{of}{parameters}", pascal(self.name))))
    }
}

/// Writes a negative parameter's sign as a word: `-1` becomes `Minus1`.
fn with_signs(parameters: &str) -> String {
    let mut signed = String::new();
    let mut chars = parameters.chars().peekable();
    while let Some(c) = chars.next() {
        let is_sign = c == '-' && chars.peek().is_some_and(char::is_ascii_digit);
        if is_sign {
            signed.push_str("Minus");
        } else {
            signed.push(c);
        }
    }
    signed
}

/// Names all types in a group that shares one name.
fn named<'p>(group: &[&'p TypePath<'p>], more: &BTreeMap<&str, usize>) -> Vec<NamedType<'p>> {
    let is_common = |place: &usize| {
        let mut parts = group.iter().map(|path| path.parts.get(*place));
        let first = parts.next();
        parts.all(|part| Some(part) == first)
    };
    let names = group.iter().map(|path| {
        let is_alone = |count: &usize| {
            let of = |path: &'p TypePath<'p>| path.parts.iter().take(*count);
            group.iter().filter(|other| other.key != path.key).all(|other| of(other).ne(of(path)))
        };
        let needed = (0..=path.parts.len()).find(is_alone).unwrap_or(path.parts.len());
        let beyond = needed + more.get(path.key).copied().unwrap_or(0);
        let spelled = path.spelled((0..needed).filter(|place| !is_common(place)).chain(needed..beyond));
        let has_parts = spelled.is_some();
        NamedType { path, name: spelled.unwrap_or_else(|| path.name.to_owned()), has_parts }
    });
    names.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the type names for these keys, in any key order.
    fn names(keys: &[&str]) -> Vec<String> {
        let mut manifest =
            Manifest::build("test", "0.1.0", &[agui_runtime::manifest::AgentSource::new("test")])
                .unwrap_or_else(|error| unreachable!("{error}"));
        let types = |keys: &mut dyn Iterator<Item = &&str>| {
            keys.map(|key| ((*key).to_owned(), serde_json::Value::Bool(true))).collect()
        };
        manifest.types.out = types(&mut keys.iter());
        let (names, problems) = short_names(&manifest);
        assert_eq!(problems, []);
        manifest.types.out = types(&mut keys.iter().rev().take(1));
        manifest.types.input = types(&mut keys.iter().rev().skip(1));
        assert_eq!(short_names(&manifest), (names.clone(), problems));
        keys.iter().map(|key| names.get(*key).cloned().unwrap_or_default()).collect()
    }

    #[test]
    fn a_name_is_as_short_as_it_can_be() {
        for (keys, expected) in [
            (&["kitchen::Recipe", "kitchen::Step"][..], &["Recipe", "Step"][..]),
            // The crates differ, and the modules do not.
            (&["one::model::Block", "other::model::Block"], &["OneBlock", "OtherBlock"]),
            (&["one::model::Block", "other::v1::Block"], &["ModelBlock", "V1Block"]),
            // The third type needs one part, the others two.
            (&["a::x::T", "b::x::T", "c::y::T"], &["AXT", "BXT", "YT"]),
            (&["my-type", "a::MyType"], &["my-type", "AMyType"]),
            (&["Step", "kitchen::Step"], &["Step", "KitchenStep"]),
            // Type parameters.
            (&["a::Page<a::Todo>"], &["Page"]),
            (&["a::Page<a::Todo>", "a::Page<uint8>"], &["PageOfTodo", "PageOfUint8"]),
            (
                &["a::Page<a::Page<a::Todo>>", "a::Page<a::Todo>", "a::Page"],
                &["PageOfPageTodo", "PageOfTodo", "Page"],
            ),
            (&["a::Page<a::Todo>", "a::Page<b::Todo>"], &["PageOfATodo", "PageOfBTodo"]),
            (&["a::Page<a::Todo>", "b::Page<a::Todo>"], &["APage", "BPage"]),
            // Constants among the parameters.
            (&["a::Off<-1>", "a::Off<1>"], &["OffOfMinus1", "OffOf1"]),
            (&["a::Sep<,>", "a::Sep<;>", "a::Sep<é>"], &["SepOfU2C", "SepOfU3B", "SepOfÉ"]),
            (
                &["a::Pair<-1, a>", "a::Pair<1, a>", "a::Pair<1, A>"],
                &["PairOfMinus1A", "PairOf1U2CU20a", "PairOf1U2CU20A"],
            ),
            // Namespaces inside names.
            (
                &["io.k8s.api.core.v1.Pod", "io.k8s.api.core.v1.Event", "io.k8s.api.events.v1.Event"],
                &["Pod", "CoreEvent", "EventsEvent"],
            ),
            // A name with parts equals another name.
            (&["x::a::Step", "x::b::Step", "y::AStep"], &["XAStep", "BStep", "AStep"]),
        ] {
            assert_eq!(names(keys), expected, "{keys:?}");
        }
    }
}

//! Type identity in schemars: the keys of a manifest's types.
//!
//! schemars tells types apart by [`schema_id`](JsonSchema::schema_id), which contains the module path, and appends a number to a
//! repeated name: which of two types called `Cfg` becomes `Cfg2` depends on the order. So a manifest stores each type under the
//! id, which no order changes. schemars has no method that returns the ids; they are read from the generator's debug text, and
//! each is verified: a type with that id must get the same reference. A type whose id is not found keeps the name as the key.
//!
//! Types with the same key remain an error. Each root is described alone and compared with the description of all roots: a key
//! whose definition differs belongs to two types, such as two types with the same name in two functions of one module.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeMap;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Map, Value};

use super::ManifestError;
use super::build::{Direction, Root};
use super::canonical::canonical_schema;
use super::rekey::rekeyed;
use super::schema::{definition_name, references};
use crate::protocol::object;

/// The generated schemas for some roots, with ids as the definitions' keys.
struct Described {
    roots: Vec<Value>,
    definitions: Map<String, Value>,
    /// The schemars name for each key.
    names: BTreeMap<String, String>,
}

/// Returns each type's name by key: the [`schema_name`](JsonSchema::schema_name), without a number.
pub(super) fn type_names(
    direction: Direction,
    roots: &[Root],
) -> Result<BTreeMap<String, String>, ManifestError> {
    let all = describe(direction, roots, None);
    for (index, root) in roots.iter().enumerate() {
        let alone = describe(direction, std::slice::from_ref(root), None);
        for (key, schema) in &alone.definitions {
            if all.definitions.get(key) != Some(schema) {
                let others: Vec<&Root> = roots.iter().take(index).collect();
                return Err(ManifestError::TypeNameCollision {
                    name: alone.names.get(key).unwrap_or(key).clone(),
                    first: first_user(direction, &others, key)
                        .unwrap_or_else(|| "one in another part of the program".into()),
                    second: alone.where_is(key, std::slice::from_ref(root)),
                });
            }
        }
    }
    let mut names = BTreeMap::new();
    for (key, name) in &all.names {
        let own = own_name(direction, roots, &all, key, name);
        if own != name && key == name {
            return Err(ManifestError::TypeNameCollision {
                name: own.into(),
                first: all.where_is(own, roots),
                second: all.where_is(key, roots),
            });
        }
        names.insert(key.clone(), own.to_owned());
    }
    Ok(names)
}

/// Returns a type's name without the number that schemars appended.
///
/// A name may itself end in a number (`Vec2` beside `Vec`), and schemars may append another one (`Vec22`). So a stand-in takes
/// each possible name first: a type really called `Vec2` then becomes `Vec22`, and a `Vec` that schemars numbered becomes `Vec3`.
fn own_name<'n>(direction: Direction, roots: &[Root], all: &Described, key: &str, name: &'n str) -> &'n str {
    let mut own = name;
    for base in bases_of(name).filter(|base| all.names.values().any(|other| other == base)) {
        let again = describe(direction, roots, Some(own));
        if again.names.get(key).is_some_and(|other| other.starts_with(own)) {
            return own;
        }
        own = base;
    }
    own
}

fn describe(direction: Direction, roots: &[Root], occupied: Option<&str>) -> Described {
    let mut generator = direction.generator();
    if let Some(name) = occupied {
        let _ = reference(&mut generator, concat!(module_path!(), "::StandIn"), name);
    }
    let roots: Vec<Value> = roots.iter().map(|root| root.source.schema(&mut generator).to_value()).collect();
    let definitions = generator.take_definitions(true);
    let keys = keys(&mut generator, &definitions);
    let key = |name: &str| keys.get(name).cloned().unwrap_or_else(|| name.to_owned());
    Described {
        roots: roots.iter().map(|root| rekeyed(root, &key)).collect(),
        names: definitions.keys().map(|name| (key(name), name.clone())).collect(),
        definitions: object(
            definitions
                .into_iter()
                .map(|(name, schema)| (key(&name), canonical_schema(rekeyed(&schema, &key)))),
        ),
    }
}

impl Described {
    /// Returns the Rust path if a root is the type with `key`, or else the first location that refers to the type.
    fn where_is(&self, key: &str, roots: &[Root]) -> String {
        for (root, schema) in roots.iter().zip(&self.roots) {
            for (found, path) in references(schema) {
                if found == key {
                    return match path.as_str() {
                        "" => format!("`{}` ({})", root.source.rust_path(), root.place),
                        path => format!("the one at `{path}` of {}", root.place),
                    };
                }
            }
        }
        for (holder, schema) in &self.definitions {
            if let Some((_, path)) = references(schema).into_iter().find(|(found, _)| found == key) {
                return format!("the one at `{path}` of `{holder}`");
            }
        }
        format!("the one described as `{key}`")
    }
}

fn first_user(direction: Direction, roots: &[&Root], key: &str) -> Option<String> {
    roots.iter().find_map(|root| {
        let one = [Root { place: root.place.clone(), source: root.source }];
        let alone = describe(direction, &one, None);
        alone.definitions.contains_key(key).then(|| alone.where_is(key, &one))
    })
}

/// Returns the key for each definition taken from `generator`, by schemars name.
pub(super) fn keys(
    generator: &mut SchemaGenerator,
    definitions: &Map<String, Value>,
) -> BTreeMap<String, String> {
    let contract = format!("{:?}", generator.contract());
    // Its definitions are taken, so this text has little but the ids.
    let text = format!("{generator:?}");
    let mut keys = BTreeMap::new();
    for (id, name) in listed(&text, &contract) {
        // The name of the stand-in matters only if the id is unknown, and then it differs from all names.
        if definitions.contains_key(name) && reference(generator, id, "\u{0}").as_deref() == Some(name) {
            keys.insert(name.to_owned(), id.to_owned());
        }
    }
    keys
}

/// The ids and names in a generator's debug text: `schema_id_to_name: {SchemaUid("a::Cfg", Serialize): "Cfg", …`. Entries with
/// escapes are left out.
fn listed<'t>(text: &'t str, contract: &str) -> Vec<(&'t str, &'t str)> {
    let between = format!("\", {contract}): \"");
    let list = text.split_once("schema_id_to_name: {").map_or("", |(_, list)| list);
    let list = list.split_once("}, used_schema_names: {").map_or(list, |(list, _)| list);
    let entries = list.split("SchemaUid(\"").filter_map(|entry| {
        let (id, name) = entry.split_once(between.as_str())?;
        let (name, _) = name.split_once('"')?;
        (!id.contains(['\\', '"']) && !name.contains('\\')).then_some((id, name))
    });
    entries.collect()
}

/// Returns the name that `generator` uses for a type with this id; a new type is called `name`.
fn reference(generator: &mut SchemaGenerator, id: &str, name: &str) -> Option<String> {
    STAND_IN.with_borrow_mut(|stand_in| *stand_in = (id.to_owned(), name.to_owned()));
    let schema = generator.subschema_for::<StandIn>();
    let reference = schema.get("$ref")?.as_str()?;
    definition_name(reference).map(Cow::into_owned)
}

/// `Cfg22` → `Cfg2`, `Cfg`: the names to which schemars may have appended a number, the longest first.
fn bases_of(name: &str) -> impl Iterator<Item = &str> {
    let shortest = name.trim_end_matches(|c: char| c.is_ascii_digit()).len().max(1);
    (shortest..name.len()).rev().filter_map(move |end| {
        let (base, number) = name.split_at_checked(end)?;
        (!number.starts_with('0') && number != "1").then_some(base)
    })
}

thread_local! {
    /// The id and the name that [`StandIn`] has.
    static STAND_IN: RefCell<(String, String)> = const { RefCell::new((String::new(), String::new())) };
}

/// A type with any id and any name.
struct StandIn;

impl JsonSchema for StandIn {
    fn schema_name() -> Cow<'static, str> {
        STAND_IN.with_borrow(|(_, name)| name.clone()).into()
    }

    fn schema_id() -> Cow<'static, str> {
        STAND_IN.with_borrow(|(id, _)| id.clone()).into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        Schema::from(true)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::manifest::TypeSource;

    #[derive(JsonSchema)]
    #[expect(dead_code)]
    struct Page<T> {
        items: Vec<T>,
        next: Option<Box<Page<T>>>,
    }

    mod other {
        use super::*;

        #[derive(JsonSchema)]
        #[expect(dead_code)]
        pub(super) struct Page {
            text: std::time::Duration,
        }
    }

    #[test]
    fn only_a_number_from_two_up_counts_as_appended() {
        let cases: [(&str, &[&str]); 9] = [
            ("Cfg2", &["Cfg"]),
            ("Cfg22", &["Cfg2", "Cfg"]),
            ("Cfg21", &["Cfg"]),
            ("Cfg", &[]),
            ("Cfg1", &[]),
            ("Cfg02", &["Cfg0"]),
            ("H264", &["H26", "H2", "H"]),
            ("2", &[]),
            ("é", &[]),
        ];
        for (name, bases) in cases {
            assert_eq!(bases_of(name).collect::<Vec<_>>(), bases, "{name}");
        }
    }

    /// Fails if schemars changes the debug text.
    #[test]
    fn every_definition_has_an_id() {
        for direction in [Direction::Out, Direction::In] {
            let root = |source| Root { place: String::new(), source };
            let roots = [
                root(TypeSource::of::<Page<other::Page>>()),
                root(TypeSource::of::<Page<u8>>()),
                root(TypeSource::of::<Result<u8, String>>()),
            ];
            let here = module_path!();
            let mut names: Vec<(String, String)> =
                type_names(direction, &roots).unwrap().into_iter().collect();
            names.sort();
            let mut expected = vec![
                ("Result<uint8, string>".into(), "Result_of_uint8_or_string".into()),
                (format!("{here}::Page<{here}::other::Page>"), "Page".into()),
                (format!("{here}::Page<uint8>"), "Page".into()),
                (format!("{here}::other::Page"), "Page".into()),
                ("std::time::Duration".into(), "Duration".into()),
            ];
            expected.sort();
            assert_eq!(names, expected);
        }
    }
}

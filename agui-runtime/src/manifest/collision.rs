//! Two Rust types with one schema name.
//!
//! schemars tells types apart by their path, and names apart by appending a number to the second: which of two types
//! called `Cfg` becomes `Cfg2` depends on which one it meets first. Generated code would change meaning when a field
//! moves, so a collision is an error. Two tests find it:
//!
//! - Every root is described alone and compared with the description of all: a name that then means something else
//!   was given to two types. This also finds types that schemars cannot tell apart, such as two of the same name in
//!   two functions of one module.
//! - A name that ends in a number and without it is another type's may be honest (`Vec2` beside `Vec`). So the name is
//!   occupied first by a type of ours, and everything described again: what was numbered by schemars counts on to
//!   `Cfg3`, what is really called `Vec2` becomes `Vec22`.

use std::borrow::Cow;
use std::cell::RefCell;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Map, Value};

use super::ManifestError;
use super::build::{Direction, Root};
use super::canonical::canonical_schema;
use super::schema::references;

/// Checks that every schema name of `direction` belongs to one type.
pub(super) fn check_type_names(direction: Direction, roots: &[Root]) -> Result<(), ManifestError> {
    let all = describe(direction, roots, None);
    for name in all.definitions.keys() {
        if let Some(base) = base_of(name).filter(|base| all.definitions.contains_key(*base)) {
            let again = describe(direction, roots, Some(name));
            let mut renamed = again.definitions.keys().filter(|other| !all.definitions.contains_key(*other));
            if !renamed.any(|other| other.starts_with(name.as_str())) {
                return Err(ManifestError::TypeNameCollision {
                    name: base.into(),
                    first: all.where_is(base, roots),
                    second: all.where_is(name, roots),
                });
            }
        }
    }
    for (index, root) in roots.iter().enumerate() {
        let alone = describe(direction, std::slice::from_ref(root), None);
        for (name, schema) in &alone.definitions {
            if all.definitions.get(name) != Some(schema) {
                let others: Vec<&Root> = roots.iter().take(index).collect();
                return Err(ManifestError::TypeNameCollision {
                    name: name.clone(),
                    first: first_user(direction, &others, name)
                        .unwrap_or_else(|| "one elsewhere in the program".into()),
                    second: alone.where_is(name, std::slice::from_ref(root)),
                });
            }
        }
    }
    Ok(())
}

/// What schemars makes of some roots.
struct Described {
    roots: Vec<Value>,
    definitions: Map<String, Value>,
}

fn describe(direction: Direction, roots: &[Root], occupied: Option<&str>) -> Described {
    let mut generator = direction.generator();
    if let Some(name) = occupied {
        OCCUPIED.with_borrow_mut(|slot| name.clone_into(slot));
        let _ = generator.subschema_for::<Occupant>();
    }
    let roots = roots.iter().map(|root| root.source.schema(&mut generator).to_value()).collect();
    let definitions = generator
        .take_definitions(true)
        .into_iter()
        .map(|(name, schema)| (name, canonical_schema(schema)))
        .collect();
    Described { roots, definitions }
}

impl Described {
    /// The Rust path of the type called `name` where a root is that type, or else the first place that refers to it.
    fn where_is(&self, name: &str, roots: &[Root]) -> String {
        for (root, schema) in roots.iter().zip(&self.roots) {
            for (found, path) in references(schema) {
                if found == name {
                    return match path.as_str() {
                        "" => format!("`{}` ({})", root.source.rust_path(), root.place),
                        path => format!("the one at `{path}` of {}", root.place),
                    };
                }
            }
        }
        for (holder, schema) in &self.definitions {
            if let Some((_, path)) = references(schema).into_iter().find(|(found, _)| found == name) {
                return format!("the one at `{path}` of `{holder}`");
            }
        }
        format!("the one described as `{name}`")
    }
}

fn first_user(direction: Direction, roots: &[&Root], name: &str) -> Option<String> {
    roots.iter().find_map(|root| {
        let one = [Root { place: root.place.clone(), source: root.source }];
        let alone = describe(direction, &one, None);
        alone.definitions.contains_key(name).then(|| alone.where_is(name, &one))
    })
}

/// `Cfg2` → `Cfg`: the name a number was appended to, were it appended by schemars.
fn base_of(name: &str) -> Option<&str> {
    let base = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let number = name.strip_prefix(base)?;
    (!base.is_empty() && !number.starts_with('0') && number != "1" && !number.is_empty()).then_some(base)
}

thread_local! {
    static OCCUPIED: RefCell<String> = const { RefCell::new(String::new()) };
}

/// A type that is called whatever [`OCCUPIED`] says.
struct Occupant;

impl JsonSchema for Occupant {
    fn schema_name() -> Cow<'static, str> {
        OCCUPIED.with_borrow(String::clone).into()
    }

    fn schema_id() -> Cow<'static, str> {
        concat!(module_path!(), "::Occupant").into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        Schema::from(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_number_from_two_up_can_have_been_appended() {
        for (name, base) in [
            ("Cfg2", Some("Cfg")),
            ("Cfg", None),
            ("Cfg1", None),
            ("Cfg02", None),
            ("H264", Some("H")),
            ("2", None),
        ] {
            assert_eq!(base_of(name), base, "{name}");
        }
    }
}

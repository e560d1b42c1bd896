//! Schema references: finds recursive definitions, and inlines all others.

use std::collections::{BTreeSet, HashMap};

use serde_json::{Value, json};

use super::place::{SchemaFault, SchemaPath};
use super::walk::{SchemaObject, definition, each_child};

/// The most values in an inlined schema: definitions that use others several times grow fast.
const MOST_VALUES: usize = 20_000;
/// The deepest nesting of inlined definitions.
const DEEPEST: usize = 64;

/// Returns the names of recursive definitions.
pub(super) fn recursive_definitions(root: &Value) -> BTreeSet<&str> {
    let Some(definitions) = root.get("$defs").and_then(Value::as_object) else { return BTreeSet::new() };
    let uses: HashMap<&str, BTreeSet<&str>> = definitions
        .iter()
        .map(|(name, schema)| {
            let mut names = BTreeSet::new();
            collect_references(root, schema, &mut names);
            (name.as_str(), names)
        })
        .collect();
    let reaches_itself = |name: &&str| {
        let (mut seen, mut next) = (BTreeSet::new(), vec![*name]);
        while let Some(at) = next.pop() {
            for used in uses.get(at).into_iter().flatten() {
                if used == name {
                    return true;
                }
                if seen.insert(*used) {
                    next.push(used);
                }
            }
        }
        false
    };
    definitions.keys().map(String::as_str).filter(reaches_itself).collect()
}

/// Collects the definitions to which a schema refers.
fn collect_references<'s>(root: &'s Value, schema: &Value, names: &mut BTreeSet<&'s str>) {
    match schema {
        Value::Object(members) => {
            if let Some(Value::String(reference)) = members.get("$ref")
                && let Ok((name, _)) = definition(root, reference, &SchemaPath::root())
            {
                names.insert(name);
            }
            members.values().for_each(|value| collect_references(root, value, names));
        }
        Value::Array(items) => items.iter().for_each(|item| collect_references(root, item, names)),
        _ => {}
    }
}

/// Returns the schema with each reference replaced by its definition. References to recursive definitions stay.
pub(super) fn inline_references(root: &Value) -> Result<Value, SchemaFault> {
    let mut inlining = ReferenceInliner { root, recursive: recursive_definitions(root), values: 0, depth: 0 };
    let mut schema = root.clone();
    if let Some(members) = schema.as_object_mut() {
        let definitions = members.remove("$defs");
        if let Some(Value::Object(mut definitions)) = definitions {
            definitions.retain(|name, _| inlining.recursive.contains(name.as_str()));
            if !definitions.is_empty() {
                members.insert("$defs".to_owned(), definitions.into());
            }
        }
    }
    inlining.schema(&mut schema, &SchemaPath::root())?;
    Ok(schema)
}

struct ReferenceInliner<'s> {
    root: &'s Value,
    recursive: BTreeSet<&'s str>,
    values: usize,
    depth: usize,
}

impl ReferenceInliner<'_> {
    fn schema(&mut self, schema: &mut Value, place: &SchemaPath) -> Result<(), SchemaFault> {
        self.values += 1;
        if self.values > MOST_VALUES || self.depth > DEEPEST {
            return Err(place.fault("the schema is too large without its references"));
        }
        let Value::Object(members) = schema else { return Ok(()) };
        let reference = members.get("$ref").and_then(Value::as_str).filter(|reference| *reference != "#");
        let Some(reference) = reference.map(str::to_owned) else {
            return each_child(members, place, &mut |child, at| self.schema(child, at));
        };
        let (name, definition) = definition(self.root, &reference, place)?;
        if self.recursive.contains(name) {
            return each_child(members, place, &mut |child, at| self.schema(child, at));
        }
        members.remove("$ref");
        *schema = merge_beside_reference(definition.clone(), std::mem::take(members));
        self.depth += 1;
        self.schema(schema, place)?;
        self.depth -= 1;
        Ok(())
    }
}

/// Merges a definition with the keywords beside its reference. Both apply; annotations beside the reference take precedence.
fn merge_beside_reference(definition: Value, own: SchemaObject) -> Value {
    const ANNOTATIONS: [&str; 5] = ["title", "description", "default", "examples", "deprecated"];
    match definition {
        definition if own.is_empty() => definition,
        Value::Object(mut members)
            if own
                .keys()
                .all(|keyword| ANNOTATIONS.contains(&keyword.as_str()) || !members.contains_key(keyword)) =>
        {
            members.extend(own);
            Value::Object(members)
        }
        definition => {
            let mut both = own;
            both.insert("allOf".to_owned(), json!([definition]));
            Value::Object(both)
        }
    }
}

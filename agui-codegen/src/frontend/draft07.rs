//! Converts a schema from any recent draft to the form that typify reads: draft 7, in which the root and its references
//! are definitions with clean names, without keywords that do not change a Rust type.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::TranslationError;
use super::alternatives::{alternatives, mixed};
use super::widen::widen;
use crate::names::{identifier, pascal};

/// The named schemas, sorted by name; the root has the tool's name.
pub(super) struct Draft07Document {
    /// The root's name.
    pub(super) root: String,
    /// Every named schema, including the root.
    pub(super) definitions: BTreeMap<String, Value>,
}

impl Draft07Document {
    /// Returns the document as one schema.
    pub(super) fn to_schema(&self) -> Value {
        json!({
            "$schema": "http://json-schema.org/draft-07/schema#",
            "$ref": format!("#/definitions/{}", self.root),
            "definitions": self.definitions,
        })
    }
}

/// Returns `parameters` as a document. The root is called `root`, and all other names begin with `prefix`.
pub(super) fn document(
    root: &str,
    prefix: &str,
    parameters: &Value,
    strict: bool,
) -> Result<Draft07Document, TranslationError> {
    let own: Vec<(String, &Value)> = ["$defs", "definitions"]
        .into_iter()
        .filter_map(|keyword| Some((keyword, parameters.get(keyword)?.as_object()?)))
        .flat_map(|(keyword, all)| {
            all.iter().map(move |(name, schema)| (format!("#/{keyword}/{}", escaped(name)), schema))
        })
        .collect();
    let mut names = BTreeMap::from([("#".to_owned(), root.to_owned())]);
    let mut taken = BTreeSet::from([root.to_owned()]);
    for (place, _) in &own {
        let last = place.rsplit('/').next().unwrap_or_default();
        let base = format!("{prefix}{}", identifier(&pascal(last)).trim_start_matches('_'));
        let mut name = base.clone();
        let mut count = 1;
        while !taken.insert(name.clone()) {
            count += 1;
            name = format!("{base}{count}");
        }
        names.insert(place.clone(), name);
    }
    let mapping = Draft07Conversion { names, strict };
    let mut definitions = BTreeMap::new();
    for (place, schema) in &own {
        if let Some(name) = mapping.names.get(place) {
            definitions.insert(name.clone(), mapping.schema(schema, place)?);
        }
    }
    definitions.insert(root.to_owned(), mapping.schema(parameters, "#")?);
    Ok(Draft07Document { root: root.to_owned(), definitions })
}

/// Escapes a name for a JSON Pointer (RFC 6901).
fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

struct Draft07Conversion {
    /// The target name for each reference.
    names: BTreeMap<String, String>,
    strict: bool,
}

/// The keywords that only people and validators read.
const DROPPED: [&str; 14] = [
    "$anchor",
    "$comment",
    "$defs",
    "$id",
    "$schema",
    "contentEncoding",
    "contentMediaType",
    "definitions",
    "dependentRequired",
    "deprecated",
    "id",
    "readOnly",
    "title",
    "writeOnly",
];

/// The keywords that are dropped without `--strict-formats`: typify turns them into types that are hard to construct,
/// or that need crates.
const NARROWING: [&str; 4] = ["format", "maxLength", "minLength", "pattern"];

impl Draft07Conversion {
    fn schema(&self, schema: &Value, place: &str) -> Result<Value, TranslationError> {
        let Value::Object(members) = schema else { return Ok(schema.clone()) };
        let mut mapped = Map::new();
        for (keyword, value) in members {
            let here = || format!("{place}/{}", escaped(keyword));
            let name = keyword.as_str();
            if DROPPED.contains(&name) || (!self.strict && NARROWING.contains(&name)) {
                continue;
            }
            let value = match name {
                "additionalItems"
                | "additionalProperties"
                | "contains"
                | "else"
                | "if"
                | "not"
                | "propertyNames"
                | "then" => self.schema(value, &here())?,
                "items" if value.is_object() || value.is_boolean() => self.schema(value, &here())?,
                "allOf" | "anyOf" | "oneOf" | "items" | "prefixItems" => self.list(value, &here())?,
                "properties" | "patternProperties" | "dependentSchemas" => self.map(value, &here())?,
                _ => value.clone(),
            };
            mapped.insert(keyword.clone(), value);
        }
        describe(&mut mapped, members);
        mixed(&mut mapped, self.strict);
        if !self.strict {
            widen(&mut mapped);
        }
        alternatives(&mut mapped);
        tuple(&mut mapped);
        closed(&mut mapped);
        names_that_are_any(&mut mapped);
        self.reference(&mut mapped, place)?;
        Ok(Value::Object(mapped))
    }

    fn list(&self, value: &Value, place: &str) -> Result<Value, TranslationError> {
        let Value::Array(schemas) = value else { return Ok(value.clone()) };
        let mapped = schemas.iter().enumerate();
        let mapped = mapped.map(|(index, schema)| self.schema(schema, &format!("{place}/{index}")));
        Ok(Value::Array(mapped.collect::<Result<_, _>>()?))
    }

    fn map(&self, value: &Value, place: &str) -> Result<Value, TranslationError> {
        let Value::Object(schemas) = value else { return Ok(value.clone()) };
        let mapped = schemas.iter();
        let mapped = mapped.map(|(name, schema)| {
            Ok((name.clone(), self.schema(schema, &format!("{place}/{}", escaped(name)))?))
        });
        Ok(Value::Object(mapped.collect::<Result<_, TranslationError>>()?))
    }

    /// Keeps only the reference: draft 7 ignores keywords beside a reference.
    fn reference(&self, schema: &mut Map<String, Value>, place: &str) -> Result<(), TranslationError> {
        let Some(reference) = schema.remove("$ref") else { return Ok(()) };
        let target = reference.as_str().and_then(|target| self.names.get(target)).ok_or_else(|| {
            TranslationError::new(format!(
                "{place} refers to {reference}, which is not among its definitions"
            ))
        })?;
        let reference = json!({ "$ref": format!("#/definitions/{target}") });
        if schema.is_empty() {
            schema.insert("$ref".into(), json!(format!("#/definitions/{target}")));
        } else {
            let mut all = vec![reference];
            if let Some(Value::Array(others)) = schema.remove("allOf") {
                all.extend(others);
            }
            schema.insert("allOf".into(), Value::Array(all));
        }
        Ok(())
    }
}

/// Turns the title into the description if there is no better description: a title that stays a title makes names that
/// collide.
fn describe(mapped: &mut Map<String, Value>, members: &Map<String, Value>) {
    if let Some(title @ Value::String(_)) = members.get("title")
        && !mapped.contains_key("description")
    {
        mapped.insert("description".into(), title.clone());
    }
}

/// Gives a list with positional schemas exactly that many items: schema libraries mean a tuple, whatever the length
/// keywords say.
fn tuple(schema: &mut Map<String, Value>) {
    if let Some(first) = schema.remove("prefixItems")
        && let Some(rest) = schema.insert("items".into(), first)
    {
        schema.insert("additionalItems".into(), rest);
    }
    let Some(Value::Array(places)) = schema.get("items").cloned() else { return };
    let length = places.len();
    if let Some(rest @ Value::Object(_)) = schema.get("additionalItems").cloned() {
        // Rust has no tuple with a variable tail.
        let mut any: Vec<Value> = Vec::new();
        for place in places.into_iter().chain([rest]) {
            if !any.contains(&place) {
                any.push(place);
            }
        }
        schema.remove("additionalItems");
        schema.insert("items".into(), json!({ "anyOf": any }));
    } else if matches!(schema.get("additionalItems"), None | Some(Value::Bool(false))) {
        schema.insert("additionalItems".into(), Value::Bool(false));
        schema.insert("minItems".into(), json!(length));
        schema.insert("maxItems".into(), json!(length));
    }
}

/// Replaces `unevaluatedProperties` by `additionalProperties` if no other keyword adds properties; otherwise draft 7
/// has no equivalent keyword.
fn closed(schema: &mut Map<String, Value>) {
    if let Some(rest) = schema.remove("unevaluatedProperties")
        && !["allOf", "anyOf", "oneOf", "$ref", "if", "additionalProperties"]
            .iter()
            .any(|keyword| schema.contains_key(*keyword))
    {
        schema.insert("additionalProperties".into(), rest);
    }
    schema.remove("unevaluatedItems");
}

/// Drops the constraint that Zod puts on every record: that names are strings.
fn names_that_are_any(schema: &mut Map<String, Value>) {
    if schema
        .get("propertyNames")
        .is_some_and(|names| *names == json!({"type": "string"}) || *names == json!({}))
    {
        schema.remove("propertyNames");
    }
}

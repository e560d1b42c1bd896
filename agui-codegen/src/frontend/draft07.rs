//! A schema of any recent draft as typify reads it: draft 7, the root and everything it refers to as definitions with
//! clean names, and without what makes no difference to a Rust type.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::Refusal;
use crate::names::{identifier, pascal};

/// What is named, in the order of the names: the root is called as the tool is.
pub(super) struct Document {
    /// The name of the root.
    pub(super) root: String,
    /// Every schema with a name, the root among them.
    pub(super) definitions: BTreeMap<String, Value>,
}

impl Document {
    /// The document as one schema.
    pub(super) fn to_schema(&self) -> Value {
        json!({
            "$schema": "http://json-schema.org/draft-07/schema#",
            "$ref": format!("#/definitions/{}", self.root),
            "definitions": self.definitions,
        })
    }
}

/// `parameters` as a document whose root is called `root`, and whose other definitions begin with `prefix`.
pub(super) fn document(
    root: &str,
    prefix: &str,
    parameters: &Value,
    strict: bool,
) -> Result<Document, Refusal> {
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
    let mapping = Mapping { names, strict };
    let mut definitions = BTreeMap::new();
    for (place, schema) in &own {
        if let Some(name) = mapping.names.get(place) {
            definitions.insert(name.clone(), mapping.schema(schema, place)?);
        }
    }
    definitions.insert(root.to_owned(), mapping.schema(parameters, "#")?);
    Ok(Document { root: root.to_owned(), definitions })
}

/// A name as a part of a JSON Pointer (RFC 6901).
fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

struct Mapping {
    /// What each reference is called.
    names: BTreeMap<String, String>,
    strict: bool,
}

/// What only people and validators read.
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

/// What makes typify write types that are hard to make, or need crates, without `--strict-formats`.
const NARROWING: [&str; 4] = ["format", "maxLength", "minLength", "pattern"];

impl Mapping {
    fn schema(&self, schema: &Value, place: &str) -> Result<Value, Refusal> {
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

    fn list(&self, value: &Value, place: &str) -> Result<Value, Refusal> {
        let Value::Array(schemas) = value else { return Ok(value.clone()) };
        let mapped = schemas.iter().enumerate();
        let mapped = mapped.map(|(index, schema)| self.schema(schema, &format!("{place}/{index}")));
        Ok(Value::Array(mapped.collect::<Result<_, _>>()?))
    }

    fn map(&self, value: &Value, place: &str) -> Result<Value, Refusal> {
        let Value::Object(schemas) = value else { return Ok(value.clone()) };
        let mapped = schemas.iter();
        let mapped = mapped.map(|(name, schema)| {
            Ok((name.clone(), self.schema(schema, &format!("{place}/{}", escaped(name)))?))
        });
        Ok(Value::Object(mapped.collect::<Result<_, Refusal>>()?))
    }

    /// Draft 7 reads nothing beside a reference.
    fn reference(&self, schema: &mut Map<String, Value>, place: &str) -> Result<(), Refusal> {
        let Some(reference) = schema.remove("$ref") else { return Ok(()) };
        let target = reference.as_str().and_then(|target| self.names.get(target)).ok_or_else(|| {
            Refusal::new(format!("{place} refers to {reference}, which is not among its definitions"))
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

/// Texts and others in one enum are alternatives: typify takes either.
fn mixed(schema: &mut Map<String, Value>, strict: bool) {
    let Some(Value::Array(values)) = schema.get("enum") else { return };
    let (texts, others): (Vec<Value>, Vec<Value>) = values.iter().cloned().partition(Value::is_string);
    if texts.is_empty() || others.is_empty() || schema.contains_key("type") || schema.contains_key("anyOf") {
        return;
    }
    let mut any = vec![json!({ "type": "string", "enum": texts })];
    for other in others {
        let mut one = match other {
            Value::Null => Map::from_iter([("type".to_owned(), json!("null"))]),
            other => Map::from_iter([("enum".to_owned(), json!([other]))]),
        };
        if !strict {
            chosen(&mut one);
        }
        any.push(Value::Object(one));
    }
    schema.remove("enum");
    schema.insert("anyOf".into(), Value::Array(any));
}

/// `z.union([z.literal("a"), z.literal("b")])` is an enum, and what no value has is no alternative.
fn alternatives(schema: &mut Map<String, Value>) {
    if let Some(only @ Value::String(_)) = schema.get("const").cloned() {
        schema.remove("const");
        schema.insert("enum".into(), Value::Array(vec![only]));
    }
    for keyword in ["anyOf", "oneOf"] {
        let Some(Value::Array(all)) = schema.get(keyword) else { continue };
        let mut kept: Vec<Value> = Vec::new();
        let mut texts: Option<usize> = None;
        for alternative in all {
            let is_none = *alternative == Value::Bool(false) || *alternative == json!({"not": {}});
            if is_none || kept.contains(alternative) {
                continue;
            }
            let before =
                texts.and_then(|place| kept.get_mut(place)).and_then(|before| before.get_mut("enum"));
            match (names(alternative), before) {
                (Some(more), Some(Value::Array(names))) => {
                    names.extend(
                        more.iter().filter(|name| !names.contains(name)).cloned().collect::<Vec<_>>(),
                    );
                }
                (given, _) => {
                    texts = texts.or(given.map(|_| kept.len()));
                    kept.push(alternative.clone());
                }
            }
        }
        match <[Value; 1]>::try_from(kept) {
            Ok([Value::Object(only)]) if only.keys().all(|name| !schema.contains_key(name)) => {
                schema.remove(keyword);
                schema.extend(only);
            }
            Ok(only) => drop(schema.insert(keyword.into(), Value::Array(only.into()))),
            Err(kept) => drop(schema.insert(keyword.into(), Value::Array(kept))),
        }
    }
}

/// The texts of a schema that is nothing but a choice of texts.
fn names(schema: &Value) -> Option<&Vec<Value>> {
    let members = schema.as_object()?;
    let is_plain = members.keys().all(|keyword| keyword == "enum" || keyword == "type");
    let names = members.get("enum").and_then(Value::as_array)?;
    (is_plain && names.iter().all(Value::is_string)).then_some(names)
}

/// A title makes names that meet each other; it is a description where there is no better one.
fn describe(mapped: &mut Map<String, Value>, members: &Map<String, Value>) {
    if let Some(title @ Value::String(_)) = members.get("title")
        && !mapped.contains_key("description")
    {
        mapped.insert("description".into(), title.clone());
    }
}

/// A list with a schema for each place has these places: so mean it the libraries that make schemas, whatever is said
/// of its length.
fn tuple(schema: &mut Map<String, Value>) {
    if let Some(first) = schema.remove("prefixItems")
        && let Some(rest) = schema.insert("items".into(), first)
    {
        schema.insert("additionalItems".into(), rest);
    }
    let Some(Value::Array(places)) = schema.get("items").cloned() else { return };
    let length = places.len();
    if let Some(rest @ Value::Object(_)) = schema.get("additionalItems").cloned() {
        // Nothing in Rust is a tuple with a list behind it.
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

/// `unevaluatedProperties` is `additionalProperties` where nothing else brings properties; elsewhere draft 7 has no word
/// for it.
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

/// What narrows values further than a type of Rust's that is easy to make does. The page checks what it gets.
fn widen(schema: &mut Map<String, Value>) {
    let is_never = |not: &Value| *not == Value::Bool(true) || not.as_object().is_some_and(Map::is_empty);
    if schema.get("not").is_some_and(|not| !is_never(not)) {
        schema.remove("not");
    }
    for keyword in ["if", "then", "else", "dependentSchemas", "dependencies", "contains"] {
        schema.remove(keyword);
    }
    // From 1 on, typify counts in `NonZero`.
    for keyword in ["minimum", "exclusiveMinimum"] {
        if schema.get(keyword).and_then(Value::as_f64).is_some_and(|least| least > 0.0) {
            schema.remove(keyword);
            schema.insert("minimum".into(), json!(0));
        }
    }
    if let Some(patterns) = schema.remove("patternProperties") {
        let mut patterns = patterns.as_object().into_iter().flat_map(Map::values);
        let only = patterns.next().filter(|_| !schema.contains_key("properties"));
        if schema.get("additionalProperties") == Some(&Value::Bool(false)) {
            let rest = if patterns.next().is_none() { only.cloned() } else { None };
            schema.insert("additionalProperties".into(), rest.unwrap_or(Value::Bool(true)));
        }
    }
    chosen(schema);
}

/// Choices that are no enum in Rust: of numbers, and of texts that have one name there.
fn chosen(schema: &mut Map<String, Value>) {
    let values = match (schema.get("const"), schema.get("enum")) {
        (Some(only), _) => vec![only.clone()],
        (None, Some(Value::Array(values))) => values.clone(),
        _ => return,
    };
    let types: BTreeSet<&str> = values
        .iter()
        .map(|value| match value {
            Value::Number(number) if number.is_f64() => "number",
            Value::Number(_) => "integer",
            Value::Bool(_) => "boolean",
            Value::String(_) => "string",
            _ => "other",
        })
        .collect();
    let numbers = ["number", "integer"];
    let name = if types.iter().all(|name| numbers.contains(name)) {
        types.last().copied()
    } else if types.len() == 1 {
        types.first().copied()
    } else {
        None
    };
    let is_wide = match name {
        Some("number" | "integer" | "boolean") => true,
        Some("string") => {
            let mut names = BTreeSet::new();
            let own = |value: &Value| pascal(value.as_str().unwrap_or_default()).to_lowercase();
            !values.iter().map(own).all(|name| !name.is_empty() && names.insert(name))
        }
        _ => false,
    };
    if let Some(name) = name.filter(|_| is_wide) {
        schema.remove("const");
        schema.remove("enum");
        schema.insert("type".into(), json!(name));
    }
}

/// What Zod says of each record: that names are strings.
fn names_that_are_any(schema: &mut Map<String, Value>) {
    if schema
        .get("propertyNames")
        .is_some_and(|names| *names == json!({"type": "string"}) || *names == json!({}))
    {
        schema.remove("propertyNames");
    }
}

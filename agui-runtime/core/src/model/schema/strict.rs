//! Translation steps shared by OpenAI's and Anthropic's strict subsets. With `strict`, the provider forces arguments to fit the
//! schema.

use serde_json::{Value, json};

use super::exclusive::note_exclusion;
use super::place::{SchemaFault, SchemaPath};
use super::walk::{SchemaObject, describe, each_child, wrap_reference};
use crate::json::RemoveMember as _;
use crate::manifest::allows_nothing;

/// A provider's strict subset.
pub(super) struct StrictSubset {
    /// Supported keywords, besides the [`SHARED`] ones.
    pub(super) keywords: &'static [&'static str],
    /// Supported string formats.
    pub(super) formats: &'static [&'static str],
    /// The greatest supported `minItems`.
    pub(super) most_least_items: u64,
    /// The provider's own rules for one schema, without nested schemas.
    pub(super) rules: fn(&mut SchemaObject, &SchemaPath) -> Result<(), SchemaFault>,
}

/// Keywords in both subsets.
const SHARED: [&str; 12] = [
    "type",
    "title",
    "description",
    "properties",
    "required",
    "items",
    "anyOf",
    "oneOf",
    "enum",
    "const",
    "$ref",
    "$defs",
];

/// Unsupported keywords. Their meaning cannot move into a description, because the model must obey the rest.
const LACKING: [&str; 13] = [
    "allOf",
    "not",
    "if",
    "then",
    "else",
    "contains",
    "prefixItems",
    "patternProperties",
    "propertyNames",
    "dependentSchemas",
    "dependentRequired",
    "unevaluatedItems",
    "$dynamicRef",
];

/// Words for a constraint that moves into the description.
const WORDS: [(&str, &str); 14] = [
    ("minimum", "at least"),
    ("maximum", "at most"),
    ("exclusiveMinimum", "greater than"),
    ("exclusiveMaximum", "less than"),
    ("multipleOf", "multiple of"),
    ("minLength", "shortest length"),
    ("maxLength", "longest length"),
    ("minItems", "fewest items"),
    ("maxItems", "most items"),
    ("uniqueItems", "no item twice"),
    ("minProperties", "fewest members"),
    ("maxProperties", "most members"),
    ("contentEncoding", "encoded as"),
    ("contentMediaType", "media type"),
];

impl StrictSubset {
    /// Translates a schema and its nested schemas.
    pub(super) fn translate(&self, schema: &mut Value, place: &SchemaPath) -> Result<(), SchemaFault> {
        if allows_nothing(schema) {
            return Err(place.fault("no value is allowed here: leave it out"));
        }
        let members = match schema {
            Value::Object(members) => members,
            _ => return Err(any_value(place)),
        };
        refuse_lacking(members, place)?;
        wrap_reference(members);
        note_exclusion(members);
        if members.contains_key("properties") && !members.contains_key("type") {
            members.insert("type".to_owned(), "object".into());
        }
        (self.rules)(members, place)?;
        if !["type", "anyOf", "oneOf", "enum", "const", "$ref"]
            .iter()
            .any(|keyword| members.contains_key(*keyword))
        {
            return Err(any_value(place));
        }
        alternatives_alone(members, place)?;
        let is_object = takes_type(members, "object");
        if is_object {
            close_object(members, place)?;
        }
        self.describe_unknown(members);
        each_child(members, place, &mut |child, at| self.translate(child, at))?;
        if is_object {
            members.insert("additionalProperties".to_owned(), false.into());
        }
        // After the schemas inside, so that an error names the keyword of the schema as it came.
        if let Some(alternatives) = members.remove_member("oneOf") {
            members.insert("anyOf".to_owned(), alternatives);
        }
        Ok(())
    }

    fn describe_unknown(&self, members: &mut SchemaObject) {
        members.remove_member("$comment");
        let format = members.get("format").and_then(Value::as_str);
        let has_format =
            takes_type(members, "string") && format.is_some_and(|format| self.formats.contains(&format));
        let least = members.get("minItems").and_then(Value::as_u64);
        let has_least = least.is_some_and(|least| least <= self.most_least_items);
        let keywords: Vec<String> = members.keys().cloned().collect();
        for keyword in keywords {
            let is_known = match keyword.as_str() {
                "format" => has_format,
                "minItems" => has_least,
                keyword => SHARED.contains(&keyword) || self.keywords.contains(&keyword),
            };
            if !is_known {
                let words = WORDS.iter().find(|(known, _)| *known == keyword).map(|(_, words)| *words);
                describe(members, &keyword, words.unwrap_or(&keyword));
                // A constraint that says nothing, such as `uniqueItems: false`.
                members.remove_member(&keyword);
            }
        }
    }
}

fn any_value(place: &SchemaPath) -> SchemaFault {
    place.fault("any value is allowed here, and `strict` needs a type")
}

fn refuse_lacking(members: &SchemaObject, place: &SchemaPath) -> Result<(), SchemaFault> {
    match LACKING.iter().find(|keyword| members.contains_key(**keyword)) {
        None => Ok(()),
        Some(keyword) => Err(place
            .child(keyword)
            .fault(format!("`strict` does not know `{keyword}`: use a struct, or leave `strict` off"))),
    }
}

/// True if values with this type may fit.
pub(super) fn takes_type(members: &SchemaObject, of: &str) -> bool {
    match members.get("type") {
        Some(Value::String(one)) => one == of,
        Some(Value::Array(several)) => several.iter().any(|one| one == of),
        _ => false,
    }
}

/// Refuses keywords beside alternatives: alternatives are closed objects, so a member beside them fits none.
fn alternatives_alone(members: &SchemaObject, place: &SchemaPath) -> Result<(), SchemaFault> {
    const BESIDE: [&str; 7] =
        ["type", "properties", "required", "items", "enum", "const", "additionalProperties"];
    if !members.contains_key("anyOf") && !members.contains_key("oneOf") {
        return Ok(());
    }
    match BESIDE.iter().find(|keyword| members.contains_key(**keyword)) {
        None => Ok(()),
        Some(keyword) => Err(place.child(keyword).fault(
            "`strict` does not allow keywords beside `anyOf`: put them into each alternative, or leave `strict` off",
        )),
    }
}

/// Closes an object: only the listed members remain.
fn close_object(members: &mut SchemaObject, place: &SchemaPath) -> Result<(), SchemaFault> {
    let is_closed = members.get("additionalProperties").or_else(|| members.get("unevaluatedProperties"))
        == Some(&Value::Bool(false));
    for keyword in ["additionalProperties", "unevaluatedProperties"] {
        if members.remove_member(keyword).is_some_and(|more| more != false) {
            return Err(place
                .child(keyword)
                .fault("`strict` has no maps: take a list of entries, or leave `strict` off"));
        }
    }
    if !members.contains_key("properties") && !is_closed && !place.is_root() {
        return Err(place.fault("any object is allowed here, and `strict` needs its members"));
    }
    members.entry("properties").or_insert_with(|| json!({}));
    let is_listed = |name: &Value| {
        name.as_str()
            .is_some_and(|name| members.get("properties").is_some_and(|listed| listed.get(name).is_some()))
    };
    let required = members.get("required").and_then(Value::as_array);
    match required.into_iter().flatten().find(|name| !is_listed(name)) {
        None => Ok(()),
        Some(name) => {
            Err(place.child("required").fault(format!("{name} is required, and its schema is not stated")))
        }
    }
}

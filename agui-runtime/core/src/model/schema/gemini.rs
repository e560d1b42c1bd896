//! Gemini's subset, from OpenAPI 3.0.

use serde_json::{Value, json};

use super::exclusive::{EXACTLY_ONE, exclude_each_other};
use super::openapi::{
    LONE_NULL, known_format, lone_alternatives, merge, null_of_an_enum, one_type, stated_members,
};
use super::place::{SchemaFault, SchemaPath};
use super::walk::{SchemaObject, definition, describe, note, plain_object};

pub(super) fn translate(schema: &Value) -> Result<Value, SchemaFault> {
    let place = SchemaPath::root();
    plain_object(schema, &place)?;
    GeminiTranslator { root: schema, open: Vec::new() }.schema(schema, &place)
}

struct GeminiTranslator<'s> {
    root: &'s Value,
    /// The definitions being inlined, to detect recursion.
    open: Vec<&'s str>,
}

/// Constraints unknown to Gemini, with the words that replace them in the description.
const UNKNOWN: [(&str, &str); 8] = [
    ("exclusiveMinimum", "greater than"),
    ("exclusiveMaximum", "less than"),
    ("multipleOf", "multiple of"),
    ("uniqueItems", "no item twice"),
    ("contentEncoding", "encoded as"),
    ("contentMediaType", "media type"),
    ("examples", "examples"),
    ("deprecated", "deprecated"),
];

/// Keywords that Gemini knows unchanged.
const KNOWN: [&str; 13] = [
    "title",
    "description",
    "default",
    "format",
    "minimum",
    "maximum",
    "minLength",
    "maxLength",
    "pattern",
    "minItems",
    "maxItems",
    "minProperties",
    "maxProperties",
];

impl<'s> GeminiTranslator<'s> {
    fn schema(&mut self, schema: &'s Value, place: &SchemaPath) -> Result<Value, SchemaFault> {
        let Value::Object(members) = schema else {
            return Err(place.fault("Gemini needs a type, and any value is allowed here"));
        };
        if let Some(Value::String(reference)) = members.get("$ref") {
            return self.inlined(reference, members, place);
        }
        let mut out = SchemaObject::new();
        for (keyword, value) in alternatives_last(members) {
            self.keyword(keyword, value, &mut out, place)?;
        }
        describe_unknown(&mut out);
        one_type(&mut out, place)?;
        null_of_an_enum(members, &mut out);
        known_format(&mut out);
        lone_alternatives(&mut out, place)?;
        stated_members(&out, place)?;
        Ok(Value::Object(out))
    }

    /// Replaces a reference by its definition: Gemini has no references.
    fn inlined(
        &mut self,
        reference: &str,
        members: &'s SchemaObject,
        place: &SchemaPath,
    ) -> Result<Value, SchemaFault> {
        if reference == "#" {
            return Err(place.fault("Gemini has no recursive types, and the arguments contain themselves"));
        }
        let (name, definition) = definition(self.root, reference, place)?;
        if self.open.contains(&name) {
            return Err(place.fault(format!("Gemini has no recursive types, and `{name}` contains itself")));
        }
        self.open.push(name);
        let mut inlined = self.schema(definition, place)?;
        self.open.pop();
        if let Value::Object(out) = &mut inlined {
            let mut beside = SchemaObject::new();
            for (keyword, value) in alternatives_last(members).filter(|(keyword, _)| *keyword != "$ref") {
                self.keyword(keyword, value, &mut beside, place)?;
            }
            describe_unknown(&mut beside);
            merge(&mut beside, std::mem::take(out), place)?;
            *out = beside;
            lone_alternatives(out, place)?;
        }
        Ok(inlined)
    }

    fn keyword(
        &mut self,
        keyword: &str,
        value: &'s Value,
        out: &mut SchemaObject,
        place: &SchemaPath,
    ) -> Result<(), SchemaFault> {
        let at = place.child(keyword);
        let translated = match (keyword, value) {
            ("$schema" | "$defs" | "$comment", _) => return Ok(()),
            ("additionalProperties" | "unevaluatedProperties", Value::Bool(false)) => return Ok(()),
            ("additionalProperties", _) => {
                return Err(at.fault("Gemini has no maps: take a list of entries"));
            }
            ("properties", Value::Object(named)) => {
                let mut properties = SchemaObject::new();
                for (name, schema) in named {
                    properties.insert(name.clone(), self.schema(schema, &at.child(name))?);
                }
                Value::Object(properties)
            }
            ("items", schema) => {
                let items = self.schema(schema, &at)?;
                if items.get("anyOf").is_some() {
                    return Err(at.fault("Gemini has no alternatives for the items of a list"));
                }
                items
            }
            ("anyOf" | "oneOf", Value::Array(list)) => {
                self.alternatives(list, out, &at)?;
                if keyword == "oneOf" && !exclude_each_other(value) {
                    note(out, EXACTLY_ONE);
                }
                return Ok(());
            }
            ("allOf", Value::Array(list)) => {
                let [only] = list.as_slice() else { return Err(at.fault("Gemini does not know `allOf`")) };
                return match self.schema(only, &at.child("0"))? {
                    Value::Object(only) => merge(out, only, place),
                    _ => Ok(()),
                };
            }
            ("const" | "enum", value) if is_empty_text(value) => {
                return Err(at.fault("Gemini refuses an empty text among the values of an enum"));
            }
            ("const", Value::String(text)) => {
                out.entry("type").or_insert_with(|| "string".into());
                out.insert("enum".to_owned(), json!([text]));
                return Ok(());
            }
            ("enum", Value::Array(values))
                if values.iter().all(|value| value.is_string() || value.is_null()) =>
            {
                if values.iter().any(Value::is_null) {
                    out.insert("nullable".to_owned(), true.into());
                }
                out.entry("type").or_insert_with(|| "string".into());
                values.iter().filter(|value| value.is_string()).cloned().collect::<Vec<_>>().into()
            }
            ("const" | "enum", _) => return Err(at.fault("Gemini supports enums of strings only")),
            ("type" | "required", value) => value.clone(),
            (known, value)
                if KNOWN.contains(&known) || UNKNOWN.iter().any(|(unknown, _)| *unknown == known) =>
            {
                value.clone()
            }
            (annotation, _)
                if annotation.starts_with("x-") || annotation == "readOnly" || annotation == "writeOnly" =>
            {
                return Ok(());
            }
            _ => return Err(at.fault(format!("Gemini does not know `{keyword}`"))),
        };
        out.insert(keyword.to_owned(), translated);
        Ok(())
    }

    /// Turns a `null` alternative into `nullable`, and a list with one alternative into that alternative.
    fn alternatives(
        &mut self,
        list: &'s [Value],
        out: &mut SchemaObject,
        at: &SchemaPath,
    ) -> Result<(), SchemaFault> {
        let is_null = |schema: &Value| schema.get("type").and_then(Value::as_str) == Some("null");
        // The type beside them may not take it.
        let takes_null = list.iter().any(is_null) && !out.contains_key("type");
        let mut any = Vec::new();
        for (index, schema) in list.iter().enumerate().filter(|(_, schema)| !is_null(schema)) {
            any.push(self.schema(schema, &at.child(&index.to_string()))?);
        }
        if any.is_empty() {
            return Err(at.fault(LONE_NULL));
        }
        match <[Value; 1]>::try_from(any) {
            Ok([Value::Object(only)]) => merge(out, only, at)?,
            Ok([other]) => _ = out.insert("anyOf".to_owned(), json!([other])),
            Err(any) => _ = out.insert("anyOf".to_owned(), any.into()),
        }
        if takes_null {
            out.insert("nullable".to_owned(), true.into());
        }
        Ok(())
    }
}

fn is_empty_text(value: &Value) -> bool {
    let is_empty = |value: &Value| value.as_str() == Some("");
    is_empty(value) || value.as_array().is_some_and(|values| values.iter().any(is_empty))
}

fn describe_unknown(out: &mut SchemaObject) {
    for (keyword, words) in UNKNOWN {
        describe(out, keyword, words);
    }
}

/// Orders alternatives last: nested schemas merge into their neighbours.
fn alternatives_last(members: &SchemaObject) -> impl Iterator<Item = (&String, &Value)> {
    let is_of_schemas = |keyword: &str| ["anyOf", "oneOf", "allOf"].contains(&keyword);
    let others = members.iter().filter(move |(keyword, _)| !is_of_schemas(keyword));
    others.chain(members.iter().filter(move |(keyword, _)| is_of_schemas(keyword)))
}

//! Gemini's subset: that of OpenAPI 3.0.

use serde_json::{Value, json};

use crate::json::RemoveMember as _;

use super::place::{Fault, Place};
use super::walk::{Object, definition, describe, plain_object};

pub(super) fn translate(schema: &Value) -> Result<Value, Fault> {
    let place = Place::root();
    plain_object(schema, &place)?;
    Gemini { root: schema, open: Vec::new() }.schema(schema, &place)
}

struct Gemini<'s> {
    root: &'s Value,
    /// The definitions that are being inlined.
    open: Vec<&'s str>,
}

/// The constraints that Gemini does not know, with the words that take their place in the description.
const UNKNOWN: [(&str, &str); 7] = [
    ("exclusiveMinimum", "greater than"),
    ("exclusiveMaximum", "less than"),
    ("multipleOf", "multiple of"),
    ("uniqueItems", "no item twice"),
    ("contentEncoding", "encoded as"),
    ("contentMediaType", "media type"),
    ("examples", "examples"),
];

/// The keywords that it knows, besides those that are translated.
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

impl<'s> Gemini<'s> {
    fn schema(&mut self, schema: &'s Value, place: &Place) -> Result<Value, Fault> {
        let Value::Object(members) = schema else {
            return Err(place.fault("Gemini needs a type, and any value is allowed here"));
        };
        if let Some(Value::String(reference)) = members.get("$ref") {
            return self.inlined(reference, members, place);
        }
        let mut out = Object::new();
        for (keyword, value) in members {
            self.keyword(keyword, value, &mut out, place)?;
        }
        for (keyword, words) in UNKNOWN {
            describe(&mut out, keyword, words);
        }
        one_type(&mut out, place)?;
        known_format(&mut out);
        lone_alternatives(&mut out, place)?;
        Ok(Value::Object(out))
    }

    /// There are no references: the definition takes the place of each.
    fn inlined(&mut self, reference: &str, members: &'s Object, place: &Place) -> Result<Value, Fault> {
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
            for (keyword, value) in members.iter().filter(|(keyword, _)| *keyword != "$ref") {
                self.keyword(keyword, value, out, place)?;
            }
            lone_alternatives(out, place)?;
        }
        Ok(inlined)
    }

    fn keyword(
        &mut self,
        keyword: &str,
        value: &'s Value,
        out: &mut Object,
        place: &Place,
    ) -> Result<(), Fault> {
        let at = place.child(keyword);
        let translated = match (keyword, value) {
            ("$schema" | "$defs" | "$comment", _) => return Ok(()),
            ("additionalProperties" | "unevaluatedProperties", Value::Bool(false)) => return Ok(()),
            ("additionalProperties", _) => {
                return Err(at.fault("Gemini has no maps: take a list of entries"));
            }
            ("properties", Value::Object(named)) => {
                let mut properties = Object::new();
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
            ("anyOf" | "oneOf", Value::Array(list)) => return self.alternatives(list, out, &at),
            ("allOf", Value::Array(list)) => {
                let [only] = list.as_slice() else { return Err(at.fault("Gemini does not know `allOf`")) };
                if let Value::Object(only) = self.schema(only, &at.child("0"))? {
                    out.extend(only);
                }
                return Ok(());
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
            ("const" | "enum", _) => return Err(at.fault("Gemini has lists of texts alone")),
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

    /// The alternative `null` becomes `nullable`, and an only alternative takes the place of the list.
    fn alternatives(&mut self, list: &'s [Value], out: &mut Object, at: &Place) -> Result<(), Fault> {
        let is_null = |schema: &Value| schema.get("type").and_then(Value::as_str) == Some("null");
        if list.iter().any(is_null) {
            out.insert("nullable".to_owned(), true.into());
        }
        let mut any = Vec::new();
        for (index, schema) in list.iter().enumerate().filter(|(_, schema)| !is_null(schema)) {
            any.push(self.schema(schema, &at.child(&index.to_string()))?);
        }
        match <[Value; 1]>::try_from(any) {
            Ok([Value::Object(only)]) => {
                for (keyword, value) in only {
                    out.entry(keyword).or_insert(value);
                }
            }
            Ok([other]) => out.insert("anyOf".to_owned(), json!([other])).map_or((), drop),
            Err(any) => out.insert("anyOf".to_owned(), any.into()).map_or((), drop),
        }
        Ok(())
    }
}

/// Gemini refuses all tools of a request if one of them has another format.
fn known_format(out: &mut Object) {
    let Some(Value::String(format)) = out.get("format") else { return };
    let known: &[&str] = match out.get("type").and_then(Value::as_str) {
        Some("string") => &["enum", "date-time"],
        Some("number") => &["float", "double"],
        Some("integer") => &["int32", "int64"],
        _ => &[],
    };
    if known.contains(&format.as_str()) {
        return;
    }
    // The formats of Rust's numbers say nothing that the bounds do not say.
    if out.get("type").and_then(Value::as_str) == Some("string") {
        describe(out, "format", "format");
    } else {
        out.remove_member("format");
    }
}

/// `anyOf` stands alone: the words beside it move into the alternatives, and so does `nullable`.
fn lone_alternatives(out: &mut Object, place: &Place) -> Result<(), Fault> {
    if !out.contains_key("anyOf") {
        return Ok(());
    }
    describe(out, "default", "default");
    let Some(Value::Array(mut any)) = out.get("anyOf").cloned() else { return Ok(()) };
    for (keyword, value) in out.iter().filter(|(keyword, _)| *keyword != "anyOf") {
        for alternative in any.iter_mut().filter_map(Value::as_object_mut) {
            match keyword.as_str() {
                "nullable" => _ = alternative.insert(keyword.clone(), value.clone()),
                "description" | "title" => {
                    let outer = value.as_str().unwrap_or_default();
                    let text = match alternative.get(keyword).and_then(Value::as_str) {
                        Some(inner) if inner != outer => format!("{outer} {inner}"),
                        _ => outer.to_owned(),
                    };
                    alternative.insert(keyword.clone(), text.into());
                }
                "type" if alternative.get("type") == Some(value) => {}
                _ => {
                    return Err(place
                        .child(keyword)
                        .fault(format!("Gemini has no `{keyword}` beside alternatives")));
                }
            }
        }
    }
    out.clear();
    out.insert("anyOf".to_owned(), any.into());
    Ok(())
}

/// `"type": ["string", "null"]` becomes `"type": "string", "nullable": true`.
fn one_type(out: &mut Object, place: &Place) -> Result<(), Fault> {
    match out.get("type").cloned() {
        Some(Value::Array(types)) => {
            let (nulls, others): (Vec<_>, Vec<_>) = types.into_iter().partition(|one| one == "null");
            if !nulls.is_empty() {
                out.insert("nullable".to_owned(), true.into());
            }
            match <[Value; 1]>::try_from(others) {
                Ok([only]) => _ = out.insert("type".to_owned(), only),
                Err(_) => return Err(place.child("type").fault("Gemini has one type for each value")),
            }
            Ok(())
        }
        None if !out.contains_key("anyOf") => {
            Err(place.fault("Gemini needs a type, and any value is allowed here"))
        }
        _ => Ok(()),
    }
}

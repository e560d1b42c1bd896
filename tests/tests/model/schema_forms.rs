//! Every form that serde and schemars can write, in each dialect: the same values, or an error with tool, path and reason.

use agui_runtime::model::SchemaDialect::{self, AnthropicStrict, Gemini, JsonSchema as Plain, OpenAiStrict};
use agui_tests::schema_forms::{DIALECTS, Form, forms};
use jsonschema::Validator;
use serde_json::{Value, json};

/// A translation as JSON Schema says it: `nullable` is OpenAPI's, and objects at Gemini have the members that they list.
fn as_json_schema(dialect: SchemaDialect, mut schema: Value) -> Value {
    match &mut schema {
        Value::Object(members) => {
            for value in members.values_mut() {
                *value = as_json_schema(dialect, value.take());
            }
            if dialect == Gemini
                && members.get("properties").is_some_and(Value::is_object)
                && members.get("type").is_some_and(Value::is_string)
            {
                members.insert("additionalProperties".to_owned(), false.into());
            }
            if members.get("nullable").is_some_and(Value::is_boolean) {
                members.remove("nullable");
                return json!({ "anyOf": [members, { "type": "null" }] });
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| *item = as_json_schema(dialect, item.take())),
        _ => {}
    }
    schema
}

fn validator(dialect: SchemaDialect, schema: &Value) -> Validator {
    let schema = as_json_schema(dialect, schema.clone());
    jsonschema::validator_for(&schema).unwrap_or_else(|error| panic!("{schema}: {error}"))
}

/// The keywords that a dialect states in words, if a schema has them.
fn in_words(dialect: SchemaDialect) -> &'static [(&'static str, &'static str)] {
    const LENGTHS: [(&str, &str); 3] =
        [("minLength", "shortest length"), ("maxLength", "longest length"), ("uniqueItems", "no item twice")];
    match dialect {
        OpenAiStrict => &LENGTHS,
        AnthropicStrict => &[
            LENGTHS[0],
            LENGTHS[1],
            LENGTHS[2],
            ("minimum", "at least"),
            ("maximum", "at most"),
            ("exclusiveMinimum", "greater than"),
            ("exclusiveMaximum", "less than"),
            ("multipleOf", "multiple of"),
            ("minItems", "fewest items"),
            ("maxItems", "most items"),
            ("pattern", "pattern"),
        ],
        Gemini => &[
            LENGTHS[2],
            ("exclusiveMinimum", "greater than"),
            ("exclusiveMaximum", "less than"),
            ("multipleOf", "multiple of"),
        ],
        _ => &[],
    }
}

/// Takes these keywords out of a schema, and returns the words for them.
fn take_out(schema: &mut Value, keywords: &[(&str, &str)], words: &mut Vec<String>) {
    match schema {
        Value::Object(members) => {
            for (keyword, said) in keywords {
                match members.get(*keyword) {
                    None | Some(Value::Object(_)) => continue,
                    Some(Value::Bool(true)) => words.push((*said).to_owned()),
                    Some(value) => words.push(format!("{said}: {value}")),
                }
                members.remove(*keyword);
            }
            members.values_mut().for_each(|value| take_out(value, keywords, words));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| take_out(item, keywords, words)),
        _ => {}
    }
}

/// The value, changed in one place: another value there, or a member or an item too few.
fn changed(value: &Value) -> Vec<Value> {
    let others =
        [json!(null), json!(true), json!(-1), json!(7), json!(0.5), json!("x"), json!([]), json!({})];
    let mut all: Vec<Value> = others.into_iter().filter(|other| other != value).collect();
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                let with = |changed: Option<Value>| {
                    let mut members = members.clone();
                    match changed {
                        Some(changed) => _ = members.insert(name.clone(), changed),
                        None => _ = members.remove(name),
                    }
                    Value::Object(members)
                };
                all.push(with(None));
                all.extend(changed(member).into_iter().map(|member| with(Some(member))));
            }
            let mut more = members.clone();
            more.insert("more".to_owned(), json!(1));
            all.push(Value::Object(more));
        }
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                let mut fewer = items.clone();
                fewer.remove(at);
                all.push(fewer.into());
                let with = |changed: Value| {
                    let mut items = items.clone();
                    items[at] = changed;
                    Value::Array(items)
                };
                all.extend(changed(item).into_iter().map(with));
            }
        }
        _ => {}
    }
    all
}

/// All values to try: those of the form, and the near ones.
fn values(form: &Form) -> Vec<Value> {
    let near = form.takes.iter().flat_map(changed);
    form.takes.iter().chain(&form.refuses).cloned().chain(near).collect()
}

#[test]
fn serde_and_the_schema_agree_about_the_values() {
    for form in forms() {
        let schema = validator(Plain, &form.schema);
        for value in &form.takes {
            assert_eq!(form.rewritten(value).as_ref(), Some(value), "{}", form.name);
            assert!(schema.is_valid(value), "{}: {value}: {}", form.name, form.schema);
            assert!(form.refuses.iter().all(|refused| refused != value), "{}: {value}", form.name);
        }
        for value in &form.refuses {
            assert_eq!(form.rewritten(value), None, "{}: {value}", form.name);
        }
    }
}

#[test]
fn a_translation_takes_what_serde_writes_and_refuses_what_the_schema_refuses() {
    let (mut translations, mut tried) = (0, 0);
    for form in forms() {
        let whole = validator(Plain, &form.schema);
        for dialect in DIALECTS {
            let translated = match (dialect.translate("tool", &form.schema), form.lacks(dialect)) {
                (Ok(translated), None) => translated,
                (Err(error), Some(path)) => {
                    let found = (error.tool.as_str(), error.path.as_str());
                    assert_eq!(found, ("tool", path), "{} for {dialect:?}: {error}", form.name);
                    continue;
                }
                (result, _) => panic!("{} for {dialect:?}: {result:?}", form.name),
            };
            translations += 1;
            let (mut stated, mut words) = (form.schema.clone(), Vec::new());
            take_out(&mut stated, in_words(dialect), &mut words);
            let text = translated.to_string();
            let unsaid: Vec<_> = words.iter().filter(|words| !text.contains(&json_text(words))).collect();
            assert!(unsaid.is_empty(), "{} for {dialect:?}: {unsaid:?} is lost: {text}", form.name);
            let schema = validator(Plain, &stated);
            let valid = validator(dialect, &translated);
            for value in values(&form) {
                tried += 1;
                let is_written = whole.is_valid(&value) && form.rewritten(&value).as_ref() == Some(&value);
                let at = || format!("{} for {dialect:?}, {value}: {translated}", form.name);
                assert!(!is_written || valid.is_valid(&value), "refuses {}", at());
                assert!(schema.is_valid(&value) || !valid.is_valid(&value), "takes {}", at());
            }
        }
    }
    assert!(translations > 250 && tried > 5_000, "{translations} translations, {tried} values");
}

/// A text as it stands in JSON, without the quotes.
fn json_text(text: &str) -> String {
    Value::from(text).to_string().trim_matches('"').to_owned()
}

#[test]
fn long_texts_stay_whole() {
    let form = forms().into_iter().find(|form| form.name == "long texts").unwrap();
    let long = form.takes[0]["value"].as_str().unwrap();
    assert!(long.len() > 4_000);
    let (_, described) =
        form.schema.to_string().split_once("\u{dc}n\u{ef} ").map(|(a, b)| (a.len(), b.len())).unwrap();
    assert!(described > 8_000);
    for dialect in DIALECTS {
        let text = dialect.translate("tool", &form.schema).unwrap().to_string();
        assert!(text.contains(long), "{dialect:?}");
        assert_eq!(text.matches("\u{dc}n\u{ef} ").count(), 2_000, "{dialect:?}");
    }
}

#[test]
fn translations_are_json_schemas() {
    for form in forms() {
        for dialect in DIALECTS {
            let Ok(translated) = dialect.translate("tool", &form.schema) else { continue };
            let schema = as_json_schema(dialect, translated);
            assert!(jsonschema::meta::is_valid(&schema), "{} for {dialect:?}: {schema}", form.name);
        }
    }
}

/// No reference in a translation points to a removed definition.
#[test]
fn gemini_has_no_references() {
    for form in forms() {
        if let Ok(translated) = Gemini.translate("tool", &form.schema) {
            let text = translated.to_string();
            assert!(!text.contains("$ref") && !text.contains("$defs") && !text.contains("$schema"), "{text}");
        }
    }
}

/// Every dialect, without references: the same values.
#[test]
fn an_inlined_schema_takes_the_same_values_and_refers_to_recursive_types_alone() {
    for form in forms() {
        for dialect in DIALECTS {
            let translated = dialect.translate_inlined("tool", &form.schema);
            assert_eq!(
                translated.is_err(),
                form.lacks(dialect).is_some(),
                "{} for {dialect:?}: {translated:?}",
                form.name
            );
            let Ok(translated) = translated else { continue };
            let refers = translated.to_string().contains("$ref");
            assert_eq!(refers, form.name.contains("recursion"), "{}: {translated}", form.name);
            let valid = validator(dialect, &translated);
            let takes = form.takes.iter().all(|value| valid.is_valid(value));
            let mut stated = form.schema.clone();
            take_out(&mut stated, in_words(dialect), &mut Vec::new());
            let schema = validator(Plain, &stated);
            let refuses = values(&form).iter().all(|value| schema.is_valid(value) || !valid.is_valid(value));
            assert!(takes && refuses, "{} for {dialect:?}: {translated}", form.name);
        }
    }
}

/// Schemas as clients and MCP servers may send them, with values that fit and values that do not.
#[test]
fn schemas_by_hand_keep_their_values() {
    let named = json!({ "type": ["string", "null"], "maxLength": 9 });
    for (argument, takes, refuses) in [
        (
            json!({ "type": ["string", "null"], "enum": ["a", null] }),
            vec![json!("a"), json!(null)],
            json!("b"),
        ),
        (json!({ "type": ["string", "null"], "enum": ["a"] }), vec![json!("a")], json!(null)),
        (json!({ "type": "string", "enum": ["a", null] }), vec![json!("a")], json!(null)),
        (json!({ "enum": ["a", null] }), vec![json!("a"), json!(null)], json!("b")),
        (json!({ "$ref": "#/$defs/Name" }), vec![json!("a"), json!(null)], json!(7)),
        (
            json!({ "anyOf": [{ "$ref": "#/$defs/Name" }, { "type": "integer" }] }),
            vec![json!(7), json!("a")],
            json!([]),
        ),
        (
            json!({ "anyOf": [{ "type": "string" }, { "type": "null" }] }),
            vec![json!("a"), json!(null)],
            json!(7),
        ),
    ] {
        let schema = json!({
            "type": "object", "properties": { "a": argument }, "required": ["a"], "$defs": { "Name": named },
        });
        for dialect in DIALECTS {
            let translated = dialect.translate("tool", &schema).unwrap();
            let valid = validator(dialect, &translated);
            let fits = |value: &Value| valid.is_valid(&json!({ "a": value }));
            assert!(takes.iter().all(fits), "{dialect:?} refuses: {translated}");
            assert!(!fits(&refuses), "{dialect:?} takes {refuses}: {translated}");
        }
    }
    let beside = json!({
        "type": "object", "properties": { "a": { "$ref": "#/$defs/Name", "type": "string", "uniqueItems": true } },
        "required": ["a"], "$defs": { "Name": named },
    });
    let translated = Gemini.translate("tool", &beside).unwrap();
    assert_eq!(
        translated["properties"]["a"],
        json!({ "type": "string", "maxLength": 9, "description": "(no item twice)" })
    );
}

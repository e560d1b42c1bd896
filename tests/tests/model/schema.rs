//! The schemas of tools in the dialects of model providers, for every form that serde and schemars can write.

use std::collections::{BTreeSet, HashMap};

use agui_runtime::manifest::TypeSource;
use agui_runtime::model::SchemaDialect::{
    self, Anthropic, AnthropicStrict, Gemini, JsonSchema as Plain, OpenAi, OpenAiStrict,
};
use schemars::JsonSchema;
use serde_json::{Value, json};

#[derive(JsonSchema)]
#[allow(dead_code, reason = "only the schema is used")]
struct Order {
    /// The dish.
    name: String,
    count: Option<u8>,
    extras: Vec<String>,
}

#[derive(JsonSchema)]
enum Size {
    #[allow(dead_code, reason = "only the schema is used")]
    Small,
    #[allow(dead_code, reason = "only the schema is used")]
    Large,
}

#[derive(JsonSchema)]
#[serde(tag = "kind")]
#[allow(dead_code, reason = "only the schema is used")]
enum Payment {
    Cash { cents: u32 },
    Card { number: String },
}

#[derive(JsonSchema)]
#[allow(dead_code, reason = "only the schema is used")]
struct Tree {
    children: Vec<Tree>,
}

#[derive(JsonSchema)]
#[allow(dead_code, reason = "only the schema is used")]
struct Forest {
    first: Tree,
}

/// A named place.
#[derive(JsonSchema)]
#[allow(dead_code, reason = "only the schema is used")]
struct Place {
    x: i64,
}

#[derive(JsonSchema)]
#[allow(dead_code, reason = "only the schema is used")]
struct Trip {
    /// The start.
    from: Place,
    to: Option<Place>,
}

#[derive(JsonSchema)]
#[allow(dead_code, reason = "only the schema is used")]
struct Defaulted {
    #[serde(default)]
    count: u32,
}

#[derive(JsonSchema)]
#[allow(dead_code, reason = "only the schema is used")]
struct Bounded {
    #[schemars(length(max = 10))]
    text: String,
    #[schemars(extend("multipleOf" = 5))]
    number: u32,
}

#[derive(JsonSchema)]
#[allow(dead_code, reason = "only the schema is used")]
struct Of<T> {
    value: T,
}

/// A schema, with values that it takes and values that it refuses.
struct Form {
    name: &'static str,
    schema: Value,
    takes: Vec<Value>,
    refuses: Vec<Value>,
    /// The dialects without a form for it, with the place.
    lacking: Vec<(SchemaDialect, &'static str)>,
    /// The dialects that state in words what it refuses. The arguments are checked again before a tool runs.
    described: Vec<SchemaDialect>,
}

fn form<T: JsonSchema>(name: &'static str, takes: Value, refuses: Value) -> Form {
    let list = |values: Value| values.as_array().cloned().expect("a list");
    let schema = TypeSource::of::<T>().root_schema().to_value();
    Form {
        name,
        schema,
        takes: list(takes),
        refuses: list(refuses),
        lacking: Vec::new(),
        described: Vec::new(),
    }
}

impl Form {
    fn lacking(mut self, dialect: SchemaDialect, path: &'static str) -> Self {
        self.lacking.push((dialect, path));
        self
    }

    fn described(mut self, dialect: SchemaDialect) -> Self {
        self.described.push(dialect);
        self
    }

    /// The values that a translation refuses.
    fn refused_by(&self, dialect: SchemaDialect) -> &[Value] {
        if self.described.contains(&dialect) { &[] } else { &self.refuses }
    }
}

fn forms() -> Vec<Form> {
    let value = |value: Value| json!({ "value": value });
    vec![
        form::<Order>(
            "struct",
            json!([{ "name": "rice", "count": null, "extras": [] }, { "name": "rice", "count": 2, "extras": ["salt"] }]),
            json!([{ "name": 7, "count": 1, "extras": [] }, { "count": 1, "extras": [] }]),
        ),
        form::<Of<Size>>("unit enum", json!([value(json!("Small"))]), json!([value(json!("Huge"))])),
        form::<Of<Payment>>(
            "tagged enum",
            json!([value(json!({ "kind": "Cash", "cents": 5 }))]),
            json!([value(json!({ "kind": "Cash", "number": "5" })), value(json!({ "cents": 5 }))]),
        ),
        form::<Of<Vec<Payment>>>("list of enums", json!([value(json!([]))]), json!([value(json!([7]))]))
            .lacking(Gemini, "/properties/value/items"),
        form::<Of<Option<Payment>>>("optional enum", json!([value(Value::Null)]), json!([value(json!(7))])),
        form::<Tree>(
            "recursion",
            json!([{ "children": [{ "children": [] }] }]),
            json!([{ "children": [7] }]),
        )
        .lacking(AnthropicStrict, "/properties/children/items")
        .lacking(Gemini, "/properties/children/items"),
        form::<Forest>("inner recursion", json!([{ "first": { "children": [] } }]), json!([{ "first": 7 }]))
            .lacking(AnthropicStrict, "/$defs/Tree")
            .lacking(Gemini, "/properties/first/properties/children/items"),
        form::<Trip>(
            "named type with a description of its place",
            json!([{ "from": { "x": 1 }, "to": null }, { "from": { "x": 1 }, "to": { "x": 2 } }]),
            json!([{ "from": { "x": "1" }, "to": null }, { "from": null, "to": null }]),
        ),
        form::<Of<HashMap<String, u8>>>(
            "map",
            json!([value(json!({ "a": 1 }))]),
            json!([value(json!({ "a": "1" }))]),
        )
        .lacking(OpenAiStrict, "/properties/value/additionalProperties")
        .lacking(AnthropicStrict, "/properties/value/additionalProperties")
        .lacking(Gemini, "/properties/value/additionalProperties"),
        form::<Of<(u8, String)>>("tuple", json!([value(json!([1, "a"]))]), json!([value(json!(["a", 1]))]))
            .lacking(OpenAiStrict, "/properties/value/prefixItems")
            .lacking(AnthropicStrict, "/properties/value/prefixItems")
            .lacking(Gemini, "/properties/value/prefixItems"),
        form::<Of<BTreeSet<String>>>("set", json!([value(json!(["a"]))]), json!([value(json!([1]))])),
        form::<Defaulted>("default", json!([{ "count": 1 }]), json!([{ "count": "1" }]))
            .lacking(OpenAiStrict, "/properties/count"),
        form::<Bounded>("bounds", json!([{ "text": "a", "number": 5 }]), json!([{ "text": 1, "number": 5 }])),
        form::<Of<Value>>("any value", json!([value(json!(7))]), json!([{}]))
            .lacking(OpenAiStrict, "/properties/value")
            .lacking(AnthropicStrict, "/properties/value")
            .lacking(Gemini, "/properties/value"),
        form::<Of<u64>>("large integer", json!([value(json!(u64::MAX))]), json!([value(json!(-1))]))
            .described(AnthropicStrict),
        form::<Of<char>>("character", json!([value(json!("a"))]), json!([value(json!(7))])),
        form::<Payment>("enum at the root", json!([]), json!([]))
            .lacking(OpenAi, "/oneOf")
            .lacking(OpenAiStrict, "/oneOf")
            .lacking(Anthropic, "/oneOf")
            .lacking(AnthropicStrict, "/oneOf")
            .lacking(Gemini, "/oneOf"),
        form::<String>("text at the root", json!([]), json!([]))
            .lacking(OpenAi, "")
            .lacking(OpenAiStrict, "")
            .lacking(Anthropic, "")
            .lacking(AnthropicStrict, "")
            .lacking(Gemini, ""),
    ]
}

/// `nullable` is OpenAPI's: as JSON Schema says it.
fn as_json_schema(mut schema: Value) -> Value {
    match &mut schema {
        Value::Object(members) => {
            for value in members.values_mut() {
                *value = as_json_schema(value.take());
            }
            if members.remove("nullable").is_some() {
                return json!({ "anyOf": [members, { "type": "null" }] });
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| *item = as_json_schema(item.take())),
        _ => {}
    }
    schema
}

#[test]
fn a_translation_takes_what_the_schema_takes_and_refuses_the_rest() {
    for form in forms() {
        for dialect in [Plain, OpenAi, OpenAiStrict, Anthropic, AnthropicStrict, Gemini] {
            let lacking = form.lacking.iter().find(|(lacking, _)| *lacking == dialect);
            let translated = match (dialect.translate("tool", &form.schema), lacking) {
                (Ok(translated), None) => translated,
                (Err(error), Some((_, path))) => {
                    assert_eq!(
                        (error.tool.as_str(), error.path.as_str()),
                        ("tool", *path),
                        "{}: {error}",
                        form.name
                    );
                    continue;
                }
                (result, _) => panic!("{} for {dialect:?}: {result:?}", form.name),
            };
            let valid = jsonschema::validator_for(&as_json_schema(translated.clone())).expect("a schema");
            for value in &form.takes {
                assert!(valid.is_valid(value), "{} for {dialect:?} refuses {value}: {translated}", form.name);
            }
            for value in form.refused_by(dialect) {
                assert!(!valid.is_valid(value), "{} for {dialect:?} takes {value}: {translated}", form.name);
            }
        }
    }
}

#[test]
fn a_reference_stands_alone() {
    let schema = TypeSource::of::<Trip>().root_schema().to_value();
    let translated = OpenAi.translate("tool", &schema).unwrap();
    let from = &translated["properties"]["from"];
    assert_eq!(from, &json!({ "description": "The start.", "anyOf": [{ "$ref": "#/$defs/Place" }] }));
}

#[test]
fn a_strict_object_requires_all_and_takes_no_more() {
    let schema = TypeSource::of::<Trip>().root_schema().to_value();
    let translated = OpenAiStrict.translate("tool", &schema).unwrap();
    for object in [&translated, &translated["$defs"]["Place"]] {
        assert_eq!(object["additionalProperties"], false, "{object}");
    }
    assert_eq!(translated["required"], json!(["from", "to"]));
}

#[test]
fn an_unknown_constraint_moves_into_the_description() {
    let schema = TypeSource::of::<Bounded>().root_schema().to_value();
    let strict = OpenAiStrict.translate("tool", &schema).unwrap();
    assert_eq!(
        strict["properties"]["text"],
        json!({ "type": "string", "description": "(longest length: 10)" })
    );
    let gemini = Gemini.translate("tool", &schema).unwrap();
    assert_eq!(gemini["properties"]["number"]["description"], "(multiple of: 5)");
    assert_eq!(gemini["properties"]["text"]["maxLength"], 10);
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

/// tools.md, section 2: one bad tool poisons the whole session at Gemini.
#[test]
fn gemini_has_few_formats_and_lone_alternatives() {
    let schema = json!({ "type": "object", "properties": {
        "id": { "type": "string", "format": "uuid" },
        "at": { "type": "string", "format": "date-time" },
        "count": { "type": "integer", "format": "uint64", "minimum": 0 },
        "small": { "type": "integer", "format": "int32" },
        "by": { "description": "Which.", "anyOf": [
            { "type": "string", "description": "The name." }, { "type": "integer" }, { "type": "null" },
        ] },
    } });
    let properties = &Gemini.translate("tool", &schema).unwrap()["properties"];
    assert_eq!(properties["id"], json!({ "type": "string", "description": "(format: \"uuid\")" }));
    assert_eq!(properties["at"], json!({ "type": "string", "format": "date-time" }));
    assert_eq!(properties["count"], json!({ "type": "integer", "minimum": 0 }));
    assert_eq!(properties["small"], json!({ "type": "integer", "format": "int32" }));
    assert_eq!(
        properties["by"],
        json!({ "anyOf": [
        { "type": "string", "description": "Which. The name.", "nullable": true },
        { "type": "integer", "description": "Which.", "nullable": true },
    ] })
    );
    let beside = json!({ "type": "object", "properties": { "a": {
        "minLength": 2, "anyOf": [{ "type": "string" }, { "type": "integer" }],
    } } });
    assert_eq!(Gemini.translate("tool", &beside).unwrap_err().path, "/properties/a/minLength");
}

#[test]
fn anthropics_strict_subset_moves_constraints_and_keeps_what_may_be_left_out() {
    let bounded = TypeSource::of::<Bounded>().root_schema().to_value();
    let strict = AnthropicStrict.translate("tool", &bounded).unwrap();
    assert_eq!(
        strict["properties"]["text"],
        json!({ "type": "string", "description": "(longest length: 10)" })
    );
    let number = strict["properties"]["number"]["description"].as_str().unwrap();
    assert!(number.contains("multiple of: 5") && number.contains("at least: 0"), "{number}");
    assert_eq!(strict["additionalProperties"], false);
    let defaulted = TypeSource::of::<Defaulted>().root_schema().to_value();
    let strict = AnthropicStrict.translate("tool", &defaulted).unwrap();
    assert_eq!(strict.get("required"), None, "an argument with a default may be left out");
}

#[test]
fn anthropics_strict_subset_has_few_formats_and_lone_alternatives() {
    let of = |value: Value| json!({ "type": "object", "properties": { "a": value } });
    let strict = |value: Value| AnthropicStrict.translate("tool", &of(value));
    let a = |value: Value| strict(value).unwrap()["properties"]["a"].clone();
    let id = json!({ "type": "string", "format": "uuid" });
    assert_eq!(a(id.clone()), id);
    let odd = json!({ "type": "string", "format": "ipvfuture" });
    assert_eq!(a(odd), json!({ "type": "string", "description": "(format: \"ipvfuture\")" }));
    assert_eq!(
        a(json!({ "type": ["array", "null"], "items": { "type": "integer" }, "description": "Some." })),
        json!({ "description": "Some.", "anyOf": [
            { "type": "array", "items": { "type": "integer" } }, { "type": "null" },
        ] })
    );
    for (wrong, place) in [
        (json!({ "enum": [{ "b": 1 }] }), "/properties/a/enum"),
        (json!({ "const": [] }), "/properties/a/const"),
        (json!({ "allOf": [{ "type": "string" }] }), "/properties/a/allOf"),
        (json!({ "type": "object", "anyOf": [{ "required": ["b"] }] }), "/properties/a/type"),
        (json!(true), "/properties/a"),
        (json!({}), "/properties/a"),
    ] {
        assert_eq!(strict(wrong.clone()).unwrap_err().path, place, "{wrong}");
    }
}

/// Every dialect, without references: the same values.
#[test]
fn an_inlined_schema_takes_the_same_values_and_refers_to_recursive_types_alone() {
    for form in forms() {
        for dialect in [Plain, OpenAi, OpenAiStrict, Anthropic, AnthropicStrict, Gemini] {
            let translated = dialect.translate_inlined("tool", &form.schema);
            let lacks = form.lacking.iter().any(|(lacking, _)| *lacking == dialect);
            assert_eq!(translated.is_err(), lacks, "{} for {dialect:?}: {translated:?}", form.name);
            let Ok(translated) = translated else { continue };
            let refers = translated.to_string().contains("$ref");
            assert_eq!(refers, form.name.contains("recursion"), "{}: {translated}", form.name);
            let valid = jsonschema::validator_for(&as_json_schema(translated.clone())).expect("a schema");
            let takes = form.takes.iter().all(|value| valid.is_valid(value));
            let refuses = form.refused_by(dialect).iter().all(|value| !valid.is_valid(value));
            assert!(takes && refuses, "{} for {dialect:?}: {translated}", form.name);
        }
    }
}

#[test]
fn keywords_beside_a_reference_still_hold_when_it_is_inlined() {
    let schema = |beside: Value| {
        let mut from = beside;
        from["$ref"] = json!("#/$defs/Name");
        json!({
            "type": "object", "properties": { "from": from },
            "$defs": { "Name": { "type": "string", "maxLength": 9, "description": "A name." } },
        })
    };
    let inlined = |beside| Plain.translate_inlined("tool", &schema(beside)).unwrap();
    let described = inlined(json!({ "description": "The start." }));
    assert_eq!(
        described["properties"]["from"],
        json!({ "type": "string", "maxLength": 9, "description": "The start." })
    );
    let shorter = inlined(json!({ "maxLength": 3 }));
    let valid = jsonschema::validator_for(&shorter).unwrap();
    assert!(valid.is_valid(&json!({ "from": "abc" })) && !valid.is_valid(&json!({ "from": "abcd" })));
    let longer = jsonschema::validator_for(&inlined(json!({ "maxLength": 99 }))).unwrap();
    assert!(!longer.is_valid(&json!({ "from": "abcdefghijk" })), "both bounds hold");
}

/// Each definition has the next one twice: without references that is a million times the last.
#[test]
fn a_schema_that_grows_too_large_without_references_is_refused() {
    let mut definitions = serde_json::Map::new();
    for at in 0..20 {
        let next = json!({ "$ref": format!("#/$defs/T{}", at + 1) });
        let twice = json!({ "type": "object", "properties": { "a": next, "b": next } });
        definitions.insert(format!("T{at}"), twice);
    }
    definitions.insert("T20".to_owned(), json!({ "type": "string" }));
    let schema = json!({
        "type": "object", "properties": { "a": { "$ref": "#/$defs/T0" } }, "$defs": definitions,
    });
    let error = Plain.translate_inlined("tool", &schema).unwrap_err();
    assert!(error.reason.contains("too large"), "{error}");
    assert!(AnthropicStrict.translate("tool", &schema).is_ok(), "references cost nothing");
}

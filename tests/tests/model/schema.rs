//! The schemas of tools in the dialects of model providers, for every form that serde and schemars can write.

use std::collections::{BTreeSet, HashMap};

use agui_runtime::manifest::TypeSource;
use agui_runtime::model::SchemaDialect::{
    self, Anthropic, Gemini, JsonSchema as Plain, OpenAi, OpenAiStrict,
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
}

fn form<T: JsonSchema>(name: &'static str, takes: Value, refuses: Value) -> Form {
    let list = |values: Value| values.as_array().cloned().expect("a list");
    let schema = TypeSource::of::<T>().root_schema().to_value();
    Form { name, schema, takes: list(takes), refuses: list(refuses), lacking: Vec::new() }
}

impl Form {
    fn lacking(mut self, dialect: SchemaDialect, path: &'static str) -> Self {
        self.lacking.push((dialect, path));
        self
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
        .lacking(Gemini, "/properties/children/items"),
        form::<Forest>("inner recursion", json!([{ "first": { "children": [] } }]), json!([{ "first": 7 }]))
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
        .lacking(Gemini, "/properties/value/additionalProperties"),
        form::<Of<(u8, String)>>("tuple", json!([value(json!([1, "a"]))]), json!([value(json!(["a", 1]))]))
            .lacking(OpenAiStrict, "/properties/value/prefixItems")
            .lacking(Gemini, "/properties/value/prefixItems"),
        form::<Of<BTreeSet<String>>>("set", json!([value(json!(["a"]))]), json!([value(json!([1]))])),
        form::<Defaulted>("default", json!([{ "count": 1 }]), json!([{ "count": "1" }]))
            .lacking(OpenAiStrict, "/properties/count"),
        form::<Bounded>("bounds", json!([{ "text": "a", "number": 5 }]), json!([{ "text": 1, "number": 5 }])),
        form::<Of<Value>>("any value", json!([value(json!(7))]), json!([{}]))
            .lacking(OpenAiStrict, "/properties/value")
            .lacking(Gemini, "/properties/value"),
        form::<Of<u64>>("large integer", json!([value(json!(u64::MAX))]), json!([value(json!(-1))])),
        form::<Of<char>>("character", json!([value(json!("a"))]), json!([value(json!(7))])),
        form::<Payment>("enum at the root", json!([]), json!([]))
            .lacking(OpenAi, "/oneOf")
            .lacking(OpenAiStrict, "/oneOf")
            .lacking(Anthropic, "/oneOf")
            .lacking(Gemini, "/oneOf"),
        form::<String>("text at the root", json!([]), json!([]))
            .lacking(OpenAi, "")
            .lacking(OpenAiStrict, "")
            .lacking(Anthropic, "")
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
        for dialect in [Plain, OpenAi, OpenAiStrict, Anthropic, Gemini] {
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
            for value in &form.refuses {
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

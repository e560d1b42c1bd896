//! The SDKs of OpenAI and Anthropic translate schemas into the strict subsets, and refuse or drop what these lack: they find
//! nothing to change in ours.

use std::collections::BTreeSet;

use agui_runtime::manifest::TypeSource;
use agui_runtime::model::SchemaDialect;
use agui_tests::need;
use agui_tests::outside::strict_schemas;
use agui_tests::schema_forms::forms;
use schemars::JsonSchema;
use serde_json::{Value, json};

#[derive(JsonSchema)]
#[allow(dead_code, reason = "only the schema is used")]
struct Place {
    /// Degrees.
    #[schemars(range(min = -180, max = 180))]
    longitude: f64,
    #[schemars(length(min = 2, max = 40), regex(pattern = "^[a-z]+$"))]
    name: Option<String>,
}

#[derive(JsonSchema)]
#[serde(tag = "kind")]
#[allow(dead_code, reason = "only the schema is used")]
enum Payment {
    /// Coins.
    Cash {
        cents: u32,
    },
    Card {
        number: String,
        until: Option<chrono::NaiveDate>,
    },
}

#[derive(JsonSchema)]
#[allow(dead_code, reason = "only the schema is used")]
enum Size {
    Small,
    Large,
}

#[derive(JsonSchema)]
#[allow(dead_code, reason = "only the schema is used")]
struct Everything {
    /// The start.
    from: Place,
    to: Option<Place>,
    stops: Vec<Place>,
    more: Option<Vec<Place>>,
    pays: Payment,
    size: Size,
    sizes: BTreeSet<String>,
    id: uuid::Uuid,
    address: url::Url,
    at: chrono::DateTime<chrono::Utc>,
    #[serde(default)]
    count: u64,
    #[schemars(length(min = 3))]
    three: Vec<bool>,
    small: i8,
    letter: char,
    nothing: (),
}

/// Schemas by hand, as clients and MCP servers send them.
fn by_hand() -> Vec<Value> {
    let of = |value: Value| json!({ "type": "object", "properties": { "a": value } });
    vec![
        json!({ "type": "object" }),
        json!({ "$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object", "properties": {} }),
        of(json!({ "type": ["string", "null"] })),
        of(
            json!({ "type": ["object", "null"], "properties": { "b": { "type": "string" } }, "required": ["b"] }),
        ),
        of(json!({ "enum": ["x", 7, null] })),
        of(json!({ "type": "string", "const": "x" })),
        of(
            json!({ "oneOf": [{ "type": "string", "minLength": 2 }, { "type": "integer" }], "description": "Either." }),
        ),
        of(json!({ "type": "string", "format": "ipvfuture", "x-secret": true, "$comment": "no" })),
        of(
            json!({ "type": "array", "items": { "type": "number", "multipleOf": 0.5 }, "minItems": 1, "maxItems": 9, "uniqueItems": false }),
        ),
    ]
}

/// Each schema that has a form, as the SDK of the provider would send it.
fn assert_unchanged(provider: &str, dialect: SchemaDialect) {
    let everything = TypeSource::of::<Everything>().root_schema().to_value();
    let of_forms = forms().into_iter().map(|form| form.schema);
    let ours: Vec<_> = of_forms
        .chain(by_hand())
        .chain([everything])
        .filter_map(|schema| dialect.translate("tool", &schema).ok())
        .collect();
    assert!(ours.len() > 50, "{}", ours.len());
    let theirs = need!(strict_schemas(provider, &ours));
    for (ours, theirs) in ours.iter().zip(&theirs) {
        assert_eq!(theirs.as_ref(), Ok(ours), "{provider}");
    }
}

#[test]
fn the_sdk_of_anthropic_finds_nothing_to_drop() {
    assert_unchanged("anthropic", SchemaDialect::AnthropicStrict);
}

#[test]
fn the_sdk_of_openai_finds_nothing_to_change() {
    assert_unchanged("openai", SchemaDialect::OpenAiStrict);
}

/// Our translation is stricter than the SDK in three forms: the SDK makes the empty object of any object, and passes a schema without a
/// type, which the provider refuses ("schema must have a 'type' key").
#[test]
fn ours_refuses_three_forms_more_than_the_sdk_of_openai() {
    let all = forms();
    let schemas: Vec<_> = all.iter().map(|form| form.schema.clone()).collect();
    let theirs = need!(strict_schemas("openai", &schemas));
    let refused: Vec<_> = all
        .iter()
        .zip(theirs)
        .filter(|(form, theirs)| form.lacks(SchemaDialect::OpenAiStrict).is_some() && theirs.is_ok())
        .map(|(form, _)| form.name)
        .collect();
    assert_eq!(refused, ["empty struct", "any value", "optional value"]);
}

//! Anthropic's SDK translates schemas into its strict subset and drops what it does not know: it finds nothing to drop in ours.

use std::collections::BTreeSet;

use agui_runtime::manifest::TypeSource;
use agui_runtime::model::SchemaDialect;
use agui_tests::need;
use agui_tests::outside::strict_schemas;
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

#[test]
fn the_sdk_finds_nothing_to_drop() {
    let everything = TypeSource::of::<Everything>().root_schema().to_value();
    let all = std::iter::once(everything).chain(by_hand());
    let ours: Vec<_> =
        all.map(|schema| SchemaDialect::AnthropicStrict.translate("tool", &schema).unwrap()).collect();
    let theirs = need!(strict_schemas(&ours));
    for (ours, theirs) in ours.iter().zip(&theirs) {
        assert_eq!(ours, theirs);
    }
}

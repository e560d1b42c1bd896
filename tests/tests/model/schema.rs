//! The schemas of tools in the dialects of model providers: the rules of each dialect.

use agui_runtime::manifest::TypeSource;
use agui_runtime::model::SchemaDialect::{
    AnthropicStrict, Gemini, JsonSchema as Plain, OpenAi, OpenAiStrict,
};
use schemars::JsonSchema;
use serde_json::{Value, json};

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

#[derive(JsonSchema)]
#[allow(dead_code, reason = "only the schema is used")]
struct Numbers {
    amount: u32,
    change: Option<i32>,
    #[schemars(range(min = 1, max = 9))]
    few: i32,
    large: i64,
    larger: u64,
}

/// Bounds that only the format of a number states would be lost with it.
#[test]
fn the_bounds_of_a_format_stay_when_it_goes() {
    let schema = TypeSource::of::<Numbers>().root_schema().to_value();
    assert!(!schema.to_string().contains("format"), "{schema}");
    let fitting = json!({ "amount": u32::MAX, "change": i32::MIN, "few": 9, "large": 0, "larger": 0 });
    let with = |member: &str, value: Value| {
        let mut changed = fitting.clone();
        changed[member] = value;
        changed
    };
    for dialect in [Plain, OpenAi, OpenAiStrict] {
        let valid = jsonschema::validator_for(&dialect.translate("tool", &schema).unwrap()).unwrap();
        for value in [
            fitting.clone(),
            with("change", i32::MAX.into()),
            with("change", Value::Null),
            with("few", 1.into()),
            with("large", i64::MIN.into()),
            with("large", i64::MAX.into()),
            with("larger", u64::MAX.into()),
        ] {
            assert!(valid.is_valid(&value), "{dialect:?}: {value}");
        }
        for value in [
            with("amount", (i64::from(u32::MAX) + 1).into()),
            with("amount", (-1).into()),
            with("change", (i64::from(i32::MAX) + 1).into()),
            with("change", (i64::from(i32::MIN) - 1).into()),
            with("few", 10.into()),
            with("few", 0.into()),
            with("larger", (-1).into()),
        ] {
            assert!(!valid.is_valid(&value), "{dialect:?}: {value}");
        }
    }
    let gemini = Gemini.translate("tool", &schema).unwrap();
    assert_eq!(gemini["properties"]["amount"]["maximum"], u32::MAX);
    let anthropic = AnthropicStrict.translate("tool", &schema).unwrap();
    let said = anthropic["properties"]["amount"]["description"].as_str().unwrap();
    assert!(said.contains("at most: 4294967295"), "{said}");
}

/// One bad tool makes Gemini refuse all tools of a request.
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

/// The arguments of a tool with one argument.
fn argument(schema: impl Into<Value>) -> Value {
    json!({ "type": "object", "properties": { "a": schema.into() }, "required": ["a"] })
}

#[test]
fn a_keyword_that_openai_refuses_is_described_or_has_no_form() {
    let strict = |schema: Value| OpenAiStrict.translate("tool", &argument(schema));
    let a = |schema: Value| strict(schema).unwrap()["properties"]["a"].clone();
    assert_eq!(
        a(json!({ "type": "string", "format": "uri" })),
        json!({ "type": "string", "description": "(format: \"uri\")" })
    );
    assert_eq!(
        a(json!({ "type": "string", "format": "uuid", "pattern": "^a" })),
        json!({ "type": "string", "format": "uuid", "pattern": "^a" })
    );
    assert_eq!(
        a(json!({ "type": "integer", "deprecated": true, "$comment": "old", "minimum": 1 })),
        json!({ "type": "integer", "description": "(deprecated)", "minimum": 1 })
    );
    for (wrong, place) in [
        (json!({ "type": "array" }), "/properties/a"),
        (json!({ "type": "object" }), "/properties/a"),
        (json!(false), "/properties/a"),
        (json!({ "title": "Any" }), "/properties/a"),
        (json!({ "type": "object", "properties": {}, "required": ["b"] }), "/properties/a/required"),
        (
            json!({ "type": "array", "items": { "type": "string" }, "contains": { "const": "a" } }),
            "/properties/a/contains",
        ),
        (
            json!({ "type": "array", "items": { "type": "string" }, "unevaluatedItems": false }),
            "/properties/a/unevaluatedItems",
        ),
        (
            json!({ "type": "object", "properties": { "b": { "type": "null" } }, "anyOf": [{ "required": ["b"] }] }),
            "/properties/a/type",
        ),
        (
            json!({ "type": "object", "properties": {}, "dependentRequired": { "b": ["c"] } }),
            "/properties/a/dependentRequired",
        ),
        (json!({ "type": "object", "properties": { "b": { "enum": ["x"] } } }), "/properties/a/properties/b"),
    ] {
        assert_eq!(strict(wrong.clone()).unwrap_err().path, place, "{wrong}");
    }
}

/// OpenAI refuses the whole request above one of these.
#[test]
fn a_schema_above_the_limits_of_openai_has_no_form() {
    let strict = |schema: Value| OpenAiStrict.translate("tool", &argument(schema));
    let values = |count: usize, length: usize| {
        let of = |at: usize| format!("{at:0>length$}");
        json!({ "type": "string", "enum": (0..count).map(of).collect::<Vec<_>>() })
    };
    let members = |count: usize| {
        let names: Vec<_> = (0..count).map(|at| format!("m{at}")).collect();
        let properties: serde_json::Map<_, _> =
            names.iter().map(|name| (name.clone(), json!({ "type": "null" }))).collect();
        json!({ "type": "object", "properties": properties, "required": names })
    };
    assert!(strict(values(250, 400)).is_ok() && strict(values(1_000, 10)).is_ok());
    assert!(strict(members(4_999)).is_ok(), "the argument itself is a property too");
    for (wrong, place, reason) in [
        (values(251, 60), "/properties/a/enum", "15000 characters in an enum"),
        (values(1_001, 5), "/properties/a/enum", "1000 values"),
        (values(100, 1_300), "/properties/a/enum", "120000 characters"),
        (members(5_000), "/properties/a/properties", "5000 properties"),
    ] {
        let error = strict(wrong).unwrap_err();
        assert!(error.path == place && error.reason.contains(reason), "{error}");
    }
    let name = "n".repeat(120_001);
    let named = json!({ "type": "object", "properties": { name: { "type": ["string", "null"] } } });
    assert!(OpenAiStrict.translate("tool", &named).unwrap_err().reason.contains("120000 characters"));
}

#[test]
fn alternatives_that_may_fit_together_say_that_one_must_fit() {
    let note = "(exactly one of the alternatives fits)";
    let closed = |name: &str| json!({ "type": "object", "properties": { name: { "type": "string" } }, "required": [name], "additionalProperties": false });
    for (alternatives, is_noted) in [
        (json!([{ "type": "integer" }, { "type": "number" }]), true),
        (json!([{ "type": "string" }, { "type": "integer" }]), false),
        (json!([{ "type": "string", "enum": ["a", "b"] }, { "type": "string", "const": "c" }]), false),
        (json!([{ "type": "string", "enum": ["a", "b"] }, { "type": "string", "const": "b" }]), true),
        (json!([closed("a"), closed("b")]), false),
        (json!([closed("a"), closed("a")]), true),
    ] {
        let schema = argument(json!({ "oneOf": alternatives }));
        for dialect in [OpenAiStrict, AnthropicStrict, Gemini] {
            let translated = dialect.translate("tool", &schema).unwrap();
            assert_eq!(translated.to_string().contains(note), is_noted, "{dialect:?}: {translated}");
            assert!(!translated.to_string().contains("oneOf"), "{translated}");
        }
    }
}

/// serde's `flatten` of an enum, and its internally tagged enums of structs.
#[test]
fn an_object_in_several_places_is_joined() {
    let card =
        json!({ "type": "object", "properties": { "number": { "type": "string" } }, "required": ["number"] });
    let tagged = |kind: &str| json!({ "$ref": "#/$defs/Card", "type": "object", "properties": { "kind": { "type": "string", "const": kind } }, "required": ["kind"] });
    let schema = |value: Value, card: &Value| {
        let mut root = argument(value);
        root["$defs"] = json!({ "Card": card });
        root
    };
    let flat = json!({
        "type": "object", "description": "Pays.", "properties": { "id": { "type": "integer" } }, "required": ["id"],
        "oneOf": [tagged("debit"), tagged("credit")],
    });
    let joined = |kind: &str| {
        json!({
            "type": "object",
            "properties": { "id": { "type": "integer" }, "kind": { "const": kind }, "number": { "type": "string" } },
            "required": ["id", "kind", "number"],
            "additionalProperties": false,
        })
    };
    let strict = AnthropicStrict.translate("tool", &schema(flat.clone(), &card)).unwrap();
    assert_eq!(
        strict["properties"]["a"],
        json!({ "description": "Pays.", "anyOf": [joined("debit"), joined("credit")] })
    );
    let closed = json!({ "type": "object", "properties": { "number": { "type": "string" } }, "additionalProperties": false });
    let other = json!({ "type": "object", "properties": { "kind": { "type": "integer" } } });
    for card in [closed, other, json!({ "type": "string" }), json!({ "properties": {}, "minProperties": 2 })]
    {
        let error = OpenAiStrict.translate("tool", &schema(flat.clone(), &card)).unwrap_err();
        assert_eq!(error.path, "/properties/a/type", "{card}");
    }
}

#[test]
fn gemini_keeps_what_stands_beside_a_reference_or_refuses_it() {
    let schema = |beside: Value| {
        let mut from = beside;
        from["$ref"] = json!("#/$defs/Count");
        let mut root = argument(from);
        root["$defs"] = json!({ "Count": {
            "type": "integer", "maximum": 9, "exclusiveMinimum": 0, "description": "A count.",
        } });
        root
    };
    let described = Gemini.translate("tool", &schema(json!({ "description": "The start." }))).unwrap();
    assert_eq!(
        described["properties"]["a"],
        json!({ "type": "integer", "maximum": 9, "description": "The start. A count. (greater than: 0)" })
    );
    for (beside, both) in [(3, 3), (99, 9)] {
        let closer = Gemini.translate("tool", &schema(json!({ "maximum": beside }))).unwrap();
        assert_eq!(closer["properties"]["a"]["maximum"], both);
    }
    let twice = Gemini.translate("tool", &schema(json!({ "type": "string" }))).unwrap_err();
    assert_eq!(twice.path, "/properties/a/type");
    let nullable = argument(
        json!({ "description": "Maybe.", "minLength": 1, "anyOf": [{ "type": "string", "minLength": 5 }, { "type": "null" }] }),
    );
    assert_eq!(Gemini.translate("tool", &nullable).unwrap_err().path, "/properties/a/anyOf/minLength");
}

#[test]
fn gemini_refuses_what_has_no_type_of_its_own() {
    for (wrong, place) in [
        (json!({ "type": "null" }), "/properties/a/type"),
        (json!({ "type": ["null"] }), "/properties/a/type"),
        (json!({ "anyOf": [{ "type": "null" }] }), "/properties/a/anyOf"),
        (json!({ "type": "object" }), "/properties/a"),
        (json!({ "type": "string", "enum": ["a", ""] }), "/properties/a/enum"),
        (json!({ "type": "integer", "enum": [1] }), "/properties/a/enum"),
        (json!({ "const": true }), "/properties/a/const"),
        (json!({ "type": ["string", "integer"] }), "/properties/a/type"),
    ] {
        assert_eq!(Gemini.translate("tool", &argument(wrong.clone())).unwrap_err().path, place, "{wrong}");
    }
}

#[test]
fn anthropics_enums_lose_the_values_of_other_types_with_the_type() {
    let schema = argument(json!({ "type": "string", "enum": ["a", 7, null] }));
    let strict = AnthropicStrict.translate("tool", &schema).unwrap();
    assert_eq!(strict["properties"]["a"], json!({ "enum": ["a"] }));
}

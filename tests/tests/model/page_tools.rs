//! Tools of a page, with schemas that a provider refuses: it would refuse all tools of the request.

use agui_runtime::model::{
    ChatModel, EndReason, Model, ModelStream, Prompt, ReplyDelta, SchemaDialect, UnsupportedSchema,
};
use agui_runtime::prelude::*;
use agui_runtime::protocol::RunAgentInput;
use agui_runtime::testing;
use agui_tests::log::Log;
use futures::{StreamExt, stream};
use serde_json::{Value, json};

/// A model behind a dialect that says which tools it was shown.
struct Hosted(SchemaDialect);

impl ChatModel for Hosted {
    fn provider(&self) -> &str {
        "test"
    }

    fn name(&self) -> &str {
        "test"
    }

    fn dialect(&self) -> SchemaDialect {
        self.0
    }

    fn respond<'a>(&'a self, prompt: &'a Prompt) -> ModelStream<'a> {
        let names: Vec<_> = prompt.tools.iter().map(|tool| tool.name.clone()).collect();
        stream::iter([Ok(ReplyDelta::Text(names.join(" "))), Ok(ReplyDelta::End(EndReason::Stop))]).boxed()
    }
}

/// Talks.
#[agent]
async fn talker(run: &mut Run<Talker>, _: Input<Talker>, model: &Model) -> Result<(), Stop> {
    run.chat(model).await
}

fn object(properties: Value) -> Value {
    let mut object = json!({ "type": "object" });
    object["properties"] = properties;
    object
}

/// Each tool, with the dialects that take it: OpenAI, Anthropic, Gemini.
fn tools() -> [(&'static str, Value, [bool; 3]); 21] {
    let nested = |schema: Value| object(json!({ "list": { "type": "array", "items": schema } }));
    [
        ("fine", object(json!({ "a": { "type": "string" } })), [true; 3]),
        ("odata_key", object(json!({ "$top": { "type": "integer" } })), [true, false, true]),
        ("nested_key", nested(object(json!({ "first name": { "type": "string" } }))), [true, false, true]),
        ("long_key", object(json!({ "x".repeat(70): { "type": "string" } })), [true, false, true]),
        (
            "older_bound",
            object(json!({ "ttl": { "type": "integer", "minimum": 0, "exclusiveMinimum": true } })),
            [true; 3],
        ),
        ("no_such_type", nested(json!({ "type": "any" })), [false; 3]),
        ("text_as_length", nested(json!({ "type": "string", "minLength": "1" })), [false; 3]),
        ("list_of_any", object(json!({ "tags": { "type": "array" } })), [true, true, false]),
        (
            "list_of_any_or_null",
            object(json!({ "tags": { "type": ["array", "null"] } })),
            [true, true, false],
        ),
        (
            "older_tuple",
            object(json!({ "p": { "type": "array", "items": [{ "type": "number" }] } })),
            [true, true, false],
        ),
        ("any_value", object(json!({ "a": true })), [true, true, false]),
        (
            "empty_enum_text",
            object(json!({ "a": { "type": "string", "enum": ["", "x"] } })),
            [true, true, false],
        ),
        (
            "required_without_property",
            json!({ "type": "object", "properties": { "a": { "type": "string" } }, "required": ["b"] }),
            [true, true, false],
        ),
        (
            "required_twice",
            json!({ "type": "object", "properties": { "a": { "type": "string" } }, "required": ["a", "a"] }),
            [true; 3],
        ),
        ("type_twice", nested(json!({ "type": ["string", "string"] })), [true; 3]),
        ("step_of_zero", nested(json!({ "type": "number", "multipleOf": 0 })), [false; 3]),
        ("text_as_boolean", nested(json!({ "type": "string", "deprecated": "yes" })), [false; 3]),
        ("example_alone", nested(json!({ "type": "string", "examples": "x" })), [false; 3]),
        ("number_as_id", nested(json!({ "type": "string", "$id": 7 })), [false; 3]),
        ("contains_none", nested(json!({ "type": "array", "items": {}, "minContains": -1 })), [false; 3]),
        ("required_of_draft_3", object(json!({ "a": { "type": "string", "required": true } })), [false; 3]),
    ]
}

const DIALECTS: [SchemaDialect; 3] = [SchemaDialect::OpenAi, SchemaDialect::Anthropic, SchemaDialect::Gemini];

#[test]
fn a_tool_of_a_page_that_a_provider_refuses_is_left_out_and_named() {
    let declared: Vec<_> = tools()
        .into_iter()
        .map(|(name, schema, _)| json!({ "name": name, "description": "d", "parameters": schema }))
        .collect();
    let input: RunAgentInput = serde_json::from_value(json!({
        "threadId": "t", "runId": "r", "protocolVersion": "1.0", "context": [], "tools": declared,
        "messages": [{ "id": "1", "role": "user", "content": "Hello" }],
    }))
    .unwrap();
    for (index, dialect) in DIALECTS.into_iter().enumerate() {
        let (log, recording) = Log::record(tracing::Level::WARN);
        let model = Model::from(Hosted(dialect));
        let events = futures::executor::block_on(testing::run(Talker::new(model), input.clone()));
        drop(recording);
        let (shown, log) = (testing::lines(&events), log.take().join("\n"));
        for (name, _, takes) in tools() {
            let is_shown = shown.split([' ', '"']).any(|word| word == name);
            assert_eq!(is_shown, takes[index], "{dialect:?} {name}: {shown}");
            assert_eq!(log.contains(name), !takes[index], "{dialect:?} {name}: {log}");
        }
    }
}

#[test]
fn older_forms_are_written_as_newer_ones() -> Result<(), UnsupportedSchema> {
    let older = object(json!({
        "ttl": { "type": "integer", "minimum": 0, "exclusiveMinimum": true, "maximum": 9, "exclusiveMaximum": false },
        "pair": { "type": "array", "items": [{ "type": "number" }], "additionalItems": false },
        "tags": { "type": ["array", "null"] },
        "both": { "type": "array", "prefixItems": [{ "type": "number" }, { "type": "string" }] },
        "any": { "type": "object", "additionalProperties": true, "properties": { "b": true, "c": false } },
    }));
    let newer = object(json!({
        "ttl": { "type": "integer", "exclusiveMinimum": 0, "maximum": 9 },
        "pair": { "type": "array", "prefixItems": [{ "type": "number" }], "items": { "not": {} } },
        "tags": { "type": ["array", "null"], "items": {} },
        "both": { "type": "array", "prefixItems": [{ "type": "number" }, { "type": "string" }], "items": {} },
        "any": { "type": "object", "additionalProperties": true, "properties": { "b": {}, "c": { "not": {} } } },
    }));
    assert_eq!(SchemaDialect::OpenAi.translate("t", &older)?, newer);
    assert_eq!(SchemaDialect::Anthropic.translate("t", &older)?, newer);
    assert_eq!(SchemaDialect::JsonSchema.translate("t", &older)?, older);
    Ok(())
}

//! Arguments of tools that exist only at run time, by keywords that only the feature `schema-validation` checks.

use agui_runtime::Stop;
use agui_runtime::model::{DynTool, PromptMessage, Reply};
use serde_json::{Value, json};

use crate::clerk::{shop_input, talk_with};

/// Calls a tool once. Returns the result, and true if the call failed.
fn result(schema: &Value, arguments: &Value) -> (String, bool) {
    let parameters = json!({ "type": "object", "properties": { "it": schema } });
    let tool = DynTool::new("take", "Takes it.", parameters, async |_| Ok::<_, Stop>("taken"))
        .expect("a right tool");
    let replies = [Reply::call("take", json!({ "it": arguments })), Reply::text("Done.")];
    let talk = talk_with(replies, shop_input("Take it."), move |chat| chat.tools([tool.clone()]));
    let Some(PromptMessage::Tools(results)) = talk.last_read().last() else {
        panic!("{:?}", talk.last_read())
    };
    (results[0].content.text().into_owned(), results[0].failed)
}

#[test]
fn each_keyword_takes_a_value_and_refuses_another() {
    let rows = [
        (json!({ "pattern": "^[a-z]+$" }), json!("rice"), json!("RICE")),
        (json!({ "pattern": "^(?!gold)" }), json!("rice"), json!("gold")),
        (json!({ "format": "date" }), json!("2026-11-29"), json!("tomorrow")),
        (json!({ "format": "uuid" }), json!("936da01f-9abd-4d9d-80c7-02af85c822a8"), json!("936da01f")),
        (json!({ "not": { "const": "gold" } }), json!("rice"), json!("gold")),
        (
            json!({ "if": { "type": "string" }, "then": { "minLength": 2 }, "else": { "minimum": 3 } }),
            json!(3),
            json!("a"),
        ),
        (
            json!({ "dependentRequired": { "street": ["city"] } }),
            json!({ "street": "a", "city": "b" }),
            json!({ "street": "a" }),
        ),
        (json!({ "propertyNames": { "maxLength": 2 } }), json!({ "ab": 1 }), json!({ "abc": 1 })),
        (json!({ "contains": { "const": 1 } }), json!([2, 1]), json!([2])),
    ];
    for (schema, taken, refused) in rows {
        assert_eq!(result(&schema, &taken), ("taken".to_owned(), false), "{schema} {taken}");
        let (text, failed) = result(&schema, &refused);
        assert!(failed && text.contains("of tool `take` at `it`"), "{schema} {refused}: {text}");
    }
}

#[test]
fn a_schema_that_cannot_be_compiled_is_checked_in_part() {
    let schema = json!({ "type": "string", "pattern": "(" });
    assert_eq!(result(&schema, &json!("rice")), ("taken".to_owned(), false));
    let (text, failed) = result(&schema, &json!(7));
    assert!(failed && text.contains("expected string"), "{text}");
}

//! The JSON of arguments, written and read without serde's derives.

use agui_runtime::prelude::*;
use serde_json::json;

type Maybe = Option<u32>;

/// Orders something.
#[tool]
async fn order(name: String, r#type: Option<String>, count: Maybe) -> u32 {
    let _ = (name, r#type);
    count.unwrap_or(1)
}

#[test]
fn arguments_are_written_as_they_are_read() {
    let text = r#"{"name":"rice","type":"basmati","count":null}"#;
    let read: order = serde_json::from_str(text).expect("an order");
    assert_eq!(serde_json::to_string(&read).expect("JSON"), text);
}

#[test]
fn an_absent_option_is_empty_under_any_name() {
    let read: order =
        serde_json::from_value(json!({ "name": "rice", "unknown": [1, { "a": null }] })).expect("an order");
    assert_eq!((read.name.as_str(), read.r#type, read.count), ("rice", None, None));
}

#[test]
fn errors_are_those_of_serde() {
    let error = |text: &str| serde_json::from_str::<order>(text).err().expect("an error").to_string();
    assert_eq!(error("{}"), "missing field `name` at line 1 column 2");
    assert_eq!(error(r#"{"name":"a","name":"b"}"#), "duplicate field `name` at line 1 column 18");
    assert_eq!(
        error(r#"{"name":"a","count":"b"}"#),
        "invalid type: string \"b\", expected u32 at line 1 column 23"
    );
    // The derive would take the items of a list for the arguments; the schema says that they are an object.
    assert_eq!(
        error(r#"["rice",null,1]"#),
        "invalid type: sequence, expected struct order at line 1 column 0"
    );
}

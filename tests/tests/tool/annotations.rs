//! The title of a tool, and the hints about its behaviour: in the manifest, the capabilities, and for a model.

use agui_runtime::capabilities;
use agui_runtime::manifest::Manifest;
use agui_runtime::model::ToolSpec;
use agui_runtime::prelude::*;
use serde_json::{Value, json};

/// Looks up an order.
#[tool(title = "Order", read_only, closed_world)]
async fn order(
    /// number on the invoice
    number: u64,
) -> bool {
    number > 0
}

/// Refunds an order.
#[tool(destructive, idempotent)]
async fn refund(
    /// number on the invoice
    number: u64,
) -> bool {
    number > 0
}

/// Adds a note.
#[tool(destructive = false)]
async fn note(
    /// the text to remember
    text: String,
) -> bool {
    !text.is_empty()
}

/// Asks whether that is all.
#[tool(frontend, title = "Checkout")]
async fn checkout() -> bool;

/// Says hello.
#[tool]
async fn hello() {}

/// Helps customers.
#[agent(tools = [order, refund, note, checkout, hello])]
async fn desk(run: &mut Run<Desk>, _: Input<Desk>) -> Result<(), Stop> {
    run.say("Hello.").await;
    Ok(())
}

fn expected() -> [(&'static str, Value); 5] {
    [
        ("order", json!({ "title": "Order", "readOnlyHint": true, "openWorldHint": false })),
        ("refund", json!({ "destructiveHint": true, "idempotentHint": true })),
        ("note", json!({ "destructiveHint": false })),
        ("checkout", json!({ "title": "Checkout" })),
        ("hello", Value::Null),
    ]
}

#[test]
fn the_manifest_has_the_annotations_that_are_given() {
    let manifest = Manifest::build("shop", "0.1.0", &[Desk::source()]).expect("one agent");
    let written: Value = serde_json::from_str(&manifest.to_json()).expect("JSON");
    for (at, (name, annotations)) in expected().into_iter().enumerate() {
        let tool = &written["agents"][0]["tools"][at];
        assert_eq!(tool["name"], name);
        assert_eq!(tool["annotations"], annotations, "{name}");
    }
    assert_eq!(Manifest::from_json(&manifest.to_json()).expect("a manifest"), manifest);
}

#[test]
fn annotations_do_not_change_the_hash_of_the_wire() {
    let with = Manifest::build("shop", "0.1.0", &[Desk::source()]).expect("one agent");
    let mut source = Desk::source();
    for tool in &mut source.tools {
        tool.annotations = agui_runtime::protocol::ToolAnnotations::NONE;
    }
    let without = Manifest::build("shop", "0.1.0", &[source]).expect("one agent");
    assert_eq!(with.hash.wire, without.hash.wire);
    assert_ne!(with.hash.full, without.hash.full);
}

#[test]
fn capabilities_have_them_as_metadata_of_backend_tools() {
    let items = capabilities(&Desk::source()).tools.and_then(|tools| tools.items).expect("tools");
    let found: Vec<(String, Value)> = items
        .iter()
        .map(|tool| {
            let tool = serde_json::to_value(tool).expect("JSON");
            (
                tool["name"].as_str().expect("a name").to_owned(),
                tool["metadata"]["agui-rust/annotations"].clone(),
            )
        })
        .collect();
    let expected: Vec<(String, Value)> = expected()
        .into_iter()
        .filter(|(name, _)| *name != "checkout")
        .map(|(name, annotations)| (name.to_owned(), annotations))
        .collect();
    assert_eq!(found, expected);
    assert!(items.last().expect("`hello`").metadata.is_none());
}

#[test]
fn a_spec_for_a_model_has_them() {
    let spec = ToolSpec::from_tool::<order>();
    assert_eq!(serde_json::to_value(&spec.annotations).expect("JSON"), expected()[0].1);
}

//! The schema, in its own language and as prost has it.

use std::fs;

use agui_tests::outside::{target_dir, tests_dir, workspace_dir};
use agui_tests::wire::ag_ui;
use prost::Message as _;

use super::message;
use crate::mutate::legal_events;
use crate::times;

/// `AGUI_UPDATE=1` accepts what is generated now.
#[test]
fn the_generated_code_is_fresh() {
    let schema = workspace_dir().join("agui-runtime/core/src/wire/proto");
    let checked_in = tests_dir().join("src/wire/ag_ui.rs");
    let into = target_dir().join("tmp/ag_ui_proto");
    fs::create_dir_all(&into).unwrap();
    let files = protox::compile(["ag_ui.proto"], [&schema]).unwrap();
    prost_build::Config::new().btree_map(["."]).out_dir(&into).compile_fds(files).unwrap();
    let generated = fs::read_to_string(into.join("ag_ui.rs")).unwrap();
    if std::env::var("AGUI_UPDATE").is_ok_and(|update| update == "1") {
        fs::write(&checked_in, &generated).unwrap();
    }
    assert!(
        fs::read_to_string(checked_in).unwrap() == generated,
        "the schema has changed: run this again with AGUI_UPDATE=1 and read the difference"
    );
}

/// Nothing in our bytes is unknown to the schema, at another number, or of another kind: otherwise prost would lose it,
/// and write less.
#[test]
fn our_bytes_are_what_the_schema_says() {
    let mut with_maps = 0;
    for event in legal_events(41, 12 * times()) {
        let ours = message(&event);
        let read = ag_ui::Event::decode(&*ours).unwrap();
        let theirs = read.encode_to_vec();
        // A map may be written in any order.
        if theirs != ours {
            with_maps += 1;
            assert_eq!(theirs.len(), ours.len(), "{event:?}");
            assert_eq!(ag_ui::Event::decode(&*theirs).unwrap(), read, "{event:?}");
        }
    }
    assert!(with_maps > 0, "no event had a map");
}

/// Types of encrypted values are in the fields of 1.1: 14 of a message, 6 of a call and of the event.
#[test]
fn types_of_encrypted_values_are_where_the_schema_has_them() {
    use agui_runtime::protocol::*;
    let value = || EncryptedValue::new("x").with_type("acme.signature");
    let call = ToolCall::new("c", FunctionCall::new("price", "{}")).with_encrypted(value());
    let asking = AssistantMessage::new("a").with_tool_calls([call]).with_encrypted(value());
    let of_message = ReasoningEncryptedValueSubtype::Message;
    let attached =
        ReasoningEncryptedValueEvent::new(of_message, "a", "x").with_encrypted_value_type("acme.signature");
    for (event, types) in
        [(MessagesSnapshotEvent::new(vec![asking.into()]).into(), 2), (Event::from(attached), 1)]
    {
        let ours = message(&event);
        let read = ag_ui::Event::decode(&*ours).unwrap();
        assert_eq!(
            format!("{read:?}").matches(r#"encrypted_value_type: Some("acme.signature")"#).count(),
            types
        );
        assert_eq!(read.encode_to_vec(), ours);
    }
}

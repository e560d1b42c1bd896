//! Common mistakes of implementations: nulls, numbers, shapes that serde confuses, errors without a place.

use agui_runtime::protocol::{
    ContentPart, Event, Message, NonNull, RunAgentInput, RunFinishedEvent, Timestamp,
};
use agui_tests::wire::{sample, schema, typed};
use serde_json::{Value, json};

fn error<T: serde::de::DeserializeOwned + std::fmt::Debug>(document: &Value) -> String {
    typed::read::<T>(&document.to_string()).unwrap_err()
}

/// No optional member of any object may be `null`, the state of an input excepted.
#[test]
fn null_is_refused_for_every_optional_member() {
    let mut refused = 0;
    for sample in sample::all() {
        let Some(members) = schema::member_order(sample.definition) else { continue };
        let full: Value = serde_json::from_str(&sample.full).unwrap();
        for member in members {
            if serde_json::from_str::<Value>(&sample.minimal).unwrap().get(&member).is_some() {
                continue;
            }
            let mut document = full.clone();
            document[&member] = Value::Null;
            assert!(schema::validate(sample.definition, &document).is_err());
            let read = typed::typed(sample.definition)(&document.to_string());
            if (sample.definition, member.as_str()) == ("RunAgentInput", "state") {
                assert!(!read.unwrap().contains("\"state\""));
            } else {
                let error = read.unwrap_err();
                assert!(error.starts_with(&format!("{member}: ")), "{}: {error}", sample.definition);
                refused += 1;
            }
        }
    }
    println!("null refused for {refused} optional members");
    assert!(refused > 150, "only {refused}");
}

/// A required member may not be missing, and may be `null` only where any value may stand.
#[test]
fn required_members_are_required() {
    let mut nullable = Vec::new();
    for sample in sample::all() {
        let minimal: Value = serde_json::from_str(&sample.minimal).unwrap();
        let Value::Object(members) = &minimal else { continue };
        for member in members.keys() {
            let mut document = minimal.clone();
            document.as_object_mut().unwrap().remove(member);
            let error = typed::typed(sample.definition)(&document.to_string()).unwrap_err();
            assert!(error.contains(&format!("missing field `{member}`")), "{}: {error}", sample.definition);

            document[member] = Value::Null;
            if typed::typed(sample.definition)(&document.to_string()).is_ok() {
                nullable.push(format!("{}.{member}", sample.definition));
            }
        }
    }
    nullable.sort();
    assert_eq!(
        nullable,
        [
            "AddOperation.value",
            "CustomEvent.value",
            "RawEvent.event",
            "ReplaceOperation.value",
            "StateSnapshotEvent.snapshot",
            "TestOperation.value",
        ]
    );
}

/// Every member of a wrong type is refused, wherever the schema refuses it.
#[test]
fn wrong_types_are_refused_like_the_schema_does() {
    let wrong =
        [json!(null), json!(true), json!(-1), json!(1.5), json!("\u{0}?"), json!([1]), json!({ "?": 1 })];
    let mut refused = 0;
    for sample in sample::all() {
        let Ok(Value::Object(full)) = serde_json::from_str(&sample.full) else { continue };
        // Free data has no members the schema knows.
        let Some(members) = schema::member_order(sample.definition) else { continue };
        for member in full.keys().filter(|key| members.contains(key)) {
            for value in &wrong {
                let mut document = Value::Object(full.clone());
                document[member] = value.clone();
                let valid = schema::validate(sample.definition, &document).is_ok();
                let read = typed::typed(sample.definition)(&document.to_string());
                let verdict = format!("{}: {document}\n{read:?}", sample.definition);
                match &read {
                    Err(_) => assert!(!valid, "{verdict}"),
                    Ok(_) if valid => {}
                    Ok(written) if member == "state" && value.is_null() => {
                        assert!(!written.contains("\"state\":null"), "{verdict}");
                    }
                    // A closed object of which all members are optional: the unknown one is dropped.
                    Ok(written) => assert!(value.is_object() && !written.contains("\"?\""), "{verdict}"),
                }
                refused += usize::from(read.is_err());
            }
        }
    }
    assert!(refused > 1000, "only {refused}");
}

#[test]
fn arrays_are_not_read_as_objects() {
    for (definition, round_trip) in typed::TYPED {
        // The exceptions are any value, an array, and a closed set.
        if ["State", "JsonPatch"].contains(definition) {
            continue;
        }
        for array in ["[]", r#"["a"]"#, r#"["a","b"]"#, r#"["a","b","c","d"]"#] {
            assert!(round_trip(array).is_err(), "{definition} {array}");
        }
    }
}

#[test]
fn objects_are_not_read_as_names() {
    for definition in ["EventType", "Role", "TextMessageRole", "ReasoningEncryptedValueSubtype"] {
        assert!(typed::typed(definition)(r#"{"assistant":null}"#).is_err());
    }
    let entry = json!({ "interruptId": "i", "status": { "resolved": null } });
    assert!(typed::typed("ResumeEntry")(&entry.to_string()).is_err());
}

#[test]
fn timestamps_are_whole_numbers_within_what_javascript_holds() {
    let read = |timestamp: &str| {
        let text = format!(r#"{{"type":"STEP_STARTED","stepName":"a","timestamp":{timestamp}}}"#);
        typed::read::<Event>(&text).map(|event| event.timestamp().map(Timestamp::millis))
    };
    for (text, millis) in [
        ("0", 0),
        ("-0", 0),
        ("-0.0", 0),
        ("1.0", 1),
        ("1e3", 1000),
        ("-5", -5),
        ("9007199254740991", (1 << 53) - 1),
        ("-9007199254740991.0", -((1 << 53) - 1)),
    ] {
        assert_eq!(read(text), Ok(Some(millis)), "{text}");
    }
    for text in [
        "1.5",
        "\"1\"",
        "null",
        "9007199254740992",
        "-9007199254740992",
        "9007199254740992.0",
        "1e300",
        "-1e300",
        "18446744073709551615",
        "true",
        "[1]",
    ] {
        let error = read(text).unwrap_err();
        assert!(error.starts_with("timestamp: "), "{text}: {error}");
    }
}

#[test]
fn counts_are_not_negative() {
    let read = |count: &str| typed::typed("TokenUsage")(&format!(r#"{{"inputTokens":{count}}}"#));
    assert_eq!(read("0").unwrap(), r#"{"inputTokens":0}"#);
    assert_eq!(read("41.0").unwrap(), r#"{"inputTokens":41}"#);
    for count in ["-1", "1.5", "-0.5", "9007199254740992", "null", "\"1\""] {
        assert!(read(count).is_err(), "{count}");
    }
}

/// Part metadata may be any value but `null`; all other metadata are objects.
#[test]
fn metadata_of_parts_is_not_like_other_metadata() {
    let part = |metadata: Value| json!({ "type": "text", "text": "", "metadata": metadata });
    let message = |metadata: Value| json!({ "id": "", "role": "user", "content": "", "metadata": metadata });
    for scalar in [json!(3), json!("x"), json!(false), json!([null])] {
        assert!(typed::read::<ContentPart>(&part(scalar.clone()).to_string()).is_ok());
        assert!(error::<Message>(&message(scalar)).starts_with("metadata: invalid type"));
    }
    assert!(error::<ContentPart>(&part(Value::Null)).starts_with("metadata: `null` is not a value here"));
    let inner_null = json!({ "k": null });
    assert!(typed::read::<ContentPart>(&part(inner_null.clone()).to_string()).is_ok());
    assert!(typed::read::<Message>(&message(inner_null).to_string()).is_ok());
}

#[test]
fn a_null_result_cannot_be_made() {
    assert_eq!(NonNull::new(Value::Null), None);
    assert!(NonNull::try_from(Value::Null).is_err());
    let mut event = RunFinishedEvent::new("t", "r");
    event.result = NonNull::new(json!({ "deep": null }));
    assert!(serde_json::to_string(&event).unwrap().ends_with(r#""result":{"deep":null}}"#));
}

#[test]
fn errors_say_where() {
    let messages = json!({
        "threadId": "t", "runId": "r",
        "messages": [
            { "id": "1", "role": "user", "content": [{ "type": "image", "source": { "type": "data", "value": "AA" } }] }
        ],
    });
    assert!(
        error::<RunAgentInput>(&messages)
            .starts_with("messages[0].content[0].source: missing field `mimeType`")
    );
    // `role` comes last: what stands before it is read ahead, and its place goes into the message.
    let late_role = json!({
        "threadId": "t", "runId": "r",
        "messages": [{ "content": [{ "text": 5, "type": "text" }], "id": "1", "role": "user" }],
    });
    assert!(
        error::<RunAgentInput>(&late_role).contains("content[0]: text: invalid type"),
        "{}",
        error::<RunAgentInput>(&late_role)
    );
    let pointer = json!({ "type": "STATE_DELTA", "delta": [{ "op": "remove", "path": "a" }] });
    assert!(error::<Event>(&pointer).starts_with("delta[0].path: `a` is not a JSON Pointer"));
    let role = json!({ "type": "TEXT_MESSAGE_START", "messageId": "m", "role": "tool" });
    assert!(error::<Event>(&role).starts_with("role: unknown text message role `tool`"));
    let unknown = json!({ "type": "META", "metaType": "thumbs_up" });
    assert!(error::<Event>(&unknown).contains("unknown event type `META`"));
    assert!(error::<Event>(&json!({ "stepName": "a" })).contains("missing field `type`"));
    assert!(
        error::<Event>(&json!({ "type": 5 }))
            .starts_with("type: invalid type: integer `5`, expected a string")
    );
}

#[test]
fn a_member_given_twice_is_refused() {
    for text in [
        r#"{"type":"STEP_STARTED","stepName":"a","stepName":"b"}"#,
        r#"{"type":"STEP_STARTED","stepName":"a","type":"STEP_FINISHED"}"#,
        r#"{"stepName":"a","type":"STEP_STARTED","stepName":"b"}"#,
        r#"{"type":"STATE_DELTA","delta":[{"op":"add","path":"","path":"/a","value":1}]}"#,
        r#"{"type":"STATE_DELTA","delta":[{"op":"add","path":"","value":1,"op":"test"}]}"#,
    ] {
        let error = typed::read::<Event>(text).unwrap_err();
        assert!(error.contains("duplicate field"), "{text}: {error}");
    }
}

#[test]
fn deep_nesting_is_an_error_not_a_crash() {
    let deep =
        format!(r#"{{"type":"STATE_SNAPSHOT","snapshot":{}1{}}}"#, "[".repeat(100_000), "]".repeat(100_000));
    assert!(typed::read::<Event>(&deep).unwrap_err().contains("recursion limit"));
}

#[test]
fn events_stay_small() {
    let size = size_of::<Event>();
    println!("Event: {size} bytes");
    assert!(size <= 160, "an event is {size} bytes: box what is large and rare");
}

//! A sample of each event, for the tests that send every event to a consumer.

use super::event::Event;

/// A text for each type with all its own members, as producers write them.
pub(crate) const SAMPLES: &[&str] = &[
    r#"{"type":"RUN_STARTED","threadId":"t","runId":"r","protocolVersion":"1.1","parentRunId":"p","input":{"threadId":"t","runId":"r","protocolVersion":"1.1","parentRunId":"p","state":{"a":[1,null]},"messages":[{"id":"1","role":"developer","content":"c","name":"n","encryptedValue":"e","encryptedValueType":"a.e"},{"id":"2","role":"system","content":"c"},{"id":"3","role":"user","content":[{"type":"text","text":"x","id":"p"},{"type":"image","source":{"type":"data","value":"QQ==","mimeType":"image/png"},"metadata":7},{"type":"document","source":{"type":"file","value":"f","provider":"p"}}]},{"id":"4","role":"assistant","toolCalls":[{"id":"c","type":"function","function":{"name":"n","arguments":"{\"a\":1}"},"encryptedValue":"e","encryptedValueType":"a.c"}]},{"id":"5","role":"tool","toolCallId":"c","content":"ok","error":"no"},{"id":"6","role":"activity","activityType":"P","content":{}},{"id":"7","role":"reasoning","content":"h","subagentRunId":"s","metadata":{}}],"tools":[{"name":"n","description":"d","parameters":{}}],"context":[{"description":"d","value":"v"}],"forwardedProps":{},"resume":[{"interruptId":"i","status":"resolved","payload":true}]}}"#,
    r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r","result":1.5,"outcome":{"type":"interrupt","interrupts":[{"id":"i","reason":"r","responseSchema":{}}]},"usage":[{"provider":"p","inputTokens":41}]}"#,
    r#"{"type":"RUN_ERROR","message":"m","code":"c","usage":[]}"#,
    r#"{"type":"STEP_STARTED","stepName":"s","timestamp":1790000000000,"rawEvent":{"a":null},"metadata":{"k":null},"subagentRunId":"s"}"#,
    r#"{"type":"STEP_FINISHED","stepName":"s","timestamp":-5}"#,
    r#"{"type":"TEXT_MESSAGE_START","messageId":"m","role":"assistant","name":"n"}"#,
    r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"cr\u00e8me \ud83e\udd80\n\"salt\" und Öl"}"#,
    r#"{"type":"TEXT_MESSAGE_END","messageId":"m"}"#,
    r#" { "type" : "TEXT_MESSAGE_CHUNK" , "messageId" : "m" , "role" : "user" , "delta" : "d" , "name" : "n" } "#,
    r#"{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"n","parentMessageId":"m"}"#,
    r#"{"type":"TOOL_CALL_ARGS","toolCallId":"c","delta":"{\"city\":\"Os"}"#,
    r#"{"type":"TOOL_CALL_END","toolCallId":"c"}"#,
    r#"{"type":"TOOL_CALL_CHUNK","toolCallId":"c","toolCallName":"n","parentMessageId":"m","delta":""}"#,
    r#"{"type":"TOOL_CALL_RESULT","messageId":"m","toolCallId":"c","content":[],"role":"tool"}"#,
    r#"{"type":"STATE_SNAPSHOT","snapshot":null}"#,
    r#"{"type":"STATE_DELTA","delta":[{"op":"add","path":"/a~1b","value":{"x":1}},{"op":"move","from":"/a","path":"/b"},{"op":"remove","path":"","why":"so"},{"op":"test","path":"/a","value":null},{"op":"copy","from":"","path":"/c"},{"path":"/d","op":"replace","value":1e3}]}"#,
    r#"{"type":"MESSAGES_SNAPSHOT","messages":[{"role":"user","id":"u","content":"x","encryptedValue":"e","encryptedValueType":""}]}"#,
    r#"{"type":"ACTIVITY_SNAPSHOT","messageId":"m","activityType":"P","content":{"a":[]},"replace":false}"#,
    r#"{"type":"ACTIVITY_DELTA","messageId":"m","activityType":"P","patch":[]}"#,
    r#"{"type":"REASONING_START","messageId":"m"}"#,
    r#"{"type":"REASONING_MESSAGE_START","messageId":"m","role":"reasoning"}"#,
    r#"{"type":"REASONING_MESSAGE_CONTENT","messageId":"m","delta":"d"}"#,
    r#"{"type":"REASONING_MESSAGE_END","messageId":"m"}"#,
    r#"{"type":"REASONING_MESSAGE_CHUNK"}"#,
    r#"{"type":"REASONING_END","messageId":"m"}"#,
    r#"{"type":"REASONING_ENCRYPTED_VALUE","subtype":"tool-call","entityId":"e","encryptedValue":"v","encryptedValueType":"a.v"}"#,
    r#"{"type":"SUBAGENT_STARTED","subagentRunId":"s","name":"n","description":"d","parentSubagentRunId":"p","parentToolCallId":"c","parentMessageId":"m"}"#,
    r#"{"type":"SUBAGENT_FINISHED","subagentRunId":"s","result":[],"outcome":{"type":"suspended","interruptIds":["i"]}}"#,
    r#"{"type":"SUBAGENT_ERROR","subagentRunId":"s","message":"m","code":"c"}"#,
    r#"{"event":{"deep":[[{}]]},"source":"s","type":"RAW"}"#,
    r#"{"type":"CUSTOM","name":"n","value":true}"#,
];

pub(crate) fn sample_events() -> impl Iterator<Item = Event> {
    SAMPLES.iter().map(|text| serde_json::from_str(text).unwrap())
}

#[cfg(feature = "receive")]
#[test]
fn every_member_with_an_id_is_in_the_table() {
    use super::id_space::ID_MEMBERS;
    use crate::protocol::forms::shape::{JsonShape, ShapedType};

    let JsonShape::Union(events) = Event::SHAPE else { panic!("events are a union") };
    for ((name, shape), (row, members)) in events.variants.iter().zip(ID_MEMBERS) {
        let JsonShape::Object(shape) = shape else { panic!("{name} is an object") };
        let keys = shape.members.iter().filter(|member| {
            let is_tag = member.key == "subagentRunId" && member.optional;
            member.key.ends_with("Id") && !is_tag
        });
        let mut keys: Vec<_> = keys.map(|member| member.key.to_lowercase()).collect();
        let mut members: Vec<_> = members.iter().map(|member| member.replace('_', "")).collect();
        keys.sort_unstable();
        members.sort_unstable();
        assert_eq!((name, keys), (row, members));
    }
}

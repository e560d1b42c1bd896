//! Frames that are nearly right.

use agui_runtime::protocol::{Event, EventType};
use agui_tests::wire::generate;
use proptest::strategy::{Strategy as _, ValueTree as _};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::{Map, Value, json};

/// Random numbers, the same on every machine for a seed.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 >> 11
    }

    /// A number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    /// Once in `times`.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    pub fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }
}

/// Legal events of all types, `each` of every one.
pub fn legal_events(seed: u64, each: usize) -> Vec<Event> {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let types = EventType::ALL.iter().flat_map(|event_type| std::iter::repeat_n(*event_type, each));
    types.map(|event_type| generate::event(event_type).new_tree(&mut runner).unwrap().current()).collect()
}

/// Events of older producers, and of possible later ones.
pub fn foreign_events() -> Vec<Value> {
    let binary = |more: Value| {
        let mut part = json!({ "type": "binary", "mimeType": "image/png" });
        part.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        part
    };
    let parts = json!([
        binary(json!({ "url": "u", "filename": "f.png" })),
        binary(json!({ "data": "QQ==", "url": "u" })),
        binary(json!({ "data": 5 })),
        binary(json!({ "id": "only" })),
        { "type": "binary", "url": "u" },
        { "type": "image", "source": { "type": "url", "value": "u", "mimeType": "image/png" }, "metadata": { "filename": "f.png" } },
        { "type": "audio", "source": { "type": "blob" }, "metadata": null },
        { "type": "text", "text": "t", "mood": 1 },
    ]);
    let messages = json!([
        { "id": "u", "role": "user", "content": parts, "mood": [] },
        { "id": "t", "role": "tool", "toolCallId": "c", "content": parts },
        { "id": "w", "role": "wizard", "content": parts },
        { "id": "a", "role": "assistant", "toolCalls": [
            { "id": "c", "type": "function", "function": { "name": "n", "arguments": "", "x": 1 }, "encryptedValueType": "y" },
        ] },
    ]);
    vec![
        json!({ "type": "THINKING_START", "title": "Plan", "rawEvent": null }),
        json!({ "type": "THINKING_TEXT_MESSAGE_START", "messageId": "mine", "role": "assistant" }),
        json!({ "type": "THINKING_TEXT_MESSAGE_CONTENT", "delta": "a" }),
        json!({ "type": "THINKING_TEXT_MESSAGE_END", "metadata": {} }),
        json!({ "type": "THINKING_END", "subagentRunId": "s" }),
        json!({ "type": "META_EVENT", "metaType": "thumbs_up", "payload": {}, "rawEvent": null }),
        json!({ "type": "MESSAGES_SNAPSHOT", "messages": messages }),
        json!({ "type": "RUN_STARTED", "threadId": "t", "runId": "r", "input": {
            "threadId": "t", "runId": "r", "messages": messages, "state": null, "forwardedProps": null,
            "tools": [{ "name": "n", "description": "d", "parameters": null, "x": 1 }],
            "context": [{ "description": "d", "value": "v", "x": 1 }],
            "resume": [{ "interruptId": "i", "status": "cancelled", "payload": null, "x": 1 }],
        } }),
        json!({ "type": "TOOL_CALL_RESULT", "messageId": "m", "toolCallId": "c", "content": parts }),
        json!({ "type": "TOOL_CALL_START", "toolCallId": "c", "toolCallName": "n", "parentMessageId": null }),
        json!({ "type": "TOOL_CALL_CHUNK", "toolCallId": "c", "toolCallName": "n", "parentMessageId": null }),
        json!({ "type": "RUN_FINISHED", "threadId": "t", "runId": "r", "result": null, "outcome": null, "rawEvent": null }),
        json!({ "type": "RUN_FINISHED", "threadId": "t", "runId": "r", "usage": [{ "inputTokens": 1, "audioTokens": 2 }],
            "outcome": { "type": "interrupt", "interrupts": [{ "id": "i", "reason": "r", "payload": {} }] } }),
        json!({ "type": "SUBAGENT_FINISHED", "subagentRunId": "s", "result": null, "outcome": { "type": "napping" } }),
        json!({ "type": "STATE_DELTA", "delta": [
            { "op": "increment", "path": "/n" }, { "op": "remove", "path": "/x", "value": 1, "why": null }, {},
        ] }),
    ]
}

/// Makes one to three changes to an event.
pub fn mutate(event: &mut Value, dice: &mut Dice) {
    for _ in 0..1 + dice.below(3) {
        let places = count(event);
        let mut place = dice.below(places);
        at(event, &mut place, &mut |value| change(value, dice));
    }
}

/// The number of values, the event itself included.
fn count(value: &Value) -> usize {
    1 + match value {
        Value::Array(items) => items.iter().map(count).sum(),
        Value::Object(members) => members.values().map(count).sum::<usize>(),
        _ => 0,
    }
}

fn at(value: &mut Value, place: &mut usize, change: &mut dyn FnMut(&mut Value)) -> bool {
    if *place == 0 {
        change(value);
        return true;
    }
    *place -= 1;
    match value {
        Value::Array(items) => items.iter_mut().any(|item| at(item, place, change)),
        Value::Object(members) => members.values_mut().any(|member| at(member, place, change)),
        _ => false,
    }
}

const KEYS: [&str; 16] = [
    "foo",
    "toString",
    "constructor",
    "__proto__",
    "7",
    "a/b",
    "subagentRunId",
    "role",
    "name",
    "metadata",
    "content",
    "timestamp",
    "rawEvent",
    "type",
    "encryptedValueType",
    "messageId",
];

fn stranger(dice: &mut Dice) -> Value {
    let values = [
        Value::Null,
        json!(true),
        json!(0),
        json!(-1),
        json!(1.5),
        json!(2.0),
        json!(9_007_199_254_740_991_u64),
        json!(9_007_199_254_740_992_u64),
        json!(""),
        json!("zzz"),
        json!("tool"),
        json!("text"),
        json!("/a~2"),
        json!([]),
        json!(["x", null]),
        json!({}),
        json!({ "type": "url", "value": "u" }),
        json!({ "type": "binary", "mimeType": "text/plain", "data": "QQ==" }),
        json!({ "id": "x", "role": "user", "content": [] }),
        json!({ "op": "add", "path": "/a", "value": null }),
    ];
    dice.pick(&values).clone()
}

fn change(value: &mut Value, dice: &mut Dice) {
    if dice.once_in(4) {
        *value = stranger(dice);
        return;
    }
    match value {
        Value::Object(members) => change_object(members, dice),
        Value::Array(items) => match dice.below(4) {
            0 => items.push(stranger(dice)),
            1 => items.insert(dice.below(items.len() + 1), stranger(dice)),
            2 if !items.is_empty() => {
                let twin = dice.pick(items).clone();
                items.push(twin);
            }
            _ => _ = items.pop(),
        },
        Value::String(text) => match dice.below(3) {
            0 => text.push('x'),
            1 => *text = text.to_lowercase(),
            _ => *value = json!([text]),
        },
        other => *other = stranger(dice),
    }
}

fn change_object(members: &mut Map<String, Value>, dice: &mut Dice) {
    let keys: Vec<String> = members.keys().cloned().collect();
    match dice.below(4) {
        0 => _ = members.insert((*dice.pick(&KEYS)).to_owned(), stranger(dice)),
        _ if keys.is_empty() => _ = members.insert("foo".to_owned(), stranger(dice)),
        1 => _ = members.shift_remove(dice.pick(&keys)),
        2 => {
            let key = dice.pick(&keys);
            let value = members.shift_remove(key).unwrap();
            members.insert(format!("{key}X"), value);
        }
        _ => {
            let key = dice.pick(&keys).clone();
            members.insert(key, stranger(dice));
        }
    }
}

/// JSON in the form of other writers: odd spaces, escapes and spellings of numbers, members in another order or twice.
pub fn spelled(value: &Value, dice: &mut Dice) -> String {
    let mut text = String::new();
    spell(value, dice, &mut text);
    text
}

fn space(dice: &mut Dice, out: &mut String) {
    if dice.once_in(6) {
        out.push_str(dice.pick::<&str>(&[" ", "\n", "\t", "\r\n", "   "]));
    }
}

fn spell(value: &Value, dice: &mut Dice, out: &mut String) {
    space(dice, out);
    match value {
        Value::String(text) => spell_text(text, dice, out),
        Value::Number(number) => match number.as_i64() {
            Some(integer) if integer.unsigned_abs() < 1 << 50 && dice.once_in(4) => {
                out.push_str(
                    &dice
                        .pick(&[format!("{integer}.0"), format!("{integer}e0"), format!("{integer}.25")])
                        .clone(),
                );
            }
            _ => out.push_str(&number.to_string()),
        },
        Value::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                spell(item, dice, out);
            }
            out.push(']');
        }
        Value::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            if dice.once_in(3) && members.len() > 1 {
                let to = dice.below(members.len());
                members.swap(0, to);
            }
            if dice.once_in(12) && !members.is_empty() {
                members.push(*dice.pick(&members));
            }
            out.push('{');
            for (index, (key, value)) in members.into_iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                space(dice, out);
                spell_text(key, dice, out);
                space(dice, out);
                out.push(':');
                spell(value, dice, out);
            }
            out.push('}');
        }
        other => out.push_str(&other.to_string()),
    }
    space(dice, out);
}

fn spell_text(text: &str, dice: &mut Dice, out: &mut String) {
    out.push('"');
    let escapes = dice.once_in(5);
    for character in text.chars() {
        if escapes && dice.once_in(3) {
            let mut units = [0; 2];
            for unit in character.encode_utf16(&mut units) {
                out.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            let plain = Value::from(character.to_string()).to_string();
            out.push_str(&plain[1..plain.len() - 1]);
        }
    }
    out.push('"');
}

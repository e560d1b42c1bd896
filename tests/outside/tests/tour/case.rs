//! A request to a route, and the required answer.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

/// One input and the events between RUN_STARTED and the end, with ids as `#1`, `#2` in the order they appear, and
/// successive deltas of one item joined.
#[derive(Clone)]
pub struct Case {
    pub name: &'static str,
    pub route: &'static str,
    /// Members of the input that replace the default ones.
    pub input: Value,
    pub events: Vec<Value>,
    /// The events for a legacy client, if they differ from the general rule.
    pub old: Option<Vec<Value>>,
    pub end: Value,
    /// The least number of deltas of its longest item.
    pub pieces: usize,
}

impl Case {
    pub fn new(route: &'static str, events: impl IntoIterator<Item = Vec<Value>>) -> Self {
        Self {
            name: "",
            route,
            input: json!({}),
            events: events.into_iter().flatten().collect(),
            old: None,
            end: finished(&json!({ "outcome": { "type": "success" } })),
            pieces: 1,
        }
    }

    pub fn when(self, name: &'static str, input: Value) -> Self {
        Self { name, input, ..self }
    }

    /// The last message is the user's.
    pub fn said(self, name: &'static str, text: &str) -> Self {
        self.when(name, json!({ "messages": [{ "id": "said", "role": "user", "content": text }] }))
    }

    /// The last message is the answer to a call.
    pub fn answered(self, name: &'static str, tool: &str, answer: &str) -> Self {
        let call =
            json!({ "id": "asked", "type": "function", "function": { "name": tool, "arguments": "{}" } });
        self.when(
            name,
            json!({ "messages": [
                { "id": "said", "role": "user", "content": "hi" },
                { "id": "caller", "role": "assistant", "toolCalls": [call] },
                { "id": "answer", "role": "tool", "toolCallId": "asked", "content": answer },
            ] }),
        )
    }

    /// A legacy client gets these events.
    pub fn before_1_0(self, events: impl IntoIterator<Item = Vec<Value>>) -> Self {
        Self { old: Some(events.into_iter().flatten().collect()), ..self }
    }

    pub fn pieces(self, pieces: usize) -> Self {
        Self { pieces, ..self }
    }

    /// Other members of RUN_FINISHED than the outcome `success`.
    pub fn ends(self, members: &Value) -> Self {
        Self { end: finished(members), ..self }
    }

    pub fn fails(self, error: Value) -> Self {
        Self { end: error, ..self }
    }

    /// RUN_FINISHED names these calls.
    pub fn leaves(self, calls: &[&str]) -> Self {
        self.ends(&json!({ "outcome": { "type": "success", "pendingToolCallIds": calls } }))
    }

    /// The body of a client's request for it.
    pub fn body(&self, peer: Peer) -> Value {
        let run = format!("{}-{}-{peer:?}", self.route, self.name);
        let mut body = json!({
            "threadId": format!("thread-{run}"),
            "runId": format!("run-{run}"),
            "messages": [{ "id": "said", "role": "user", "content": "hi" }],
            "tools": [], "context": [], "forwardedProps": {},
        });
        merge(body.as_object_mut().unwrap(), &self.input);
        if peer == Peer::Current {
            body["protocolVersion"] = json!("1.0");
        }
        body
    }

    /// The expected events.
    pub fn expected(&self, peer: Peer) -> Vec<Value> {
        let end = [self.end.clone()];
        match peer {
            Peer::Current => self.events.iter().cloned().chain(end).collect(),
            Peer::Legacy => {
                let events = self.old.as_ref().unwrap_or(&self.events);
                events.iter().cloned().chain(end).filter_map(before_1_0).collect()
            }
        }
    }

    pub fn title(&self, peer: Peer) -> String {
        format!("{} {} {peer:?}", self.route, self.name)
    }
}

/// The generation of the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Peer {
    /// Declares protocol version 1.0.
    Current,
    /// Declares none.
    Legacy,
}

fn finished(members: &Value) -> Value {
    let mut event = json!({ "type": "RUN_FINISHED" });
    merge(event.as_object_mut().unwrap(), members);
    event
}

fn merge(into: &mut Map<String, Value>, members: &Value) {
    for (name, value) in members.as_object().unwrap() {
        into.insert(name.clone(), value.clone());
    }
}

/// The rule for legacy clients, as the tour expects.
fn before_1_0(mut event: Value) -> Option<Value> {
    if event["type"].as_str().unwrap().starts_with("SUBAGENT_") {
        return None;
    }
    let members = event.as_object_mut().unwrap();
    members.remove("subagentRunId");
    let asked = members.get_mut("outcome").and_then(|to| to["interrupts"].as_array_mut());
    for question in asked.into_iter().flatten().filter_map(Value::as_object_mut) {
        question.remove("subagentRunId");
    }
    if members["type"] == "RUN_FINISHED" && members.get("outcome").is_some_and(|to| to["type"] != "interrupt")
    {
        members.remove("outcome");
    }
    if let Some(Value::Array(parts)) = members.get("content") {
        let text: String = parts.iter().filter_map(|part| part["text"].as_str()).collect();
        members.insert("content".to_owned(), json!(text));
    }
    Some(event)
}

// ---- expected events

pub fn text(id: &str, text: &str) -> Vec<Value> {
    vec![
        json!({ "type": "TEXT_MESSAGE_START", "messageId": id, "role": "assistant" }),
        json!({ "type": "TEXT_MESSAGE_CONTENT", "messageId": id, "delta": text }),
        json!({ "type": "TEXT_MESSAGE_END", "messageId": id }),
    ]
}

pub fn call(id: &str, tool: &str, arguments: &str) -> Vec<Value> {
    vec![
        json!({ "type": "TOOL_CALL_START", "toolCallId": id, "toolCallName": tool }),
        json!({ "type": "TOOL_CALL_ARGS", "toolCallId": id, "delta": arguments }),
        json!({ "type": "TOOL_CALL_END", "toolCallId": id }),
    ]
}

// ---- received events

/// Ids that the tour fixes, and those of the input.
const GIVEN: [&str; 10] =
    ["lab-int-call", "lab-int-1", "one", "two", "sub-1", "sub-2", "pending-1", "said", "caller", "answer"];

const IDS: [&str; 7] =
    ["messageId", "toolCallId", "parentMessageId", "entityId", "id", "subagentRunId", "taskId"];

const LISTS_OF_IDS: [&str; 2] = ["pendingToolCallIds", "interruptIds"];

/// The generated ids in a stream, and the stream with numbers in their place.
pub fn numbered(mut events: Vec<Value>) -> (Vec<String>, Vec<Value>) {
    let mut names = Vec::new();
    let mut known = HashMap::new();
    for event in &mut events {
        number(event, &mut names, &mut known);
    }
    (names, events)
}

fn number(value: &mut Value, names: &mut Vec<String>, known: &mut HashMap<String, String>) {
    let mut rename = |name: &mut Value| {
        let Some(id) = name.as_str().filter(|id| !GIVEN.contains(id) && *id != "asked") else { return };
        let number = known.entry(id.to_owned()).or_insert_with(|| {
            names.push(id.to_owned());
            format!("#{}", names.len())
        });
        *name = json!(number);
    };
    match value {
        Value::Object(members) => {
            for (key, member) in members.iter_mut() {
                if IDS.contains(&key.as_str()) {
                    rename(member);
                } else if LISTS_OF_IDS.contains(&key.as_str()) {
                    member.as_array_mut().unwrap().iter_mut().for_each(&mut rename);
                }
            }
            // The values of applications are not changed.
            let inside =
                members.iter_mut().filter(|(key, _)| !["value", "event", "result"].contains(&key.as_str()));
            inside.for_each(|(_, member)| number(member, names, known));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| number(item, names, known)),
        _ => {}
    }
}

/// Joins successive deltas of one item; returns the greatest number joined.
pub fn joined(events: Vec<Value>) -> (usize, Vec<Value>) {
    let mut all: Vec<Value> = Vec::new();
    let (mut longest, mut pieces) = (0, 0);
    for event in events {
        let same = all.last_mut().filter(|last| {
            let of = |event: &Value| {
                ["type", "messageId", "toolCallId"].map(|key| event.get(key).cloned().unwrap_or_default())
            };
            event["delta"].is_string() && of(last) == of(&event)
        });
        match same {
            Some(last) => {
                last["delta"] =
                    json!(format!("{}{}", last["delta"].as_str().unwrap(), event["delta"].as_str().unwrap()));
                pieces += 1;
            }
            None => {
                all.push(event);
                pieces = 1;
            }
        }
        longest = longest.max(pieces);
    }
    (longest, all)
}

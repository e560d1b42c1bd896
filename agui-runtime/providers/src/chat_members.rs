//! Vendor members that a server adds to Chat Completions messages and calls, and requires in the next request.
//!
//! They travel as one JSON object in `encryptedValue`. The object omits the reasoning text, which the message already has.

use agui_runtime_core::protocol::EncryptedValue;
use serde_json::{Map, Value, json};

use super::server_seal::{SealType, ServerSeal};

pub(super) const KIND: SealType = SealType { name: "openai_chat.members", earlier_prefix: "openai-chat" };

/// Members that hold reasoning text. A server uses one name, and reads no other.
pub(super) const REASONING: [&str; 4] = ["reasoning_content", "reasoning", "reasoning_text", "thinking"];
/// The path for reasoning inside the content parts, as Mistral sends it.
pub(super) const THINKING_PART: &str = "content/thinking";

const DETAILS: &str = "reasoning_details";
const EXTRA: &str = "extra_content";
/// The object member that stores the name under which reasoning came.
const TEXT_IN: &str = "reasoning_in";

/// The vendor members for one message.
#[derive(Debug, Default)]
pub(super) struct ChatMembers {
    /// The member name for reasoning, and the text.
    reasoning: Option<(&'static str, String)>,
    details: Vec<Value>,
    extra: Option<Value>,
}

impl ChatMembers {
    /// Records the member in which reasoning came.
    pub(super) fn reasoned_in(&mut self, member: &'static str) {
        self.reasoning.get_or_insert((member, String::new()));
    }

    /// Records `reasoning_details` pieces, joined by index.
    pub(super) fn detailed(&mut self, details: Vec<Value>) {
        for detail in details {
            let same = |known: &&mut Value| {
                ["type", "index", "id"].iter().all(|name| known.get(name) == detail.get(name))
                    && detail.get("index").is_some()
            };
            match self.details.iter_mut().rev().find(same) {
                Some(known) => join(known, detail),
                None => self.details.push(detail),
            }
        }
    }

    /// Records a message's extra content.
    pub(super) fn extra(&mut self, extra: Value) {
        self.extra = Some(extra);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.reasoning.is_none() && self.details.is_empty() && self.extra.is_none()
    }

    /// Returns the object as text for `encryptedValue`.
    pub(super) fn to_text(&self) -> String {
        let mut object = Map::new();
        if let Some((member, _)) = &self.reasoning {
            object.insert(TEXT_IN.to_owned(), (*member).into());
        }
        if !self.details.is_empty() {
            object.insert(DETAILS.to_owned(), self.details.clone().into());
        }
        if let Some(extra) = &self.extra {
            object.insert(EXTRA.to_owned(), extra.clone());
        }
        Value::Object(object).to_string()
    }

    /// Reads an object that came back beside a text.
    pub(super) fn add(&mut self, seal: &ServerSeal, encrypted: Option<&EncryptedValue>, text: &str) {
        let Some(mut object) = opened(seal, encrypted) else { return };
        let member = object.get(TEXT_IN).and_then(Value::as_str);
        if let Some(member) =
            REASONING.into_iter().chain([THINKING_PART]).find(|known| Some(*known) == member)
        {
            self.reasoning.get_or_insert((member, String::new())).1.push_str(text);
        }
        if let Some(Value::Array(details)) = object.remove(DETAILS) {
            self.detailed(details);
        }
        if let Some(extra) = object.remove(EXTRA) {
            self.extra = Some(extra);
        }
    }

    /// Returns the members for a message that goes back. Reasoning text goes back only with calls: servers that require the text
    /// require it there, and some refuse it elsewhere.
    pub(super) fn members(self, said: &str, has_calls: bool) -> Map<String, Value> {
        let mut members = Map::new();
        // The details have the text, too.
        if let Some((member, text)) = self.reasoning
            && has_calls
            && self.details.is_empty()
        {
            match member {
                THINKING_PART => {
                    let mut parts = vec![json!({ "type": "thinking", "thinking": [text_part(&text)] })];
                    parts.extend((!said.is_empty()).then(|| text_part(said)));
                    members.insert("content".to_owned(), parts.into());
                }
                _ => {
                    members.insert(member.to_owned(), text.into());
                }
            }
        }
        if !self.details.is_empty() {
            members.insert(DETAILS.to_owned(), self.details.into());
        }
        if let Some(extra) = self.extra {
            members.insert(EXTRA.to_owned(), extra);
        }
        members
    }

    /// Returns the `encryptedValue` text for a call.
    pub(super) fn sealed_call(seal: &ServerSeal, extra: &Value) -> EncryptedValue {
        seal.close(KIND, json!({ EXTRA: extra }).to_string())
    }

    /// Returns the members for a call that goes back.
    pub(super) fn of_call(seal: &ServerSeal, encrypted: Option<&EncryptedValue>) -> Map<String, Value> {
        let extra = opened(seal, encrypted).and_then(|mut object| object.remove(EXTRA));
        extra.into_iter().map(|extra| (EXTRA.to_owned(), extra)).collect()
    }
}

fn text_part(text: &str) -> Value {
    json!({ "type": "text", "text": text })
}

fn opened(seal: &ServerSeal, encrypted: Option<&EncryptedValue>) -> Option<Map<String, Value>> {
    serde_json::from_str(seal.open(KIND, encrypted)?).ok()
}

/// Merges a detail piece: strings grow, other members are replaced.
fn join(known: &mut Value, piece: Value) {
    let (Value::Object(known), Value::Object(piece)) = (known, piece) else { return };
    for (name, value) in piece {
        match (known.get_mut(&name), value) {
            (Some(Value::String(text)), Value::String(more))
                if ["text", "summary", "data"].contains(&name.as_str()) =>
            {
                text.push_str(&more);
            }
            (_, Value::Null) => {}
            (_, value) => {
                known.insert(name, value);
            }
        }
    }
}

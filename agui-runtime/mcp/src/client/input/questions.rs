//! A server's questions, as text and schema for the user, and the user's input as responses.

use rmcp::model::{ElicitRequestParams, InputResponses};
use serde_json::{Value, json};

use super::super::shortened::shortened;
use super::caution::{SECRET, address, asks_for_secret};
use agui_runtime_core::__leaf::ToolResumePayload;
use agui_runtime_core::protocol::{JsonObject, Metadata};

/// Member of an interrupt's metadata for the questions.
const METADATA: &str = "agui-rust/mcp";

/// Largest text for the user, in characters.
const LONGEST: usize = 2_000;

/// The largest number of questions at once.
const MOST: usize = 16;

/// Longest key, in bytes.
const LONGEST_KEY: usize = 100;

/// One question for the user.
#[derive(Debug)]
pub(in crate::client) enum InputQuestion {
    Form { message: String, schema: JsonObject },
    Url { message: String, url: String, host: String },
}

/// A server's questions, with the keys for the responses.
#[derive(Debug, Default)]
pub(in crate::client) struct InputQuestions(Vec<(String, InputQuestion)>);

impl InputQuestions {
    pub(super) fn add(&mut self, key: String, request: ElicitRequestParams) -> Result<(), String> {
        if key.len() > LONGEST_KEY {
            return Err(format!("asks a question with a key above {LONGEST_KEY} bytes"));
        }
        let question = match request {
            ElicitRequestParams::FormElicitationParams { message, requested_schema, .. } => {
                let Ok(Value::Object(schema)) = serde_json::to_value(requested_schema) else {
                    return Err("asks for input with a schema that cannot be read".to_owned());
                };
                InputQuestion::Form {
                    message: shortened(&message, LONGEST),
                    schema: JsonObject::from_iter(schema),
                }
            }
            ElicitRequestParams::UrlElicitationParams { message, url, .. } => {
                let (url, host) = address(&url)?;
                InputQuestion::Url { message: shortened(&message, LONGEST), url, host }
            }
            _ => return Err("asks for input in a form that this client does not know".to_owned()),
        };
        self.0.push((key, question));
        if self.0.len() > MOST { Err(format!("asks more than {MOST} questions at once")) } else { Ok(()) }
    }

    pub(in crate::client) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn keys(&self) -> Vec<(String, bool)> {
        let is_form = |question: &InputQuestion| matches!(question, InputQuestion::Form { .. });
        self.0.iter().map(|(key, question)| (key.clone(), is_form(question))).collect()
    }

    /// Returns the text for the user. The server is named first, because the text is the server's.
    pub(super) fn message(&self, server: &str) -> String {
        let texts = self.0.iter().map(|(_, question)| match question {
            InputQuestion::Form { message, schema } if asks_for_secret(message, schema) => {
                format!("{message}\n{SECRET}")
            }
            InputQuestion::Form { message, .. } => message.clone(),
            InputQuestion::Url { message, url, host } => {
                format!("{message}\nOpen this address at `{host}` yourself, if you trust it: {url}")
            }
        });
        format!("The MCP server `{server}` asks: {}", texts.collect::<Vec<_>>().join("\n"))
    }

    /// Returns the payload's schema: the server's own for one form, an object with a member for each of several questions.
    pub(super) fn schema(&self) -> JsonObject {
        if let [(_, question)] = &*self.0 {
            return question.schema();
        }
        let members = self.0.iter().map(|(key, question)| {
            let mut schema = question.schema();
            let (InputQuestion::Form { message, .. } | InputQuestion::Url { message, .. }) = question;
            schema.insert("description".to_owned(), message.clone().into());
            (key.clone(), Value::Object(schema))
        });
        let members = members.collect::<serde_json::Map<_, _>>();
        JsonObject::from_iter([
            ("type".to_owned(), "object".into()),
            ("properties".to_owned(), members.into()),
        ])
    }

    pub(super) fn metadata(&self, server: &str) -> Metadata {
        let questions: Vec<_> = self.0.iter().map(|(key, question)| question.described(key)).collect();
        Metadata::from_iter([(METADATA.to_owned(), json!({ "server": server, "questions": questions }))])
    }
}

impl InputQuestion {
    fn schema(&self) -> JsonObject {
        match self {
            Self::Form { schema, .. } => schema.clone(),
            Self::Url { .. } => {
                let approved = json!({ "approved": {
                    "type": "boolean",
                    "description": "True if the user has opened the address and finished there.",
                } });
                JsonObject::from_iter([
                    ("type".to_owned(), "object".into()),
                    ("properties".to_owned(), approved),
                    ("required".to_owned(), json!(["approved"])),
                ])
            }
        }
    }

    fn described(&self, key: &str) -> Value {
        match self {
            Self::Form { message, schema } => {
                if asks_for_secret(message, schema) {
                    json!({ "key": key, "mode": "form", "message": message, "warning": SECRET })
                } else {
                    json!({ "key": key, "mode": "form", "message": message })
                }
            }
            Self::Url { message, url, host } => {
                json!({ "key": key, "mode": "url", "message": message, "url": url, "host": host })
            }
        }
    }
}

/// Returns the responses to the questions (MCP, section "Elicitation", response actions).
pub(super) fn responses(questions: &[(String, bool)], payload: &ToolResumePayload) -> InputResponses {
    let is_alone = questions.len() == 1;
    let response = |key: &str, is_form: bool| {
        let own = match payload {
            ToolResumePayload::Cancelled => return json!({ "action": "cancel" }),
            ToolResumePayload::Absent => None,
            ToolResumePayload::Value(value) if is_alone => Some(value),
            ToolResumePayload::Value(value) => value.get(key).filter(|value| !value.is_null()),
        };
        match own {
            Some(content) if is_form => json!({ "action": "accept", "content": content }),
            Some(verdict) if verdict["approved"] == true => json!({ "action": "accept" }),
            _ => json!({ "action": "decline" }),
        }
    };
    questions.iter().map(|(key, is_form)| (key.clone(), response(key, *is_form))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_key_is_no_question() {
        for (len, is_added) in [(100, true), (101, false)] {
            let request = json!({ "mode": "url", "message": "Pay.", "url": "https://a.example/", "elicitationId": "e" });
            let request = serde_json::from_value(request).unwrap();
            assert_eq!(InputQuestions::default().add("k".repeat(len), request).is_ok(), is_added, "{len}");
        }
    }

    #[test]
    fn each_payload_becomes_the_action_that_it_means() {
        let form = [("a".to_owned(), true)];
        let url = [("a".to_owned(), false)];
        let both = [("a".to_owned(), true), ("b".to_owned(), false)];
        let value = |value: Value| ToolResumePayload::Value(value);
        let rows: [(&[_], _, Value); 9] = [
            (&form, value(json!({ "x": 1 })), json!({ "a": { "action": "accept", "content": { "x": 1 } } })),
            (&form, ToolResumePayload::Absent, json!({ "a": { "action": "decline" } })),
            (&form, ToolResumePayload::Cancelled, json!({ "a": { "action": "cancel" } })),
            (&url, value(json!({ "approved": true })), json!({ "a": { "action": "accept" } })),
            (&url, value(json!({ "approved": false })), json!({ "a": { "action": "decline" } })),
            (&url, value(json!({ "approved": "true" })), json!({ "a": { "action": "decline" } })),
            (
                &both,
                value(json!({ "a": {}, "b": { "approved": true } })),
                json!({ "a": { "action": "accept", "content": {} }, "b": { "action": "accept" } }),
            ),
            (
                &both,
                value(json!({ "b": {} })),
                json!({ "a": { "action": "decline" }, "b": { "action": "decline" } }),
            ),
            (
                &both,
                ToolResumePayload::Cancelled,
                json!({ "a": { "action": "cancel" }, "b": { "action": "cancel" } }),
            ),
        ];
        for (questions, payload, expected) in rows {
            assert_eq!(json!(responses(questions, &payload)), expected, "{payload:?}");
        }
    }
}

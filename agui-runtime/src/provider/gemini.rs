//! Gemini's `streamGenerateContent`.

use serde_json::{Map, Value, json};

use super::dialect::{Reader, Request, json as read_json, text};
use super::options::ReasoningEffort;
use super::parts::{Piece, object, piece};
use super::usage::{Tokens, count};
use super::{conversation, failure, sealed};
use crate::model::{AssistantPart, CallDelta, Delta, EndReason, ModelError, PromptMessage, ToolAnswer};
use crate::protocol::{Content, ContentPart, PartSource};

const SEAL: &str = "gemini";

pub(super) fn body(request: &Request<'_>) -> Result<Map<String, Value>, ModelError> {
    let mut system: Vec<Value> =
        request.prompt.instructions.iter().map(|text| json!({ "text": text })).collect();
    let mut contents: Vec<(&str, Vec<Value>)> = Vec::new();
    for message in conversation::messages(request.prompt) {
        let (role, parts) = match message {
            PromptMessage::System(text) => {
                system.push(json!({ "text": text }));
                continue;
            }
            PromptMessage::User(parts) => ("user", parts.iter().map(part).collect::<Vec<_>>()),
            PromptMessage::Assistant(parts) => ("model", parts.iter().filter_map(own_part).collect()),
            PromptMessage::Tools(answers) => ("user", answers.iter().flat_map(result).collect()),
        };
        match contents.last_mut() {
            Some((last, before)) if *last == role => before.extend(parts),
            _ if parts.is_empty() => {}
            _ => contents.push((role, parts)),
        }
    }
    let contents: Vec<_> =
        contents.into_iter().map(|(role, parts)| json!({ "role": role, "parts": parts })).collect();
    let mut body = Map::new();
    body.insert("contents".to_owned(), contents.into());
    if !system.is_empty() {
        body.insert("systemInstruction".to_owned(), json!({ "parts": system }));
    }
    if !request.tools.is_empty() {
        let declarations: Vec<_> = request
            .tools
            .iter()
            .map(|tool| {
                let mut declaration = json!({ "name": tool.name, "description": tool.description });
                let has_properties = tool
                    .parameters
                    .get("properties")
                    .and_then(Value::as_object)
                    .is_some_and(|named| !named.is_empty());
                // An object without properties is refused.
                if let (true, Value::Object(members)) = (has_properties, &mut declaration) {
                    members.insert("parameters".to_owned(), tool.parameters.clone());
                }
                declaration
            })
            .collect();
        body.insert("tools".to_owned(), json!([{ "functionDeclarations": declarations }]));
    }
    if let Some(config) = config(request) {
        body.insert("generationConfig".to_owned(), config);
    }
    Ok(body)
}

/// The options, of which all but the reasoning are the same for all models: Gemini sends reasoning only on request.
fn config(request: &Request<'_>) -> Option<Value> {
    let options = request.options;
    let mut config = Map::new();
    if let Some(temperature) = options.temperature {
        config.insert("temperature".to_owned(), temperature.into());
    }
    if let Some(tokens) = options.max_output_tokens {
        config.insert("maxOutputTokens".to_owned(), tokens.into());
    }
    let by_level = request.model.contains("gemini-3");
    let thinking = match (options.reasoning, by_level) {
        (None, _) => None,
        (Some(ReasoningEffort::Off), true) => Some(json!({ "thinkingLevel": "low" })),
        (Some(ReasoningEffort::Off), false) => Some(json!({ "thinkingBudget": 0 })),
        (Some(ReasoningEffort::Low), true) => {
            Some(json!({ "includeThoughts": true, "thinkingLevel": "low" }))
        }
        (Some(ReasoningEffort::Medium), true) => {
            Some(json!({ "includeThoughts": true, "thinkingLevel": "medium" }))
        }
        (Some(ReasoningEffort::High), true) => {
            Some(json!({ "includeThoughts": true, "thinkingLevel": "high" }))
        }
        (Some(ReasoningEffort::Low), false) => {
            Some(json!({ "includeThoughts": true, "thinkingBudget": 1024 }))
        }
        (Some(ReasoningEffort::Medium), false) => {
            Some(json!({ "includeThoughts": true, "thinkingBudget": 8192 }))
        }
        (Some(ReasoningEffort::High), false) => {
            Some(json!({ "includeThoughts": true, "thinkingBudget": 24576 }))
        }
        (Some(ReasoningEffort::Tokens(tokens)), _) => {
            Some(json!({ "includeThoughts": true, "thinkingBudget": tokens }))
        }
    };
    if let Some(thinking) = thinking {
        config.insert("thinkingConfig".to_owned(), thinking);
    }
    (!config.is_empty()).then_some(config.into())
}

fn part(part: &ContentPart) -> Value {
    let source = match piece(part) {
        Piece::Text(text) => return json!({ "text": text }),
        Piece::File(_, source) => source,
    };
    let (address, media_type) = match source {
        PartSource::Data(data) => {
            return json!({ "inlineData": { "mimeType": data.mime_type, "data": data.value } });
        }
        PartSource::Url(url) => (&url.value, &url.mime_type),
        PartSource::File(file) => (&file.value, &file.mime_type),
    };
    match media_type {
        Some(media_type) => json!({ "fileData": { "fileUri": address, "mimeType": media_type } }),
        None => json!({ "fileData": { "fileUri": address } }),
    }
}

/// A part of the model's turn. Signatures go back on the part that they came with.
fn own_part(part: &AssistantPart) -> Option<Value> {
    let (mut written, encrypted) = match part {
        AssistantPart::Text { text, encrypted } => (json!({ "text": text }), encrypted),
        AssistantPart::Reasoning { text, encrypted } if text.is_empty() => (json!({ "text": "" }), encrypted),
        AssistantPart::Reasoning { text, encrypted } => (json!({ "text": text, "thought": true }), encrypted),
        AssistantPart::Call(call) => (
            json!({ "functionCall": { "name": call.tool, "args": object(&call.arguments) } }),
            &call.encrypted,
        ),
    };
    let signature = sealed::open(SEAL, encrypted.as_deref());
    match (signature, part) {
        (Some(signature), _) => {
            if let Value::Object(members) = &mut written {
                members.insert("thoughtSignature".to_owned(), signature.into());
            }
        }
        // A thought without a signature is of no use, and an empty text is refused.
        (None, AssistantPart::Reasoning { .. }) => return None,
        (None, AssistantPart::Text { text, .. }) if text.is_empty() => return None,
        (None, _) => {}
    }
    Some(written)
}

/// The result of a call, and behind it the files that it has.
fn result(answer: &ToolAnswer) -> Vec<Value> {
    let text = answer.content.text();
    let name = if answer.failed { "error" } else { "output" };
    let value: Value = serde_json::from_str(&text).unwrap_or_else(|_| text.as_ref().into());
    let response = match value {
        Value::Object(object) => Value::Object(object),
        value => json!({ name: value }),
    };
    let mut parts = vec![json!({ "functionResponse": { "name": answer.tool, "response": response } })];
    if let Content::Parts(all) = &answer.content {
        parts.extend(all.iter().filter(|one| !matches!(one, ContentPart::Text(_))).map(part));
    }
    parts
}

/// One answer.
#[derive(Default)]
pub(super) struct Answer {
    calls: u32,
    tokens: Tokens,
    end: Option<EndReason>,
    is_closed: bool,
}

impl Answer {
    fn part(&mut self, part: &Value, out: &mut Vec<Delta>) {
        let signature = text(part, "/thoughtSignature").map(|value| sealed::seal(SEAL, value));
        if let Some(call) = part.get("functionCall") {
            let mut delta = CallDelta::new(self.calls);
            delta.id = text(call, "/id").map(str::to_owned);
            delta.tool = Some(text(call, "/name").unwrap_or_default().to_owned());
            delta.arguments = call.get("args").map_or_else(|| "{}".to_owned(), Value::to_string);
            delta.encrypted = signature;
            self.calls += 1;
            out.push(Delta::Call(delta));
            return;
        }
        if let Some(more) = text(part, "/text") {
            let is_thought = part.get("thought").and_then(Value::as_bool) == Some(true);
            out.push(if is_thought {
                Delta::Reasoning(more.to_owned())
            } else {
                Delta::Text(more.to_owned())
            });
        }
        out.extend(signature.map(Delta::EncryptedReasoning));
    }
}

impl Reader for Answer {
    fn read(&mut self, data: &str, out: &mut Vec<Delta>) -> Result<(), ModelError> {
        let frame = read_json(data)?;
        if let Some(error) = frame.get("error") {
            return Err(failure::reported(error));
        }
        if !["candidates", "usageMetadata", "promptFeedback"].iter().any(|member| frame.get(member).is_some())
        {
            return Err(ModelError::Malformed("a frame has no `candidates`".to_owned()));
        }
        if let Some(usage) = frame.get("usageMetadata") {
            let thoughts = count(usage, "/thoughtsTokenCount");
            let prompt = count(usage, "/promptTokenCount");
            self.tokens = Tokens {
                input: prompt.map(|prompt| prompt + count(usage, "/toolUsePromptTokenCount").unwrap_or(0)),
                output: count(usage, "/candidatesTokenCount")
                    .map(|said| said + thoughts.unwrap_or(0))
                    .or(thoughts),
                total: count(usage, "/totalTokenCount"),
                reasoning: thoughts,
                cached: count(usage, "/cachedContentTokenCount"),
                cache_written: None,
            };
        }
        if let Some(parts) = frame.pointer("/candidates/0/content/parts").and_then(Value::as_array) {
            for part in parts {
                self.part(part, out);
            }
        }
        if text(&frame, "/promptFeedback/blockReason").is_some() {
            self.end = Some(EndReason::ContentFilter);
        }
        if let Some(reason) = text(&frame, "/candidates/0/finishReason") {
            self.end = Some(match reason {
                "STOP" | "FUNCTION_CALL" => EndReason::Stop,
                "MAX_TOKENS" => EndReason::OutputLimit,
                "SAFETY" | "RECITATION" | "BLOCKLIST" | "PROHIBITED_CONTENT" | "SPII" | "IMAGE_SAFETY" => {
                    EndReason::ContentFilter
                }
                other => EndReason::Other(other.to_owned()),
            });
        }
        if self.end.is_some() {
            self.close(out);
        }
        Ok(())
    }

    fn close(&mut self, out: &mut Vec<Delta>) {
        if self.is_closed {
            return;
        }
        if let Some(end) = self.end.take() {
            self.is_closed = true;
            out.push(Delta::Usage(self.tokens.into()));
            out.push(Delta::End(end));
        }
    }
}

//! Requests for Gemini's `streamGenerateContent`.

use agui_runtime_core::model::{AssistantPart, ModelError, PromptMessage, ToolChoice, ToolResult};
use agui_runtime_core::protocol::{Content, ContentPart, PartSource};
use serde_json::{Map, Value, json};

use super::conversation;
use super::dialect::ModelRequest;
use super::options::ReasoningEffort;
use super::parts::{MessagePiece, object, piece};
use super::server_seal::{SealType, ServerSeal};

pub(super) const SEAL: SealType = SealType { name: "gemini.thought_signature", earlier_prefix: "gemini" };

pub(super) fn body(request: &ModelRequest<'_>) -> Result<Map<String, Value>, ModelError> {
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
            PromptMessage::Assistant(parts) => {
                ("model", parts.iter().filter_map(|part| own_part(part, request.seal)).collect())
            }
            PromptMessage::Tools(tool_results) => ("user", tool_results.iter().flat_map(result).collect()),
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
        let choice = match &request.prompt.tool_choice {
            ToolChoice::Auto => None,
            ToolChoice::Never => Some(json!({ "mode": "NONE" })),
            ToolChoice::Required => Some(json!({ "mode": "ANY" })),
            ToolChoice::Tool(name) => Some(json!({ "mode": "ANY", "allowedFunctionNames": [name] })),
        };
        let choice = choice.map(|choice| json!({ "functionCallingConfig": choice }));
        body.extend(choice.map(|choice| ("toolConfig".to_owned(), choice)));
    }
    if let Some(config) = config(request) {
        body.insert("generationConfig".to_owned(), config);
    }
    Ok(body)
}

/// Writes the generation options. Only the reasoning options differ between models; Gemini sends reasoning only on request.
fn config(request: &ModelRequest<'_>) -> Option<Value> {
    let options = request.options;
    let mut config = Map::new();
    if let Some(temperature) = options.temperature {
        config.insert("temperature".to_owned(), temperature.into());
    }
    if let Some(tokens) = options.max_output_tokens {
        config.insert("maxOutputTokens".to_owned(), tokens.into());
    }
    if let Some(output) = &request.output {
        config.insert("responseMimeType".to_owned(), "application/json".into());
        config.insert("responseSchema".to_owned(), output.schema());
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
        MessagePiece::Text(text) => return json!({ "text": text }),
        MessagePiece::File(_, source) => source,
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

/// Writes a turn part. A signature goes back on the part with which it came.
fn own_part(part: &AssistantPart, seal: &ServerSeal) -> Option<Value> {
    let (mut written, encrypted) = match part {
        AssistantPart::Text { text, encrypted } => (json!({ "text": text }), encrypted),
        AssistantPart::Reasoning { text, encrypted } if text.is_empty() => (json!({ "text": "" }), encrypted),
        AssistantPart::Reasoning { text, encrypted } => (json!({ "text": text, "thought": true }), encrypted),
        AssistantPart::Call(call) => (
            json!({ "functionCall": { "name": call.tool, "args": object(&call.arguments) } }),
            &call.encrypted,
        ),
    };
    let signature = seal.open(SEAL, encrypted.as_ref());
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

/// Writes a tool result, followed by its files.
fn result(tool_result: &ToolResult) -> Vec<Value> {
    let text = tool_result.content.text();
    let name = if tool_result.failed { "error" } else { "output" };
    let value: Value = serde_json::from_str(&text).unwrap_or_else(|_| text.as_ref().into());
    let response = match value {
        Value::Object(object) => Value::Object(object),
        value => json!({ name: value }),
    };
    let mut parts = vec![json!({ "functionResponse": { "name": tool_result.tool, "response": response } })];
    if let Content::Parts(all) = &tool_result.content {
        parts.extend(all.iter().filter(|one| !matches!(one, ContentPart::Text(_))).map(part));
    }
    parts
}

//! Requests for Anthropic's Messages API.

use agui_runtime_core::model::{AssistantPart, ModelError, PromptMessage, ToolChoice, ToolResult, ToolSpec};
use agui_runtime_core::protocol::{Content, ContentPart, PartSource};
use serde_json::{Map, Value, json};

use super::anthropic_model::AnthropicModel;
use super::conversation;
use super::dialect::ModelRequest;
use super::options::ReasoningEffort;
use super::parts::{MediaFileKind, MessagePiece, object, piece, unsupported};
use super::server_seal::{SealType, ServerSeal};

const PROVIDER: &str = "Anthropic";
/// Value type: reasoning signature.
pub(super) const SIGNED: SealType = SealType { name: "anthropic.signature", earlier_prefix: "anthropic" };
/// Value type: reasoning that only the provider can read.
pub(super) const REDACTED: SealType =
    SealType { name: "anthropic.redacted_thinking", earlier_prefix: "anthropic-redacted" };
/// Value type: reasoning from a server that signs nothing. The value is the signature as JSON, or `null` if the member was absent.
pub(super) const UNSIGNED: SealType =
    SealType { name: "anthropic.unsigned_thinking", earlier_prefix: "anthropic-unsigned" };

pub(super) fn body(request: &ModelRequest<'_>) -> Result<Map<String, Value>, ModelError> {
    let mut system: Vec<Value> = request.prompt.instructions.iter().map(|text| text_block(text)).collect();
    let mut messages: Vec<(&str, Vec<Value>)> = Vec::new();
    for message in conversation::messages(request.prompt) {
        let (role, blocks) = match message {
            PromptMessage::System(text) => {
                system.push(text_block(&text));
                continue;
            }
            PromptMessage::User(parts) => ("user", blocks(&parts)?),
            PromptMessage::Assistant(parts) => {
                ("assistant", parts.iter().filter_map(|part| block(part, request.seal)).collect())
            }
            PromptMessage::Tools(tool_results) => (
                "user",
                tool_results
                    .iter()
                    .map(|tool_result| result(tool_result, request))
                    .collect::<Result<Vec<_>, _>>()?,
            ),
        };
        match messages.last_mut() {
            Some((last, before)) if *last == role => before.extend(blocks),
            _ if blocks.is_empty() => {}
            _ => messages.push((role, blocks)),
        }
    }
    let mut tools: Vec<Value> = request.loaded_tools().map(|tool| tool_entry(tool, request, false)).collect();
    let last = messages.last_mut().and_then(|(_, blocks)| blocks.last_mut());
    // A breakpoint on a tool that is loaded later is refused.
    request.options.cache.mark(tools.last_mut(), system.last_mut(), last);
    tools.extend(request.deferred.iter().map(|tool| tool_entry(tool, request, true)));
    let messages: Vec<_> =
        messages.into_iter().map(|(role, content)| json!({ "role": role, "content": content })).collect();
    let mut body = Map::new();
    body.insert("model".to_owned(), request.model.into());
    body.insert("stream".to_owned(), true.into());
    body.insert("messages".to_owned(), messages.into());
    if !system.is_empty() {
        body.insert("system".to_owned(), system.into());
    }
    if !tools.is_empty() {
        body.insert("tools".to_owned(), tools.into());
        body.extend(tool_choice(request).map(|choice| ("tool_choice".to_owned(), choice)));
    }
    let (model, options) = (AnthropicModel::from_name(request.model), request.options);
    let max_tokens = options.max_output_tokens.unwrap_or_else(|| model.max_tokens());
    body.insert("max_tokens".to_owned(), max_tokens.into());
    if let Some(temperature) = options.temperature {
        body.insert("temperature".to_owned(), temperature.into());
    }
    if let Some(output) = &request.output {
        let format = json!({ "type": "json_schema", "schema": output.schema() });
        body.insert("output_config".to_owned(), json!({ "format": format }));
    }
    // A model that reasons refuses to be forced.
    let is_forced = !request.tools.is_empty() && request.prompt.tool_choice.forces_call();
    if let Some(effort) = if is_forced { Some(ReasoningEffort::Off) } else { options.reasoning } {
        model.write_reasoning(effort, &mut body);
    }
    Ok(body)
}

fn tool_entry(tool: &ToolSpec, request: &ModelRequest<'_>, is_deferred: bool) -> Value {
    let mut entry =
        json!({ "name": tool.name, "description": tool.description, "input_schema": tool.parameters });
    if let Value::Object(members) = &mut entry {
        let options = [("strict", request.options.strict_tools), ("defer_loading", is_deferred)];
        members.extend(
            options.into_iter().filter(|(_, is_set)| *is_set).map(|(name, _)| (name.to_owned(), true.into())),
        );
    }
    entry
}

/// Returns the rule for calls, with the permission for several.
fn tool_choice(request: &ModelRequest<'_>) -> Option<Value> {
    let parallel = request.options.parallel_calls;
    let mut choice = match &request.prompt.tool_choice {
        ToolChoice::Auto if parallel.is_none() => return None,
        ToolChoice::Auto => json!({ "type": "auto" }),
        ToolChoice::Never => return Some(json!({ "type": "none" })),
        ToolChoice::Required => json!({ "type": "any" }),
        ToolChoice::Tool(name) => json!({ "type": "tool", "name": name }),
    };
    if let (Some(parallel), Value::Object(members)) = (parallel, &mut choice) {
        members.insert("disable_parallel_tool_use".to_owned(), (!parallel).into());
    }
    Some(choice)
}

fn text_block(text: &str) -> Value {
    json!({ "type": "text", "text": text })
}

fn blocks(parts: &[ContentPart]) -> Result<Vec<Value>, ModelError> {
    // Empty texts are refused.
    let parts = parts.iter().filter(|part| !matches!(part, ContentPart::Text(text) if text.text.is_empty()));
    parts.map(user_block).collect()
}

fn user_block(part: &ContentPart) -> Result<Value, ModelError> {
    let (kind, source) = match piece(part) {
        MessagePiece::Text(text) => return Ok(text_block(text)),
        MessagePiece::File(kind, source) => (kind, source),
    };
    let name = match kind {
        MediaFileKind::Image => "image",
        MediaFileKind::Document => "document",
        MediaFileKind::Audio | MediaFileKind::Video => return Err(unsupported(PROVIDER, kind, source)),
    };
    let source = match source {
        PartSource::Data(data) => {
            json!({ "type": "base64", "media_type": data.mime_type, "data": data.value })
        }
        PartSource::Url(url) => json!({ "type": "url", "url": url.value }),
        PartSource::File(file) => json!({ "type": "file", "file_id": file.value }),
    };
    Ok(json!({ "type": name, "source": source }))
}

/// Writes a turn part as a content block.
fn block(part: &AssistantPart, seal: &ServerSeal) -> Option<Value> {
    match part {
        AssistantPart::Text { text, .. } if text.is_empty() => None,
        AssistantPart::Text { text, .. } => Some(text_block(text)),
        AssistantPart::Call(call) => Some(json!({
            "type": "tool_use", "id": id(call.id.as_str()), "name": call.tool, "input": object(&call.arguments),
        })),
        AssistantPart::Reasoning { text, encrypted } => {
            if let Some(data) = seal.open(REDACTED, encrypted.as_ref()) {
                return Some(json!({ "type": "redacted_thinking", "data": data }));
            }
            match seal.open(UNSIGNED, encrypted.as_ref()) {
                Some("null") => return Some(json!({ "type": "thinking", "thinking": text })),
                Some(_) => return Some(json!({ "type": "thinking", "thinking": text, "signature": "" })),
                None => {}
            }
            // Others refuse reasoning without a signature.
            let signature = seal.open(SIGNED, encrypted.as_ref())?;
            Some(json!({ "type": "thinking", "thinking": text, "signature": signature }))
        }
    }
}

fn result(tool_result: &ToolResult, request: &ModelRequest<'_>) -> Result<Value, ModelError> {
    let found = tool_result.found_tools.iter().filter(|name| request.deferred_tool(name).is_some());
    let references: Vec<_> =
        found.map(|name| json!({ "type": "tool_reference", "tool_name": name })).collect();
    let content = match &tool_result.content {
        _ if !references.is_empty() => references.into(),
        Content::Text(text) => json!(text),
        Content::Parts(parts) => blocks(parts)?.into(),
    };
    let mut block =
        json!({ "type": "tool_result", "tool_use_id": id(tool_result.id.as_str()), "content": content });
    if let (true, Value::Object(members)) = (tool_result.failed, &mut block) {
        members.insert("is_error".to_owned(), true.into());
    }
    Ok(block)
}

/// Escapes an id: Anthropic accepts letters, digits, `_` and `-`; another provider or the client may have used more.
fn id(id: &str) -> String {
    let mut safe = String::with_capacity(id.len());
    for character in id.chars() {
        match character {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '_' | '-' => safe.push(character),
            other => safe.push_str(&format!("_x{:x}_", u32::from(other))),
        }
    }
    if safe.is_empty() { "_".to_owned() } else { safe }
}

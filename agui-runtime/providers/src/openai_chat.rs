//! Requests for OpenAI's Chat Completions, and for the many servers that imitate the API.

use agui_runtime_core::model::{AssistantPart, ModelError, PromptMessage, ToolChoice, ToolResult};
use agui_runtime_core::protocol::{Content, ContentPart, PartSource};
use serde_json::{Map, Value, json};

use super::chat_members::ChatMembers;
use super::chat_quirks::ChatQuirks;
use super::conversation;
use super::dialect::ModelRequest;
use super::options::ReasoningEffort;
use super::parts::{MediaFileKind, MessagePiece, address, arguments, file_name, piece, unsupported};

const PROVIDER: &str = "OpenAI's Chat Completions";

pub(super) fn body(request: &ModelRequest<'_>) -> Result<Map<String, Value>, ModelError> {
    let mut messages = Vec::new();
    if let Some(instructions) = &request.prompt.instructions {
        messages.push(json!({ "role": "system", "content": instructions }));
    }
    for message in conversation::messages(request.prompt) {
        match message {
            PromptMessage::System(text) => messages.push(json!({ "role": "system", "content": text })),
            PromptMessage::User(parts) => messages.push(user(&parts)?),
            PromptMessage::Assistant(parts) => messages.extend(assistant(&parts, request)),
            PromptMessage::Tools(tool_results) => results(&tool_results, request.quirks, &mut messages)?,
        }
    }
    let mut body = Map::new();
    body.insert("model".to_owned(), request.model.into());
    body.insert("stream".to_owned(), true.into());
    if request.quirks.stream_options {
        body.insert("stream_options".to_owned(), json!({ "include_usage": true }));
    }
    body.insert("messages".to_owned(), messages.into());
    if !request.tools.is_empty() {
        let tools = request.tools.iter().map(|tool| {
            let mut function = json!({
                "name": tool.name, "description": tool.description, "parameters": tool.parameters,
            });
            // Servers that imitate OpenAI may not know the member.
            if let (true, Value::Object(members)) = (request.options.strict_tools, &mut function) {
                members.insert("strict".to_owned(), true.into());
            }
            json!({ "type": "function", "function": function })
        });
        body.insert("tools".to_owned(), tools.collect::<Vec<_>>().into());
        if let Some(parallel) = request.options.parallel_calls {
            body.insert("parallel_tool_calls".to_owned(), parallel.into());
        }
        let choice = match &request.prompt.tool_choice {
            ToolChoice::Auto => None,
            ToolChoice::Never => Some(json!("none")),
            ToolChoice::Required => Some(request.quirks.must_call.into()),
            ToolChoice::Tool(name) => Some(json!({ "type": "function", "function": { "name": name } })),
        };
        body.extend(choice.map(|choice| ("tool_choice".to_owned(), choice)));
    }
    if let Some(temperature) = request.options.temperature {
        body.insert("temperature".to_owned(), temperature.into());
    }
    if let Some(tokens) = request.options.max_output_tokens {
        body.insert(most_tokens(request.model).to_owned(), tokens.into());
    }
    if let Some(output) = &request.output {
        let format = json!({ "type": "json_schema", "json_schema": output.openai_members() });
        body.insert("response_format".to_owned(), format);
    }
    request.options.cache.write(&mut body);
    if let Some(effort) = request.options.reasoning.and_then(effort) {
        body.insert("reasoning_effort".to_owned(), effort.into());
    }
    Ok(body)
}

/// Returns the member that limits output tokens. Reasoning models refuse the older name; imitators know only the older name.
fn most_tokens(model: &str) -> &'static str {
    let is_newer = |series: &str| {
        let digit = |rest: &str| rest.chars().next().and_then(|digit| digit.to_digit(10));
        model.strip_prefix(series).and_then(digit)
    };
    match (is_newer("gpt-"), is_newer("o")) {
        (Some(5..), _) | (_, Some(_)) => "max_completion_tokens",
        _ => "max_tokens",
    }
}

fn effort(effort: ReasoningEffort) -> Option<&'static str> {
    match effort {
        ReasoningEffort::Off => Some("none"),
        ReasoningEffort::Low => Some("low"),
        ReasoningEffort::Medium => Some("medium"),
        ReasoningEffort::High => Some("high"),
        ReasoningEffort::Tokens(_) => None,
    }
}

fn user(parts: &[ContentPart]) -> Result<Value, ModelError> {
    if let [ContentPart::Text(only)] = parts {
        return Ok(json!({ "role": "user", "content": only.text }));
    }
    let content = parts.iter().map(part).collect::<Result<Vec<_>, _>>()?;
    Ok(json!({ "role": "user", "content": content }))
}

fn part(part: &ContentPart) -> Result<Value, ModelError> {
    let (kind, source) = match piece(part) {
        MessagePiece::Text(text) => return Ok(json!({ "type": "text", "text": text })),
        MessagePiece::File(kind, source) => (kind, source),
    };
    let none = || unsupported(PROVIDER, kind, source);
    match (kind, source) {
        (MediaFileKind::Image, _) => {
            let url = address(source).ok_or_else(none)?;
            Ok(json!({ "type": "image_url", "image_url": { "url": url } }))
        }
        (MediaFileKind::Audio, PartSource::Data(data)) => {
            let format = match data.mime_type.as_str() {
                "audio/mpeg" | "audio/mp3" => "mp3",
                "audio/wav" | "audio/x-wav" | "audio/wave" => "wav",
                _ => return Err(none()),
            };
            Ok(json!({ "type": "input_audio", "input_audio": { "data": data.value, "format": format } }))
        }
        (MediaFileKind::Document, PartSource::Data(data)) => Ok(json!({ "type": "file", "file": {
            "filename": file_name(&data.mime_type), "file_data": address(source),
        } })),
        (MediaFileKind::Document, PartSource::File(file)) => {
            Ok(json!({ "type": "file", "file": { "file_id": file.value } }))
        }
        _ => Err(none()),
    }
}

/// Writes a turn as one message. Reasoning goes back only to the server that sent it in this form.
fn assistant(parts: &[AssistantPart], request: &ModelRequest<'_>) -> Option<Value> {
    let ModelRequest { seal, quirks, .. } = request;
    let mut text = String::new();
    let mut calls = Vec::new();
    let mut kept = ChatMembers::default();
    for part in parts {
        match part {
            AssistantPart::Text { text: more, encrypted } => {
                text.push_str(more);
                kept.add(seal, encrypted.as_ref(), "");
            }
            AssistantPart::Reasoning { text, encrypted } => kept.add(seal, encrypted.as_ref(), text),
            AssistantPart::Call(call) => {
                let mut written = json!({
                    "id": quirks.call_id(call.id.as_str()), "type": "function",
                    "function": { "name": call.tool, "arguments": arguments(&call.arguments) },
                });
                if let Value::Object(members) = &mut written {
                    members.extend(ChatMembers::of_call(seal, call.encrypted.as_ref()));
                }
                calls.push(written);
            }
        }
    }
    if text.is_empty() && calls.is_empty() {
        return None;
    }
    let mut message = Map::new();
    message.insert("role".to_owned(), "assistant".into());
    let members = kept.members(&text, !calls.is_empty());
    message.insert("content".to_owned(), if text.is_empty() { Value::Null } else { text.into() });
    message.extend(members);
    if !calls.is_empty() {
        message.insert("tool_calls".to_owned(), calls.into());
    }
    Some(message.into())
}

/// Tool results are text here; their files follow in one user message.
fn results(
    tool_results: &[ToolResult],
    quirks: ChatQuirks,
    messages: &mut Vec<Value>,
) -> Result<(), ModelError> {
    let mut files = Vec::new();
    for tool_result in tool_results {
        let mut content = tool_result.content.text().into_owned();
        if let Content::Parts(parts) = &tool_result.content {
            let count = files.len();
            for file in parts.iter().filter(|part| !matches!(part, ContentPart::Text(_))) {
                if files.len() == count {
                    let of = format!("Files in the result of `{}` ({}):", tool_result.tool, tool_result.id);
                    files.push(json!({ "type": "text", "text": of }));
                }
                files.push(part(file)?);
            }
            if content.is_empty() && files.len() > count {
                content.push_str("The result is in the next message.");
            }
        }
        let id = quirks.call_id(tool_result.id.as_str());
        messages.push(json!({ "role": "tool", "tool_call_id": id, "content": content }));
    }
    if !files.is_empty() {
        messages.push(json!({ "role": "user", "content": files }));
    }
    Ok(())
}

//! OpenAI's Responses API.

use agui_runtime_core::__leaf::FIND_TOOLS;
use agui_runtime_core::model::{
    AssistantPart, EndReason, ModelError, PromptMessage, ToolChoice, ToolResult, ToolSpec,
};
use agui_runtime_core::protocol::{Content, ContentPart, PartSource};
use serde_json::{Map, Value, json};

use super::dialect::{ModelRequest, ResponseReader};
use super::frame::ResponseFrame;
use super::options::ReasoningEffort;
use super::parts::{MediaFileKind, MessagePiece, address, arguments, file_name, object, piece, unsupported};
use super::reply::ReplyBuilder;
use super::response_items::{ResponseItems, SEAL};
use super::usage::{TokenCounts, count};
use super::{conversation, failure};

const PROVIDER: &str = "OpenAI's Responses API";

pub(super) fn body(request: &ModelRequest<'_>) -> Result<Map<String, Value>, ModelError> {
    let mut input = Vec::new();
    for message in conversation::messages(request.prompt) {
        match message {
            PromptMessage::System(text) => input.push(json!({ "role": "developer", "content": text })),
            PromptMessage::User(parts) => input.push(json!({ "role": "user", "content": content(&parts)? })),
            PromptMessage::Assistant(parts) => {
                input.extend(parts.iter().filter_map(|part| item(part, request)));
            }
            PromptMessage::Tools(tool_results) => {
                for tool_result in &tool_results {
                    input.push(result(tool_result, request)?);
                }
                let notes = tool_results.iter().filter_map(|tool_result| search_note(tool_result, request));
                input.extend(notes.map(|note| json!({ "role": "developer", "content": note })));
            }
        }
    }
    let mut body = Map::new();
    body.insert("model".to_owned(), request.model.into());
    body.insert("stream".to_owned(), true.into());
    body.insert("store".to_owned(), false.into());
    body.insert("input".to_owned(), input.into());
    if let Some(instructions) = &request.prompt.instructions {
        body.insert("instructions".to_owned(), instructions.as_str().into());
    }
    if !request.tools.is_empty() {
        let tools = request.loaded_tools().map(|tool| match is_search(&tool.name, request) {
            true => json!({
                "type": "tool_search", "execution": "client", "description": tool.description,
                "parameters": tool.parameters,
            }),
            false => function(tool, request),
        });
        body.insert("tools".to_owned(), tools.collect::<Vec<_>>().into());
        if let Some(parallel) = request.options.parallel_calls {
            body.insert("parallel_tool_calls".to_owned(), parallel.into());
        }
        let choice = match &request.prompt.tool_choice {
            ToolChoice::Auto => None,
            ToolChoice::Never => Some(json!("none")),
            ToolChoice::Required => Some(json!("required")),
            ToolChoice::Tool(name) => Some(json!({ "type": "function", "name": name })),
        };
        body.extend(choice.map(|choice| ("tool_choice".to_owned(), choice)));
    }
    if let Some(temperature) = request.options.temperature {
        body.insert("temperature".to_owned(), temperature.into());
    }
    if let Some(tokens) = request.options.max_output_tokens {
        body.insert("max_output_tokens".to_owned(), tokens.into());
    }
    if let Some(output) = &request.output {
        let mut format = output.openai_members();
        format.insert("type".to_owned(), "json_schema".into());
        body.insert("text".to_owned(), json!({ "format": format }));
    }
    request.options.cache.write(&mut body);
    if reasons(request) {
        // Nothing is stored at the provider, so that the reasoning of a turn goes back with it.
        body.insert("include".to_owned(), json!(["reasoning.encrypted_content"]));
        let mut reasoning = json!({ "summary": "auto" });
        if let Some(effort) = effort(request.options.reasoning) {
            reasoning = json!({ "summary": "auto", "effort": effort });
        }
        body.insert("reasoning".to_owned(), reasoning);
    }
    Ok(body)
}

/// True if the model has OpenAI's tool search, which GPT-5.4 is the first to have.
pub(super) fn has_tool_search(model: &str) -> bool {
    let version = model.strip_prefix("gpt-").unwrap_or_default().split('-').next().unwrap_or_default();
    let (major, minor) = version.split_once('.').unwrap_or((version, "0"));
    match (major.parse::<u32>(), minor.parse::<u32>()) {
        (Ok(major), Ok(minor)) => (major, minor) >= (5, 4),
        _ => false,
    }
}

/// True if the tool searches for tools that the provider then loads.
fn is_search(tool: &str, request: &ModelRequest<'_>) -> bool {
    tool == FIND_TOOLS && !request.deferred.is_empty()
}

fn function(tool: &ToolSpec, request: &ModelRequest<'_>) -> Value {
    json!({
        "type": "function", "name": tool.name, "description": tool.description,
        "parameters": tool.parameters, "strict": request.options.strict_tools,
    })
}

/// Returns what a search says beside the found tools, because the item for the tools has no place for a text: the whole result if
/// no tool is loaded, or else the unknown names and the notes.
fn search_note(tool_result: &ToolResult, request: &ModelRequest<'_>) -> Option<String> {
    if !is_search(&tool_result.tool, request) {
        return None;
    }
    let text = tool_result.content.text().into_owned();
    let is_loaded = tool_result.found_tools.iter().any(|name| request.deferred_tool(name).is_some());
    if tool_result.failed || !is_loaded {
        return Some(text);
    }
    let Ok(Value::Object(mut members)) = serde_json::from_str(&text) else { return None };
    members.remove("tools");
    (!members.is_empty()).then(|| Value::Object(members).to_string())
}

/// Writes the tools that a search found. A search without a result has an empty list.
fn found_tools(tool_result: &ToolResult, request: &ModelRequest<'_>) -> Value {
    let deferred = tool_result.found_tools.iter().filter_map(|name| request.deferred_tool(name));
    let tools = deferred.map(|tool| {
        let mut tool = function(tool, request);
        if let Value::Object(members) = &mut tool {
            members.insert("defer_loading".to_owned(), true.into());
        }
        tool
    });
    json!({
        "type": "tool_search_output", "call_id": tool_result.id, "execution": "client", "status": "completed",
        "tools": tools.collect::<Vec<_>>(),
    })
}

/// True if the model reasons. Other models refuse a request with reasoning options.
fn reasons(request: &ModelRequest<'_>) -> bool {
    match request.options.reasoning {
        Some(asked) => asked != ReasoningEffort::Off,
        None => {
            let name = request.model.to_ascii_lowercase();
            let is_series = |prefix: &str| {
                name.strip_prefix(prefix).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
            };
            (is_series("o")
                || (is_series("gpt-") && !name.starts_with("gpt-3") && !name.starts_with("gpt-4")))
                && !name.contains("chat")
        }
    }
}

fn effort(reasoning: Option<ReasoningEffort>) -> Option<&'static str> {
    match reasoning? {
        ReasoningEffort::Low => Some("low"),
        ReasoningEffort::Medium => Some("medium"),
        ReasoningEffort::High => Some("high"),
        ReasoningEffort::Off | ReasoningEffort::Tokens(_) => None,
    }
}

fn content(parts: &[ContentPart]) -> Result<Vec<Value>, ModelError> {
    parts.iter().map(part).collect()
}

fn part(part: &ContentPart) -> Result<Value, ModelError> {
    let (kind, source) = match piece(part) {
        MessagePiece::Text(text) => return Ok(json!({ "type": "input_text", "text": text })),
        MessagePiece::File(kind, source) => (kind, source),
    };
    match (kind, source) {
        (MediaFileKind::Image, PartSource::File(file)) => {
            Ok(json!({ "type": "input_image", "detail": "auto", "file_id": file.value }))
        }
        (MediaFileKind::Image, _) => {
            Ok(json!({ "type": "input_image", "detail": "auto", "image_url": address(source) }))
        }
        (MediaFileKind::Document, PartSource::Data(data)) => Ok(json!({
            "type": "input_file", "filename": file_name(&data.mime_type), "file_data": address(source),
        })),
        (MediaFileKind::Document, PartSource::Url(url)) => {
            Ok(json!({ "type": "input_file", "file_url": url.value }))
        }
        (MediaFileKind::Document, PartSource::File(file)) => {
            Ok(json!({ "type": "input_file", "file_id": file.value }))
        }
        _ => Err(unsupported(PROVIDER, kind, source)),
    }
}

/// Writes a turn part: each part is a separate item.
fn item(part: &AssistantPart, request: &ModelRequest<'_>) -> Option<Value> {
    let seal = request.seal;
    match part {
        AssistantPart::Call(call) if is_search(&call.tool, request) => Some(json!({
            "type": "tool_search_call", "call_id": call.id, "execution": "client", "status": "completed",
            "arguments": object(&call.arguments),
        })),
        AssistantPart::Text { text, .. } if text.is_empty() => None,
        AssistantPart::Text { text, .. } => Some(json!({ "role": "assistant", "content": text })),
        AssistantPart::Call(call) => Some(json!({
            "type": "function_call", "call_id": call.id, "name": call.tool, "arguments": arguments(&call.arguments),
        })),
        // Reasoning without its encrypted form cannot go back.
        AssistantPart::Reasoning { text, encrypted } => {
            let (id, value) = seal.open(SEAL, encrypted.as_ref())?.split_once(':')?;
            let summary = match text.is_empty() {
                true => json!([]),
                false => json!([{ "type": "summary_text", "text": text }]),
            };
            Some(json!({ "type": "reasoning", "id": id, "summary": summary, "encrypted_content": value }))
        }
    }
}

fn result(tool_result: &ToolResult, request: &ModelRequest<'_>) -> Result<Value, ModelError> {
    if is_search(&tool_result.tool, request) {
        return Ok(found_tools(tool_result, request));
    }
    let output = match &tool_result.content {
        Content::Text(text) => json!(text),
        Content::Parts(parts) => content(parts)?.into(),
    };
    Ok(json!({ "type": "function_call_output", "call_id": tool_result.id, "output": output }))
}

/// Reads Responses API streams.
#[derive(Default)]
pub(super) struct ResponsesReader {
    items: ResponseItems,
}

impl ResponsesReader {
    fn end(
        &mut self,
        frame: &mut ResponseFrame,
        at: &str,
        reply: &mut ReplyBuilder,
    ) -> Result<(), ModelError> {
        if frame.get(&format!("{at}/status")).and_then(Value::as_str) == Some("failed") {
            return Err(failure::from_error_json(&frame.take(&format!("{at}/error")).unwrap_or(Value::Null)));
        }
        self.items.list(frame, &format!("{at}/output"), reply)?;
        let reason = frame.text(&format!("{at}/incomplete_details/reason"));
        reply.end = Some(match (frame.text(&format!("{at}/status")).as_deref(), reason.as_deref()) {
            (Some("incomplete"), Some("max_output_tokens")) => EndReason::OutputLimit,
            (Some("incomplete"), Some("content_filter")) => EndReason::ContentFilter,
            (Some(status @ ("incomplete" | "cancelled")), reason) => {
                EndReason::Other(reason.unwrap_or(status).to_owned())
            }
            _ => EndReason::Stop,
        });
        if let Some(usage) = frame.take(&format!("{at}/usage")) {
            reply.tokens = TokenCounts {
                input: count(&usage, "/input_tokens"),
                output: count(&usage, "/output_tokens"),
                total: count(&usage, "/total_tokens"),
                reasoning: count(&usage, "/output_tokens_details/reasoning_tokens"),
                cached: count(&usage, "/input_tokens_details/cached_tokens"),
                cache_written: None,
            };
        }
        Ok(())
    }
}

impl ResponseReader for ResponsesReader {
    fn read(&mut self, frame: &mut ResponseFrame, reply: &mut ReplyBuilder) -> Result<bool, ModelError> {
        let kind = frame.get("/type").and_then(Value::as_str).unwrap_or_default().to_owned();
        match kind.as_str() {
            "response.completed"
            | "response.incomplete"
            | "response.failed"
            | "response.cancelled"
            | "response.done" => {
                self.end(frame, "/response", reply)?;
                return Ok(true);
            }
            // A server that does not stream answers with the response itself.
            "" if frame.get("/output").is_some() => {
                self.end(frame, "", reply)?;
                return Ok(true);
            }
            _ => self.items.event(&kind, frame, reply)?,
        }
        Ok(false)
    }
}

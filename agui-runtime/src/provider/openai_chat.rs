//! OpenAI's Chat Completions, and the many servers that imitate them.

use serde_json::{Map, Value, json};

use super::dialect::{Reader, Request, index, json as read_json, text};
use super::options::ReasoningEffort;
use super::parts::{Kind, Piece, address, arguments, file_name, piece, unsupported};
use super::usage::{Tokens, count};
use super::{conversation, failure};
use crate::model::{AssistantPart, CallDelta, Delta, EndReason, ModelError, PromptMessage, ToolAnswer};
use crate::protocol::{Content, ContentPart, PartSource};

const PROVIDER: &str = "OpenAI's Chat Completions";

pub(super) fn body(request: &Request<'_>) -> Result<Map<String, Value>, ModelError> {
    let mut messages = Vec::new();
    if let Some(instructions) = &request.prompt.instructions {
        messages.push(json!({ "role": "system", "content": instructions }));
    }
    for message in conversation::messages(request.prompt) {
        match message {
            PromptMessage::System(text) => messages.push(json!({ "role": "system", "content": text })),
            PromptMessage::User(parts) => messages.push(user(&parts)?),
            PromptMessage::Assistant(parts) => messages.extend(assistant(&parts)),
            PromptMessage::Tools(answers) => results(&answers, &mut messages)?,
        }
    }
    let mut body = Map::new();
    body.insert("model".to_owned(), request.model.into());
    body.insert("stream".to_owned(), true.into());
    body.insert("stream_options".to_owned(), json!({ "include_usage": true }));
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
    }
    if let Some(temperature) = request.options.temperature {
        body.insert("temperature".to_owned(), temperature.into());
    }
    if let Some(tokens) = request.options.max_output_tokens {
        body.insert(most_tokens(request.model).to_owned(), tokens.into());
    }
    if let Some(effort) = request.options.reasoning.and_then(effort) {
        body.insert("reasoning_effort".to_owned(), effort.into());
    }
    Ok(body)
}

/// Returns the member for the length of an answer. Models that reason refuse the older one, and imitators know it alone.
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
        Piece::Text(text) => return Ok(json!({ "type": "text", "text": text })),
        Piece::File(kind, source) => (kind, source),
    };
    let none = || unsupported(PROVIDER, kind, source);
    match (kind, source) {
        (Kind::Image, _) => {
            let url = address(source).ok_or_else(none)?;
            Ok(json!({ "type": "image_url", "image_url": { "url": url } }))
        }
        (Kind::Audio, PartSource::Data(data)) => {
            let format = match data.mime_type.as_str() {
                "audio/mpeg" | "audio/mp3" => "mp3",
                "audio/wav" | "audio/x-wav" | "audio/wave" => "wav",
                _ => return Err(none()),
            };
            Ok(json!({ "type": "input_audio", "input_audio": { "data": data.value, "format": format } }))
        }
        (Kind::Document, PartSource::Data(data)) => Ok(json!({ "type": "file", "file": {
            "filename": file_name(&data.mime_type), "file_data": address(source),
        } })),
        (Kind::Document, PartSource::File(file)) => {
            Ok(json!({ "type": "file", "file": { "file_id": file.value } }))
        }
        _ => Err(none()),
    }
}

/// The turn as one message. Reasoning has no form here.
fn assistant(parts: &[AssistantPart]) -> Option<Value> {
    let mut text = String::new();
    let mut calls = Vec::new();
    for part in parts {
        match part {
            AssistantPart::Text { text: more, .. } => text.push_str(more),
            AssistantPart::Reasoning { .. } => {}
            AssistantPart::Call(call) => calls.push(json!({
                "id": call.id, "type": "function",
                "function": { "name": call.tool, "arguments": arguments(&call.arguments) },
            })),
        }
    }
    match (text.is_empty(), calls.is_empty()) {
        (true, true) => None,
        (false, true) => Some(json!({ "role": "assistant", "content": text })),
        (true, false) => Some(json!({ "role": "assistant", "content": null, "tool_calls": calls })),
        (false, false) => Some(json!({ "role": "assistant", "content": text, "tool_calls": calls })),
    }
}

/// Results are text here: the files of all results follow as a message of the user.
fn results(answers: &[ToolAnswer], messages: &mut Vec<Value>) -> Result<(), ModelError> {
    let mut files = Vec::new();
    for answer in answers {
        let mut content = answer.content.text().into_owned();
        if let Content::Parts(parts) = &answer.content {
            let count = files.len();
            for file in parts.iter().filter(|part| !matches!(part, ContentPart::Text(_))) {
                if files.len() == count {
                    let of = format!("Files in the result of `{}` ({}):", answer.tool, answer.id);
                    files.push(json!({ "type": "text", "text": of }));
                }
                files.push(part(file)?);
            }
            if content.is_empty() && files.len() > count {
                content.push_str("The result is in the next message.");
            }
        }
        messages.push(json!({ "role": "tool", "tool_call_id": answer.id, "content": content }));
    }
    if !files.is_empty() {
        messages.push(json!({ "role": "user", "content": files }));
    }
    Ok(())
}

/// One answer.
#[derive(Default)]
pub(super) struct Answer {
    tokens: Tokens,
    /// The end, which the counts of tokens follow.
    end: Option<EndReason>,
    is_closed: bool,
}

impl Reader for Answer {
    fn read(&mut self, data: &str, out: &mut Vec<Delta>) -> Result<(), ModelError> {
        if data.trim() == "[DONE]" {
            self.end.get_or_insert(EndReason::Stop);
            self.close(out);
            return Ok(());
        }
        let frame = read_json(data)?;
        if let Some(error) = frame.get("error").filter(|error| !error.is_null()) {
            return Err(failure::reported(error));
        }
        if frame.get("usage").is_some_and(Value::is_object) {
            self.tokens = Tokens {
                input: count(&frame, "/usage/prompt_tokens"),
                output: count(&frame, "/usage/completion_tokens"),
                total: count(&frame, "/usage/total_tokens"),
                reasoning: count(&frame, "/usage/completion_tokens_details/reasoning_tokens"),
                cached: count(&frame, "/usage/prompt_tokens_details/cached_tokens"),
                cache_written: None,
            };
        }
        let Some(choice) = frame.pointer("/choices/0") else {
            // A frame without choices has counts, or is a filter's report; anything else is no frame of this protocol.
            return match frame.get("choices").is_some_and(Value::is_array) || frame.get("usage").is_some() {
                true => Ok(()),
                false => Err(ModelError::Malformed("a frame has no `choices`".to_owned())),
            };
        };
        for member in ["/delta/reasoning_content", "/delta/reasoning"] {
            if let Some(more) = text(choice, member) {
                out.push(Delta::Reasoning(more.to_owned()));
                break;
            }
        }
        for member in ["/delta/content", "/delta/refusal"] {
            out.extend(text(choice, member).map(|more| Delta::Text(more.to_owned())));
        }
        let calls = choice.pointer("/delta/tool_calls").and_then(Value::as_array);
        for (at, call) in (0..).zip(calls.into_iter().flatten()) {
            let mut delta = CallDelta::new(index(call, "/index").unwrap_or(at));
            delta.id = text(call, "/id").map(str::to_owned);
            delta.tool = text(call, "/function/name").map(str::to_owned);
            delta.arguments = match call.pointer("/function/arguments") {
                Some(Value::String(piece)) => piece.clone(),
                Some(whole @ Value::Object(_)) => whole.to_string(),
                _ => String::new(),
            };
            out.push(Delta::Call(delta));
        }
        if let Some(reason) = text(choice, "/finish_reason") {
            self.end = Some(match reason {
                "stop" | "tool_calls" | "function_call" => EndReason::Stop,
                "length" => EndReason::OutputLimit,
                "content_filter" => EndReason::ContentFilter,
                other => EndReason::Other(other.to_owned()),
            });
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

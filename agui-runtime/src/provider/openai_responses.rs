//! OpenAI's Responses API.

use serde_json::{Map, Value, json};

use super::assembler::Assembler;
use super::dialect::{Reader, Request, index, json as read_json, text};
use super::options::ReasoningEffort;
use super::parts::{Kind, Piece, address, arguments, file_name, piece, unsupported};
use super::usage::{Tokens, count};
use super::{conversation, failure, sealed};
use crate::model::{AssistantPart, Delta, EndReason, ModelError, PromptMessage, ToolAnswer};
use crate::protocol::{Content, ContentPart, PartSource};

const PROVIDER: &str = "OpenAI's Responses API";
const SEAL: &str = "openai";

pub(super) fn body(request: &Request<'_>) -> Result<Map<String, Value>, ModelError> {
    let mut input = Vec::new();
    for message in conversation::messages(request.prompt) {
        match message {
            PromptMessage::System(text) => input.push(json!({ "role": "developer", "content": text })),
            PromptMessage::User(parts) => input.push(json!({ "role": "user", "content": content(&parts)? })),
            PromptMessage::Assistant(parts) => input.extend(parts.iter().filter_map(item)),
            PromptMessage::Tools(answers) => {
                for answer in &answers {
                    input.push(result(answer)?);
                }
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
        let tools = request.tools.iter().map(|tool| {
            json!({
                "type": "function", "name": tool.name, "description": tool.description,
                "parameters": tool.parameters, "strict": request.options.strict_tools,
            })
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
        body.insert("max_output_tokens".to_owned(), tokens.into());
    }
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

/// Other models refuse a request that asks for reasoning.
fn reasons(request: &Request<'_>) -> bool {
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
        Piece::Text(text) => return Ok(json!({ "type": "input_text", "text": text })),
        Piece::File(kind, source) => (kind, source),
    };
    match (kind, source) {
        (Kind::Image, PartSource::File(file)) => {
            Ok(json!({ "type": "input_image", "detail": "auto", "file_id": file.value }))
        }
        (Kind::Image, _) => {
            Ok(json!({ "type": "input_image", "detail": "auto", "image_url": address(source) }))
        }
        (Kind::Document, PartSource::Data(data)) => Ok(json!({
            "type": "input_file", "filename": file_name(&data.mime_type), "file_data": address(source),
        })),
        (Kind::Document, PartSource::Url(url)) => Ok(json!({ "type": "input_file", "file_url": url.value })),
        (Kind::Document, PartSource::File(file)) => {
            Ok(json!({ "type": "input_file", "file_id": file.value }))
        }
        _ => Err(unsupported(PROVIDER, kind, source)),
    }
}

/// A part of the model's turn: each is an item of its own.
fn item(part: &AssistantPart) -> Option<Value> {
    match part {
        AssistantPart::Text { text, .. } if text.is_empty() => None,
        AssistantPart::Text { text, .. } => Some(json!({ "role": "assistant", "content": text })),
        AssistantPart::Call(call) => Some(json!({
            "type": "function_call", "call_id": call.id, "name": call.tool, "arguments": arguments(&call.arguments),
        })),
        // Reasoning without its encrypted form cannot go back.
        AssistantPart::Reasoning { text, encrypted } => {
            let (id, value) = sealed::open(SEAL, encrypted.as_deref())?.split_once(':')?;
            let summary = match text.is_empty() {
                true => json!([]),
                false => json!([{ "type": "summary_text", "text": text }]),
            };
            Some(json!({ "type": "reasoning", "id": id, "summary": summary, "encrypted_content": value }))
        }
    }
}

fn result(answer: &ToolAnswer) -> Result<Value, ModelError> {
    let output = match &answer.content {
        Content::Text(text) => json!(text),
        Content::Parts(parts) => content(parts)?.into(),
    };
    Ok(json!({ "type": "function_call_output", "call_id": answer.id, "output": output }))
}

/// One answer.
#[derive(Default)]
pub(super) struct Answer {
    calls: Assembler,
    /// The items whose text or reasoning was streamed, by their number.
    spoken: Vec<u32>,
    sealed: Vec<u32>,
    is_closed: bool,
}

impl Answer {
    /// Reads a whole item, of which any part may have come before.
    fn item(&mut self, at: u32, item: &Value, out: &mut Vec<Delta>) -> Result<(), ModelError> {
        match text(item, "/type") {
            Some("function_call") => {
                self.begin(at, item, out);
                let id = text(item, "/call_id").unwrap_or_default();
                let whole = item.get("arguments").and_then(Value::as_str).unwrap_or_default();
                out.extend(self.calls.whole(at, id, whole)?);
            }
            Some("reasoning") => {
                if !self.spoken.contains(&at) {
                    self.spoken.push(at);
                    let summaries = item.get("summary").and_then(Value::as_array).into_iter().flatten();
                    let texts: Vec<_> = summaries.filter_map(|part| text(part, "/text")).collect();
                    if !texts.is_empty() {
                        out.push(Delta::Reasoning(texts.join("\n\n")));
                    }
                }
                if let (Some(value), false) = (text(item, "/encrypted_content"), self.sealed.contains(&at)) {
                    self.sealed.push(at);
                    let id = text(item, "/id").unwrap_or_default();
                    out.push(Delta::EncryptedReasoning(sealed::seal(SEAL, &format!("{id}:{value}"))));
                }
            }
            Some("message") if !self.spoken.contains(&at) => {
                self.spoken.push(at);
                for part in item.get("content").and_then(Value::as_array).into_iter().flatten() {
                    let said = text(part, "/text").or_else(|| text(part, "/refusal"));
                    out.extend(said.map(|said| Delta::Text(said.to_owned())));
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Records that an item is streamed: its text is not read again from the whole.
    fn speak(&mut self, at: u32) {
        if !self.spoken.contains(&at) {
            self.spoken.push(at);
        }
    }

    fn begin(&mut self, at: u32, item: &Value, out: &mut Vec<Delta>) {
        let (id, tool) =
            (text(item, "/call_id").unwrap_or_default(), text(item, "/name").unwrap_or_default());
        if !self.calls.has(at, id) {
            out.extend(self.calls.begin(at, id, tool, None));
        }
    }

    fn end(&mut self, response: &Value, out: &mut Vec<Delta>) -> Result<(), ModelError> {
        for (at, item) in (0..).zip(response.get("output").and_then(Value::as_array).into_iter().flatten()) {
            self.item(at, item, out)?;
        }
        let end = match text(response, "/status") {
            Some("failed") => {
                return Err(failure::reported(response.get("error").unwrap_or(&Value::Null)));
            }
            Some("incomplete") => match text(response, "/incomplete_details/reason") {
                Some("max_output_tokens") => EndReason::OutputLimit,
                Some("content_filter") => EndReason::ContentFilter,
                reason => EndReason::Other(reason.unwrap_or("incomplete").to_owned()),
            },
            _ => EndReason::Stop,
        };
        let tokens = Tokens {
            input: count(response, "/usage/input_tokens"),
            output: count(response, "/usage/output_tokens"),
            total: count(response, "/usage/total_tokens"),
            reasoning: count(response, "/usage/output_tokens_details/reasoning_tokens"),
            cached: count(response, "/usage/input_tokens_details/cached_tokens"),
            cache_written: None,
        };
        self.is_closed = true;
        out.push(Delta::Usage(tokens.into()));
        out.push(Delta::End(end));
        Ok(())
    }
}

impl Reader for Answer {
    fn read(&mut self, data: &str, out: &mut Vec<Delta>) -> Result<(), ModelError> {
        if self.is_closed || data.trim() == "[DONE]" {
            return Ok(());
        }
        let frame = read_json(data)?;
        let at = index(&frame, "/output_index").unwrap_or(0);
        let delta = text(&frame, "/delta");
        match text(&frame, "/type") {
            Some("response.output_text.delta" | "response.refusal.delta") => {
                self.speak(at);
                out.extend(delta.map(|more| Delta::Text(more.to_owned())));
            }
            Some("response.reasoning_summary_part.added") if index(&frame, "/summary_index") > Some(0) => {
                out.push(Delta::Reasoning("\n\n".to_owned()));
            }
            Some("response.reasoning_summary_text.delta" | "response.reasoning_text.delta") => {
                self.speak(at);
                out.extend(delta.map(|more| Delta::Reasoning(more.to_owned())));
            }
            Some("response.output_item.added") => {
                let item = frame.get("item").unwrap_or(&Value::Null);
                if text(item, "/type") == Some("function_call") {
                    self.begin(at, item, out);
                }
            }
            Some("response.function_call_arguments.delta") => {
                out.extend(self.calls.piece(at, delta.unwrap_or_default())?);
            }
            Some("response.output_item.done") => {
                self.item(at, frame.get("item").unwrap_or(&Value::Null), out)?;
            }
            Some("response.completed" | "response.incomplete" | "response.failed") => {
                self.end(frame.get("response").unwrap_or(&Value::Null), out)?;
            }
            Some("error") => return Err(failure::reported(frame.get("error").unwrap_or(&frame))),
            Some(_) => {}
            None if frame.get("error").is_some() => {
                return Err(failure::reported(frame.get("error").unwrap_or(&frame)));
            }
            None => return Err(ModelError::Malformed("a frame has no `type`".to_owned())),
        }
        Ok(())
    }

    fn close(&mut self, _: &mut Vec<Delta>) {}
}

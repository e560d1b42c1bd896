//! Anthropic's Messages API.

use serde_json::{Map, Value, json};

use super::anthropic_model::AnthropicModel;
use super::assembler::Assembler;
use super::dialect::{Reader, Request, index, json as read_json, text};
use super::parts::{Kind, Piece, object, piece, unsupported};
use super::usage::{Tokens, count};
use super::{conversation, failure, sealed};
use crate::model::{AssistantPart, Delta, EndReason, ModelError, PromptMessage, ToolAnswer};
use crate::protocol::{Content, ContentPart, PartSource};

const PROVIDER: &str = "Anthropic";
const SEAL: &str = "anthropic";
/// Reasoning that only Anthropic can read.
const REDACTED: &str = "anthropic-redacted";

pub(super) fn body(request: &Request<'_>) -> Result<Map<String, Value>, ModelError> {
    let mut system: Vec<Value> = request.prompt.instructions.iter().map(|text| text_block(text)).collect();
    let mut messages: Vec<(&str, Vec<Value>)> = Vec::new();
    for message in conversation::messages(request.prompt) {
        let (role, blocks) = match message {
            PromptMessage::System(text) => {
                system.push(text_block(&text));
                continue;
            }
            PromptMessage::User(parts) => ("user", blocks(&parts)?),
            PromptMessage::Assistant(parts) => ("assistant", parts.iter().filter_map(block).collect()),
            PromptMessage::Tools(answers) => {
                ("user", answers.iter().map(result).collect::<Result<Vec<_>, _>>()?)
            }
        };
        match messages.last_mut() {
            Some((last, before)) if *last == role => before.extend(blocks),
            _ if blocks.is_empty() => {}
            _ => messages.push((role, blocks)),
        }
    }
    let mut tools: Vec<Value> = request
        .tools
        .iter()
        .map(|tool| json!({ "name": tool.name, "description": tool.description, "input_schema": tool.parameters }))
        .collect();
    if request.options.strict_tools {
        for members in tools.iter_mut().filter_map(Value::as_object_mut) {
            members.insert("strict".to_owned(), true.into());
        }
    }
    if request.options.cache {
        // Three places: tools, instructions, and the conversation so far.
        let last = messages.last_mut().and_then(|(_, blocks)| blocks.last_mut());
        for place in [tools.last_mut(), system.last_mut(), last].into_iter().flatten() {
            if let Value::Object(members) = place {
                members.insert("cache_control".to_owned(), json!({ "type": "ephemeral" }));
            }
        }
    }
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
        if let Some(parallel) = request.options.parallel_calls {
            let choice = json!({ "type": "auto", "disable_parallel_tool_use": !parallel });
            body.insert("tool_choice".to_owned(), choice);
        }
    }
    let (model, options) = (AnthropicModel::named(request.model), request.options);
    let max_tokens = options.max_output_tokens.unwrap_or_else(|| model.max_tokens());
    body.insert("max_tokens".to_owned(), max_tokens.into());
    if let Some(temperature) = options.temperature {
        body.insert("temperature".to_owned(), temperature.into());
    }
    if let Some(effort) = options.reasoning {
        model.think(effort, &mut body);
    }
    Ok(body)
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
        Piece::Text(text) => return Ok(text_block(text)),
        Piece::File(kind, source) => (kind, source),
    };
    let name = match kind {
        Kind::Image => "image",
        Kind::Document => "document",
        Kind::Audio | Kind::Video => return Err(unsupported(PROVIDER, kind, source)),
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

/// A part of the model's turn, in its order.
fn block(part: &AssistantPart) -> Option<Value> {
    match part {
        AssistantPart::Text { text, .. } if text.is_empty() => None,
        AssistantPart::Text { text, .. } => Some(text_block(text)),
        AssistantPart::Call(call) => Some(json!({
            "type": "tool_use", "id": id(call.id.as_str()), "name": call.tool, "input": object(&call.arguments),
        })),
        AssistantPart::Reasoning { text, encrypted } => {
            if let Some(data) = sealed::open(REDACTED, encrypted.as_deref()) {
                return Some(json!({ "type": "redacted_thinking", "data": data }));
            }
            // Reasoning without a signature is refused.
            let signature = sealed::open(SEAL, encrypted.as_deref())?;
            Some(json!({ "type": "thinking", "thinking": text, "signature": signature }))
        }
    }
}

fn result(answer: &ToolAnswer) -> Result<Value, ModelError> {
    let content = match &answer.content {
        Content::Text(text) => json!(text),
        Content::Parts(parts) => blocks(parts)?.into(),
    };
    let mut block =
        json!({ "type": "tool_result", "tool_use_id": id(answer.id.as_str()), "content": content });
    if let (true, Value::Object(members)) = (answer.failed, &mut block) {
        members.insert("is_error".to_owned(), true.into());
    }
    Ok(block)
}

/// Ids are letters, digits, `_` and `-`; others, which another provider or the client gave, are escaped.
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

/// One answer.
#[derive(Default)]
pub(super) struct Answer {
    calls: Assembler,
    /// The block that is being written.
    block: Block,
    tokens: Tokens,
    end: Option<EndReason>,
    is_closed: bool,
}

#[derive(Default)]
enum Block {
    #[default]
    Other,
    Thinking {
        signature: String,
    },
    Call {
        index: u32,
        id: String,
        /// The input that came with the beginning.
        input: Option<String>,
    },
}

impl Answer {
    fn start(&mut self, frame: &Value, out: &mut Vec<Delta>) {
        let at = index(frame, "/index").unwrap_or(0);
        self.block = match text(frame, "/content_block/type") {
            Some("text") => {
                out.extend(text(frame, "/content_block/text").map(|text| Delta::Text(text.to_owned())));
                Block::Other
            }
            Some("thinking") => {
                out.extend(
                    text(frame, "/content_block/thinking").map(|text| Delta::Reasoning(text.to_owned())),
                );
                Block::Thinking {
                    signature: text(frame, "/content_block/signature").unwrap_or_default().to_owned(),
                }
            }
            Some("redacted_thinking") => {
                let data = text(frame, "/content_block/data").unwrap_or_default();
                out.push(Delta::EncryptedReasoning(sealed::seal(REDACTED, data)));
                Block::Other
            }
            Some("tool_use") => {
                let id = text(frame, "/content_block/id").unwrap_or_default().to_owned();
                let tool = text(frame, "/content_block/name").unwrap_or_default();
                out.extend(self.calls.begin(at, &id, tool, None));
                let input = frame
                    .pointer("/content_block/input")
                    .filter(|input| input.as_object().is_some_and(|input| !input.is_empty()));
                Block::Call { index: at, id, input: input.map(Value::to_string) }
            }
            _ => Block::Other,
        };
    }

    fn delta(&mut self, frame: &Value, out: &mut Vec<Delta>) -> Result<(), ModelError> {
        let at = index(frame, "/index").unwrap_or(0);
        match text(frame, "/delta/type") {
            Some("text_delta") => {
                out.extend(text(frame, "/delta/text").map(|text| Delta::Text(text.to_owned())));
            }
            Some("thinking_delta") => {
                out.extend(text(frame, "/delta/thinking").map(|text| Delta::Reasoning(text.to_owned())));
            }
            Some("signature_delta") => {
                if let (Block::Thinking { signature }, Some(more)) =
                    (&mut self.block, text(frame, "/delta/signature"))
                {
                    signature.push_str(more);
                }
            }
            Some("input_json_delta") => {
                let piece = text(frame, "/delta/partial_json").unwrap_or_default();
                out.extend(self.calls.piece(at, piece)?);
            }
            _ => {}
        }
        Ok(())
    }

    fn stop(&mut self, out: &mut Vec<Delta>) -> Result<(), ModelError> {
        match std::mem::take(&mut self.block) {
            Block::Thinking { signature } if !signature.is_empty() => {
                out.push(Delta::EncryptedReasoning(sealed::seal(SEAL, &signature)));
            }
            Block::Call { index, id, input } if !self.calls.has_arguments(index) => {
                out.extend(self.calls.whole(index, &id, input.as_deref().unwrap_or("{}"))?);
            }
            _ => {}
        }
        Ok(())
    }

    fn count(&mut self, usage: &Value) {
        let written = count(usage, "/cache_creation_input_tokens");
        let read = count(usage, "/cache_read_input_tokens");
        if let Some(fresh) = count(usage, "/input_tokens") {
            // The provider's count leaves the cache out.
            self.tokens.input = Some(fresh + written.unwrap_or(0) + read.unwrap_or(0));
        }
        self.tokens.output = count(usage, "/output_tokens").or(self.tokens.output);
        self.tokens.cached = read.or(self.tokens.cached);
        self.tokens.cache_written = written.or(self.tokens.cache_written);
        self.tokens.reasoning =
            count(usage, "/output_tokens_details/thinking_tokens").or(self.tokens.reasoning);
    }
}

impl Reader for Answer {
    fn read(&mut self, data: &str, out: &mut Vec<Delta>) -> Result<(), ModelError> {
        let frame = read_json(data)?;
        match text(&frame, "/type") {
            Some("message_start") => self.count(frame.pointer("/message/usage").unwrap_or(&Value::Null)),
            Some("content_block_start") => self.start(&frame, out),
            Some("content_block_delta") => self.delta(&frame, out)?,
            Some("content_block_stop") => self.stop(out)?,
            Some("message_delta") => {
                self.count(frame.get("usage").unwrap_or(&Value::Null));
                if let Some(reason) = text(&frame, "/delta/stop_reason") {
                    self.end = Some(match reason {
                        "end_turn" | "tool_use" | "stop_sequence" => EndReason::Stop,
                        "max_tokens" | "model_context_window_exceeded" => EndReason::OutputLimit,
                        "refusal" => EndReason::ContentFilter,
                        other => EndReason::Other(other.to_owned()),
                    });
                }
            }
            Some("message_stop") => {
                self.end.get_or_insert(EndReason::Stop);
                self.close(out);
            }
            Some("error") => return Err(failure::reported(frame.get("error").unwrap_or(&frame))),
            Some(_) => {}
            None => return Err(ModelError::Malformed("a frame has no `type`".to_owned())),
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

//! Responses from Anthropic's Messages API.

use std::collections::HashMap;

use agui_runtime_core::__leaf::quoted;
use agui_runtime_core::model::{EndReason, ModelError};
use serde_json::Value;

use super::anthropic::{REDACTED, SIGNED, UNSIGNED};
use super::dialect::ResponseReader;
use super::frame::ResponseFrame;
use super::item::{ItemKind, ItemLocation};
use super::reply::{CallPiece, ReplyBuilder};
use super::usage::count;

#[derive(Default)]
pub(super) struct AnthropicReader {
    /// Open blocks, by index.
    blocks: HashMap<u32, AnthropicBlock>,
    /// The index of the last block begun.
    last: u32,
    /// True once the model gave a finish reason.
    has_reason: bool,
}

enum AnthropicBlock {
    Text,
    Thinking {
        /// The signature so far, if the member was present.
        signature: Option<String>,
        is_empty: bool,
    },
    Call {
        /// The call's index in the reply.
        call: usize,
        /// The input from the block's start event.
        input: Option<String>,
    },
    /// A block with an unsupported content type: skipped, deltas included.
    Unknown,
}

impl AnthropicReader {
    fn start(&mut self, frame: &mut ResponseFrame, reply: &mut ReplyBuilder) {
        const AT: &str = "/content_block";
        let at = frame.index("/index").unwrap_or(self.last);
        self.last = at;
        self.end_thinking(at, reply);
        let place = ItemLocation { position: Some(at), ..ItemLocation::default() };
        let kind = frame.get("/content_block/type").and_then(Value::as_str).unwrap_or_default().to_owned();
        let block = match kind.as_str() {
            "text" => {
                reply.text(place, &frame.text("/content_block/text").unwrap_or_default());
                AnthropicBlock::Text
            }
            "thinking" => {
                let signature =
                    frame.get("/content_block/signature").and_then(Value::as_str).map(str::to_owned);
                frame.clear("/content_block/signature");
                let thought = frame.text("/content_block/thinking").unwrap_or_default();
                reply.reasoning(place, &thought);
                AnthropicBlock::Thinking { signature, is_empty: thought.is_empty() }
            }
            "redacted_thinking" => {
                reply.sealed(REDACTED, &frame.text("/content_block/data").unwrap_or_default());
                AnthropicBlock::Text
            }
            "tool_use" => {
                let id = frame.text("/content_block/id");
                let place = ItemLocation { call_id: id.as_deref(), ..place };
                let call = reply.begin_call(place, &frame.text("/content_block/name").unwrap_or_default());
                let input = frame.take("/content_block/input");
                let input = input.filter(|input| input.as_object().is_some_and(|input| !input.is_empty()));
                AnthropicBlock::Call { call, input: input.map(|input| input.to_string()) }
            }
            other => {
                reply.unread.note(format!("a block of type `{}`", quoted(other)));
                frame.clear(AT);
                AnthropicBlock::Unknown
            }
        };
        self.blocks.insert(at, block);
    }

    /// Ends thinking before another block: some servers omit the end event, and the signature belongs before a call.
    fn end_thinking(&mut self, next: u32, reply: &mut ReplyBuilder) {
        let is_open = |(at, block): &(&u32, &AnthropicBlock)| {
            **at != next && matches!(block, AnthropicBlock::Thinking { .. })
        };
        let open: Vec<u32> = self.blocks.iter().filter(is_open).map(|(at, _)| *at).collect();
        open.into_iter().for_each(|at| self.stop(at, reply));
    }

    fn delta(&mut self, frame: &mut ResponseFrame, reply: &mut ReplyBuilder) -> Result<(), ModelError> {
        let at = frame.index("/index").unwrap_or(self.last);
        let place = ItemLocation { position: Some(at), ..ItemLocation::default() };
        if matches!(self.blocks.get(&at), Some(AnthropicBlock::Unknown)) {
            frame.clear("/delta");
            return Ok(());
        }
        if let Some(text) = frame.text("/delta/text") {
            reply.text(place, &text);
        }
        if let Some(text) = frame.text("/delta/thinking") {
            reply.reasoning(place, &text);
            let block = self
                .blocks
                .entry(at)
                .or_insert(AnthropicBlock::Thinking { signature: None, is_empty: false });
            if let AnthropicBlock::Thinking { is_empty, .. } = block {
                *is_empty = false;
            }
        }
        if let (Some(AnthropicBlock::Thinking { signature, .. }), Some(more)) =
            (self.blocks.get_mut(&at), frame.text("/delta/signature"))
        {
            signature.get_or_insert_default().push_str(&more);
        }
        if let Some(piece) = frame.text("/delta/partial_json") {
            match self.blocks.get(&at) {
                Some(AnthropicBlock::Call { call, .. }) => reply.call_arguments(*call, &piece),
                _ => {
                    let why = format!("arguments came for block {at}, which is no call");
                    return Err(ModelError::Malformed(why));
                }
            }
        }
        Ok(())
    }

    fn stop(&mut self, at: u32, reply: &mut ReplyBuilder) {
        match self.blocks.remove(&at) {
            Some(AnthropicBlock::Thinking { signature, is_empty }) => {
                sign(signature.as_deref(), is_empty, reply);
            }
            Some(AnthropicBlock::Call { call, input }) if !reply.has_arguments(call) => {
                reply.call_arguments(call, input.as_deref().unwrap_or("{}"));
            }
            _ => {}
        }
    }

    /// Reads a whole message: from a server that does not stream, or whose stream begins with content.
    fn message(
        &mut self,
        frame: &mut ResponseFrame,
        at: &str,
        reply: &mut ReplyBuilder,
    ) -> Result<(), ModelError> {
        let list = reply.new_list();
        for block in 0..frame.length(&format!("{at}/content")) {
            let place = format!("{at}/content/{block}");
            let position = u32::try_from(block).ok();
            let kind =
                frame.get(&format!("{place}/type")).and_then(Value::as_str).unwrap_or_default().to_owned();
            let item = ItemLocation { position, ..ItemLocation::default() };
            match kind.as_str() {
                "text" => {
                    let text = frame.text(&format!("{place}/text")).unwrap_or_default();
                    reply.whole_text(ItemKind::Text, list, item, &text);
                }
                "thinking" => {
                    let thought = frame.text(&format!("{place}/thinking")).unwrap_or_default();
                    reply.whole_text(ItemKind::Reasoning, list, item, &thought);
                    let signature =
                        frame.get(&format!("{place}/signature")).and_then(Value::as_str).map(str::to_owned);
                    frame.clear(&format!("{place}/signature"));
                    sign(signature.as_deref(), thought.is_empty(), reply);
                }
                "redacted_thinking" => {
                    reply.sealed(REDACTED, &frame.text(&format!("{place}/data")).unwrap_or_default());
                }
                "tool_use" => {
                    let (id, name) =
                        (frame.text(&format!("{place}/id")), frame.text(&format!("{place}/name")));
                    let arguments = frame
                        .take(&format!("{place}/input"))
                        .map_or_else(|| "{}".to_owned(), |input| input.to_string());
                    let item = ItemLocation { call_id: id.as_deref(), ..item };
                    let piece = CallPiece {
                        place: item,
                        name: name.as_deref(),
                        arguments: &arguments,
                        encrypted: None,
                    };
                    reply.listed_calls(list, vec![piece])?;
                }
                other => {
                    reply.unread.note(format!("a block of type `{}`", quoted(other)));
                    frame.clear(&place);
                }
            }
        }
        Ok(())
    }

    fn end(&mut self, reason: Option<String>, reply: &mut ReplyBuilder) {
        let Some(reason) = reason else { return };
        self.has_reason = true;
        reply.end = Some(match reason.as_str() {
            "end_turn" | "tool_use" | "stop_sequence" => EndReason::Stop,
            "max_tokens" | "model_context_window_exceeded" => EndReason::OutputLimit,
            "refusal" => EndReason::ContentFilter,
            _ => EndReason::Other(reason),
        });
    }
}

/// Emits the reasoning signature. Servers other than Anthropic's may sign nothing, and still want the reasoning back.
fn sign(signature: Option<&str>, is_empty: bool, reply: &mut ReplyBuilder) {
    match signature.filter(|signature| !signature.is_empty()) {
        Some(signature) => reply.sealed(SIGNED, signature),
        None if reply.seal.is_elsewhere() && !is_empty => {
            reply.sealed(UNSIGNED, if signature.is_some() { "\"\"" } else { "null" });
        }
        None => {}
    }
}

fn tally(usage: &Value, reply: &mut ReplyBuilder) {
    let tokens = &mut reply.tokens;
    let written = count(usage, "/cache_creation_input_tokens");
    let read = count(usage, "/cache_read_input_tokens");
    if let Some(fresh) = count(usage, "/input_tokens") {
        // The provider's count leaves the cache out.
        let cached = written.unwrap_or(0).saturating_add(read.unwrap_or(0));
        tokens.input = Some(fresh.saturating_add(cached));
    }
    tokens.output = count(usage, "/output_tokens").or(tokens.output);
    tokens.cached = read.or(tokens.cached);
    tokens.cache_written = written.or(tokens.cache_written);
    tokens.reasoning = count(usage, "/output_tokens_details/thinking_tokens").or(tokens.reasoning);
}

impl ResponseReader for AnthropicReader {
    fn read(&mut self, frame: &mut ResponseFrame, reply: &mut ReplyBuilder) -> Result<bool, ModelError> {
        for usage in ["/usage", "/message/usage"] {
            if let Some(usage) = frame.take(usage) {
                tally(&usage, reply);
            }
        }
        let kind = frame.get("/type").and_then(Value::as_str).unwrap_or_default().to_owned();
        match kind.as_str() {
            "message_start" => self.message(frame, "/message", reply)?,
            "content_block_start" => self.start(frame, reply),
            "content_block_delta" => self.delta(frame, reply)?,
            "content_block_stop" => self.stop(frame.index("/index").unwrap_or(self.last), reply),
            "message_delta" => {
                let reason = frame.text("/delta/stop_reason");
                self.end(reason, reply);
            }
            "message_stop" => {
                reply.end.get_or_insert(EndReason::Stop);
                return Ok(true);
            }
            // A server that does not stream answers with the message itself.
            "message" => {
                self.message(frame, "", reply)?;
                let reason = frame.text("/stop_reason");
                self.end(reason, reply);
                reply.end.get_or_insert(EndReason::Stop);
                return Ok(true);
            }
            _ => {}
        }
        Ok(false)
    }

    fn finish(&mut self, reply: &mut ReplyBuilder) -> Result<(), ModelError> {
        let mut open: Vec<u32> = self.blocks.keys().copied().collect();
        open.sort_unstable();
        // Some servers leave the ends of blocks out, but say why they end.
        if self.has_reason && reply.end == Some(EndReason::Stop) {
            open.into_iter().for_each(|at| self.stop(at, reply));
        } else if !self.has_reason
            && self.blocks.values().any(|block| matches!(block, AnthropicBlock::Call { .. }))
        {
            return Err(ModelError::Truncated);
        }
        Ok(())
    }
}

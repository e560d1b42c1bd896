//! Responses from Chat Completions, as OpenAI and the many servers that imitate the API send them.

use agui_runtime_core::model::{EndReason, ModelError};
use agui_runtime_core::protocol::EncryptedValue;
use serde_json::Value;

use super::chat_members::{ChatMembers, KIND, REASONING, THINKING_PART};
use super::dialect::ResponseReader;
use super::failure;
use super::frame::ResponseFrame;
use super::item::{ItemKind, ItemLocation};
use super::reply::{CallPiece, ReplyBuilder};
use super::usage::{TokenCounts, count};

#[derive(Default)]
pub(super) struct ChatReader {
    /// The vendor members that the server wants back with the message.
    kept: ChatMembers,
    /// True once a reasoning member came: some servers send an empty one with each text piece.
    has_named: bool,
    /// The last extra content: some servers repeat the member with each piece.
    extra: Option<Value>,
    /// Text from whole messages sent instead of deltas.
    whole: String,
}

impl ResponseReader for ChatReader {
    fn read(&mut self, frame: &mut ResponseFrame, reply: &mut ReplyBuilder) -> Result<bool, ModelError> {
        for usage in ["/usage", "/x_groq/usage"] {
            if let Some(usage @ Value::Object(_)) = frame.take(usage) {
                reply.tokens = tokens(&usage);
            }
        }
        if let Some(error) = frame.take("/choices/0/error") {
            return Err(failure::from_error_json(&error));
        }
        leave_repeated(frame);
        self.delta(frame, "/choices/0/delta", reply)?;
        self.message(frame, reply)?;
        if let Some(text) = frame.text("/choices/0/text") {
            self.flush(reply);
            reply.text(ItemLocation::default(), &text);
        }
        if let Some(reason) = frame.text("/choices/0/finish_reason") {
            reply.end = Some(match reason.to_ascii_lowercase().as_str() {
                "stop" | "tool_calls" | "tool_call" | "function_call" | "eos" | "eos_token" | "end_turn"
                | "tool_use" | "stop_sequence" | "complete" => EndReason::Stop,
                "length" | "max_tokens" | "max_output_tokens" => EndReason::OutputLimit,
                "content_filter" | "safety" | "sensitive" => EndReason::ContentFilter,
                "error" => return Err(ModelError::Failed("the reply ended with `error`".to_owned())),
                _ => EndReason::Other(reason),
            });
        }
        Ok(false)
    }

    fn finish(&mut self, reply: &mut ReplyBuilder) -> Result<(), ModelError> {
        self.flush(reply);
        Ok(())
    }
}

impl ChatReader {
    fn delta(
        &mut self,
        frame: &mut ResponseFrame,
        at: &str,
        reply: &mut ReplyBuilder,
    ) -> Result<(), ModelError> {
        self.reasoning(frame, at, reply);
        for piece in contents(frame, &format!("{at}/content")) {
            match piece {
                ContentPiece::Reasoning(text) => {
                    self.kept.reasoned_in(THINKING_PART);
                    reply.reasoning(ItemLocation::default(), &text);
                }
                ContentPiece::Text(text) => {
                    self.flush(reply);
                    reply.text(ItemLocation::default(), &text);
                }
                ContentPiece::Refusal(text) => self.refuse(&text, reply),
            }
        }
        if let Some(text) = frame.text(&format!("{at}/refusal")) {
            self.refuse(&text, reply);
        }
        self.extra(frame, at);
        let calls = calls(frame, at, reply);
        if !calls.is_empty() {
            self.flush(reply);
        }
        calls.iter().try_for_each(|call| reply.call(call.piece()))
    }

    /// Reads reasoning from a delta or a message, under any known member name.
    fn reasoning(&mut self, frame: &mut ResponseFrame, at: &str, reply: &mut ReplyBuilder) {
        let mut read: Option<String> = None;
        for member in REASONING {
            let pointer = format!("{at}/{member}");
            match (&read, frame.get(&pointer).and_then(Value::as_str)) {
                (Some(known), Some(again)) if known == again => frame.clear(&pointer),
                (None, Some(_)) => {
                    let text = frame.text(&pointer);
                    let is_first = !std::mem::replace(&mut self.has_named, true);
                    // Also an empty one, once: the server wants the member back.
                    if text.is_some() || is_first {
                        self.kept.reasoned_in(member);
                    }
                    if let Some(text) = text {
                        reply.reasoning(ItemLocation::default(), &text);
                        read = Some(text);
                    }
                }
                _ => {}
            }
        }
        if let Some(Value::Array(details)) = frame.take(&format!("{at}/reasoning_details")) {
            if read.is_none() {
                let text = |detail: &Value| {
                    ["text", "summary"].iter().find_map(|name| detail.get(name)?.as_str().map(str::to_owned))
                };
                for text in details.iter().filter_map(text) {
                    reply.reasoning(ItemLocation::default(), &text);
                }
            }
            self.kept.detailed(details);
        }
    }

    /// Reads a whole message, which some servers send instead of deltas or beside them.
    fn message(&mut self, frame: &mut ResponseFrame, reply: &mut ReplyBuilder) -> Result<(), ModelError> {
        const AT: &str = "/choices/0/message";
        if frame.get(AT).is_none() {
            return Ok(());
        }
        let list = reply.new_list();
        let (mut said, mut thought) = (String::new(), String::new());
        for member in REASONING {
            if let Some(text) = frame.text(&format!("{AT}/{member}")) {
                self.kept.reasoned_in(member);
                thought = text;
            }
        }
        if let Some(Value::Array(details)) = frame.take(&format!("{AT}/reasoning_details")) {
            self.kept.detailed(details);
        }
        self.extra(frame, AT);
        for piece in contents(frame, &format!("{AT}/content")) {
            match piece {
                ContentPiece::Text(text) => said.push_str(&text),
                ContentPiece::Refusal(text) => {
                    reply.is_refusal = true;
                    said.push_str(&text);
                }
                ContentPiece::Reasoning(text) => {
                    self.kept.reasoned_in(THINKING_PART);
                    thought.push_str(&text);
                }
            }
        }
        if let Some(text) = frame.text(&format!("{AT}/refusal")) {
            reply.is_refusal = true;
            said.push_str(&text);
        }
        reply.whole_text(ItemKind::Reasoning, list, ItemLocation::default(), &thought);
        let calls = calls(frame, AT, reply);
        if !said.is_empty() || !calls.is_empty() {
            self.flush(reply);
        }
        // Messages in a row are pieces, or each has all that came before.
        if said.starts_with(&self.whole) {
            reply.whole_text(ItemKind::Text, list, ItemLocation::default(), &said);
            self.whole = said;
        } else {
            reply.text(ItemLocation::default(), &said);
            self.whole.push_str(&said);
        }
        reply.listed_calls(list, calls.iter().map(ChatCall::piece).collect())
    }

    fn refuse(&mut self, text: &str, reply: &mut ReplyBuilder) {
        self.flush(reply);
        reply.is_refusal = true;
        reply.text(ItemLocation::default(), text);
    }

    fn extra(&mut self, frame: &mut ResponseFrame, at: &str) {
        let extra =
            frame.take(&format!("{at}/extra_content")).filter(|extra| self.extra.as_ref() != Some(extra));
        if let Some(extra) = extra {
            self.kept.extra(extra.clone());
            self.extra = Some(extra);
        }
    }

    /// Emits the values that the server wants back, after the reasoning so far.
    fn flush(&mut self, reply: &mut ReplyBuilder) {
        if !self.kept.is_empty() {
            reply.sealed(KIND, &std::mem::take(&mut self.kept).to_text());
        }
    }
}

/// Drops message members that repeat the delta beside them.
fn leave_repeated(frame: &mut ResponseFrame) {
    let Some(Value::Object(delta)) = frame.get("/choices/0/delta") else { return };
    let is_repeated = |(name, member): &(&String, &Value)| {
        frame.get("/choices/0/message").and_then(|message| message.get(name)) == Some(member)
    };
    let repeated: Vec<_> = delta.iter().filter(is_repeated).map(|(name, _)| name.clone()).collect();
    for name in repeated {
        frame.clear(&format!("/choices/0/message/{name}"));
    }
}

enum ContentPiece {
    Text(String),
    /// A text with which the model refuses.
    Refusal(String),
    Reasoning(String),
}

/// Takes a message's content: a string, a part, or a part list. Unknown part types stay in the frame.
fn contents(frame: &mut ResponseFrame, at: &str) -> Vec<ContentPiece> {
    if let Some(text) = frame.text(at) {
        return vec![ContentPiece::Text(text)];
    }
    let mut pieces = Vec::new();
    let parts = match frame.get(at) {
        Some(Value::Array(parts)) => (0..parts.len()).map(|part| format!("{at}/{part}")).collect(),
        Some(Value::Object(_)) => vec![at.to_owned()],
        _ => Vec::new(),
    };
    for part in parts {
        if let Some(text) = frame.text(&part) {
            pieces.push(ContentPiece::Text(text));
            continue;
        }
        let kind = frame.get(&format!("{part}/type")).and_then(Value::as_str).unwrap_or("text").to_owned();
        let (member, read): (_, fn(String) -> ContentPiece) = match kind.as_str() {
            "text" | "output_text" => ("text", ContentPiece::Text),
            "refusal" => ("refusal", ContentPiece::Refusal),
            "thinking" => ("thinking", ContentPiece::Reasoning),
            "reasoning" => ("text", ContentPiece::Reasoning),
            _ => continue,
        };
        let place = format!("{part}/{member}");
        let texts = match frame.get(&place) {
            // Mistral's thinking is a list of parts.
            Some(Value::Array(inner)) => {
                (0..inner.len()).filter_map(|inner| frame.text(&format!("{place}/{inner}/text"))).collect()
            }
            _ => Vec::from_iter(frame.text(&place)),
        };
        pieces.extend(texts.into_iter().map(read));
    }
    pieces
}

/// A call in a delta or a message.
struct ChatCall {
    position: Option<u32>,
    id: Option<String>,
    name: Option<String>,
    arguments: String,
    encrypted: Option<EncryptedValue>,
}

impl ChatCall {
    fn piece(&self) -> CallPiece<'_> {
        let place =
            ItemLocation { position: self.position, call_id: self.id.as_deref(), ..ItemLocation::default() };
        let encrypted = self.encrypted.clone();
        CallPiece { place, name: self.name.as_deref(), arguments: &self.arguments, encrypted }
    }
}

/// Takes the calls, including the single call in the legacy `function_call` form.
fn calls(frame: &mut ResponseFrame, at: &str, reply: &ReplyBuilder) -> Vec<ChatCall> {
    let mut calls = Vec::new();
    let list = format!("{at}/tool_calls");
    let places: Vec<String> = match frame.get(&list) {
        // One call alone.
        Some(Value::Object(_)) => vec![list],
        _ => (0..frame.length(&list)).map(|place| format!("{list}/{place}")).collect(),
    };
    let count = places.len();
    for (place, call) in places.into_iter().enumerate() {
        let mut read = function(frame, &format!("{call}/function"));
        if read.name.is_none() && read.arguments.is_empty() {
            read = function(frame, &call);
        }
        read.id = frame.text(&format!("{call}/id"));
        // Without numbers, the calls of one frame have the numbers of their places.
        let own = u32::try_from(place).ok().filter(|_| count > 1);
        read.position = frame.index(&format!("{call}/index")).or(own);
        if let Some(extra) = frame.take(&format!("{call}/extra_content")) {
            read.encrypted = Some(ChatMembers::sealed_call(&reply.seal, &extra));
        }
        calls.push(read);
    }
    let older = format!("{at}/function_call");
    if calls.is_empty() && frame.get(&older).is_some_and(Value::is_object) {
        calls.push(function(frame, &older));
    }
    // Some servers send the frame of a call without anything in it beside a text.
    calls.retain(|call| {
        call.id.is_some() || call.name.is_some() || !call.arguments.is_empty() || call.encrypted.is_some()
    });
    calls
}

fn function(frame: &mut ResponseFrame, at: &str) -> ChatCall {
    let place = format!("{at}/arguments");
    let arguments = match frame.get(&place) {
        Some(Value::Object(_)) => frame.take(&place).map(|whole| whole.to_string()),
        _ => frame.text(&place),
    };
    ChatCall {
        position: None,
        id: None,
        name: frame.text(&format!("{at}/name")),
        arguments: arguments.unwrap_or_default(),
        encrypted: None,
    }
}

fn tokens(usage: &Value) -> TokenCounts {
    TokenCounts {
        input: count(usage, "/prompt_tokens"),
        output: count(usage, "/completion_tokens"),
        total: count(usage, "/total_tokens"),
        reasoning: count(usage, "/completion_tokens_details/reasoning_tokens"),
        cached: count(usage, "/prompt_tokens_details/cached_tokens"),
        cache_written: None,
    }
}

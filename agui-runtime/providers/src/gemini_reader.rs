//! Responses from Gemini's `streamGenerateContent`.

use agui_runtime_core::model::{EndReason, ModelError};
use serde_json::Value;

use super::dialect::ResponseReader;
use super::frame::ResponseFrame;
use super::gemini::SEAL;
use super::item::ItemLocation;
use super::reply::{CallPiece, ReplyBuilder};
use super::usage::{TokenCounts, count};

/// Reads frames. No frame is known to be the last: gateways write a finish reason into each.
#[derive(Default)]
pub(super) struct GeminiReader;

fn part(frame: &mut ResponseFrame, at: &str, list: u32, reply: &mut ReplyBuilder) -> Result<(), ModelError> {
    let signature = frame.text(&format!("{at}/thoughtSignature"));
    if frame.get(&format!("{at}/functionCall")).is_some() {
        let call = format!("{at}/functionCall");
        if frame.get(&format!("{call}/partialArgs")).is_some()
            || frame.get(&format!("{call}/willContinue")).and_then(Value::as_bool) == Some(true)
        {
            return Err(ModelError::Malformed("a call comes in parts, which were not asked for".to_owned()));
        }
        let (id, name) = (frame.text(&format!("{call}/id")), frame.text(&format!("{call}/name")));
        let arguments =
            frame.take(&format!("{call}/args")).map_or_else(|| "{}".to_owned(), |args| args.to_string());
        let place = ItemLocation { call_id: id.as_deref(), ..ItemLocation::default() };
        let encrypted = signature.map(|value| reply.seal.close(SEAL, value));
        reply.streamed_call(
            list,
            CallPiece { place, name: name.as_deref(), arguments: &arguments, encrypted },
        );
        return Ok(());
    }
    if let Some(text) = frame.text(&format!("{at}/text")) {
        match frame.get(&format!("{at}/thought")).and_then(Value::as_bool) {
            Some(true) => reply.reasoning(ItemLocation::default(), &text),
            _ => reply.text(ItemLocation::default(), &text),
        }
    }
    if let Some(signature) = signature {
        reply.sealed(SEAL, &signature);
    }
    Ok(())
}

impl ResponseReader for GeminiReader {
    fn read(&mut self, frame: &mut ResponseFrame, reply: &mut ReplyBuilder) -> Result<bool, ModelError> {
        if let Some(usage) = frame.take("/usageMetadata") {
            let (thoughts, prompt) =
                (count(&usage, "/thoughtsTokenCount"), count(&usage, "/promptTokenCount"));
            let tools = count(&usage, "/toolUsePromptTokenCount").unwrap_or(0);
            reply.tokens = TokenCounts {
                input: prompt.map(|prompt| prompt.saturating_add(tools)),
                output: count(&usage, "/candidatesTokenCount")
                    .map(|said| said.saturating_add(thoughts.unwrap_or(0)))
                    .or(thoughts),
                total: count(&usage, "/totalTokenCount"),
                reasoning: thoughts,
                cached: count(&usage, "/cachedContentTokenCount"),
                cache_written: None,
            };
        }
        let list = reply.new_list();
        for at in 0..frame.length("/candidates/0/content/parts") {
            part(frame, &format!("/candidates/0/content/parts/{at}"), list, reply)?;
        }
        if frame.text("/promptFeedback/blockReason").is_some() {
            reply.end = Some(EndReason::ContentFilter);
        }
        let reason = frame.text("/candidates/0/finishReason");
        // The value of a member that was not set.
        if let Some(reason) = reason.filter(|reason| reason != "FINISH_REASON_UNSPECIFIED") {
            reply.end = Some(match reason.as_str() {
                "STOP" | "FUNCTION_CALL" => EndReason::Stop,
                "MAX_TOKENS" => EndReason::OutputLimit,
                "SAFETY" | "RECITATION" | "BLOCKLIST" | "PROHIBITED_CONTENT" | "SPII" | "IMAGE_SAFETY" => {
                    EndReason::ContentFilter
                }
                _ => EndReason::Other(match frame.text("/candidates/0/finishMessage") {
                    Some(said) => format!("{reason}: {said}"),
                    None => reason,
                }),
            });
        }
        Ok(false)
    }
}

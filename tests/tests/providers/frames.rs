//! Frames of the four dialects.

use serde_json::{Value, json};

/// The pieces of a turn.
#[derive(Clone, Debug)]
pub(crate) enum Said {
    Text(String),
    Reasoning(String, Option<String>),
    /// Id, tool, and the pieces of the arguments.
    Call(String, String, Vec<String>),
}

/// Returns a turn in the frames of a dialect, ended well.
pub(crate) fn turn(dialect: &str, said: &[Said]) -> Vec<String> {
    let mut frames = opened(dialect, said);
    frames.extend(ended(dialect));
    frames
}

/// Returns the end of a turn.
pub(crate) fn ended(dialect: &str) -> Vec<String> {
    let frames = match kind(dialect) {
        "openai-chat" => vec![
            json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": "stop" }] }),
            json!({ "choices": [], "usage": {
                "prompt_tokens": 40, "completion_tokens": 9, "total_tokens": 49,
                "prompt_tokens_details": { "cached_tokens": 30 }, "completion_tokens_details": { "reasoning_tokens": 5 },
            } }),
        ],
        "openai" => vec![
            json!({ "type": "response.completed", "response": { "status": "completed", "output": [], "usage": {
            "input_tokens": 40, "output_tokens": 9, "total_tokens": 49,
            "input_tokens_details": { "cached_tokens": 30 }, "output_tokens_details": { "reasoning_tokens": 5 },
        } } }),
        ],
        "anthropic" => vec![
            json!({ "type": "message_delta", "delta": { "stop_reason": "end_turn" }, "usage": {
                "input_tokens": 10, "cache_read_input_tokens": 30, "cache_creation_input_tokens": 2, "output_tokens": 9,
            } }),
            json!({ "type": "message_stop" }),
        ],
        _ => vec![
            json!({ "candidates": [{ "content": { "parts": [] }, "finishReason": "STOP" }], "usageMetadata": {
            "promptTokenCount": 40, "candidatesTokenCount": 4, "thoughtsTokenCount": 5, "totalTokenCount": 49,
            "cachedContentTokenCount": 30,
        } }),
        ],
    };
    let done = (kind(dialect) == "openai-chat").then(|| "[DONE]".to_owned());
    frames.iter().map(Value::to_string).chain(done).collect()
}

/// Returns a turn without its end.
pub(crate) fn opened(dialect: &str, said: &[Said]) -> Vec<String> {
    let mut frames = Vec::new();
    if kind(dialect) == "anthropic" {
        frames.push(json!({ "type": "message_start", "message": { "usage": { "input_tokens": 10, "output_tokens": 1 } } }));
    }
    let mut calls = 0;
    for (at, said) in said.iter().enumerate() {
        match kind(dialect) {
            "openai-chat" => chat(said, &mut calls, &mut frames),
            "openai" => responses(said, at, &mut frames),
            "anthropic" => anthropic(said, at, &mut frames),
            _ => frames.push(gemini(said)),
        }
    }
    frames.iter().map(Value::to_string).collect()
}

fn kind(dialect: &str) -> &str {
    dialect.split(':').next().unwrap_or_default()
}

fn chat(said: &Said, calls: &mut usize, frames: &mut Vec<Value>) {
    let delta = |delta: Value| json!({ "choices": [{ "index": 0, "delta": delta, "finish_reason": null }] });
    match said {
        Said::Text(text) => frames.push(delta(json!({ "content": text }))),
        Said::Reasoning(text, _) => frames.push(delta(json!({ "reasoning_content": text }))),
        Said::Call(id, tool, pieces) => {
            frames.push(delta(json!({ "tool_calls": [{
                "index": *calls, "id": id, "type": "function", "function": { "name": tool, "arguments": "" },
            }] })));
            for piece in pieces {
                frames.push(delta(
                    json!({ "tool_calls": [{ "index": *calls, "function": { "arguments": piece } }] }),
                ));
            }
            *calls += 1;
        }
    }
}

fn responses(said: &Said, at: usize, frames: &mut Vec<Value>) {
    match said {
        Said::Text(text) => {
            frames.push(json!({ "type": "response.output_item.added", "output_index": at, "item": { "type": "message" } }));
            frames.push(json!({ "type": "response.output_text.delta", "output_index": at, "delta": text }));
        }
        Said::Reasoning(text, signature) => {
            frames.push(
                json!({ "type": "response.reasoning_summary_text.delta", "output_index": at, "delta": text }),
            );
            frames.push(json!({ "type": "response.output_item.done", "output_index": at, "item": {
                "type": "reasoning", "id": format!("rs_{at}"), "summary": [{ "type": "summary_text", "text": text }],
                "encrypted_content": signature,
            } }));
        }
        Said::Call(id, tool, pieces) => {
            let item = |arguments: &str| {
                json!({
                    "type": "function_call", "id": format!("fc_{at}"), "call_id": id, "name": tool, "arguments": arguments,
                })
            };
            frames
                .push(json!({ "type": "response.output_item.added", "output_index": at, "item": item("") }));
            for piece in pieces {
                frames.push(json!({
                    "type": "response.function_call_arguments.delta", "output_index": at, "delta": piece,
                }));
            }
            frames.push(json!({ "type": "response.output_item.done", "output_index": at, "item": item(&pieces.concat()) }));
        }
    }
}

fn anthropic(said: &Said, at: usize, frames: &mut Vec<Value>) {
    let start = |block: Value| json!({ "type": "content_block_start", "index": at, "content_block": block });
    let delta = |delta: Value| json!({ "type": "content_block_delta", "index": at, "delta": delta });
    match said {
        Said::Text(text) => {
            frames.push(start(json!({ "type": "text", "text": "" })));
            frames.push(delta(json!({ "type": "text_delta", "text": text })));
        }
        Said::Reasoning(text, signature) => {
            frames.push(start(json!({ "type": "thinking", "thinking": "", "signature": "" })));
            frames.push(delta(json!({ "type": "thinking_delta", "thinking": text })));
            frames.extend(
                signature
                    .iter()
                    .map(|signature| delta(json!({ "type": "signature_delta", "signature": signature }))),
            );
        }
        Said::Call(id, tool, pieces) => {
            frames.push(start(json!({ "type": "tool_use", "id": id, "name": tool, "input": {} })));
            frames.extend(
                pieces
                    .iter()
                    .map(|piece| delta(json!({ "type": "input_json_delta", "partial_json": piece }))),
            );
        }
    }
    frames.push(json!({ "type": "content_block_stop", "index": at }));
}

fn gemini(said: &Said) -> Value {
    let part = match said {
        Said::Text(text) => json!({ "text": text }),
        Said::Reasoning(text, Some(signature)) => {
            json!({ "text": text, "thought": true, "thoughtSignature": signature })
        }
        Said::Reasoning(text, None) => json!({ "text": text, "thought": true }),
        Said::Call(id, tool, pieces) => {
            let arguments: Value = serde_json::from_str(&pieces.concat()).unwrap_or_default();
            json!({ "functionCall": { "id": id, "name": tool, "args": arguments }, "thoughtSignature": "c2ln" })
        }
    };
    json!({ "candidates": [{ "content": { "role": "model", "parts": [part] } }] })
}

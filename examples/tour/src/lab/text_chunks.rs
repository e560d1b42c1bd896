//! `/lab/text_chunks`: chunks of a model's own stream, forwarded as they arrive.
//!
//! Typed messages and calls never need chunks. A stream that already speaks AG-UI may hold them, and goes through
//! [`Emit::dynamic`], which checks its order and reports what it leaves open.

use agui_runtime::Policy;
use agui_runtime::prelude::*;
use agui_runtime::protocol::{TextMessageChunkEvent, TextMessageRole, ToolCallChunkEvent};

/// Forwards the chunks of a message and of a call.
#[agent]
pub async fn text_chunks(run: &mut Run<TextChunks>, input: Input<TextChunks>) -> Result<(), Stop> {
    let (message, call) = (format!("{}-message", input.run_id), format!("{}-call", input.run_id));
    let mut provider = run.dynamic(Policy::Strict).pass_chunks();

    let first = TextMessageChunkEvent::new().with_message_id(message).with_role(TextMessageRole::Assistant);
    provider.feed(first.with_delta("Chunk ")).await?;
    for delta in ["by ", "chunk"] {
        provider.feed(TextMessageChunkEvent::new().with_delta(delta)).await?; // continues the same message
    }

    let first = ToolCallChunkEvent::new().with_tool_call_id(call).with_tool_call_name("noop");
    provider.feed(first.with_delta(r#"{"a""#)).await?;
    provider.feed(ToolCallChunkEvent::new().with_delta(":1}")).await?;
    Ok(()) // the call has no answer: RUN_FINISHED names it as pending
}

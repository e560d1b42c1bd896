//! The Agent Client Protocol, whose schemas have OpenAPI's `discriminator`.

use agent_client_protocol_schema::v1::{ContentBlock, PromptRequest, SessionNotification, ToolCall};
use serde_json::json;

use crate::Shapes;

pub(crate) fn add(shapes: &mut Shapes) {
    let text = json!({"type": "text", "text": "Hello"});
    let link = json!({"type": "resource_link", "name": "notes", "uri": "file:///notes.md", "size": 120});
    let image = json!({"type": "image", "data": "AAAA", "mimeType": "image/png"});
    shapes.add::<ContentBlock>(
        "acp_content",
        [text.clone(), link.clone(), image],
        [json!({"type": "text"}), json!({"type": "text", "text": 1}), json!(null), json!("text")],
    );
    shapes.add::<PromptRequest>(
        "acp_prompt",
        [json!({"sessionId": "s-1", "prompt": [text.clone(), link]})],
        [json!({"sessionId": "s-1"}), json!({"sessionId": 1, "prompt": []})],
    );
    let call = json!({"toolCallId": "c-1", "title": "Read notes", "kind": "read", "status": "pending"});
    shapes.add::<ToolCall>("acp_tool_call", [call.clone()], [json!({"title": "Read"}), json!([])]);
    let mut update = call;
    update["sessionUpdate"] = json!("tool_call");
    shapes.add::<SessionNotification>(
        "acp_update",
        [
            json!({"sessionId": "s-1", "update": update}),
            json!({"sessionId": "s-1", "update": {"sessionUpdate": "agent_message_chunk", "content": text}}),
        ],
        [json!({"sessionId": "s-1"}), json!({"sessionId": "s-1", "update": {"sessionUpdate": 7}})],
    );
}

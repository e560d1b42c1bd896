//! The model of the Model Context Protocol, with a `ContentBlock` of its own.

use rmcp::model::{CallToolResult, ContentBlock, InitializeResult, PromptMessage, Tool};
use serde_json::json;

use crate::Shapes;

pub(crate) fn add(shapes: &mut Shapes) {
    let text = json!({"type": "text", "text": "Hello"});
    let image = json!({"type": "image", "data": "AAAA", "mimeType": "image/png"});
    shapes.add::<ContentBlock>(
        "mcp_content",
        [text.clone(), image.clone()],
        [json!({"type": "text"}), json!({"type": "film"}), json!(1)],
    );
    shapes.add::<CallToolResult>(
        "mcp_result",
        [
            json!({"content": [text.clone(), image], "isError": false}),
            json!({"content": [], "structuredContent": {"a": 1}}),
        ],
        [json!({"content": "Hello"}), json!([])],
    );
    shapes.add::<PromptMessage>(
        "mcp_prompt",
        [json!({"role": "user", "content": text.clone()})],
        [json!({"role": "ghost", "content": text})],
    );
    shapes.add::<Tool>(
        "mcp_tool",
        [json!({"name": "add", "description": "Adds", "inputSchema": {"type": "object"}})],
        [json!({"name": 1, "inputSchema": {}}), json!({"name": "add", "inputSchema": []})],
    );
    shapes.add::<InitializeResult>(
        "mcp_initialize",
        [json!({
            "protocolVersion": "2025-06-18", "capabilities": {"tools": {"listChanged": true}},
            "serverInfo": {"name": "shop", "version": "0.1.0"},
        })],
        [json!({"protocolVersion": "2025-06-18"}), json!({"protocolVersion": 1})],
    );
}

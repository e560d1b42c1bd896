//! Tool results in MCP's form.

use rmcp::model::{CallToolResult, ContentBlock, Resource, ResourceContents};
use serde_json::Value;

use super::hosted::McpCallOutcome;
use agui_runtime_core::__leaf::LoneCallError;
use agui_runtime_core::protocol::{ContentPart, PartSource};
use agui_runtime_core::tools::SettledCall;

/// Converts a tool result; a tool with a result schema gets structured content.
pub(super) fn tool_result(made: McpCallOutcome, has_schema: bool) -> CallToolResult {
    match made {
        Ok(answered) if answered.failed => failed(error_text(answered.content)),
        Ok(answered) => success_result(answered, has_schema),
        Err(LoneCallError::Failed { message }) => failed(message),
        Err(LoneCallError::Unanswered | LoneCallError::Interrupted { .. }) => failed(NO_USER.to_owned()),
    }
}

/// The result of a call that needs a user, for a client that offers none.
pub(super) const NO_USER: &str =
    "the tool asked the user of a page, who is not here: it cannot be called over MCP";

pub(super) fn failed(text: String) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(text)])
}

/// A failure is `{"error": "…"}` in AG-UI, and a flag in MCP.
fn error_text(content: String) -> String {
    let text = serde_json::from_str::<Value>(&content).ok();
    text.as_ref().and_then(|value| value["error"].as_str()).map(str::to_owned).unwrap_or(content)
}

fn success_result(answered: SettledCall, has_schema: bool) -> CallToolResult {
    let SettledCall { content, parts, .. } = answered;
    if !parts.is_empty() {
        return CallToolResult::success(parts.into_iter().enumerate().map(block).collect());
    }
    let structured = has_schema.then(|| serde_json::from_str(&content).ok()).flatten();
    let mut result = CallToolResult::success(vec![ContentBlock::text(content)]);
    result.structured_content = structured;
    result
}

fn block((at, part): (usize, ContentPart)) -> ContentBlock {
    let (source, name) = match &part {
        ContentPart::Text(part) => return ContentBlock::text(part.text.clone()),
        ContentPart::Image(part) => (&part.source, "image"),
        ContentPart::Audio(part) => (&part.source, "audio"),
        ContentPart::Video(part) => (&part.source, "video"),
        ContentPart::Document(part) => (&part.source, "document"),
    };
    match (source, &part) {
        (PartSource::Data(data), ContentPart::Image(_)) => ContentBlock::image(&data.value, &data.mime_type),
        (PartSource::Data(data), ContentPart::Audio(_)) => ContentBlock::audio(&data.value, &data.mime_type),
        (PartSource::Data(data), _) => ContentBlock::resource(ResourceContents::BlobResourceContents {
            uri: format!("agui://result/{at}"),
            mime_type: Some(data.mime_type.clone()),
            blob: data.value.clone(),
            meta: None,
        }),
        (PartSource::Url(url), _) => {
            let mut link = Resource::new(&url.value, name);
            link.mime_type.clone_from(&url.mime_type);
            ContentBlock::resource_link(link)
        }
        // A handle at a model provider has no form in MCP.
        (PartSource::File(_), _) => ContentBlock::text(serde_json::to_string(&part).unwrap_or_default()),
    }
}

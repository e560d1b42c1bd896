//! The results of a server's tools as content for the model.

use std::fmt;

use rmcp::model::{CallToolResult, ContentBlock, EmbeddedResource, ResourceContents};
use serde_json::{Value, json};

use crate::agent::PublicError;
use crate::mcp::McpError;
use crate::protocol::{
    AudioPart, Content, ContentPart, DataSource, DocumentPart, ImagePart, NonNull, TextPart, VideoPart,
};

/// The reason why a call has no result: the server's tool failed, or the server did not answer.
#[derive(Debug)]
pub(super) enum ToolError {
    /// The text of the tool.
    Failed(String),
    Server(McpError),
}

impl From<McpError> for ToolError {
    fn from(error: McpError) -> Self {
        Self::Server(error)
    }
}

impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Failed(text) => f.write_str(text),
            Self::Server(error) => error.fmt(f),
        }
    }
}

impl PublicError for ToolError {}

/// Returns the content of a result: one text, if it has nothing else.
pub(super) fn of_result(result: CallToolResult) -> Result<Content, ToolError> {
    let CallToolResult { content, structured_content, is_error, .. } = result;
    let mut parts: Vec<ContentPart> = content.into_iter().map(part).collect();
    if let Some(value) = structured_content.filter(|value| !parts.iter().any(|part| is_text_of(part, value)))
    {
        parts.push(TextPart::new(value.to_string()).into());
    }
    if is_error == Some(true) {
        let text = joined(&parts);
        return Err(ToolError::Failed(if text.is_empty() { "the tool failed".to_owned() } else { text }));
    }
    Ok(if parts.iter().all(is_plain) { Content::Text(joined(&parts)) } else { Content::Parts(parts) })
}

/// True if a part says the same as the structured content, as servers do for clients of earlier versions.
fn is_text_of(part: &ContentPart, value: &Value) -> bool {
    match part {
        ContentPart::Text(part) => {
            value.as_str() == Some(&part.text)
                || serde_json::from_str::<Value>(&part.text).is_ok_and(|text| text == *value)
        }
        _ => false,
    }
}

/// True for text without metadata.
fn is_plain(part: &ContentPart) -> bool {
    matches!(part, ContentPart::Text(part) if part.metadata.is_none())
}

fn joined(parts: &[ContentPart]) -> String {
    let texts = parts.iter().filter_map(|part| match part {
        ContentPart::Text(part) => Some(part.text.as_str()),
        _ => None,
    });
    texts.collect::<Vec<_>>().join("\n")
}

fn part(block: ContentBlock) -> ContentPart {
    match block {
        ContentBlock::Text(text) => TextPart::new(text.text).into(),
        ContentBlock::Image(image) => ImagePart::new(DataSource::new(image.data, image.mime_type)).into(),
        ContentBlock::Audio(audio) => AudioPart::new(DataSource::new(audio.data, audio.mime_type)).into(),
        ContentBlock::Resource(EmbeddedResource { resource, .. }) => embedded(resource),
        // A link is for this client to read, not for the provider: it would fetch the address.
        other => TextPart::new(serde_json::to_string(&other).unwrap_or_default()).into(),
    }
}

/// A resource in the result. Its address is metadata.
fn embedded(resource: ResourceContents) -> ContentPart {
    match resource {
        ResourceContents::TextResourceContents { uri, text, .. } => {
            let metadata = NonNull::new(json!({ "uri": uri }));
            let part = TextPart::new(text);
            metadata.map_or_else(|| part.clone(), |metadata| part.clone().with_metadata(metadata)).into()
        }
        ResourceContents::BlobResourceContents { mime_type, blob, .. } => {
            let kind = mime_type.unwrap_or_else(|| "application/octet-stream".to_owned());
            let family = kind.split('/').next().unwrap_or_default().to_owned();
            let source = DataSource::new(blob, kind);
            match family.as_str() {
                "image" => ImagePart::new(source).into(),
                "audio" => AudioPart::new(source).into(),
                "video" => VideoPart::new(source).into(),
                _ => DocumentPart::new(source).into(),
            }
        }
        other => TextPart::new(serde_json::to_string(&other).unwrap_or_default()).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(result: Value) -> Result<Content, String> {
        of_result(serde_json::from_value(result).unwrap()).map_err(|error| error.to_string())
    }

    fn text(content: &str) -> Result<Content, String> {
        Ok(Content::Text(content.to_owned()))
    }

    #[test]
    fn texts_are_one_text() {
        assert_eq!(read(json!({ "content": [{ "type": "text", "text": "7" }] })), text("7"));
        let two = json!([{ "type": "text", "text": "a" }, { "type": "text", "text": "b" }]);
        assert_eq!(read(json!({ "content": two })), text("a\nb"));
        assert_eq!(read(json!({ "content": [] })), text(""));
    }

    #[test]
    fn structured_content_is_shown_once() {
        let structured = json!({ "cents": 180 });
        assert_eq!(read(json!({ "structuredContent": structured })), text(r#"{"cents":180}"#));
        let same = json!([{ "type": "text", "text": "{ \"cents\": 180 }" }]);
        assert_eq!(
            read(json!({ "content": same, "structuredContent": structured })),
            text("{ \"cents\": 180 }")
        );
        let other = json!([{ "type": "text", "text": "cheap" }]);
        assert_eq!(
            read(json!({ "content": other, "structuredContent": structured })),
            text("cheap\n{\"cents\":180}")
        );
    }

    #[test]
    fn an_error_has_the_texts() {
        let failed = json!({ "content": [{ "type": "text", "text": "sold out" }], "isError": true });
        assert_eq!(read(failed), Err("sold out".to_owned()));
        assert_eq!(read(json!({ "content": [], "isError": true })), Err("the tool failed".to_owned()));
    }

    #[test]
    fn all_kinds_of_blocks_have_a_part() {
        let content = json!([
            { "type": "image", "data": "aW1n", "mimeType": "image/png" },
            { "type": "audio", "data": "YXVk", "mimeType": "audio/wav" },
            { "type": "resource", "resource": { "uri": "a:1", "text": "note" } },
            { "type": "resource", "resource": { "uri": "a:2", "blob": "Zmls", "mimeType": "video/mp4" } },
            { "type": "resource", "resource": { "uri": "a:3", "blob": "Zmls" } },
            { "type": "resource_link", "uri": "file:///a", "name": "a" },
        ]);
        let Ok(Content::Parts(parts)) = read(json!({ "content": content })) else { panic!("no parts") };
        let kinds: Vec<_> =
            parts.iter().map(|part| serde_json::to_value(part).unwrap()["type"].clone()).collect();
        assert_eq!(kinds, ["image", "audio", "text", "video", "document", "text"]);
        assert_eq!(
            serde_json::to_value(&parts[2]).unwrap(),
            json!({ "type": "text", "text": "note", "metadata": { "uri": "a:1" } })
        );
        let ContentPart::Text(link) = &parts[5] else { panic!("{:?}", parts[5]) };
        assert_eq!(link.text, r#"{"type":"resource_link","uri":"file:///a","name":"a"}"#);
    }
}

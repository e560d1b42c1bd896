//! Tool results from a server, converted to model content.

use std::fmt;

use rmcp::model::{CallToolResult, ContentBlock, EmbeddedResource, ResourceContents};
use serde_json::{Value, json};

use crate::McpError;
use agui_runtime_core::__leaf::same;
use agui_runtime_core::PublicError;
use agui_runtime_core::protocol::{
    AudioPart, Content, ContentPart, DataSource, DocumentPart, ImagePart, NonNull, TextPart, VideoPart,
};

/// A call has no result: the server's tool failed, or the server did not respond.
#[derive(Debug)]
pub(super) enum McpToolError {
    /// The tool's error text.
    Failed(String),
    Server(McpError),
}

impl From<McpError> for McpToolError {
    fn from(error: McpError) -> Self {
        Self::Server(error)
    }
}

impl fmt::Display for McpToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Failed(text) => f.write_str(text),
            Self::Server(error) => error.fmt(f),
        }
    }
}

impl PublicError for McpToolError {}

/// Converts a tool result: to one text, if the result has nothing else.
pub(super) fn of_result(result: CallToolResult) -> Result<Content, McpToolError> {
    let CallToolResult { content, structured_content, is_error, .. } = result;
    let mut parts: Vec<ContentPart> = content.into_iter().map(part).collect();
    // `null` is how some servers write that there is none.
    let structured = structured_content.filter(|value| !value.is_null() && !say_the_same(&parts, value));
    if let Some(value) = structured {
        parts.push(TextPart::new(value.to_string()).into());
    }
    if is_error == Some(true) {
        let text = joined(&parts);
        return Err(McpToolError::Failed(if text.is_empty() { "the tool failed".to_owned() } else { text }));
    }
    Ok(joined_if_plain(parts))
}

/// Returns one text, if the parts are texts alone.
pub(super) fn joined_if_plain(parts: Vec<ContentPart>) -> Content {
    if parts.iter().all(is_plain) { Content::Text(joined(&parts)) } else { Content::Parts(parts) }
}

/// True if the texts repeat the structured content, as servers write for legacy clients. FastMCP writes a value that is no object
/// as `{"result": …}`, and each list item as a separate text.
fn say_the_same(parts: &[ContentPart], value: &Value) -> bool {
    let texts: Vec<&str> = parts.iter().filter_map(text_of).collect();
    let wrapped =
        value.as_object().filter(|members| members.len() == 1).and_then(|members| members.get("result"));
    [Some(value), wrapped].into_iter().flatten().any(|value| {
        texts.iter().any(|text| is_same(text, value))
            || is_same(&texts.concat(), value)
            || value.as_array().is_some_and(|items| {
                !items.is_empty()
                    && items.len() == texts.len()
                    && texts.iter().zip(items).all(|(text, item)| is_same(text, item))
            })
    })
}

fn is_same(text: &str, value: &Value) -> bool {
    value.as_str().is_some_and(|value| value.trim() == text.trim())
        || serde_json::from_str::<Value>(text).is_ok_and(|text| same(&text, value))
}

fn text_of(part: &ContentPart) -> Option<&str> {
    match part {
        ContentPart::Text(part) => Some(&part.text),
        _ => None,
    }
}

/// True for text without metadata.
fn is_plain(part: &ContentPart) -> bool {
    matches!(part, ContentPart::Text(part) if part.metadata.is_none())
}

fn joined(parts: &[ContentPart]) -> String {
    parts.iter().filter_map(text_of).collect::<Vec<_>>().join("\n")
}

pub(super) fn part(block: ContentBlock) -> ContentPart {
    match block {
        ContentBlock::Text(text) => TextPart::new(text.text).into(),
        ContentBlock::Image(image) => ImagePart::new(DataSource::new(image.data, image.mime_type)).into(),
        ContentBlock::Audio(audio) => AudioPart::new(DataSource::new(audio.data, audio.mime_type)).into(),
        ContentBlock::Resource(EmbeddedResource { resource, .. }) => embedded(resource),
        // A link is for this client to read, not for the provider: it would fetch the address.
        other => TextPart::new(serde_json::to_string(&other).unwrap_or_default()).into(),
    }
}

/// Converts an embedded resource; the resource's address becomes metadata.
pub(super) fn embedded(resource: ResourceContents) -> ContentPart {
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
    fn content_that_fastmcp_writes_twice_is_shown_once() {
        let rows = [
            (json!(["180"]), json!({ "result": 180 }), "180"),
            (json!(["180"]), json!({ "result": 180.0 }), "180"),
            (json!(["rice"]), json!({ "result": "rice" }), "rice"),
            (json!(["\"rice\""]), json!({ "result": "rice" }), "\"rice\""),
            (json!(["true"]), json!({ "result": true }), "true"),
            (json!(["null"]), json!({ "result": null }), "null"),
            (json!(["a", "b"]), json!({ "result": ["a", "b"] }), "a\nb"),
            (
                json!(["{\n  \"a\": 1\n}", "{\"a\":2}"]),
                json!({ "result": [{ "a": 1 }, { "a": 2 }] }),
                "{\n  \"a\": 1\n}\n{\"a\":2}",
            ),
            (json!(["[1,2]"]), json!({ "result": [1, 2] }), "[1,2]"),
            (json!(["{\"result\":1}"]), json!({ "result": 1 }), "{\"result\":1}"),
            (json!([]), json!({ "result": [] }), "{\"result\":[]}"),
            (json!(["a"]), json!({ "result": ["a", "b"] }), "a\n{\"result\":[\"a\",\"b\"]}"),
            (json!(["a"]), json!({ "result": "a", "more": 1 }), "a\n{\"result\":\"a\",\"more\":1}"),
            (json!(["a"]), json!(null), "a"),
        ];
        for (texts, structured, shown) in rows {
            let content: Vec<_> = texts
                .as_array()
                .unwrap()
                .iter()
                .map(|shown| json!({ "type": "text", "text": shown }))
                .collect();
            let result = json!({ "content": content, "structuredContent": structured });
            assert_eq!(read(result.clone()), text(shown), "{result}");
        }
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

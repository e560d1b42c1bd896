//! Parts in messages and artifacts.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::protocol::JsonObject;

/// A part in a message or an artifact (A2A, section "Part").
///
/// ```
/// use agui_runtime::a2a::{Part, PartContent};
///
/// let part: Part = serde_json::from_str(r#"{"url":"https://files.example/7","mediaType":"image/png"}"#)?;
/// assert_eq!(part.content, PartContent::Url("https://files.example/7".to_owned()));
/// assert!(serde_json::from_str::<Part>(r#"{"filename":"empty.txt"}"#).is_err());
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Members", into = "Members")]
#[non_exhaustive]
pub struct Part {
    /// The content.
    pub content: PartContent,
    /// The file name.
    pub filename: Option<String>,
    /// The content's media type.
    pub media_type: Option<String>,
    /// Free data.
    pub metadata: Option<JsonObject>,
}

/// The content in a [`Part`].
///
/// ```
/// use agui_runtime::a2a::{Part, PartContent};
///
/// assert!(matches!(Part::text("Hi").content, PartContent::Text(text) if text == "Hi"));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum PartContent {
    /// Text.
    Text(String),
    /// A file's bytes, in base64.
    Raw(String),
    /// A file's address. This crate never fetches the file.
    Url(String),
    /// A JSON value.
    Data(Value),
}

impl Part {
    /// Builds a [`PartContent::Text`] part.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self::of(PartContent::Text(text.into()))
    }

    /// Builds a [`PartContent::Data`] part.
    #[must_use]
    pub fn data(value: Value) -> Self {
        Self::of(PartContent::Data(value))
    }

    pub(crate) fn of(content: PartContent) -> Self {
        Self { content, filename: None, media_type: None, metadata: None }
    }

    /// Returns the text of a text part.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        match &self.content {
            PartContent::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Joins the texts in all parts.
    pub(crate) fn text_of(parts: &[Self]) -> String {
        parts.iter().filter_map(Self::as_text).collect()
    }
}

/// The members on the wire: exactly one of the first four is present.
#[derive(Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Members {
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    raw: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "also_null")]
    data: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    filename: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    media_type: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    metadata: Option<JsonObject>,
}

/// Reads `null` as data.
fn also_null<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

impl TryFrom<Members> for Part {
    type Error = &'static str;

    fn try_from(members: Members) -> Result<Self, Self::Error> {
        let Members { text, raw, url, data, filename, media_type, metadata } = members;
        let contents = [
            text.map(PartContent::Text),
            raw.map(PartContent::Raw),
            url.map(PartContent::Url),
            data.map(PartContent::Data),
        ];
        let mut present = contents.into_iter().flatten();
        match (present.next(), present.next()) {
            (Some(content), None) => Ok(Self {
                content,
                // ProtoJSON may write a member that is not set as an empty string.
                filename: filename.filter(|name| !name.is_empty()),
                media_type: media_type.filter(|media| !media.is_empty()),
                metadata,
            }),
            _ => Err("a part has exactly one of `text`, `raw`, `url` and `data`"),
        }
    }
}

impl From<Part> for Members {
    fn from(part: Part) -> Self {
        let Part { content, filename, media_type, metadata } = part;
        let mut members = Self { filename, media_type, metadata, ..Self::default() };
        match content {
            PartContent::Text(text) => members.text = Some(text),
            PartContent::Raw(raw) => members.raw = Some(raw),
            PartContent::Url(url) => members.url = Some(url),
            PartContent::Data(data) => members.data = Some(data),
        }
        members
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn each_content_is_written_as_it_was_read() {
        for part in [
            json!({ "text": "" }),
            json!({ "raw": "aGk=", "filename": "hi.txt", "mediaType": "text/plain" }),
            json!({ "url": "https://files.example/7", "metadata": { "a": [1] } }),
            json!({ "data": null }),
            json!({ "data": [1, { "b": 2.5 }] }),
        ] {
            let read: Part = serde_json::from_value(part.clone()).unwrap();
            assert_eq!(serde_json::to_value(read).unwrap(), part);
        }
    }

    #[test]
    fn a_part_has_one_content() {
        for part in
            [json!({}), json!({ "text": "a", "url": "b" }), json!({ "text": null }), json!({ "text": 7 })]
        {
            assert!(serde_json::from_value::<Part>(part.clone()).is_err(), "{part}");
        }
    }
}

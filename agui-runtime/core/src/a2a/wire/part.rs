//! Parts in messages and artifacts.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::protocol::JsonObject;

/// A part in a message or an artifact (A2A, section "Part").
///
/// ```
/// use agui_runtime::a2a::{A2aPart, A2aPartContent};
///
/// let part: A2aPart = serde_json::from_str(r#"{"url":"https://files.example/7","mediaType":"image/png"}"#)?;
/// assert_eq!(part.content, A2aPartContent::Url("https://files.example/7".to_owned()));
/// assert!(serde_json::from_str::<A2aPart>(r#"{"filename":"empty.txt"}"#).is_err());
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "A2aPartMembers", into = "A2aPartMembers")]
#[non_exhaustive]
pub struct A2aPart {
    /// The content.
    pub content: A2aPartContent,
    /// The file name.
    pub filename: Option<String>,
    /// The content's media type.
    pub media_type: Option<String>,
    /// Free data.
    pub metadata: Option<JsonObject>,
}

/// The content in a [`A2aPart`].
///
/// ```
/// use agui_runtime::a2a::{A2aPart, A2aPartContent};
///
/// assert!(matches!(A2aPart::text("Hi").content, A2aPartContent::Text(text) if text == "Hi"));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum A2aPartContent {
    /// Text.
    Text(String),
    /// A file's bytes, in base64.
    Raw(String),
    /// A file's address. This crate never fetches the file.
    Url(String),
    /// A JSON value.
    Data(Value),
}

impl A2aPart {
    /// Builds a [`A2aPartContent::Text`] part.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self::new(A2aPartContent::Text(text.into()))
    }

    /// Builds a [`A2aPartContent::Data`] part.
    #[must_use]
    pub fn data(value: Value) -> Self {
        Self::new(A2aPartContent::Data(value))
    }

    pub(crate) fn new(content: A2aPartContent) -> Self {
        Self { content, filename: None, media_type: None, metadata: None }
    }

    /// Returns the text of a text part.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        match &self.content {
            A2aPartContent::Text(text) => Some(text),
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
struct A2aPartMembers {
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

impl TryFrom<A2aPartMembers> for A2aPart {
    type Error = &'static str;

    fn try_from(members: A2aPartMembers) -> Result<Self, Self::Error> {
        let A2aPartMembers { text, raw, url, data, filename, media_type, metadata } = members;
        let contents = [
            text.map(A2aPartContent::Text),
            raw.map(A2aPartContent::Raw),
            url.map(A2aPartContent::Url),
            data.map(A2aPartContent::Data),
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

impl From<A2aPart> for A2aPartMembers {
    fn from(part: A2aPart) -> Self {
        let A2aPart { content, filename, media_type, metadata } = part;
        let mut members = Self { filename, media_type, metadata, ..Self::default() };
        match content {
            A2aPartContent::Text(text) => members.text = Some(text),
            A2aPartContent::Raw(raw) => members.raw = Some(raw),
            A2aPartContent::Url(url) => members.url = Some(url),
            A2aPartContent::Data(data) => members.data = Some(data),
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
            let read: A2aPart = serde_json::from_value(part.clone()).unwrap();
            assert_eq!(serde_json::to_value(read).unwrap(), part);
        }
    }

    #[test]
    fn a_part_has_one_content() {
        for part in
            [json!({}), json!({ "text": "a", "url": "b" }), json!({ "text": null }), json!({ "text": 7 })]
        {
            assert!(serde_json::from_value::<A2aPart>(part.clone()).is_err(), "{part}");
        }
    }
}

//! Content of messages and tool results: text, or parts (AG-UI 1.0, section "Content parts").

use std::borrow::Cow;
use std::fmt;

use serde::de::value::SeqAccessDeserializer;
use serde::de::{self, Deserialize, Deserializer, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};

use super::json::NonNull;
use super::object::object;
use super::shape::{Described, Shape};
use super::union::union;

/// Text, or a list of parts.
///
/// ```
/// use agui_runtime::protocol::{Content, ImagePart, TextPart, UrlSource};
///
/// let content = Content::from(vec![
///     TextPart::new("Rain ").into(),
///     ImagePart::new(UrlSource::new("https://example.com/radar.png")).into(),
///     TextPart::new("until noon.").into(),
/// ]);
/// assert_eq!(content.text(), "Rain until noon.");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// Plain text.
    Text(String),
    /// Parts, in order; an empty list is legal.
    Parts(Vec<ContentPart>),
}

impl Content {
    /// The text: of the text parts, joined without a separator. Other parts are lost; say so where it matters.
    #[must_use]
    pub fn text(&self) -> Cow<'_, str> {
        match self {
            Self::Text(text) => Cow::Borrowed(text),
            Self::Parts(parts) => parts
                .iter()
                .filter_map(|part| match part {
                    ContentPart::Text(part) => Some(part.text.as_str()),
                    _ => None,
                })
                .collect::<String>()
                .into(),
        }
    }
}

impl From<&str> for Content {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Content {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<Vec<ContentPart>> for Content {
    fn from(parts: Vec<ContentPart>) -> Self {
        Self::Parts(parts)
    }
}

impl<const N: usize> From<[ContentPart; N]> for Content {
    fn from(parts: [ContentPart; N]) -> Self {
        Self::Parts(parts.into())
    }
}

impl Described for Content {
    const SHAPE: Shape = Shape::TextOrList { of: &ContentPart::SHAPE };
}

impl Serialize for Content {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(text) => serializer.serialize_str(text),
            Self::Parts(parts) => parts.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Content {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ContentVisitor)
    }
}

struct ContentVisitor;

impl<'de> Visitor<'de> for ContentVisitor {
    type Value = Content;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string or an array of content parts")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Content, E> {
        Ok(text.into())
    }

    fn visit_string<E: de::Error>(self, text: String) -> Result<Content, E> {
        Ok(text.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, parts: A) -> Result<Content, A::Error> {
        Vec::deserialize(SeqAccessDeserializer::new(parts)).map(Content::Parts)
    }
}

union! {
    /// One part of a content.
    pub enum ContentPart: "type" = TYPE, "a content part" {
        /// Text.
        Text(TextPart),
        /// A picture.
        Image(ImagePart),
        /// Sound.
        Audio(AudioPart),
        /// Moving pictures.
        Video(VideoPart),
        /// Any other file.
        Document(DocumentPart),
    }
}

object! {
    /// Text as a part.
    pub struct TextPart {
        const TYPE: "type" = "text";
        /// The part, for references to it.
        id: Option<String> => with_id,
        /// The text.
        text: String,
        /// Free data: any value but `null`, unlike all other metadata.
        metadata: Option<NonNull> => with_metadata,
    }
}

/// The four parts with a source differ in their type alone.
macro_rules! media_part {
    ($(#[$meta:meta])* $Part:ident = $tag:literal) => {
        object! {
            $(#[$meta])*
            pub struct $Part {
                const TYPE: "type" = $tag;
                /// The part, for references to it.
                id: Option<String> => with_id,
                /// Where the bytes are.
                source: PartSource,
                /// Free data: any value but `null`, unlike all other metadata.
                metadata: Option<NonNull> => with_metadata,
            }
        }
    };
}

media_part! {
    /// A picture.
    ImagePart = "image"
}

media_part! {
    /// Sound.
    AudioPart = "audio"
}

media_part! {
    /// Moving pictures.
    VideoPart = "video"
}

media_part! {
    /// Any other file.
    DocumentPart = "document"
}

union! {
    /// Where the bytes of a part are.
    pub enum PartSource: "type" = TYPE, "a part source" {
        /// Here.
        Data(DataSource),
        /// At an address anyone can fetch.
        Url(UrlSource),
        /// With the model provider.
        File(FileSource),
    }
}

object! {
    /// The bytes themselves.
    pub struct DataSource {
        const TYPE: "type" = "data";
        /// The bytes in base64; not checked here.
        value: String,
        /// What they are.
        mime_type: String,
    }
}

object! {
    /// An address anyone can fetch.
    pub struct UrlSource {
        const TYPE: "type" = "url";
        /// The address.
        value: String,
        /// What is there.
        mime_type: Option<String> => with_mime_type,
    }
}

object! {
    /// A file at the model provider.
    pub struct FileSource {
        const TYPE: "type" = "file";
        /// The provider's handle: never fetched, parsed or rewritten.
        value: String,
        /// Whose handle it is.
        provider: Option<String> => with_provider,
        /// What the file is.
        mime_type: Option<String> => with_mime_type,
    }
}

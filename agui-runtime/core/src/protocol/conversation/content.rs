//! Content in messages and tool results: text, or parts (AG-UI 1.0, section "Content parts").

use std::borrow::Cow;
use std::fmt;

use serde::de::value::SeqAccessDeserializer;
use serde::de::{self, Deserialize, Deserializer, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};

use crate::protocol::any_json::json::NonNull;
use crate::protocol::forms::object::object;
use crate::protocol::forms::shape::{JsonShape, ShapedType};
use crate::protocol::forms::union::union;

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
    /// Returns the text parts joined without a separator. Other parts are left out; warn the user where that matters.
    ///
    /// ```
    /// use agui_runtime::protocol::{Content, TextPart};
    ///
    /// let parts = vec![TextPart::new("Rain ").into(), TextPart::new("until noon.").into()];
    /// assert_eq!(Content::from(parts).text(), "Rain until noon.");
    /// ```
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

impl ShapedType for Content {
    const SHAPE: JsonShape = JsonShape::TextOrList { of: &ContentPart::SHAPE };
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
    /// One content part.
    ///
    /// ```
    /// use agui_runtime::protocol::{ContentPart, TextPart};
    ///
    /// let part = ContentPart::from(TextPart::new("Rain until noon."));
    /// assert_eq!(serde_json::to_string(&part).unwrap(), r#"{"type":"text","text":"Rain until noon."}"#);
    /// ```
    pub enum ContentPart: "type" = TYPE, "a content part" {
        /// Text.
        Text(TextPart),
        /// An image.
        Image(ImagePart),
        /// Audio.
        Audio(AudioPart),
        /// Video.
        Video(VideoPart),
        /// Any other file.
        Document(DocumentPart),
    }
}

object! {
    /// Text as a part.
    ///
    /// ```
    /// use agui_runtime::protocol::{Content, TextPart, UserMessage};
    ///
    /// let question = UserMessage::new("u-1", [TextPart::new("Is it raining?").with_id("p-1").into()]);
    /// assert_eq!(question.content.text(), "Is it raining?");
    /// ```
    pub struct TextPart {
        const TYPE: "type" = "text";
        /// Part id, for references to this part.
        id: Option<String> => with_id,
        /// The text.
        text: String,
        /// Free data: any value but `null`, unlike all other metadata.
        metadata: Option<NonNull> => with_metadata,
    }
}

/// The four parts with a source differ only by type.
macro_rules! media_part {
    ($(#[$meta:meta])* $Part:ident = $tag:literal) => {
        object! {
            $(#[$meta])*
            pub struct $Part {
                const TYPE: "type" = $tag;
                /// Part id, for references to this part.
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
    /// An image.
    ///
    /// ```
    /// use agui_runtime::protocol::{ImagePart, UrlSource};
    ///
    /// let part = ImagePart::new(UrlSource::new("https://example.com/radar.png"));
    /// assert_eq!(
    ///     serde_json::to_string(&part).unwrap(),
    ///     r#"{"type":"image","source":{"type":"url","value":"https://example.com/radar.png"}}"#,
    /// );
    /// ```
    ImagePart = "image"
}

media_part! {
    /// Audio, built like an [`ImagePart`].
    AudioPart = "audio"
}

media_part! {
    /// Video, built like an [`ImagePart`].
    VideoPart = "video"
}

media_part! {
    /// Any other file, built like an [`ImagePart`].
    DocumentPart = "document"
}

union! {
    /// Where a part's bytes are.
    ///
    /// ```
    /// use agui_runtime::protocol::{ImagePart, PartSource, UrlSource};
    ///
    /// fn address(part: &ImagePart) -> Option<&str> {
    ///     match &part.source {
    ///         PartSource::Url(url) => Some(&url.value),
    ///         PartSource::Data(_) | PartSource::File(_) => None,
    ///     }
    /// }
    ///
    /// let radar = ImagePart::new(UrlSource::new("https://example.com/radar.png"));
    /// assert_eq!(address(&radar), Some("https://example.com/radar.png"));
    /// ```
    pub enum PartSource: "type" = TYPE, "a part source" {
        /// In the message itself.
        Data(DataSource),
        /// At a public address.
        Url(UrlSource),
        /// At the model provider.
        File(FileSource),
    }
}

object! {
    /// Bytes in the message itself, a [`PartSource`].
    pub struct DataSource {
        const TYPE: "type" = "data";
        /// Base64 text; not checked here.
        value: String,
        /// The bytes' media type.
        mime_type as "mimeType": String,
    }
}

object! {
    /// A public address, a [`PartSource`].
    pub struct UrlSource {
        const TYPE: "type" = "url";
        /// The address.
        value: String,
        /// Media type at the address.
        mime_type as "mimeType": Option<String> => with_mime_type,
    }
}

object! {
    /// A file at the model provider, a [`PartSource`].
    pub struct FileSource {
        const TYPE: "type" = "file";
        /// The provider's handle: never fetched, parsed or rewritten.
        value: String,
        /// The provider that issued the handle.
        provider: Option<String> => with_provider,
        /// The file's media type.
        mime_type as "mimeType": Option<String> => with_mime_type,
    }
}

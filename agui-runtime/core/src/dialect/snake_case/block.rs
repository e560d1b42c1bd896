//! The parts of a message in the dialect.

use serde::{Deserialize, Serialize};

use super::DialectError;
use crate::protocol::{
    AudioPart, ContentPart, DataSource, DocumentPart, ImagePart, PartSource, TextPart, UrlSource,
};

/// A part of a message.
///
/// ```
/// use agui_runtime::dialect::snake_case::Block;
///
/// let block: Block = serde_json::from_str(r#"{"type":"image","url":"https://example.org/a.png"}"#)?;
/// assert!(matches!(block, Block::Image(media) if media.url.is_some()));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Block {
    /// Text.
    Text {
        /// The text.
        text: String,
    },
    /// An image.
    Image(Media),
    /// Audio.
    Audio(Media),
    /// Any other file.
    File(Media),
    /// Reasoning of the assistant.
    Reasoning {
        /// The text.
        reasoning: String,
    },
    /// An unknown kind of block; it is left out.
    #[serde(other)]
    Unknown,
}

/// Bytes, or their address.
///
/// ```
/// use agui_runtime::dialect::snake_case::{Block, Media};
///
/// let mut media = Media::default();
/// media.url = Some("https://example.org/a.png".to_owned());
/// assert_eq!(
///     serde_json::to_string(&Block::Image(media))?,
///     r#"{"type":"image","url":"https://example.org/a.png"}"#
/// );
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Media {
    /// A public address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The bytes in base64.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<String>,
    /// The media type of the bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
}

/// The reason why a block has no source.
pub(super) enum NoSource {
    MimeType,
    Source,
}

impl NoSource {
    pub(super) fn at(self, message: usize, block: usize) -> DialectError {
        match self {
            Self::MimeType => DialectError::NoMimeType { message, block },
            Self::Source => DialectError::NoSource { message, block },
        }
    }
}

impl Media {
    fn into_source(self) -> Result<PartSource, NoSource> {
        match (self.data, self.url, self.mime_type) {
            (Some(data), _, Some(mime_type)) => Ok(DataSource::new(data, mime_type).into()),
            (_, Some(url), mime_type) => {
                let mut source = UrlSource::new(url);
                source.mime_type = mime_type;
                Ok(source.into())
            }
            (Some(_), None, None) => Err(NoSource::MimeType),
            (None, None, _) => Err(NoSource::Source),
        }
    }

    /// Returns the member that [`into_source`](Self::into_source) leaves out.
    pub(super) fn left_out(&self) -> Option<&'static str> {
        match (&self.data, &self.url, &self.mime_type) {
            (Some(_), Some(_), Some(_)) => Some("url"),
            (Some(_), Some(_), None) => Some("data"),
            _ => None,
        }
    }

    /// Converts a source; `None` for a file at the model provider, which the dialect cannot express.
    fn of(source: &PartSource) -> Option<Self> {
        match source {
            PartSource::Data(source) => Some(Self {
                url: None,
                data: Some(source.value.clone()),
                mime_type: Some(source.mime_type.clone()),
            }),
            PartSource::Url(source) => Some(Self {
                url: Some(source.value.clone()),
                data: None,
                mime_type: source.mime_type.clone(),
            }),
            PartSource::File(_) => None,
        }
    }
}

impl Block {
    /// Converts a block to a part of a user message; `None` for a block that is not a part.
    pub(super) fn into_part(self) -> Result<Option<ContentPart>, NoSource> {
        Ok(Some(match self {
            Self::Text { text } => TextPart::new(text).into(),
            Self::Image(media) => ImagePart::new(media.into_source()?).into(),
            Self::Audio(media) => AudioPart::new(media.into_source()?).into(),
            Self::File(media) => DocumentPart::new(media.into_source()?).into(),
            Self::Reasoning { .. } | Self::Unknown => return Ok(None),
        }))
    }

    /// Converts a part; `None` for a part that the dialect cannot express.
    pub(super) fn of(part: &ContentPart) -> Option<Self> {
        match part {
            ContentPart::Text(part) => Some(Self::Text { text: part.text.clone() }),
            ContentPart::Image(part) => Media::of(&part.source).map(Self::Image),
            ContentPart::Audio(part) => Media::of(&part.source).map(Self::Audio),
            ContentPart::Document(part) => Media::of(&part.source).map(Self::File),
            ContentPart::Video(_) => None,
        }
    }
}

//! Text and files in messages, as the dialects need them.

use agui_runtime_core::model::ModelError;
use agui_runtime_core::protocol::{ContentPart, DataSource, PartSource};
use serde_json::Value;

/// A message part: text or a file.
pub(super) enum MessagePiece<'p> {
    Text(&'p str),
    File(MediaFileKind, &'p PartSource),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MediaFileKind {
    Image,
    Audio,
    Video,
    Document,
}

impl MediaFileKind {
    fn word(self) -> &'static str {
        match self {
            Self::Image => "image",
            Self::Audio => "audio",
            Self::Video => "video",
            Self::Document => "document",
        }
    }
}

pub(super) fn piece(part: &ContentPart) -> MessagePiece<'_> {
    match part {
        ContentPart::Text(text) => MessagePiece::Text(&text.text),
        ContentPart::Image(image) => MessagePiece::File(MediaFileKind::Image, &image.source),
        ContentPart::Audio(audio) => MessagePiece::File(MediaFileKind::Audio, &audio.source),
        ContentPart::Video(video) => MessagePiece::File(MediaFileKind::Video, &video.source),
        ContentPart::Document(document) => MessagePiece::File(MediaFileKind::Document, &document.source),
    }
}

/// Returns the file's address; a `data` URL if the file has no other address.
pub(super) fn address(source: &PartSource) -> Option<String> {
    match source {
        PartSource::Data(data) => Some(data_address(data)),
        PartSource::Url(url) => Some(url.value.clone()),
        PartSource::File(_) => None,
    }
}

pub(super) fn data_address(data: &DataSource) -> String {
    format!("data:{};base64,{}", data.mime_type, data.value)
}

/// Returns a file name: some providers refuse files without one.
pub(super) fn file_name(media_type: &str) -> String {
    let extension = match media_type.split_once('/') {
        Some(("text", "plain")) | None => "txt",
        Some((_, subtype)) => subtype.split(['+', ';', '.']).next().unwrap_or("bin"),
    };
    format!("file.{extension}")
}

/// Returns the error for a file that a provider cannot take. Files are never dropped silently.
pub(super) fn unsupported(provider: &str, kind: MediaFileKind, source: &PartSource) -> ModelError {
    let place = match source {
        PartSource::Data(data) => format!("by its bytes ({})", data.mime_type),
        PartSource::Url(_) => "by its address".to_owned(),
        PartSource::File(_) => "by the id of a file".to_owned(),
    };
    ModelError::Unsupported(format!("{provider} takes no {} {place}", kind.word()))
}

/// Returns call arguments as an object. If the model wrote text that is not JSON, the object carries that text back to the model.
pub(super) fn object(arguments: &str) -> Value {
    if arguments.trim().is_empty() {
        return Value::Object(serde_json::Map::new());
    }
    match serde_json::from_str(arguments) {
        Ok(object @ Value::Object(_)) => object,
        _ => serde_json::json!({ "unreadable": arguments }),
    }
}

/// Returns call arguments as valid JSON text.
pub(super) fn arguments(text: &str) -> String {
    match serde_json::from_str::<serde::de::IgnoredAny>(text) {
        Ok(_) => text.to_owned(),
        Err(_) => object(text).to_string(),
    }
}

//! Converts a client's message to a user message and back without loss: members unknown to AG-UI become metadata under `a2a`.

use base64::Engine as _;
use base64::alphabet;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig, STANDARD};
use serde_json::{Value, json};

use crate::a2a::wire::{A2aMessage, A2aPart, A2aPartContent, A2aRole};
use crate::protocol::{
    AudioPart, Content, ContentPart, DataSource, DocumentPart, ImagePart, JsonObject, Metadata, NonNull,
    PartSource, TextPart, UrlSource, UserMessage, VideoPart,
};

/// The metadata key.
const A2A: &str = "a2a";

/// Media type for files without one.
const OCTETS: &str = "application/octet-stream";

/// A message that the agent cannot read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum MessageRefusal {
    #[error("expected a message with the role `ROLE_USER`")]
    Role,
    #[error("expected a message with a `messageId`")]
    NoId,
    #[error("expected a message with at least one part")]
    Empty,
    #[error("`parts[{at}].raw` is not base64")]
    Base64 { at: usize },
    #[error("the agent does not read `{media}` (`parts[{at}]`): see `defaultInputModes` of its card")]
    MediaType { at: usize, media: String },
}

/// Converts an A2A message to AG-UI.
pub(crate) fn user_message(message: &A2aMessage, modes: &[String]) -> Result<UserMessage, MessageRefusal> {
    if message.role != A2aRole::User {
        return Err(MessageRefusal::Role);
    }
    if message.message_id.is_empty() {
        return Err(MessageRefusal::NoId);
    }
    if message.parts.is_empty() {
        return Err(MessageRefusal::Empty);
    }
    let parts = message.parts.iter().enumerate();
    let parts = parts.map(|(at, part)| content_part(at, part, modes)).collect::<Result<Vec<_>, _>>()?;
    let content = match parts.as_slice() {
        [ContentPart::Text(TextPart { text, metadata: None, .. })] => Content::Text(text.clone()),
        _ => Content::Parts(parts),
    };
    let mut user = UserMessage::new(message.message_id.as_str(), content);
    let kept = present([
        ("metadata", message.metadata.clone().map(Value::Object)),
        ("extensions", some_list(&message.extensions)),
        ("referenceTaskIds", some_list(&message.reference_task_ids)),
    ]);
    user.metadata = kept.map(|kept| Metadata::from_iter([(A2A, Value::Object(kept))]));
    Ok(user)
}

/// Restores the A2A message as the client sent it.
pub(super) fn message_of(user: &UserMessage) -> A2aMessage {
    let parts = match &user.content {
        Content::Text(text) => vec![A2aPart::text(text)],
        Content::Parts(parts) => parts.iter().map(part_of).collect(),
    };
    let mut message = A2aMessage::new(user.id.as_str(), A2aRole::User, parts);
    if let Some(Value::Object(kept)) = user.metadata.as_ref().and_then(|metadata| metadata.get(A2A)) {
        message.metadata = kept.get("metadata").and_then(Value::as_object).cloned();
        message.extensions = list(kept.get("extensions"));
        message.reference_task_ids = list(kept.get("referenceTaskIds"));
    }
    message
}

fn content_part(at: usize, part: &A2aPart, modes: &[String]) -> Result<ContentPart, MessageRefusal> {
    let A2aPart { content, filename, media_type, metadata } = part;
    let is_data = matches!(content, A2aPartContent::Data(_));
    let kept = present([
        ("filename", filename.clone().map(Value::String)),
        ("mediaType", media_type.clone().map(Value::String)),
        ("metadata", metadata.clone().map(Value::Object)),
        ("isData", is_data.then_some(Value::Bool(true))),
    ]);
    let kept = kept.map(|kept| NonNull::from(JsonObject::from_iter([(A2A.to_owned(), Value::Object(kept))])));
    let media = media_type.as_deref().unwrap_or(OCTETS);
    let source: PartSource = match content {
        A2aPartContent::Text(text) => return Ok(text_part(text.clone(), kept)),
        // A model reads it.
        A2aPartContent::Data(data) => return Ok(text_part(data.to_string(), kept)),
        A2aPartContent::Raw(raw) => {
            DataSource::new(standard(raw).ok_or(MessageRefusal::Base64 { at })?, media).into()
        }
        A2aPartContent::Url(url) => {
            let mut source = UrlSource::new(url.as_str());
            source.mime_type.clone_from(media_type);
            source.into()
        }
    };
    if !modes.iter().any(|mode| accepts(mode, media)) {
        return Err(MessageRefusal::MediaType { at, media: media.to_owned() });
    }
    Ok(file_part(media, source, kept))
}

fn text_part(text: String, kept: Option<NonNull>) -> ContentPart {
    let mut part = TextPart::new(text);
    part.metadata = kept;
    part.into()
}

fn file_part(media: &str, source: PartSource, kept: Option<NonNull>) -> ContentPart {
    macro_rules! part {
        ($Part:ident) => {{
            let mut part = $Part::new(source);
            part.metadata = kept;
            part.into()
        }};
    }
    match media.split('/').next() {
        Some("image") => part!(ImagePart),
        Some("audio") => part!(AudioPart),
        Some("video") => part!(VideoPart),
        _ => part!(DocumentPart),
    }
}

fn part_of(part: &ContentPart) -> A2aPart {
    let (source, metadata) = match part {
        ContentPart::Text(part) => return text_of(part),
        ContentPart::Image(part) => (&part.source, &part.metadata),
        ContentPart::Audio(part) => (&part.source, &part.metadata),
        ContentPart::Video(part) => (&part.source, &part.metadata),
        ContentPart::Document(part) => (&part.source, &part.metadata),
    };
    let content = match source {
        PartSource::Data(data) => A2aPartContent::Raw(data.value.clone()),
        PartSource::Url(url) => A2aPartContent::Url(url.value.clone()),
        // Messages of clients have none.
        PartSource::File(file) => A2aPartContent::Data(json!({ "file": file.value })),
    };
    with_kept(A2aPart::new(content), metadata.as_ref())
}

fn text_of(text: &TextPart) -> A2aPart {
    let is_data = text
        .metadata
        .as_ref()
        .is_some_and(|metadata| metadata.pointer("/a2a/isData") == Some(&Value::Bool(true)));
    let data = is_data.then(|| serde_json::from_str(&text.text).ok()).flatten();
    let part = data.map_or_else(|| A2aPart::text(&text.text), A2aPart::data);
    with_kept(part, text.metadata.as_ref())
}

fn with_kept(mut part: A2aPart, metadata: Option<&NonNull>) -> A2aPart {
    let Some(kept) = metadata.and_then(|metadata| metadata.get(A2A)?.as_object().cloned()) else {
        return part;
    };
    let text = |name: &str| kept.get(name).and_then(Value::as_str).map(str::to_owned);
    part.filename = text("filename");
    part.media_type = text("mediaType");
    part.metadata = kept.get("metadata").and_then(Value::as_object).cloned();
    part
}

/// Returns the members that have a value; `None` if all are missing.
fn present<const N: usize>(members: [(&str, Option<Value>); N]) -> Option<JsonObject> {
    let present = members.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
    Some(present.collect::<JsonObject>()).filter(|kept| !kept.is_empty())
}

fn some_list(texts: &[String]) -> Option<Value> {
    (!texts.is_empty()).then(|| texts.to_vec().into())
}

fn list(value: Option<&Value>) -> Vec<String> {
    let texts = value.and_then(Value::as_array).into_iter().flatten();
    texts.filter_map(|text| text.as_str().map(str::to_owned)).collect()
}

/// True if a mode covers a media type: `image/png`, `image/*`, `*/*`. Parameters in the media type are ignored.
fn accepts(mode: &str, media: &str) -> bool {
    let media = media.split(';').next().unwrap_or_default().trim();
    match mode.strip_suffix("/*") {
        Some("*") => true,
        Some(kind) => media.split('/').next().is_some_and(|found| found.eq_ignore_ascii_case(kind)),
        None => mode.eq_ignore_ascii_case(media),
    }
}

/// Re-encodes base64 in the form that AG-UI and model providers read. ProtoJSON accepts both alphabets, with or without padding.
fn standard(raw: &str) -> Option<String> {
    const LENIENT: GeneralPurposeConfig =
        GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
    let alphabet = if raw.contains(['-', '_']) { &alphabet::URL_SAFE } else { &alphabet::STANDARD };
    let bytes = GeneralPurpose::new(alphabet, LENIENT).decode(raw).ok()?;
    Some(STANDARD.encode(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(value: Value) -> A2aMessage {
        serde_json::from_value(value).unwrap()
    }

    fn modes() -> Vec<String> {
        ["text/plain", "image/*", "application/pdf"].map(str::to_owned).into()
    }

    #[test]
    fn a_message_survives_both_ways() {
        let sent = json!({
            "messageId": "m-1",
            "role": "ROLE_USER",
            "parts": [
                { "text": "Look", "metadata": { "lang": "en" } },
                { "data": { "seats": [1, 2.5, null] }, "mediaType": "application/json" },
                { "raw": "aGk=", "filename": "hi.png", "mediaType": "image/png" },
                { "url": "https://files.example/7", "mediaType": "application/pdf" },
            ],
            "metadata": { "trace": "7" },
            "extensions": ["https://ext.example"],
            "referenceTaskIds": ["t-0"],
        });
        let user = user_message(&read(sent.clone()), &modes()).unwrap();
        let Content::Parts(parts) = &user.content else { panic!("{user:?}") };
        assert!(matches!(&parts[1], ContentPart::Text(part) if part.text == r#"{"seats":[1,2.5,null]}"#));
        assert!(matches!(&parts[2], ContentPart::Image(_)) && matches!(&parts[3], ContentPart::Document(_)));
        // It is kept as text.
        let text = serde_json::to_string(&user).unwrap();
        let user: UserMessage = serde_json::from_str(&text).unwrap();
        assert_eq!(serde_json::to_value(message_of(&user)).unwrap(), sent);
    }

    #[test]
    fn text_alone_is_text() {
        let sent = json!({ "messageId": "m-1", "role": "ROLE_USER", "parts": [{ "text": "Hi" }] });
        let user = user_message(&read(sent.clone()), &[]).unwrap();
        assert_eq!((&user.content, &user.metadata), (&Content::from("Hi"), &None));
        assert_eq!(serde_json::to_value(message_of(&user)).unwrap(), sent);
    }

    #[test]
    fn base64_of_any_form_is_read() {
        for (sent, expected) in
            [("aGk=", "aGk="), ("aGk", "aGk="), ("-_8", "+/8="), ("+/8=", "+/8="), ("", "")]
        {
            assert_eq!(standard(sent).as_deref(), Some(expected), "{sent}");
        }
        assert_eq!((standard("a*b"), standard("a")), (None, None));
    }

    #[test]
    fn messages_that_an_agent_cannot_read_are_refused() {
        let file = |media: &str| json!({ "url": "https://files.example/7", "mediaType": media });
        let cases = [
            (
                json!({ "messageId": "m", "role": "ROLE_AGENT", "parts": [{ "text": "Hi" }] }),
                MessageRefusal::Role,
            ),
            (
                json!({ "messageId": "", "role": "ROLE_USER", "parts": [{ "text": "Hi" }] }),
                MessageRefusal::NoId,
            ),
            (json!({ "messageId": "m", "role": "ROLE_USER" }), MessageRefusal::Empty),
            (
                json!({ "messageId": "m", "role": "ROLE_USER", "parts": [{ "raw": "*", "mediaType": "image/png" }] }),
                MessageRefusal::Base64 { at: 0 },
            ),
            (
                json!({ "messageId": "m", "role": "ROLE_USER", "parts": [{ "text": "Hi" }, file("video/mp4")] }),
                MessageRefusal::MediaType { at: 1, media: "video/mp4".to_owned() },
            ),
            (
                json!({ "messageId": "m", "role": "ROLE_USER", "parts": [{ "raw": "" }] }),
                MessageRefusal::MediaType { at: 0, media: OCTETS.to_owned() },
            ),
        ];
        for (message, refused) in cases {
            assert_eq!(user_message(&read(message.clone()), &modes()), Err(refused), "{message}");
        }
        let accepted = json!({ "messageId": "m", "role": "ROLE_USER", "parts": [file("Image/PNG; q=1")] });
        assert!(user_message(&read(accepted), &modes()).is_ok());
    }
}

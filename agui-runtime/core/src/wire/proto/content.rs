//! The conversation: one message for all roles, and parts whose field number is their kind.

use super::out::Out;
use super::schema::{Body, Kind, MessageTable, Put, Row};
use super::shape::Shape;
use crate::protocol::{
    ActivityMessage, AssistantMessage, AudioPart, Content, ContentPart, DataSource, DeveloperMessage,
    DocumentPart, FileSource, FunctionCall, ImagePart, Message, PartSource, ReasoningMessage, SystemMessage,
    TextPart, ToolCall, ToolMessage, UrlSource, UserMessage, VideoPart,
};

/// The key for content in parts; in JSON the key is `content`.
pub(super) const PARTS: &str = "contentParts";
/// The key for an activity's content; in JSON the key is `content`.
pub(super) const ACTIVITY: &str = "activityContent";
/// The kind of field [`PARTS`].
pub(super) const PART_ROW: Kind = <ContentPart as Put>::KIND;

impl Body for Message {
    const TABLE: MessageTable = MessageTable {
        rows: &[
            Row::plain(1, "id", Kind::Text),
            Row::plain(2, "role", Kind::Text),
            Row::optional(3, "content", Kind::Text),
            Row::optional(4, "name", Kind::Text),
            Row::repeated(5, "toolCalls", <ToolCall as Put>::KIND),
            Row::optional(6, "toolCallId", Kind::Text),
            Row::optional(7, "error", Kind::Text),
            Row::repeated(8, PARTS, PART_ROW),
            Row::optional(9, "metadata", Kind::Struct),
            Row::optional(10, "subagentRunId", Kind::Text),
            Row::optional(11, "encryptedValue", Kind::Text),
            Row::optional(12, "activityType", Kind::Text),
            Row::optional(13, ACTIVITY, Kind::Struct),
            Row::optional(14, "encryptedValueType", Kind::Text),
        ],
        shape: Shape::Message,
    };

    fn body(&self, out: &mut Out) {
        self.id().plain(1, out);
        out.text(2, self.role().as_str());
        let ends = |out: &mut Out| {
            self.metadata().into_iter().for_each(|metadata| metadata.optional(9, out));
            self.subagent_run_id().into_iter().for_each(|id| id.optional(10, out));
            let [value, value_type] = self.encrypted_texts();
            value.optional(11, out);
            value_type.optional(14, out);
        };
        match self {
            Self::Developer(DeveloperMessage { content, name, .. })
            | Self::System(SystemMessage { content, name, .. }) => {
                content.optional(3, out);
                name.optional(4, out);
                ends(out);
            }
            Self::Assistant(AssistantMessage { content, tool_calls, name, .. }) => {
                content.optional(3, out);
                name.optional(4, out);
                tool_calls.repeated(5, out);
                ends(out);
            }
            Self::User(UserMessage { content, name, .. }) => {
                text_of(content, out);
                name.optional(4, out);
                parts_of(content, out);
                ends(out);
            }
            Self::Tool(ToolMessage { content, tool_call_id, error, .. }) => {
                text_of(content, out);
                tool_call_id.optional(6, out);
                error.optional(7, out);
                parts_of(content, out);
                ends(out);
            }
            Self::Activity(ActivityMessage { activity_type, content, .. }) => {
                ends(out);
                activity_type.optional(12, out);
                content.optional(13, out);
            }
            Self::Reasoning(ReasoningMessage { content, .. }) => {
                content.optional(3, out);
                ends(out);
            }
        }
    }
}

fn text_of(content: &Content, out: &mut Out) {
    if let Content::Text(text) = content {
        out.text(3, text);
    }
}

fn parts_of(content: &Content, out: &mut Out) {
    if let Content::Parts(parts) = content {
        parts.repeated(8, out);
    }
}

impl Body for ToolCall {
    const TABLE: MessageTable = MessageTable {
        rows: &[
            Row::plain(1, "id", Kind::Text),
            Row::plain(2, "type", Kind::Text),
            Row::optional(3, "function", <FunctionCall as Put>::KIND),
            Row::optional(4, "metadata", Kind::Struct),
            Row::optional(5, "encryptedValue", Kind::Text),
            Row::optional(6, "encryptedValueType", Kind::Text),
        ],
        shape: Shape::AsItIs,
    };

    fn body(&self, out: &mut Out) {
        self.id.plain(1, out);
        out.text(2, Self::TYPE);
        self.function.optional(3, out);
        self.metadata.optional(4, out);
        self.encrypted_value.optional(5, out);
        self.encrypted_value_type.optional(6, out);
    }
}

/// The `oneof` member names the kind; the member's message holds the object's other members.
macro_rules! one_of {
    ($($Union:ident { $($number:literal $Variant:ident($Object:ident) = $write:ident $rows:expr;)+ })*) => { $(
        impl Body for $Union {
            const TABLE: MessageTable = MessageTable {
                rows: &[$(Row::optional(
                    $number,
                    $Object::TYPE,
                    Kind::Message(&MessageTable { rows: &$rows, shape: Shape::AsItIs }),
                ),)+],
                shape: Shape::Tagged,
            };

            fn body(&self, out: &mut Out) {
                match self { $(Self::$Variant(object) => out.message($number, |out| $write(object, out)),)+ }
            }
        }
    )* };
}

/// The fields shared by the four parts with a source.
macro_rules! media_rows {
    () => {
        [
            Row::optional(1, "source", <PartSource as Put>::KIND),
            Row::optional(2, "metadata", Kind::Value),
            Row::optional(3, "id", Kind::Text),
        ]
    };
}

one_of! {
    ContentPart {
        1 Text(TextPart) = text_part [
            Row::plain(1, "text", Kind::Text),
            Row::optional(2, "id", Kind::Text),
            Row::optional(3, "metadata", Kind::Value),
        ];
        2 Image(ImagePart) = image media_rows!();
        3 Audio(AudioPart) = audio media_rows!();
        4 Video(VideoPart) = video media_rows!();
        5 Document(DocumentPart) = document media_rows!();
    }

    PartSource {
        1 Data(DataSource) = data_source [
            Row::plain(1, "value", Kind::Text),
            Row::plain(2, "mimeType", Kind::Text),
        ];
        2 Url(UrlSource) = url_source [
            Row::plain(1, "value", Kind::Text),
            Row::optional(2, "mimeType", Kind::Text),
        ];
        3 File(FileSource) = file_source [
            Row::plain(1, "value", Kind::Text),
            Row::optional(2, "provider", Kind::Text),
            Row::optional(3, "mimeType", Kind::Text),
        ];
    }
}

fn text_part(part: &TextPart, out: &mut Out) {
    part.text.plain(1, out);
    part.id.optional(2, out);
    part.metadata.optional(3, out);
}

macro_rules! media_part {
    ($($write:ident $Part:ident),*) => { $(
        fn $write(part: &$Part, out: &mut Out) {
            part.source.optional(1, out);
            part.metadata.optional(2, out);
            part.id.optional(3, out);
        }
    )* };
}

media_part!(image ImagePart, audio AudioPart, video VideoPart, document DocumentPart);

fn data_source(source: &DataSource, out: &mut Out) {
    source.value.plain(1, out);
    source.mime_type.plain(2, out);
}

fn url_source(source: &UrlSource, out: &mut Out) {
    source.value.plain(1, out);
    source.mime_type.optional(2, out);
}

fn file_source(source: &FileSource, out: &mut Out) {
    source.value.plain(1, out);
    source.provider.optional(2, out);
    source.mime_type.optional(3, out);
}

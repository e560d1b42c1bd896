//! Samples of the parts of events and messages.

use agui_runtime::protocol::*;
use serde_json::{Value, json};

use super::samples;

pub(super) fn object(value: Value) -> JsonObject {
    match value {
        Value::Object(object) => object,
        other => panic!("{other} is no object"),
    }
}

pub(super) fn metadata() -> Metadata {
    object(json!({ "ag-ui": {}, "acme/none": null, "acme/list": [1, "two"] })).into()
}

pub(super) fn non_null(value: Value) -> NonNull {
    NonNull::new(value).expect("not null")
}

fn pointer(text: &str) -> JsonPointer {
    text.parse().expect("a pointer")
}

/// A full interrupt.
pub(super) fn interrupt() -> Interrupt {
    Interrupt::new("int-1", "tool_call")
        .with_message("Book the room?")
        .with_tool_call_id("c-4")
        .with_response_schema(object(json!({ "type": "object", "required": ["approved"] })))
        .with_expires_at("2026-10-01T00:00:00Z")
        .with_metadata(metadata())
        .with_subagent_run_id("")
}

/// A full entry of a usage list.
pub(super) fn usage() -> TokenUsage {
    TokenUsage::new()
        .with_provider("acme")
        .with_model("x-1")
        .with_input_tokens(41_u32)
        .with_output_tokens(9_u32)
        .with_total_tokens(Count::try_from((1_u64 << 53) - 1).expect("in range"))
        .with_reasoning_tokens(0_u32)
        .with_cached_input_tokens(1_u32)
        .with_cache_write_input_tokens(2_u32)
}

/// One part of each kind.
pub(super) fn parts() -> Vec<ContentPart> {
    vec![
        TextPart::new("Rain").into(),
        ImagePart::new(UrlSource::new("https://example.com/radar.png")).into(),
        AudioPart::new(FileSource::new("file-1")).into(),
        VideoPart::new(DataSource::new("AAAA", "video/mp4")).into(),
        DocumentPart::new(DataSource::new("", "")).into(),
    ]
}

/// One operation of each kind.
pub(super) fn patch() -> JsonPatch {
    let mut removal = RemoveOperation::new(pointer("/a"));
    removal.undefined = Some(Box::new(object(json!({ "value": 1, "reason": null }))));
    JsonPatch::from([
        PatchOperation::add(pointer("/a~1b/-"), Value::Null),
        removal.into(),
        PatchOperation::replace(JsonPointer::root(), json!({})),
        PatchOperation::move_(pointer("/a"), pointer("/b")),
        PatchOperation::copy(pointer("/~0"), pointer("//")),
        PatchOperation::test(pointer("/0"), 1),
    ])
}

samples! {
    Interrupt: interrupt(), Interrupt::new("", "");
    ResumeEntry:
        ResumeEntry::new("int-1", ResumeStatus::Resolved)
            .with_payload(non_null(json!({ "approved": false, "note": null })))
            .with_metadata(metadata()),
        ResumeEntry::new("int-1", ResumeStatus::Cancelled);
    TokenUsage: usage(), TokenUsage::new();
    RunFinishedSuccessOutcome:
        RunFinishedSuccessOutcome::new().with_pending_tool_call_ids([ToolCallId::from("c-1")]),
        RunFinishedSuccessOutcome::new();
    RunFinishedInterruptOutcome:
        RunFinishedInterruptOutcome::new(InterruptList::try_from(vec![interrupt(), interrupt()]).expect("two")),
        RunFinishedInterruptOutcome::new(Interrupt::new("i", "r"));
    RunFinishedCancelledOutcome: RunFinishedCancelledOutcome::new(), RunFinishedCancelledOutcome::new();
    SubagentFinishedSuccessOutcome: SubagentFinishedSuccessOutcome::new(), SubagentFinishedSuccessOutcome::new();
    SubagentFinishedSuspendedOutcome:
        SubagentFinishedSuspendedOutcome::new().with_interrupt_ids([InterruptId::from("int-1")]),
        SubagentFinishedSuspendedOutcome::new();

    TextPart:
        TextPart::new("Rain until noon.").with_id("p-1").with_metadata(3),
        TextPart::new("");
    ImagePart:
        ImagePart::new(UrlSource::new("https://example.com")).with_id("p-1").with_metadata("any"),
        ImagePart::new(UrlSource::new(""));
    AudioPart:
        AudioPart::new(FileSource::new("f")).with_id("").with_metadata(metadata_value()),
        AudioPart::new(FileSource::new(""));
    VideoPart:
        VideoPart::new(DataSource::new("AAAA", "video/mp4")).with_id("p").with_metadata(false),
        VideoPart::new(DataSource::new("", ""));
    DocumentPart:
        DocumentPart::new(FileSource::new("f")).with_id("p").with_metadata(vec![Value::Null]),
        DocumentPart::new(FileSource::new("f"));
    DataSource: DataSource::new("AAAA", "image/png"), DataSource::new("", "");
    UrlSource: UrlSource::new("https://example.com").with_mime_type("image/png"), UrlSource::new("");
    FileSource:
        FileSource::new("file-77").with_provider("acme").with_mime_type("application/pdf"),
        FileSource::new("");

    AddOperation: AddOperation::new(pointer("/a"), Value::Null), AddOperation::new(JsonPointer::root(), 1);
    RemoveOperation: RemoveOperation::new(pointer("/a")), RemoveOperation::new(JsonPointer::root());
    ReplaceOperation:
        ReplaceOperation::new(pointer("/a"), json!([null])),
        ReplaceOperation::new(JsonPointer::root(), Value::Null);
    MoveOperation:
        MoveOperation::new(pointer("/a"), pointer("/b/0")),
        MoveOperation::new(JsonPointer::root(), JsonPointer::root());
    CopyOperation:
        CopyOperation::new(pointer("/a"), pointer("/b/0")),
        CopyOperation::new(JsonPointer::root(), JsonPointer::root());
    TestOperation: TestOperation::new(pointer("/a"), "x"), TestOperation::new(JsonPointer::root(), Value::Null);
}

fn metadata_value() -> NonNull {
    NonNull::from(JsonObject::from(metadata()))
}

//! Both ways to read a frame, and their properties for any bytes.

use agui_runtime::json::patch::MAX_DEPTH;
use agui_runtime::order::OrderStrictness;
use agui_runtime::protocol::{Event, Message};
use agui_runtime::receive::{FrameIntake, FrameWarning, ReceivePipeline, Reducer, RejectCode, RejectedFrame};
use serde_json::Value;

/// The result of a frame.
pub type Came = (Result<Option<Event>, RejectedFrame>, Vec<FrameWarning>);

/// Reads a text as the client does.
pub fn read(text: &str, strictness: OrderStrictness) -> Came {
    let mut warnings = Vec::new();
    let result =
        FrameIntake::new().with_strictness(strictness).text(text, &mut |warning| warnings.push(warning));
    (result, warnings)
}

/// Reads a text by way of a JSON value, which is always read carefully. `None` if the text is not JSON.
#[must_use]
pub fn read_carefully(text: &str, strictness: OrderStrictness) -> Option<Came> {
    let value: Value = serde_json::from_str(text).ok()?;
    let mut warnings = Vec::new();
    let result =
        FrameIntake::new().with_strictness(strictness).value(value, &mut |warning| warnings.push(warning));
    Some((result, warnings))
}

/// Reads any bytes both ways; returns true if they are JSON.
///
/// # Panics
/// If the two ways do not agree.
pub fn fuzz(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let careful = read_carefully(&text, OrderStrictness::Client);
    for strictness in [OrderStrictness::Client, OrderStrictness::Spec, OrderStrictness::Producer] {
        let came = read(&text, strictness);
        let by_bytes = FrameIntake::new().with_strictness(strictness).bytes(bytes, &mut |_| {});
        assert_eq!(by_bytes, came.0, "{text}");
        match read_carefully(&text, strictness) {
            Some(careful) => assert_eq!(came, careful, "{text}"),
            // Half a character is the only repair.
            None if text.contains("\\u") => {}
            None => {
                let code = came.0.map_err(|rejected| rejected.code());
                assert_eq!(code, Err(RejectCode::NotJson), "{text}");
            }
        }
    }
    careful.is_some()
}

/// The limit of the bytes that patches may copy in [`fold`].
const COPIES: usize = 1 << 12;

/// Reads any bytes as the frames of a run, one on each line: the documents that any patches build stay within their
/// limits.
///
/// # Panics
/// If a document does not.
pub fn fold(bytes: &[u8]) {
    let mut pipeline = ReceivePipeline::new().with_reducer(Reducer::new().with_copy_limit(COPIES));
    let start = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#;
    let text = String::from_utf8_lossy(bytes);
    for frame in [start].into_iter().chain(text.lines()) {
        pipeline.push_text(frame, &mut |_| {});
        if pipeline.drain(|_, _, _| {}).is_err() {
            break;
        }
    }
    let reducer = pipeline.reducer();
    let activities = reducer.messages().iter().filter_map(|message| match message {
        Message::Activity(activity) => Some(Value::Object(activity.content.clone().into_inner())),
        _ => None,
    });
    let documents: Vec<Value> = activities.chain([reducer.state().clone()]).collect();
    let held: usize = documents.iter().map(|document| document.to_string().len()).sum();
    // Messages do not grow beyond the received bytes and the limit of copies either.
    let said: usize =
        reducer.messages().iter().map(|message| serde_json::json!(message).to_string().len()).sum();
    assert!(said <= COPIES + 24 * bytes.len() + 64, "{said} bytes of messages, of {}", bytes.len());
    // A number may become longer when it is written again.
    assert!(held <= COPIES + 24 * bytes.len() + 64, "{held} bytes of {}", bytes.len());
    assert!(documents.iter().all(|document| depth(document) <= MAX_DEPTH));
}

fn depth(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or_default(),
        Value::Object(members) => 1 + members.values().map(depth).max().unwrap_or_default(),
        _ => 0,
    }
}

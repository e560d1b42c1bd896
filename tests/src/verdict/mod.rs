//! Our client's result for a stream, in the form of `tests/oracle/verify.mjs` for the official one: the binary `judge`.
//!
//! Jobs and results have the shapes that `tests/oracle/README.md` describes. `agui_runtime::receive::differences` lists
//! the differences, and this shows most of them: texts (`error`, `warnings`) and generated ids are ours
//! (`OwnSentences`, `MadeUpIds`); `expand` has `S_MALFORMED` for frames that are not events, and such an event cannot
//! be compacted, nor written for `--wire proto`, which makes the job a `failure` (`TypedStages`); the messages of an
//! input are in the form of 1.0 from the start (`TypedHistory`).

mod asked;
mod skeleton;
mod stages;
mod whole;

pub use asked::{Asked, Part, Wire};
pub use whole::as_hooks_see;

use agui_runtime::receive::{FrameFault, FrameWarning, ReceiveError, RejectedFrame};
use serde_json::{Map, Value, json};
use std::fmt::Display;

/// The requested parts of a verdict on a job; the first impossible part is a `failure`, and ends the verdict.
///
/// # Errors
/// Returns the reason why the job cannot be used.
///
/// ```
/// use agui_tests::verdict::{Asked, Part, verdict};
/// use serde_json::json;
///
/// let job = json!([{ "type": "RUN_STARTED", "threadId": "t", "runId": "r" }, { "type": "REASONING_END", "messageId": "x" }]);
/// let verdict = verdict(&job, &Asked::whole([Part::Verify])).unwrap();
/// assert_eq!(verdict["verify"]["code"], "V_REASONING_SPAN_NOT_OPEN");
/// assert_eq!(verdict["verify"]["eventTypes"], json!(["RUN_STARTED"]));
/// ```
pub fn verdict(job: &Value, asked: &Asked) -> Result<Value, String> {
    let stream = match job {
        Value::Array(stream) => stream,
        job => job["stream"].as_array().ok_or("a job is a list of events, or an object with a `stream`")?,
    };
    let mut verdict = Map::new();
    if let Some(name) = job.get("name") {
        verdict.insert("name".to_owned(), name.clone());
    }
    for part in &asked.parts {
        let said = match part {
            Part::Verify => Ok(stages::verify(stream)),
            Part::Enforce => Ok(stages::enforce(stream)),
            Part::Expand => Ok(stages::expand(stream)),
            Part::Check => Ok(stages::check(stream)),
            Part::Pipeline => whole::pipeline(job, stream, asked.wire),
            Part::Compact => stages::compacted(stream),
        };
        match said {
            Ok(said) => _ = verdict.insert(part.name().to_owned(), said),
            // Earlier parts stay.
            Err(why) => {
                verdict.insert("failure".to_owned(), json!(why));
                break;
            }
        }
    }
    if asked.terse {
        let parts = verdict.iter_mut().filter_map(|(_, part)| part.as_object_mut());
        parts.for_each(|part| drop(part.shift_remove("events")));
    }
    Ok(verdict.into())
}

/// The reason why a stream was refused.
struct Refusal {
    sentence: String,
    code: String,
    paths: Option<Vec<String>>,
    at: Option<usize>,
}

impl Refusal {
    fn new(code: &str, at: usize, sentence: &dyn Display) -> Self {
        Self { sentence: sentence.to_string(), code: code.to_owned(), paths: None, at: Some(at) }
    }

    fn write(self, into: &mut Value) {
        into["error"] = json!(self.sentence);
        into["code"] = json!(self.code);
        if let Some(paths) = self.paths {
            into["paths"] = json!(paths);
        }
        if let Some(at) = self.at {
            into["at"] = json!(at);
        }
    }
}

impl From<(usize, &RejectedFrame)> for Refusal {
    fn from((at, error): (usize, &RejectedFrame)) -> Self {
        let paths = error.faults().iter().map(FrameFault::path).map(str::to_owned).collect();
        Self { paths: Some(paths), ..Self::new(error.code().as_str(), at, error) }
    }
}

impl From<&ReceiveError> for Refusal {
    fn from(error: &ReceiveError) -> Self {
        match error {
            ReceiveError::Rejected { at, error } => (*at, error).into(),
            error => Self::new(error.code(), error.at(), error),
        }
    }
}

/// The result of a stream, in the form of the oracle.
fn result(events: &[Value], warnings: &[FrameWarning], refusal: Option<Refusal>) -> Value {
    let types: Vec<&Value> = events.iter().map(|event| &event["type"]).collect();
    let warnings: Vec<String> = warnings.iter().map(ToString::to_string).collect();
    let mut result =
        json!({ "accepted": refusal.is_none(), "eventTypes": types, "events": events, "warnings": warnings });
    if let Some(refusal) = refusal {
        refusal.write(&mut result);
    }
    result
}

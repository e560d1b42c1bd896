//! What our client makes of a stream, said as `tests/oracle/verify.mjs` says what the official one makes of it: the binary `judge`.
//!
//! Jobs and results have the shapes `tests/oracle/README.md` describes. What differs: sentences (`error`, `warnings`) are ours, and
//! ids that a client makes up are. `expand`, which the official client runs on whatever it is given, has `S_MALFORMED` here for what
//! cannot be read as an event. The messages of an input are 1.0 before anything comes, where the official client keeps them as they
//! are and sends them as 1.0.

mod skeleton;
mod stages;
mod whole;

pub use whole::as_hooks_see;

use agui_runtime::receive::{Fault, ReceiveError, Rejected, Warning};
use serde_json::{Map, Value, json};
use std::fmt::Display;

/// The parts of a verdict there are.
pub const PARTS: [&str; 6] = ["verify", "enforce", "expand", "check", "pipeline", "compact"];

/// The parts of a verdict that are given unless others are asked for.
pub const USUAL: [&str; 3] = ["verify", "check", "pipeline"];

/// The verdict on a job: those parts of it that are asked for. `terse` leaves events out, but for their types.
///
/// # Errors
/// What makes the job unusable.
///
/// ```
/// use agui_tests::verdict::verdict;
/// use serde_json::json;
///
/// let job = json!([{ "type": "RUN_STARTED", "threadId": "t", "runId": "r" }, { "type": "REASONING_END", "messageId": "x" }]);
/// let verdict = verdict(&job, &["verify"], true).unwrap();
/// assert_eq!(verdict["verify"]["code"], "V_REASONING_SPAN_NOT_OPEN");
/// assert_eq!(verdict["verify"]["eventTypes"], json!(["RUN_STARTED"]));
/// ```
pub fn verdict(job: &Value, parts: &[&str], terse: bool) -> Result<Value, String> {
    let stream = match job {
        Value::Array(stream) => stream,
        job => job["stream"].as_array().ok_or("a job is a list of events, or an object with a `stream`")?,
    };
    let mut verdict = Map::new();
    if let Some(name) = job.get("name") {
        verdict.insert("name".to_owned(), name.clone());
    }
    for part in parts {
        let said = match *part {
            "verify" => stages::verify(stream),
            "enforce" => stages::enforce(stream),
            "expand" => stages::expand(stream),
            "check" => stages::check(stream),
            "pipeline" => whole::pipeline(job, stream)?,
            "compact" => stages::compacted(stream)?,
            other => return Err(format!("unknown part '{other}', expected one of {}", PARTS.join(", "))),
        };
        verdict.insert((*part).to_owned(), said);
    }
    if terse {
        let parts = verdict.iter_mut().filter_map(|(_, part)| part.as_object_mut());
        parts.for_each(|part| drop(part.shift_remove("events")));
    }
    Ok(verdict.into())
}

/// Why a stream was refused.
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

impl From<(usize, &Rejected)> for Refusal {
    fn from((at, error): (usize, &Rejected)) -> Self {
        let paths = error.faults().iter().map(Fault::path).map(str::to_owned).collect();
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

/// What came of a stream, in the words of the oracle.
fn result(events: &[Value], warnings: &[Warning], refusal: Option<Refusal>) -> Value {
    let types: Vec<&Value> = events.iter().map(|event| &event["type"]).collect();
    let warnings: Vec<String> = warnings.iter().map(ToString::to_string).collect();
    let mut result =
        json!({ "accepted": refusal.is_none(), "eventTypes": types, "events": events, "warnings": warnings });
    if let Some(refusal) = refusal {
        refusal.write(&mut result);
    }
    result
}

//! Files under `tests/fixtures`; its README lists their sources.

use std::path::Path;

use serde::Deserialize;
use serde_json::Value;

/// The JSON document at a path relative to `tests/fixtures`.
#[must_use]
pub fn json(path: &str) -> Value {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(path);
    let text = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

/// A document with its verdict under the official schema.
#[derive(Debug, Deserialize)]
pub struct SchemaCase {
    /// The subject of the case.
    pub name: String,
    /// The definition it is checked against.
    pub definition: String,
    /// The verdict.
    pub valid: bool,
    /// The document.
    pub document: Value,
}

/// The cases of `schema-cases.json`.
#[must_use]
pub fn schema_cases() -> Vec<SchemaCase> {
    serde_json::from_value(json("schema-cases.json")).expect("schema-cases.json has its shape")
}

/// A document with the result of the official client's enforcement.
#[derive(Debug, Deserialize)]
pub struct Vector {
    /// The subject of the case.
    pub name: String,
    /// The kind of the document: `event`, `message`, `input`, `tool`, `context`, `capabilities`.
    pub target: String,
    /// The document.
    pub input: Value,
    /// The verdict of the official schema.
    pub schema: Verdict,
    /// The result of the official client.
    pub client: Enforcement,
}

/// The verdict of the official schema.
#[derive(Debug, Deserialize)]
pub struct Verdict {
    /// True if the document is valid.
    pub valid: bool,
}

/// The result of the official client's enforcement for a document.
#[derive(Debug, Deserialize)]
pub struct Enforcement {
    /// True if the stream continued.
    pub accept: bool,
    /// The removed members, by JSON Pointer; `(event)` or `(whole)` for everything.
    #[serde(default)]
    pub stripped: Vec<String>,
    /// The rest.
    #[serde(default)]
    pub output: Value,
}

impl Vector {
    /// The definition the document is checked against.
    #[must_use]
    pub fn definition(&self) -> &'static str {
        match self.target.as_str() {
            "event" => "Event",
            "message" => "Message",
            "input" => "RunAgentInput",
            "tool" => "Tool",
            "context" => "Context",
            "capabilities" => "AgentCapabilities",
            other => panic!("{}: unknown target {other}", self.name),
        }
    }
}

/// The vector with a member of AG-UI 1.1, which the official client 1.0.0 strips and we read.
pub const VECTOR_OF_1_1: &str = "encryptedValueType";

/// The vectors of `vectors/schema.json`.
#[must_use]
pub fn schema_vectors() -> Vec<Vector> {
    serde_json::from_value(json("vectors/schema.json")).expect("vectors/schema.json has its shape")
}

/// A stream of an older producer, or a request to one, with the official client's result.
#[derive(Debug, Deserialize)]
pub struct CompatVector {
    /// The subject of the case.
    pub name: String,
    /// The newest package version that the agent may have.
    pub peer: Option<String>,
    /// The input that the client is given.
    #[serde(default)]
    pub input: Value,
    /// The agent's answer.
    pub events: Vec<Value>,
    /// The events that reached the application.
    pub delivered: Vec<Value>,
    /// The code of the failure.
    pub error: Option<String>,
    /// The request of the client.
    pub request: Value,
    /// The warnings of the client, in our words.
    pub warnings: Vec<String>,
}

/// The vectors of `vectors/compat.json`.
#[must_use]
pub fn compat_vectors() -> Vec<CompatVector> {
    serde_json::from_value(json("vectors/compat.json")).expect("vectors/compat.json has its shape")
}

/// An official stream, with the required result of a consumer; `conformance/README.md` describes the format.
#[derive(Debug, Deserialize)]
pub struct Conformance {
    /// Its name.
    pub name: String,
    /// The settings of the consumer.
    #[serde(default)]
    pub client: Value,
    /// The request.
    #[serde(default)]
    pub input: Value,
    /// The events.
    pub stream: Vec<Value>,
    /// The required result.
    pub expect: Value,
}

/// The streams of `conformance`, or of its folder `proposed`.
#[must_use]
pub fn conformance(folder: &str) -> Vec<Conformance> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(folder);
    let files = std::fs::read_dir(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut names: Vec<String> = files
        .map(|file| file.expect("a folder can be read").file_name().to_string_lossy().into_owned())
        .filter(|name| name.ends_with(".json"))
        .collect();
    names.sort();
    let read = |name: &String| {
        serde_json::from_value(json(&format!("{folder}/{name}")))
            .unwrap_or_else(|error| panic!("{name}: {error}"))
    };
    names.iter().map(read).collect()
}

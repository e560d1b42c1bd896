//! Files under `tests/fixtures`; its README says where they come from.

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
    /// What the case shows.
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

/// A document with what the official client's enforcement made of it.
#[derive(Debug, Deserialize)]
pub struct Vector {
    /// What the case shows.
    pub name: String,
    /// What the document is: `event`, `message`, `input`, `tool`, `context`, `capabilities`.
    pub target: String,
    /// The document.
    pub input: Value,
    /// The verdict of the official schema.
    pub schema: Verdict,
    /// What the official client did.
    pub client: Enforcement,
}

/// The verdict of the official schema.
#[derive(Debug, Deserialize)]
pub struct Verdict {
    /// Whether the document is valid.
    pub valid: bool,
}

/// What the official client's enforcement did with a document.
#[derive(Debug, Deserialize)]
pub struct Enforcement {
    /// Whether the stream went on.
    pub accept: bool,
    /// What was taken out, by JSON Pointer; `(event)` or `(whole)` for everything.
    #[serde(default)]
    pub stripped: Vec<String>,
    /// What was left.
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

/// The vectors of `vectors/schema.json`.
#[must_use]
pub fn schema_vectors() -> Vec<Vector> {
    serde_json::from_value(json("vectors/schema.json")).expect("vectors/schema.json has its shape")
}

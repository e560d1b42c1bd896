//! Judgement of a recorded stream by the official Python models and the independent validator.

use std::time::Duration;

use serde::Deserialize;

use super::{Python, finish};

const LIMIT: Duration = Duration::from_secs(120);

/// The verdict of the Python side on a stream.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Verdict {
    /// No problems in any event, no errors and no warnings in the stream.
    pub ok: bool,
    /// The number of events; a stream without events is never `ok`.
    pub event_count: usize,
    /// Events that the official models refuse, or that have members which the models do not know.
    pub events: Vec<EventProblems>,
    /// The report of `ag-ui-validate` about the whole stream.
    pub stream: StreamReport,
}

/// One event and its problems.
#[derive(Debug, Deserialize)]
pub struct EventProblems {
    /// Its place in the stream, from 0.
    pub index: usize,
    /// Its type, if it has one.
    #[serde(rename = "type")]
    pub event_type: Option<String>,
    /// JSON path and complaint.
    pub problems: Vec<String>,
}

/// The part of `ag-ui-validate`'s report that tests look at.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StreamReport {
    /// All findings, also notes of severity `info`.
    pub diagnostics: Vec<Finding>,
    /// Failures of the validator itself.
    pub internal_errors: Vec<String>,
}

/// One finding of `ag-ui-validate`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    /// The rule's id, such as `AGUI103`.
    pub rule: String,
    /// `error`, `warning` or `info`.
    pub severity: String,
    /// The message.
    pub message: String,
    /// The event it is about; -1 is the stream as a whole.
    pub event_index: i64,
}

impl Python {
    /// Judges the body of an SSE response, byte for byte as it came.
    #[must_use]
    pub fn validate_sse(&self, body: &str) -> Verdict {
        self.validate(&["--sse"], body)
    }

    /// Judges a stream written as one event per line.
    #[must_use]
    pub fn validate_lines(&self, lines: &str) -> Verdict {
        self.validate(&[], lines)
    }

    /// Judges many bodies of SSE responses in one process, in order.
    #[must_use]
    pub fn validate_many(&self, bodies: &[&str]) -> Vec<Verdict> {
        let mut command = self.command("clients/validate.py");
        command.arg("--many");
        finish(command, &serde_json::json!(bodies).to_string(), LIMIT).json()
    }

    fn validate(&self, options: &[&str], recording: &str) -> Verdict {
        let mut command = self.command("clients/validate.py");
        command.args(options);
        finish(command, recording, LIMIT).json()
    }
}

impl Verdict {
    /// Fails the test, with the whole verdict, unless the stream has no fault.
    pub fn assert_ok(&self) {
        assert!(self.ok, "the stream is not valid: {self:#?}");
    }

    /// The ids of the rules broken at severity `error` or `warning`, in order.
    #[must_use]
    pub fn rules(&self) -> Vec<&str> {
        let serious = self.stream.diagnostics.iter().filter(|finding| finding.severity != "info");
        serious.map(|finding| finding.rule.as_str()).collect()
    }
}

//! A failed run: client text and log text.

use std::any::Any;
use std::error::Error;

use super::error_code::error_code;
use crate::causes::Causes;
use crate::protocol::RunAgentInput;
use crate::quoted::{quoted, quoted_up_to};

pub(crate) type BoxError = Box<dyn Error + Send + Sync>;

/// Error code for failures that only the log describes.
pub(crate) const INTERNAL: &str = "internal_error";

/// Maximum characters for an error in a log line.
pub(crate) const MAX_LOGGED: usize = 4096;

/// Maximum characters that a client sees from this crate's errors, which may quote client input.
const MAX_SHOWN: usize = 1000;

/// A run's failure reason. Clients see the text only if it was written for users; by default an error goes only to the log.
#[derive(Debug)]
pub(crate) struct StopFailure {
    /// Text for users, if any.
    pub(in crate::agent) text: Option<String>,
    pub(in crate::agent) code: Option<String>,
    pub(super) source: Option<BoxError>,
    /// Log text that replaces the error, because the error quotes content; unused if content is logged.
    pub(super) logged: Option<String>,
    /// True if the failure ends the run even when a tool returns it.
    pub(super) fatal: bool,
}

impl StopFailure {
    /// Creates a failure with a text for users.
    pub(super) fn shown(text: String) -> Self {
        Self { text: Some(text), code: None, source: None, logged: None, fatal: false }
    }

    /// Creates a failure from an error. Only this crate's errors have a client text.
    pub(super) fn from_error(source: BoxError) -> Self {
        let (text, code) = match error_code(&*source) {
            Some(code) => (Some(quoted_up_to(MAX_SHOWN, &source).to_string()), Some(code.to_owned())),
            None => (None, None),
        };
        Self { text, code, source: Some(source), logged: None, fatal: false }
    }

    /// Creates a failure from a panic, whose text may contain anything.
    pub(super) fn from_panic(panic: &(dyn Any + Send)) -> Self {
        let text = panic_text(panic);
        // A task that is not awaited has no other way to report it.
        tracing::error!(panic = %quoted_up_to(MAX_LOGGED, text), "the agent panicked");
        let panicked = PanicText(text.to_owned());
        let (code, source) = (Some("panic".to_owned()), Some(Box::new(panicked) as BoxError));
        Self { text: None, code, source, logged: None, fatal: false }
    }

    /// Returns the text for a context without a run.
    pub(in crate::agent) fn text(&self) -> &str {
        self.text.as_deref().unwrap_or(self.hidden())
    }

    fn hidden(&self) -> &'static str {
        let is_panic = matches!(self.source.as_deref(), Some(source) if source.is::<PanicText>());
        if is_panic { "the agent panicked" } else { "the agent failed" }
    }

    /// Returns RUN_ERROR's message and code. With `reveal`, the message includes all causes.
    pub(crate) fn message(&self, input: &RunAgentInput, reveal: bool) -> (String, Option<String>) {
        let causes = self.source.as_deref().filter(|_| reveal).map(|source| Causes(source).to_string());
        let message = match (&self.text, causes) {
            (Some(text), Some(causes)) if !causes.contains(text.as_str()) => format!("{text}: {causes}"),
            (_, Some(causes)) => causes,
            (Some(text), None) => text.clone(),
            (None, None) => format!("{} (run {})", self.hidden(), quoted(&input.run_id)),
        };
        let code = self.code.clone().or_else(|| self.text.is_none().then(|| INTERNAL.to_owned()));
        (message, code)
    }

    /// Returns the log-only error, with its causes.
    pub(super) fn hidden_causes(&self) -> Option<String> {
        let source = self.source.as_deref().filter(|_| self.text.is_none())?;
        Some(self.logged.clone().unwrap_or_else(|| Causes(source).to_string()))
    }

    /// Returns the causes behind an error with a text for users. Not for this crate's errors: their causes quote the model or the
    /// client, whose words stay out of the log.
    pub(super) fn causes(&self) -> Option<String> {
        let source = self.source.as_deref().filter(|_| self.text.is_some() && self.logged.is_none())?;
        error_code(source).is_none().then(|| Causes(source).to_string())
    }

    /// Logs all details.
    pub(crate) fn log(&self, input: &RunAgentInput, with_content: bool) {
        let (run_id, thread_id) = (quoted(&input.run_id), quoted(&input.thread_id));
        let code = self.code.as_deref();
        let cause = match &self.logged {
            Some(logged) if !with_content => Some(logged.clone()),
            _ => self.source.as_deref().map(|error| Causes(error).to_string()),
        };
        let cause = cause.as_ref().map(|cause| tracing::field::display(quoted_up_to(MAX_LOGGED, cause)));
        match &self.text {
            None => {
                tracing::error!(%run_id, %thread_id, code = code.unwrap_or(INTERNAL), error = cause, "run failed");
            }
            Some(text) => {
                let message = quoted_up_to(MAX_LOGGED, text);
                tracing::warn!(%run_id, %thread_id, code, %message, error = cause, "run failed");
            }
        }
    }
}

/// Returns a panic's text, as `panic!` formats it.
pub(crate) fn panic_text(panic: &(dyn Any + Send)) -> &str {
    panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no text")
}

/// Panic text, stored for the log.
#[derive(Debug, thiserror::Error)]
#[error("the agent panicked: {0}")]
struct PanicText(String);

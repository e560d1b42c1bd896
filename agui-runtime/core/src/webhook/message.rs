//! A webhook's content.

use serde::{Deserialize, Serialize};

use crate::protocol::{Event, RunId, ThreadId};

/// How a run ended.
///
/// ```
/// use agui_runtime::webhook::WebhookKind;
///
/// assert_eq!(serde_json::to_value(WebhookKind::Interrupted)?, "run.interrupted");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum WebhookKind {
    /// The run finished.
    #[serde(rename = "run.finished")]
    Finished,
    /// The run finished with open interrupts, which a later run resumes.
    #[serde(rename = "run.interrupted")]
    Interrupted,
    /// The run was stopped on purpose.
    #[serde(rename = "run.cancelled")]
    Cancelled,
    /// The run ended with RUN_ERROR.
    #[serde(rename = "run.failed")]
    Failed,
}

/// A webhook's body, in the form that the Standard Webhooks specification recommends.
///
/// ```
/// use agui_runtime::webhook::{WebhookKind, WebhookMessage};
///
/// let body = r#"{"type":"run.finished","timestamp":"2026-11-26T17:00:00Z","data":{"agent":"/chef","threadId":"t-1",
///     "runId":"r-1","event":{"type":"RUN_FINISHED","threadId":"t-1","runId":"r-1"}}}"#;
/// let message: WebhookMessage = serde_json::from_str(body)?;
/// assert_eq!((message.kind, message.data.agent.as_str()), (WebhookKind::Finished, "/chef"));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct WebhookMessage {
    /// How the run ended.
    #[serde(rename = "type")]
    pub kind: WebhookKind,
    /// The time at which the run ended, or shortly after (RFC 3339).
    pub timestamp: String,
    /// The run that ended.
    pub data: WebhookData,
}

/// The run that ended.
///
/// ```
/// use agui_runtime::webhook::WebhookData;
///
/// let data: WebhookData = serde_json::from_str(r#"{"agent":"/chef","threadId":"t-1","runId":"r-1"}"#)?;
/// assert!(data.event.is_none(), "the event was too large: the thread has it");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct WebhookData {
    /// The agent's path.
    pub agent: String,
    /// The thread.
    pub thread_id: ThreadId,
    /// The run.
    pub run_id: RunId,
    /// The event that ended the run: RUN_FINISHED with the result or the interrupts, or RUN_ERROR. `None` if the event is larger
    /// than 64 KiB, or no longer stored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event: Option<Event>,
}

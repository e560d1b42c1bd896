//! Call progress for a client that sent a progress token (MCP, section "Progress").

use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::{Peer, RoleServer};
use serde_json::Value;

use agui_runtime_core::__leaf::CallWatcher;
use agui_runtime_core::__leaf::{ITEM, PROGRESS};
use agui_runtime_core::protocol::{Event, ToolCallId};

/// Sends a tool's progress reports, and the items of a streamed result, to the client.
pub(super) struct ProgressReporter {
    peer: Peer<RoleServer>,
    token: ProgressToken,
    /// The client's call: the first in its run.
    call: Option<ToolCallId>,
    /// The progress value sent last.
    last: Option<f64>,
}

impl ProgressReporter {
    pub(super) fn new(peer: Peer<RoleServer>, token: ProgressToken) -> Self {
        Self { peer, token, call: None, last: None }
    }

    /// Returns the report in an event. Agents below the called tool make calls with progress too, which means nothing to the
    /// client.
    fn report(&mut self, event: &Event) -> Option<ProgressNotificationParam> {
        let custom = match event {
            Event::ToolCallStart(start) => {
                self.call.get_or_insert_with(|| start.tool_call_id.clone());
                return None;
            }
            Event::Custom(custom) => custom,
            _ => return None,
        };
        let call = custom.value.get("toolCallId").and_then(Value::as_str);
        if call != self.call.as_ref().map(ToolCallId::as_str) {
            return None;
        }
        match custom.name.as_str() {
            PROGRESS => self.progress(&custom.value),
            ITEM => custom.value.get("item").map(|item| self.item(item)),
            _ => None,
        }
    }

    /// MCP demands growing progress values; a report that does not grow is dropped.
    fn progress(&mut self, value: &Value) -> Option<ProgressNotificationParam> {
        let progress = value.get("progress")?.as_f64()?;
        if self.last.is_some_and(|last| progress <= last) {
            tracing::debug!(progress, "a progress that does not grow is not reported");
            return None;
        }
        let mut report = self.at(progress);
        report.total = value.get("total").and_then(Value::as_f64);
        report.message = value.get("message").and_then(Value::as_str).map(str::to_owned);
        Some(report)
    }

    fn item(&mut self, item: &Value) -> ProgressNotificationParam {
        let next = self.last.unwrap_or_default() + 1.0;
        self.at(next).with_message(item.to_string())
    }

    fn at(&mut self, progress: f64) -> ProgressNotificationParam {
        self.last = Some(progress);
        ProgressNotificationParam::new(self.token.clone(), progress)
    }
}

impl CallWatcher for ProgressReporter {
    async fn watch(&mut self, event: &Event) {
        if let Some(report) = self.report(event) {
            // A client that has left is noticed elsewhere.
            drop(self.peer.notify_progress(report).await);
        }
    }
}

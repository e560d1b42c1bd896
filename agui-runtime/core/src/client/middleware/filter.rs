//! Middleware that removes some tools' calls.

use std::collections::HashSet;
use std::sync::Arc;

use futures_util::StreamExt;

use super::{Middleware, Next, expanded};
use crate::client::{Frame, Frames};
use crate::protocol::{Event, EventEffect, RunAgentInput, SpanKind, ToolCallId};

/// A tool filter: an allow list or a deny list of tool names.
///
/// ```
/// use agui_runtime::client::middleware::ToolCalls;
///
/// let (only, without) = (ToolCalls::allow(["price"]), ToolCalls::deny(["delete_all"]));
/// assert!(only.allows("price") && !only.allows("order") && without.allows("order"));
/// ```
#[derive(Debug, Clone)]
pub struct ToolCalls {
    names: HashSet<String>,
    allowed: bool,
}

impl ToolCalls {
    /// Lets only calls to these tools pass.
    ///
    /// ```
    /// use agui_runtime::client::middleware::ToolCalls;
    ///
    /// assert!(ToolCalls::allow(["search"]).allows("search"));
    /// ```
    pub fn allow<N: Into<String>>(names: impl IntoIterator<Item = N>) -> Self {
        Self { names: names.into_iter().map(Into::into).collect(), allowed: true }
    }

    /// Lets calls to all tools except these pass.
    ///
    /// ```
    /// use agui_runtime::client::middleware::ToolCalls;
    ///
    /// let calls = ToolCalls::deny(["delete_all"]);
    /// assert!(calls.allows("search") && !calls.allows("delete_all"));
    /// assert!(!ToolCalls::allow(["search"]).allows("delete_all"));
    /// ```
    pub fn deny<N: Into<String>>(names: impl IntoIterator<Item = N>) -> Self {
        Self { names: names.into_iter().map(Into::into).collect(), allowed: false }
    }

    /// True if calls to this tool pass.
    #[must_use]
    pub fn allows(&self, name: &str) -> bool {
        self.names.contains(name) == self.allowed
    }
}

/// Removes the start, arguments, end and result events of filtered calls. Restated conversations stay unchanged.
///
/// Outer layers see [`expanded`] events: only expansion tells which call a chunk without an id continues.
///
/// ```
/// use agui_runtime::client::{Replay, Session, middleware};
/// use futures::FutureExt;
///
/// let replay = Replay::from_lines(
///     r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}
///        {"type":"TOOL_CALL_CHUNK","toolCallId":"c","toolCallName":"delete_all","delta":"{}"}
///        {"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#,
/// );
/// let calls = middleware::ToolCalls::deny(["delete_all"]);
/// let mut session: Session = Session::new(replay).with(middleware::filter_tool_calls(calls));
/// assert!(session.run().now_or_never().unwrap()?.new_messages.is_empty());
/// # Ok::<(), agui_runtime::client::ClientError>(())
/// ```
pub fn filter_tool_calls(calls: ToolCalls) -> impl Middleware {
    let calls = Arc::new(calls);
    move |input: RunAgentInput, next: Next| -> Frames {
        let mut filter = Filter { calls: Arc::clone(&calls), blocked: HashSet::new() };
        expanded(next.open(input), next.reading())
            .filter(move |event| {
                std::future::ready(event.as_ref().map_or(true, |event| filter.passes(event)))
            })
            .map(|event| event.map(Frame::from))
            .boxed()
    }
}

struct Filter {
    calls: Arc<ToolCalls>,
    /// The removed calls that have no result yet.
    blocked: HashSet<ToolCallId>,
}

impl Filter {
    fn passes(&mut self, event: &Event) -> bool {
        match (event.event_type().effect(), event.scope_id()) {
            (EventEffect::StartRun, _) => {
                self.blocked.clear();
                true
            }
            (EventEffect::Open(SpanKind::ToolCall), Some(id)) => {
                let passes = event.operands().tool.is_none_or(|tool| self.calls.allows(tool));
                if !passes {
                    self.blocked.insert(id.into());
                }
                passes
            }
            (EventEffect::Within(SpanKind::ToolCall) | EventEffect::Close(SpanKind::ToolCall), Some(id)) => {
                !self.blocked.contains(id)
            }
            (EventEffect::Settle(SpanKind::ToolCall), Some(id)) => !self.blocked.remove(id),
            // An effect on something other than a call.
            _ => true,
        }
    }
}

//! Leaves out the calls of some tools.

use std::collections::HashSet;
use std::sync::Arc;

use futures::StreamExt;

use super::{Middleware, Next};
use crate::client::{Frame, Frames};
use crate::protocol::RunAgentInput;

/// Which calls pass a filter: those of some tools, or of all others.
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
    /// The calls of these tools and of no others.
    pub fn allow<N: Into<String>>(names: impl IntoIterator<Item = N>) -> Self {
        Self { names: names.into_iter().map(Into::into).collect(), allowed: true }
    }

    /// The calls of all tools but these.
    pub fn deny<N: Into<String>>(names: impl IntoIterator<Item = N>) -> Self {
        Self { names: names.into_iter().map(Into::into).collect(), allowed: false }
    }

    /// Whether calls of this tool pass.
    #[must_use]
    pub fn allows(&self, name: &str) -> bool {
        self.names.contains(name) == self.allowed
    }
}

/// Leaves out the events of calls that do not pass: start, arguments, end and result, and chunks. Conversations that are restated as a
/// whole stay as they are.
///
/// ```
/// use agui_runtime::client::{Session, middleware};
///
/// # fn example(upstream: impl agui_runtime::client::Upstream) {
/// let calls = middleware::ToolCalls::deny(["delete_all"]);
/// let session: Session = Session::new(upstream).with(middleware::filter_tool_calls(calls));
/// # }
/// ```
pub fn filter_tool_calls(calls: ToolCalls) -> impl Middleware {
    let calls = Arc::new(calls);
    move |input: RunAgentInput, next: Next| -> Frames {
        let mut filter = Filter { calls: Arc::clone(&calls), blocked: HashSet::new(), chunks: false };
        let passes = move |frame: &Frame| filter.passes(frame);
        let mut passes = Box::new(passes);
        next.open(input)
            .filter(move |frame| std::future::ready(frame.as_ref().map_or(true, &mut passes)))
            .boxed()
    }
}

struct Filter {
    calls: Arc<ToolCalls>,
    /// The calls left out so far that have no result yet.
    blocked: HashSet<String>,
    /// Whether chunks without an id go on with a call that is left out.
    chunks: bool,
}

impl Filter {
    fn passes(&mut self, frame: &Frame) -> bool {
        let head = frame.head();
        let id = head.tool_call_id.as_deref();
        match head.event_type.as_deref() {
            Some("RUN_STARTED") => {
                self.blocked.clear();
                self.chunks = false;
                true
            }
            Some("TOOL_CALL_START") => self.starts(id, head.tool_call_name.as_deref()),
            Some("TOOL_CALL_CHUNK") => {
                let passes = match (id, head.tool_call_name.as_deref()) {
                    (None, None) => !self.chunks,
                    (Some(id), None) => !self.blocked.contains(id),
                    (id, name) => self.starts(id, name),
                };
                self.chunks = !passes;
                passes
            }
            Some("TOOL_CALL_ARGS" | "TOOL_CALL_END") => !id.is_some_and(|id| self.blocked.contains(id)),
            Some("TOOL_CALL_RESULT") => !id.is_some_and(|id| self.blocked.remove(id)),
            _ => true,
        }
    }

    /// What names no tool is not a call of one that is left out: whether it is anything is for enforcement to say.
    fn starts(&mut self, id: Option<&str>, name: Option<&str>) -> bool {
        let passes = name.is_none_or(|name| self.calls.allows(name));
        if let (false, Some(id)) = (passes, id) {
            self.blocked.insert(id.to_owned());
        }
        passes
    }
}

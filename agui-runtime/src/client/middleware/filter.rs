//! Leaves out the calls of some tools.

use std::collections::HashSet;
use std::sync::Arc;

use futures::StreamExt;

use super::{Middleware, Next, expanded};
use crate::client::{Frame, Frames};
use crate::protocol::{Event, RunAgentInput, ToolCallId};

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

    /// Whether calls of this tool pass.
    #[must_use]
    pub fn allows(&self, name: &str) -> bool {
        self.names.contains(name) == self.allowed
    }
}

/// Leaves out the events of calls that do not pass: start, arguments, end and result. Conversations that are restated as a whole stay
/// as they are.
///
/// What is further out sees [`expanded`] events: chunks have become what they stand for, for only so can be told which call a chunk
/// without an id goes on with.
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
    /// The calls left out so far that have no result yet.
    blocked: HashSet<ToolCallId>,
}

impl Filter {
    fn passes(&mut self, event: &Event) -> bool {
        match event {
            Event::RunStarted(_) => {
                self.blocked.clear();
                true
            }
            Event::ToolCallStart(start) => {
                let passes = self.calls.allows(&start.tool_call_name);
                if !passes {
                    self.blocked.insert(start.tool_call_id.clone());
                }
                passes
            }
            Event::ToolCallArgs(arguments) => !self.blocked.contains(&arguments.tool_call_id),
            Event::ToolCallEnd(end) => !self.blocked.contains(&end.tool_call_id),
            Event::ToolCallResult(result) => !self.blocked.remove(&result.tool_call_id),
            _ => true,
        }
    }
}

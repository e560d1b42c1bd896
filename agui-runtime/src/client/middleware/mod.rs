//! What stands between a session and its upstream: functions from an input to frames, around each other (AG-UI 1.0, section "Middleware").
//!
//! A middleware gets the input and the [`Next`] one. It may change the input, change, drop or add frames, ask again, or not ask at all.
//! The first of a session is the outermost: it sees the input first and the frames last. What comes out of the outermost is read as
//! whatever a server sends would be: enforced, expanded, verified.
//!
//! | here | does |
//! |---|---|
//! | [`filter_tool_calls`] | leaves out the calls of some tools |
//! | [`log`] | tells `tracing` of every run and frame |
//! | [`timing`] | measures runs |
//! | [`retry`] | asks again where a run has not begun |
//! | [`compatibility`] | talks to an agent that is known to be old |
//! | [`record`] [`record_after`] | keeps the conversation, requests and answers |
//! | [`inspect`] | shows every frame to somebody else |
//! | [`expanded`], [`folded`] | for middleware of your own: typed events without chunks, and messages and state with them |
//!
//! ```
//! use agui_runtime::client::{Next, Session, middleware};
//! use agui_runtime::protocol::{NonNull, RunAgentInput};
//!
//! # fn example(upstream: impl agui_runtime::client::Upstream) {
//! let mut session: Session = Session::new(upstream)
//!     .with(middleware::log)
//!     .with(|mut input: RunAgentInput, next: Next| {
//!         input.forwarded_props = NonNull::new(serde_json::json!({ "tenant": 7 }));
//!         next.open(input)
//!     });
//! # }
//! ```

mod compatibility;
mod expanded;
mod filter;
mod folded;
mod inspect;
mod log;
mod reading;
mod record;
mod retry;
mod timing;

use std::fmt;
use std::sync::Arc;

pub use compatibility::compatibility;
pub use expanded::expanded;
pub use filter::{ToolCalls, filter_tool_calls};
pub use folded::{Folded, folded};
pub use inspect::inspect;
pub use log::log;
pub use reading::Reading;
pub use record::{record, record_after};
pub use retry::{Retry, retry};
pub use timing::{Timing, timing};

use super::{Frames, Upstream, Warnings};
use crate::protocol::RunAgentInput;

/// Something between a session and its upstream. Every function from an input and a [`Next`] to [`Frames`] is one.
///
/// ```
/// use agui_runtime::client::{Frame, Frames, Next};
/// use agui_runtime::protocol::RunAgentInput;
/// use futures::StreamExt;
///
/// /// Leaves out what nobody here reads.
/// fn without_raw(input: RunAgentInput, next: Next) -> Frames {
///     let is_raw = |frame: &Frame| frame.head().event_type.as_deref() == Some("RAW");
///     next.open(input).filter(move |frame| std::future::ready(!frame.as_ref().is_ok_and(is_raw))).boxed()
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no middleware",
    label = "not a `Middleware`",
    note = "write a function from the input and what comes next to frames: `|input: RunAgentInput, next: Next| -> Frames`"
)]
pub trait Middleware: Send + Sync + 'static {
    /// The frames of a run with this input.
    fn open(&self, input: RunAgentInput, next: Next) -> Frames;
}

impl<F: Fn(RunAgentInput, Next) -> Frames + Send + Sync + 'static> Middleware for F {
    fn open(&self, input: RunAgentInput, next: Next) -> Frames {
        self(input, next)
    }
}

/// The next layer: a middleware further in, or the upstream. It can be kept, and asked more than once.
///
/// ```
/// use agui_runtime::client::{Frames, Next};
/// use agui_runtime::protocol::RunAgentInput;
/// use futures::StreamExt;
///
/// /// Asks twice, and gives the frames of both runs.
/// fn twice(input: RunAgentInput, next: Next) -> Frames {
///     next.open(input.clone()).chain(next.open(input)).boxed()
/// }
/// ```
#[derive(Clone)]
pub struct Next {
    chain: Arc<Chain>,
    at: usize,
}

struct Chain {
    layers: Vec<Arc<dyn Middleware>>,
    upstream: Arc<dyn Upstream>,
    reading: Reading,
}

impl Next {
    pub(super) fn outermost(
        layers: Vec<Arc<dyn Middleware>>,
        upstream: Arc<dyn Upstream>,
        reading: Reading,
    ) -> Self {
        Self { chain: Arc::new(Chain { layers, upstream, reading }), at: 0 }
    }

    /// The frames of a run with this input.
    ///
    /// ```
    /// use agui_runtime::client::{Frames, Next};
    /// use agui_runtime::protocol::RunAgentInput;
    ///
    /// /// Asks without what was said before.
    /// fn forgetful(mut input: RunAgentInput, next: Next) -> Frames {
    ///     input.messages.drain(..input.messages.len().saturating_sub(1));
    ///     next.open(input)
    /// }
    /// ```
    pub fn open(&self, input: RunAgentInput) -> Frames {
        match self.chain.layers.get(self.at) {
            Some(layer) => layer.open(input, Self { chain: Arc::clone(&self.chain), at: self.at + 1 }),
            None => self.chain.upstream.open_with(input, self.warnings()),
        }
    }

    /// Where the warnings of the session go.
    #[must_use]
    pub fn warnings(&self) -> Warnings {
        self.chain.reading.warnings.clone()
    }

    /// How the session reads frames, for a layer that reads them: see [`expanded`].
    #[must_use]
    pub fn reading(&self) -> Reading {
        self.chain.reading.clone()
    }
}

impl fmt::Debug for Next {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Next").field("layers", &(self.chain.layers.len() - self.at)).finish_non_exhaustive()
    }
}

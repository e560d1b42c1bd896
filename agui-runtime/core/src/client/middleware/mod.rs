//! Layers between a session and the upstream: functions from an input to frames, nested in each other (AG-UI 1.0, section
//! "Middleware").
//!
//! A middleware gets the input and the [`Next`] layer. The middleware may change the input, change, drop or add frames, open the
//! next layer several times, or not at all. A session's first middleware is the outermost: first to see the input, last to see the
//! frames. The outermost layer's frames are treated like a server's: enforced, expanded, verified.
//!
//! | here | does |
//! |---|---|
//! | [`filter_tool_calls`] | removes some tools' calls |
//! | [`log`] | logs every run and frame with `tracing` |
//! | [`timing`] | measures runs |
//! | [`retry`] | repeats a request whose run has not begun |
//! | [`compatibility`] | adapts to an agent of an earlier protocol version |
//! | [`record`] [`record_after`] | records the conversation, requests and responses |
//! | [`inspect`] | calls a function with every frame |
//! | [`expanded`], [`folded`] | for your own middleware: typed events without chunks, also with messages and state |
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

/// A layer between a session and the upstream. Every function from an input and a [`Next`] to [`Frames`] is a middleware.
///
/// ```
/// use agui_runtime::client::{Frame, Frames, Next, Session};
/// use agui_runtime::protocol::RunAgentInput;
/// use futures::StreamExt;
///
/// /// Removes events that this program does not use.
/// fn without_raw(input: RunAgentInput, next: Next) -> Frames {
///     let is_raw = |frame: &Frame| frame.head().event_type.as_deref() == Some("RAW");
///     next.open(input).filter(move |frame| std::future::ready(!frame.as_ref().is_ok_and(is_raw))).boxed()
/// }
///
/// # fn example(upstream: impl agui_runtime::client::Upstream) {
/// let session: Session = Session::new(upstream).with(without_raw);
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a middleware",
    label = "not a `Middleware`",
    note = "write a function from the input and the next layer to frames: `|input: RunAgentInput, next: Next| -> Frames`"
)]
pub trait Middleware: Send + Sync + 'static {
    /// Opens a run with this input, and returns the frames.
    fn open(&self, input: RunAgentInput, next: Next) -> Frames;
}

impl<F: Fn(RunAgentInput, Next) -> Frames + Send + Sync + 'static> Middleware for F {
    fn open(&self, input: RunAgentInput, next: Next) -> Frames {
        self(input, next)
    }
}

/// The next layer: an inner middleware, or the upstream. A `Next` can be stored, and opened more than once.
///
/// ```
/// use agui_runtime::client::{Frames, Next, Session};
/// use agui_runtime::protocol::RunAgentInput;
/// use futures::StreamExt;
///
/// /// Requests two runs, and returns the frames of both.
/// fn twice(input: RunAgentInput, next: Next) -> Frames {
///     next.open(input.clone()).chain(next.open(input)).boxed()
/// }
/// # use agui_runtime::client::Replay;
/// # use futures::FutureExt;
/// # let run = concat!(
/// #     r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#, "\n",
/// #     r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"m","delta":"Hi"}"#, "\n",
/// #     r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#, "\n").to_owned();
/// # let replay = Replay::from_lines(&(run.clone() + &run.replace("\"m\"", "\"n\"").replace("\"r\"", "\"s\"")));
///
/// let mut session: Session = Session::new(replay).with(twice);
/// assert_eq!(session.run().now_or_never().unwrap()?.text(), "Hi\n\nHi");
/// # Ok::<(), agui_runtime::client::ClientError>(())
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
    /// True if the upstream's thread is opened, not a new run.
    connects: bool,
}

impl Next {
    pub(super) fn outermost(
        layers: Vec<Arc<dyn Middleware>>,
        upstream: Arc<dyn Upstream>,
        reading: Reading,
        connects: bool,
    ) -> Self {
        Self { chain: Arc::new(Chain { layers, upstream, reading, connects }), at: 0 }
    }

    /// Opens a run with this input, and returns the frames.
    pub fn open(&self, input: RunAgentInput) -> Frames {
        match self.chain.layers.get(self.at) {
            Some(layer) => layer.open(input, Self { chain: Arc::clone(&self.chain), at: self.at + 1 }),
            None if self.chain.connects => self.chain.upstream.connect(input, self.warnings()),
            None => self.chain.upstream.open_with(input, self.warnings()),
        }
    }

    /// Returns the session's warning listener.
    #[must_use]
    pub fn warnings(&self) -> Warnings {
        self.chain.reading.warnings.clone()
    }

    /// Returns the session's frame settings, for a layer that reads frames: see [`expanded`].
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

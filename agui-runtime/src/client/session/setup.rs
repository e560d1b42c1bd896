//! The settings of a session, chosen before it runs.

use std::sync::Arc;

use super::Session;
use super::ids::Ids;
use crate::client::{Middleware, Warnings};
use crate::order::OrderStrictness;
use crate::protocol::{Context, NonNull, ThreadId};
use crate::receive::{FrameWarning, PeerCeiling};

impl<S> Session<S> {
    /// Sets the thread, instead of one with a random id.
    ///
    /// ```
    /// use agui_runtime::client::{Replay, Session};
    ///
    /// let session: Session = Session::new(Replay::default()).with_thread_id("order-7");
    /// assert_eq!(session.thread_id().as_str(), "order-7");
    /// ```
    #[must_use]
    pub fn with_thread_id(mut self, id: impl Into<ThreadId>) -> Self {
        self.thread_id = id.into();
        self.thread_is_given = true;
        self
    }

    /// Sets a fixed prefix for ids, which are then counted: for tests. Ids must not repeat on a thread. The
    /// thread's own id is one of them, unless it is [set](Self::with_thread_id), before or after.
    ///
    /// ```
    /// use agui_runtime::client::{Replay, Session};
    ///
    /// let mut session: Session = Session::new(Replay::default()).with_fixed_ids("test");
    /// assert_eq!(session.say("Hi"), *"message-test-1");
    /// ```
    #[must_use]
    pub fn with_fixed_ids(mut self, prefix: impl Into<String>) -> Self {
        self.ids = Ids::fixed(prefix.into());
        if !self.thread_is_given {
            self.thread_id = self.ids.thread();
        }
        self
    }

    /// Adds a layer between this session and its upstream, inside of the earlier ones; see
    /// [`middleware`](crate::client::middleware).
    ///
    /// ```
    /// use agui_runtime::client::{Next, Replay, Session};
    /// use agui_runtime::protocol::RunAgentInput;
    /// use futures::FutureExt;
    ///
    /// let replay = Replay::from_lines(r#"{"type":"RUN_ERROR","message":"no flour"}"#);
    /// let mut session: Session = Session::new(replay).with(|input: RunAgentInput, next: Next| {
    ///     println!("a run with {} messages", input.messages.len());
    ///     next.open(input)
    /// });
    /// session.run().now_or_never().unwrap()?;
    /// # Ok::<(), agui_runtime::client::ClientError>(())
    /// ```
    #[must_use]
    pub fn with(mut self, middleware: impl Middleware) -> Self {
        self.layers.push(Arc::new(middleware));
        self
    }

    /// Sets the facts for the model.
    ///
    /// ```
    /// use agui_runtime::client::Session;
    /// use agui_runtime::protocol::Context;
    /// # use agui_runtime::client::{Frames, Replay, Upstream};
    /// # use agui_runtime::protocol::RunAgentInput;
    /// # use futures::FutureExt;
    /// # let (tell, requests) = std::sync::mpsc::channel();
    /// # let agent = move |input: RunAgentInput| -> Frames {
    /// #     tell.send(input.clone()).unwrap();
    /// #     Replay::from_lines(r#"{"type":"RUN_ERROR","message":"no flour"}"#).open(input)
    /// # };
    ///
    /// let mut session: Session = Session::new(agent).with_context(vec![Context::new("page", "the basket")]);
    /// session.run().now_or_never().unwrap()?;
    /// # let sent = requests.try_recv().unwrap();
    /// assert_eq!(sent.context(), [Context::new("page", "the basket")]);
    /// # Ok::<(), agui_runtime::client::ClientError>(())
    /// ```
    #[must_use]
    pub fn with_context(mut self, context: Vec<Context>) -> Self {
        self.context = context;
        self
    }

    /// Sets any data that the application passes through.
    ///
    /// ```
    /// use agui_runtime::client::Session;
    /// use serde_json::json;
    /// # use agui_runtime::client::{Frames, Replay, Upstream};
    /// # use agui_runtime::protocol::RunAgentInput;
    /// # use futures::FutureExt;
    /// # let (tell, requests) = std::sync::mpsc::channel();
    /// # let agent = move |input: RunAgentInput| -> Frames {
    /// #     tell.send(input.clone()).unwrap();
    /// #     Replay::from_lines(r#"{"type":"RUN_ERROR","message":"no flour"}"#).open(input)
    /// # };
    ///
    /// let mut session: Session = Session::new(agent).with_forwarded_props(json!({ "theme": "dark" }).try_into()?);
    /// session.run().now_or_never().unwrap()?;
    /// # let sent = requests.try_recv().unwrap();
    /// assert_eq!(sent.forwarded_props.as_deref(), Some(&json!({ "theme": "dark" })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_forwarded_props(mut self, props: NonNull) -> Self {
        self.forwarded_props = Some(props);
        self
    }

    /// Sets the highest version that the agent may have: requests are adapted to it, and material that it
    /// cannot know is removed from its events, also from typed events of this program (AG-UI 1.0, section
    /// "Eras").
    ///
    /// ```
    /// use agui_runtime::client::{Replay, Session};
    /// use futures::FutureExt;
    ///
    /// let replay = Replay::from_lines(
    ///     r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}
    ///        {"type":"SUBAGENT_STARTED","subagentRunId":"s","name":"helper"}
    ///        {"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#,
    /// );
    /// let mut old: Session = Session::new(replay).with_ceiling("0.0.57".parse()?);
    /// let mut turn = old.start();
    /// let mut updates = 0;
    /// while turn.next().now_or_never().unwrap()?.is_some() {
    ///     updates += 1;
    /// }
    /// assert_eq!(updates, 2, "version 0.0.57 has no subagents");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_ceiling(mut self, ceiling: PeerCeiling) -> Self {
        self.ceiling = ceiling;
        self
    }

    /// Sets the strictness; the default is that of the official client.
    ///
    /// ```
    /// use agui_runtime::client::{Replay, Session};
    /// use agui_runtime::order::OrderStrictness;
    /// use futures::FutureExt;
    ///
    /// let cut_off = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#;
    /// let mut session: Session = Session::new(Replay::from_lines(cut_off));
    /// assert!(session.run().now_or_never().unwrap().is_ok());
    /// let mut strict: Session = Session::new(Replay::from_lines(cut_off)).with_strictness(OrderStrictness::Spec);
    /// assert!(strict.run().now_or_never().unwrap().is_err());
    /// ```
    #[must_use]
    pub fn with_strictness(mut self, strictness: OrderStrictness) -> Self {
        self.strictness = strictness;
        self
    }

    /// Sets the number of runs that one turn may take because the agent calls frontend tools; the default
    /// is 32.
    ///
    /// ```
    /// use agui_runtime::client::{ClientError, Replay, Session};
    /// use agui_runtime::tool;
    /// use futures::FutureExt;
    ///
    /// /// Tells the time.
    /// #[tool(frontend)]
    /// async fn clock() -> u32;
    ///
    /// # fn main() {
    /// let asks = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}
    ///     {"type":"TOOL_CALL_CHUNK","toolCallId":"c","toolCallName":"clock","delta":"{}"}
    ///     {"type":"RUN_FINISHED","threadId":"t","runId":"r"}
    ///     "#;
    /// let mut session: Session = Session::new(Replay::from_lines(&asks.repeat(3)))
    ///     .with_max_runs(2)
    ///     .frontend_tool(|_: clock| async { 12 });
    /// let error = session.run().now_or_never().unwrap().unwrap_err();
    /// assert!(matches!(error, ClientError::TooManyRuns { limit: 2 }));
    /// # }
    /// ```
    #[must_use]
    pub fn with_max_runs(mut self, runs: usize) -> Self {
        self.max_runs = runs;
        self
    }

    /// Sets the number of bytes that `copy` operations may add to the state and the activities; the default
    /// is 64 MiB: see [`Reducer::with_copy_limit`](crate::receive::Reducer::with_copy_limit).
    ///
    /// ```
    /// use agui_runtime::client::{Replay, Session};
    ///
    /// let session: Session = Session::new(Replay::default()).with_copy_limit(1 << 20);
    /// ```
    #[must_use]
    pub fn with_copy_limit(mut self, bytes: usize) -> Self {
        let reducer = std::mem::take(self.pipeline.reducer_mut());
        *self.pipeline.reducer_mut() = reducer.with_copy_limit(bytes);
        self
    }

    /// Sets the number of steps that the patches of a run may take; the default is 2³⁰: see
    /// [`Reducer::with_step_limit`](crate::receive::Reducer::with_step_limit).
    ///
    /// ```
    /// use agui_runtime::client::{Replay, Session};
    ///
    /// let session: Session = Session::new(Replay::default()).with_step_limit(1 << 20);
    /// ```
    #[must_use]
    pub fn with_step_limit(mut self, steps: usize) -> Self {
        let reducer = std::mem::take(self.pipeline.reducer_mut());
        *self.pipeline.reducer_mut() = reducer.with_step_limit(steps);
        self
    }

    /// Sets a function for warnings: material that is not AG-UI 1.0 but no reason to refuse it, reported by
    /// any stage or layer. It was left out, translated, or had less effect than it could have. The default
    /// is to log warnings with `tracing`.
    ///
    /// ```
    /// use std::sync::mpsc;
    ///
    /// use agui_runtime::client::{Replay, Session};
    /// # use futures::FutureExt;
    ///
    /// let replay = Replay::from_lines(r#"{"type":"RUN_ERROR","message":"no flour","mood":"bad"}"#);
    /// let (odd, warnings) = mpsc::channel();
    /// let mut session: Session = Session::new(replay).with_warnings(move |warning| {
    ///     let _ = odd.send(warning);
    /// });
    /// session.run().now_or_never().unwrap()?;
    /// assert_eq!(warnings.try_recv().unwrap().path(), "/mood");
    /// # Ok::<(), agui_runtime::client::ClientError>(())
    /// ```
    #[must_use]
    pub fn with_warnings(mut self, warn: impl FnMut(FrameWarning) + Send + 'static) -> Self {
        self.warnings = Warnings::new(warn);
        self
    }
}

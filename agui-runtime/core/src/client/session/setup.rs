//! Session settings, chosen before the first run.

use std::sync::Arc;

use super::Session;
use super::ids::Ids;
use crate::client::{Middleware, Warnings};
use crate::order::OrderStrictness;
use crate::protocol::{Context, NonNull, ThreadId};
use crate::receive::{FrameWarning, PeerCeiling};

impl<S> Session<S> {
    /// Sets the thread id, which is random by default.
    #[must_use]
    pub fn with_thread_id(mut self, id: impl Into<ThreadId>) -> Self {
        self.thread_id = id.into();
        self.thread_is_given = true;
        self
    }

    /// Sets a fixed prefix for counted ids: for tests. Ids must not repeat within a thread. The thread id is counted too, unless
    /// [set](Self::with_thread_id), before or after.
    #[must_use]
    pub fn with_fixed_ids(mut self, prefix: impl Into<String>) -> Self {
        self.ids = Ids::fixed(prefix.into());
        if !self.thread_is_given {
            self.thread_id = self.ids.thread();
        }
        self
    }

    /// Adds a layer between this session and the upstream, inside the earlier ones; see [`middleware`](crate::client::middleware).
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

    /// Sets facts for the model.
    #[must_use]
    pub fn with_context(mut self, context: Vec<Context>) -> Self {
        self.context = context;
        self
    }

    /// Sets data that the application passes through to the agent.
    #[must_use]
    pub fn with_forwarded_props(mut self, props: NonNull) -> Self {
        self.forwarded_props = Some(props);
        self
    }

    /// Sets the agent's highest possible version: requests are adapted to this version, and the events, also a local agent's typed
    /// events, lose the members that such an agent cannot know (AG-UI 1.0, section "Eras").
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

    /// Sets the strictness; the default is the official client's.
    #[must_use]
    pub fn with_strictness(mut self, strictness: OrderStrictness) -> Self {
        self.strictness = strictness;
        self
    }

    /// Sets the number of runs that one turn may take because the agent calls frontend tools; the default is 32.
    #[must_use]
    pub fn with_max_runs(mut self, runs: usize) -> Self {
        self.max_runs = runs;
        self
    }

    /// Sets the number of bytes that `copy` operations may add to the state and the activities; the default is 64 MiB: see
    /// [`Reducer::with_copy_limit`](crate::receive::Reducer::with_copy_limit).
    #[must_use]
    pub fn with_copy_limit(mut self, bytes: usize) -> Self {
        let reducer = std::mem::take(self.pipeline.reducer_mut());
        *self.pipeline.reducer_mut() = reducer.with_copy_limit(bytes);
        self
    }

    /// Sets the number of steps that a run's patches may take; the default is 2³⁰: see
    /// [`Reducer::with_step_limit`](crate::receive::Reducer::with_step_limit).
    #[must_use]
    pub fn with_step_limit(mut self, steps: usize) -> Self {
        let reducer = std::mem::take(self.pipeline.reducer_mut());
        *self.pipeline.reducer_mut() = reducer.with_step_limit(steps);
        self
    }

    /// Sets a function for warnings: deviations from AG-UI 1.0 that are no reason to refuse an event, reported by any stage or
    /// layer. The reported material was left out, translated, or had less effect than intended. The default logs warnings with
    /// `tracing`.
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

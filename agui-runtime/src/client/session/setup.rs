//! What a session is made of: said once, before it runs.

use std::fmt;
use std::future::Future;
use std::sync::Arc;

use serde::Serialize;

use super::Session;
use super::ids::Ids;
use crate::client::Middleware;
use crate::order::Strictness;
use crate::protocol::{Context, Event, NonNull, RunAgentInput, ThreadId};
use crate::receive::{PeerCeiling, Pipeline, ReceiveError, Warning};
use crate::tool::{Frontend, Tool};

impl<S> Session<S> {
    /// On this thread, instead of one with a random id.
    ///
    /// ```
    /// use agui_runtime::client::{Replay, Session};
    ///
    /// let session: Session = Session::new(Replay::default()).with_thread_id("order-7");
    /// ```
    #[must_use]
    pub fn with_thread_id(mut self, id: impl Into<ThreadId>) -> Self {
        self.thread_id = id.into();
        self
    }

    /// With ids that begin like this and are counted, the same every time: for tests. They must not repeat on a thread.
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
        self.thread_id = self.ids.thread();
        self
    }

    /// With another layer between this session and its upstream, inside of those there are; see
    /// [`middleware`](crate::client::middleware).
    ///
    /// ```
    /// use agui_runtime::client::{Replay, Session, middleware};
    ///
    /// let session: Session = Session::new(Replay::default()).with(middleware::timing(|timing| println!("{:?}", timing.whole)));
    /// ```
    #[must_use]
    pub fn with(mut self, middleware: impl Middleware) -> Self {
        self.layers.push(Arc::new(middleware));
        self
    }

    /// With things the model should know.
    ///
    /// ```
    /// use agui_runtime::client::{Replay, Session};
    /// use agui_runtime::protocol::Context;
    ///
    /// let session: Session = Session::new(Replay::default()).with_context(vec![Context::new("page", "the basket")]);
    /// ```
    #[must_use]
    pub fn with_context(mut self, context: Vec<Context>) -> Self {
        self.context = context;
        self
    }

    /// With anything the application passes through.
    ///
    /// ```
    /// use agui_runtime::client::{Replay, Session};
    /// use serde_json::json;
    ///
    /// let props = json!({ "theme": "dark" }).try_into()?;
    /// let session: Session = Session::new(Replay::default()).with_forwarded_props(props);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_forwarded_props(mut self, props: NonNull) -> Self {
        self.forwarded_props = Some(props);
        self
    }

    /// With an agent that is known to be no newer than this: nothing is sent that it cannot read.
    ///
    /// ```
    /// use agui_runtime::client::{Replay, Session};
    ///
    /// let old: Session = Session::new(Replay::default()).with_ceiling("0.0.57".parse()?);
    /// # Ok::<(), agui_runtime::receive::compat::InvalidCeiling>(())
    /// ```
    #[must_use]
    pub fn with_ceiling(mut self, ceiling: PeerCeiling) -> Self {
        self.ceiling = ceiling;
        self
    }

    /// As strict as this; as strict as the official client when not said.
    ///
    /// ```
    /// use agui_runtime::client::{Replay, Session};
    /// use agui_runtime::order::Strictness;
    ///
    /// let strict: Session = Session::new(Replay::default()).with_strictness(Strictness::Spec);
    /// ```
    #[must_use]
    pub fn with_strictness(mut self, strictness: Strictness) -> Self {
        self.strictness = strictness;
        self
    }

    /// How many runs one turn may take, because the agent calls frontend tools; 32 when not said.
    ///
    /// ```
    /// use agui_runtime::client::{Replay, Session};
    ///
    /// let session: Session = Session::new(Replay::default()).with_max_runs(3);
    /// ```
    #[must_use]
    pub fn with_max_runs(mut self, runs: usize) -> Self {
        self.max_runs = runs;
        self
    }

    /// How many bytes `copy` operations may make of the state and the activities, 64 MiB when not said: see
    /// [`Reducer::with_copy_limit`](crate::receive::Reducer::with_copy_limit).
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

    /// With a function for everything that is not AG-UI 1.0 and no reason to refuse it; `tracing` hears of it when not said.
    ///
    /// ```
    /// use agui_runtime::client::{Replay, Session};
    ///
    /// let session: Session = Session::new(Replay::default()).with_warnings(|warning| println!("{warning}"));
    /// ```
    #[must_use]
    pub fn with_warnings(mut self, warn: impl FnMut(Warning) + Send + 'static) -> Self {
        self.warn = Box::new(warn);
        self
    }

    /// Answers the calls of a frontend tool, and offers it to the agent.
    ///
    /// When a run ends with such a call pending, the handler is asked, its answer becomes a message, and the agent runs again, until it
    /// is done. Arguments that are not the tool's are answered with what is wrong with them.
    ///
    /// ```
    /// # use agui_runtime::client::{Session, Upstream};
    /// use agui_runtime::tool;
    ///
    /// /// Asks the person whether that is all.
    /// #[tool(frontend)]
    /// async fn checkout(total: u32) -> bool;
    ///
    /// # fn example(upstream: impl Upstream) {
    /// let session: Session =
    ///     Session::new(upstream).frontend_tool(|asked: checkout| async move { asked.total < 1000 });
    /// # }
    /// ```
    #[must_use]
    pub fn frontend_tool<T, F>(self, mut handler: impl FnMut(T) -> F + Send + 'static) -> Self
    where
        T: Tool<Side = Frontend>,
        T::Returns: Serialize,
        F: Future<Output = T::Returns> + Send + 'static,
    {
        self.fallible_frontend_tool(move |arguments: T| {
            let answer = handler(arguments);
            async move { Ok::<_, std::convert::Infallible>(answer.await) }
        })
    }

    /// The same for a handler that can fail: the agent hears why.
    ///
    /// ```
    /// # use agui_runtime::client::{Session, Upstream};
    /// use agui_runtime::tool;
    ///
    /// /// Asks the person whether that is all.
    /// #[tool(frontend)]
    /// async fn checkout(total: u32) -> bool;
    ///
    /// # fn example(upstream: impl Upstream) {
    /// let session: Session = Session::new(upstream)
    ///     .fallible_frontend_tool(|_: checkout| async { Err("nobody is there to ask") });
    /// # }
    /// ```
    #[must_use]
    pub fn fallible_frontend_tool<T, F, E>(mut self, handler: impl FnMut(T) -> F + Send + 'static) -> Self
    where
        T: Tool<Side = Frontend>,
        T::Returns: Serialize,
        F: Future<Output = Result<T::Returns, E>> + Send + 'static,
        E: fmt::Display,
    {
        self.tools.register(handler);
        self
    }

    /// Goes on with a conversation that was recorded: its events, of one run or many.
    ///
    /// Recordings that were made shorter by [`compact`](crate::receive::compact::compact) are restored as well, but for those of runs
    /// that failed in the middle of an item: compaction puts its events after the end, where they are out of order.
    ///
    /// Events are taken as strictly as the session takes them: call [`with_strictness`](Self::with_strictness) and
    /// [`with_ceiling`](Self::with_ceiling) before. A run of a recording may stop in its middle, however strict that is.
    ///
    /// # Errors
    /// [`ReceiveError`] at the first event that is out of order. Where the session is stricter than the official client, the place is
    /// counted from the beginning of the run.
    ///
    /// ```
    /// use agui_runtime::client::{Replay, Session};
    /// use agui_runtime::protocol::{Event, RunFinishedEvent, RunStartedEvent, TextMessageChunkEvent};
    ///
    /// let log: [Event; 3] = [
    ///     RunStartedEvent::new("t", "r").into(),
    ///     TextMessageChunkEvent::new().with_message_id("m").with_delta("Hi").into(),
    ///     RunFinishedEvent::new("t", "r").into(),
    /// ];
    /// let session: Session = Session::new(Replay::default()).restore(log)?;
    /// assert_eq!((session.messages().len(), session.thread_id().as_str()), (1, "t"));
    /// # Ok::<(), agui_runtime::receive::ReceiveError>(())
    /// ```
    pub fn restore(mut self, events: impl IntoIterator<Item = Event>) -> Result<Self, ReceiveError> {
        let reducer = std::mem::take(&mut self.pipeline).into_reducer();
        let pipeline = || Pipeline::with_strictness(self.strictness).with_ceiling(self.ceiling);
        self.pipeline = pipeline().with_reducer(reducer);
        let mut is_open = false;
        for event in events {
            let starts = matches!(event, Event::RunStarted(_));
            if starts && is_open {
                // The run before was cut off: what it left open is no concern of this one.
                let reducer = std::mem::take(&mut self.pipeline).into_reducer();
                self.pipeline = pipeline().with_reducer(reducer);
            }
            is_open = starts || (is_open && !matches!(event, Event::RunFinished(_) | Event::RunError(_)));
            if self.strictness > Strictness::Client
                && let Event::RunStarted(started) = &event
            {
                // By the stricter rules a stream has one run, which answers what was said before.
                let reducer = std::mem::take(&mut self.pipeline).into_reducer();
                let messages = reducer.messages().to_vec();
                let input = RunAgentInput::new(&started.thread_id, &started.run_id, messages);
                self.pipeline = pipeline().answering_with(&input, reducer);
            }
            self.pipeline.receive(event, |_, _, _| {})?;
        }
        if let Some(run) = self.pipeline.reducer().run() {
            self.thread_id = run.thread_id().clone();
        }
        self.typed.forget();
        Ok(self)
    }
}

//! What a session is made of: said once, before it runs.

use std::fmt;
use std::future::Future;
use std::sync::Arc;

use serde::Serialize;

use super::Session;
use super::ids::Ids;
use crate::client::{Middleware, Warnings};
use crate::order::Strictness;
use crate::protocol::{self, Context, NonNull, ThreadId};
use crate::receive::{PeerCeiling, Warning};
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
        self.thread_is_given = true;
        self
    }

    /// With ids that begin like this and are counted, the same every time: for tests. They must not repeat on a thread. The thread's own
    /// is one of them, unless it is [given](Self::with_thread_id), before or after.
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

    /// With an agent that is known to be no newer than this: nothing is sent that it cannot read, and what it cannot have said is left
    /// out of what comes, typed events of this program included (AG-UI 1.0, section "Eras").
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

    /// How many steps the patches of a run may take, 2³⁰ when not said: see
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

    /// With a function for everything that is not as AG-UI 1.0 has it and no reason to refuse it, whichever stage or layer notices: what
    /// is left out or translated, and what has less effect than it could have. `tracing` hears of it when not said.
    ///
    /// ```
    /// use agui_runtime::client::{Replay, Session};
    ///
    /// let session: Session = Session::new(Replay::default()).with_warnings(|warning| println!("{warning}"));
    /// ```
    #[must_use]
    pub fn with_warnings(mut self, warn: impl FnMut(Warning) + Send + 'static) -> Self {
        self.warnings = Warnings::new(warn);
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

    /// Offers a frontend tool to the agent whose calls the caller answers: a person in front of a screen, mostly, and not a function.
    ///
    /// A call of it ends the turn with [`Outcome::Success`](crate::client::Outcome::Success) that names it as pending, also when
    /// handlers have answered other calls of the same run.
    /// [`asked`](Self::asked) gives it with its arguments, [`answer`](Self::answer) answers it, and the next turn goes on.
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
    /// let session: Session = Session::new(upstream).declare_tool::<checkout>();
    /// # }
    /// ```
    #[must_use]
    pub fn declare_tool<T: Tool<Side = Frontend>>(mut self) -> Self {
        self.tools.declare_typed::<T>();
        self
    }

    /// The same for tools that this program has no types of: whose declarations come from a page, a file, another server. The last
    /// declaration of a name counts.
    ///
    /// ```
    /// # use agui_runtime::client::{Session, Upstream};
    /// use agui_runtime::protocol::Tool;
    ///
    /// # fn example(upstream: impl Upstream) {
    /// let session: Session = Session::new(upstream).with_tools([Tool::new("show_map", "Shows a map.")]);
    /// # }
    /// ```
    #[must_use]
    pub fn with_tools(mut self, tools: impl IntoIterator<Item = protocol::Tool>) -> Self {
        for tool in tools {
            self.tools.declare(tool);
        }
        self
    }
}

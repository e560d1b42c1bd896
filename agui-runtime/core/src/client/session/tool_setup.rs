//! A session's frontend tools, declared before the first run.

use std::fmt;
use std::future::Future;

use serde::Serialize;

use super::Session;
use crate::agent::tool::{FrontendSide, Tool};
use crate::protocol;

impl<S> Session<S> {
    /// Declares a frontend tool with a handler for the agent's calls.
    ///
    /// If a run ends with such a pending call, the handler runs, the result becomes a message, and the agent runs again, until
    /// done. Arguments that do not fit the tool get the error as the result.
    ///
    /// ```
    /// use agui_runtime::client::{Replay, Session};
    /// use agui_runtime::tool;
    /// # use futures::FutureExt;
    ///
    /// /// Asks the user for the final order.
    /// #[tool(frontend)]
    /// async fn checkout(total: u32) -> bool;
    ///
    /// # fn main() -> Result<(), agui_runtime::client::ClientError> {
    /// # let agent = Replay::from_lines(concat!(
    /// #     r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#, "\n",
    /// #     r#"{"type":"TOOL_CALL_CHUNK","toolCallId":"c","toolCallName":"checkout","delta":"{\"total\":180}"}"#, "\n",
    /// #     r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#, "\n",
    /// #     r#"{"type":"RUN_STARTED","threadId":"t","runId":"s"}"#, "\n",
    /// #     r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"m","delta":"Thank you!"}"#, "\n",
    /// #     r#"{"type":"RUN_FINISHED","threadId":"t","runId":"s"}"#));
    /// let mut session: Session =
    ///     Session::new(agent).frontend_tool(|asked: checkout| async move { asked.total < 1000 });
    /// let done = session.run().now_or_never().unwrap()?;
    /// assert_eq!((done.runs, done.text().as_str()), (2, "Thank you!"));
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn frontend_tool<T, F>(self, mut handler: impl FnMut(T) -> F + Send + 'static) -> Self
    where
        T: Tool<Side = FrontendSide>,
        T::Returns: Serialize,
        F: Future<Output = T::Returns> + Send + 'static,
    {
        self.fallible_frontend_tool(move |arguments: T| {
            let result = handler(arguments);
            async move { Ok::<_, std::convert::Infallible>(result.await) }
        })
    }

    /// Like [`frontend_tool`](Self::frontend_tool), for a handler that can fail: the agent receives the error.
    ///
    /// ```
    /// use agui_runtime::client::{Replay, Session};
    /// use agui_runtime::protocol::Message;
    /// use agui_runtime::tool;
    /// # use futures::FutureExt;
    ///
    /// /// Asks the user for the final order.
    /// #[tool(frontend)]
    /// async fn checkout(total: u32) -> bool;
    ///
    /// # fn main() -> Result<(), agui_runtime::client::ClientError> {
    /// # let agent = Replay::from_lines(concat!(
    /// #     r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#, "\n",
    /// #     r#"{"type":"TOOL_CALL_CHUNK","toolCallId":"c","toolCallName":"checkout","delta":"{\"total\":180}"}"#, "\n",
    /// #     r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#, "\n",
    /// #     r#"{"type":"RUN_STARTED","threadId":"t","runId":"s"}"#, "\n",
    /// #     r#"{"type":"RUN_FINISHED","threadId":"t","runId":"s"}"#));
    /// let mut session: Session =
    ///     Session::new(agent).fallible_frontend_tool(|_: checkout| async { Err("no user is present") });
    /// session.run().now_or_never().unwrap()?;
    /// let Some(Message::Tool(answer)) = session.messages().last() else { panic!("{session:?}") };
    /// assert_eq!(answer.error.as_deref(), Some("no user is present"));
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn fallible_frontend_tool<T, F, E>(mut self, handler: impl FnMut(T) -> F + Send + 'static) -> Self
    where
        T: Tool<Side = FrontendSide>,
        T::Returns: Serialize,
        F: Future<Output = Result<T::Returns, E>> + Send + 'static,
        E: fmt::Display,
    {
        self.tools.register(handler);
        self
    }

    /// Declares a frontend tool whose results the caller gives, usually because a user has to act.
    ///
    /// A call to the tool ends the turn with [`Outcome::Success`](crate::client::RunOutcome::Success), which lists the call as
    /// pending, even if the same run's other calls have a handler. [`asked`](Self::asked) returns the call with the arguments,
    /// [`settle`](Self::settle) gives the result, and the next turn continues.
    #[must_use]
    pub fn declare_tool<T: Tool<Side = FrontendSide>>(mut self) -> Self {
        self.tools.declare_typed::<T>();
        self
    }

    /// Declares tools that have no types in this program: the declarations come from a page, a file, another server. A later
    /// declaration replaces an earlier one with the same name.
    ///
    /// ```
    /// use agui_runtime::client::Session;
    /// use agui_runtime::protocol::Tool;
    /// # use agui_runtime::client::{Frames, Replay, Upstream};
    /// # use agui_runtime::protocol::RunAgentInput;
    /// # use futures::FutureExt;
    /// # let (tell, requests) = std::sync::mpsc::channel();
    /// # let agent = move |input: RunAgentInput| -> Frames {
    /// #     tell.send(input.clone()).unwrap();
    /// #     Replay::from_lines(r#"{"type":"RUN_ERROR","message":"no flour"}"#).open(input)
    /// # };
    ///
    /// let mut session: Session = Session::new(agent).with_tools([Tool::new("show_map", "Shows a map.")]);
    /// session.run().now_or_never().unwrap()?;
    /// # let sent = requests.try_recv().unwrap();
    /// assert_eq!(sent.tools(), [Tool::new("show_map", "Shows a map.")]);
    /// # Ok::<(), agui_runtime::client::ClientError>(())
    /// ```
    #[must_use]
    pub fn with_tools(mut self, tools: impl IntoIterator<Item = protocol::Tool>) -> Self {
        for tool in tools {
            self.tools.declare(tool);
        }
        self
    }
}

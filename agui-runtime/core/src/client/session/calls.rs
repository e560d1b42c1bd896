//! Frontend tool calls that the caller handles.

use serde::Serialize;

use super::Session;
use super::conversation::add_result;
use crate::agent::tool::{FrontendSide, Tool, ToolDataError, read_arguments, value_content};
use crate::protocol::{Content, ToolCallId, ToolMessage};
use crate::receive::reduce::RunOutcome;

impl<S> Session<S> {
    /// Returns the last run's pending calls, in call order. The next turn first runs the handlers; give results for calls without
    /// a handler with [`settle`](Self::settle) or [`settle_call`](Self::settle_call).
    ///
    /// ```
    /// use agui_runtime::client::{RunOutcome, Replay, Session};
    /// use futures::FutureExt;
    ///
    /// let replay = Replay::from_lines(
    ///     r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}
    ///        {"type":"TOOL_CALL_CHUNK","toolCallId":"c","toolCallName":"checkout","delta":"{\"total\":180}"}
    ///        {"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#,
    /// );
    /// let mut session: Session = Session::new(replay);
    /// let done = session.run().now_or_never().unwrap()?;
    /// assert_eq!(done.outcome, RunOutcome::Success { result: None, pending: vec!["c".into()] });
    /// assert_eq!(session.pending_calls(), ["c"]);
    /// session.settle_call("c", "yes");
    /// assert!(session.pending_calls().is_empty());
    /// # Ok::<(), agui_runtime::client::ClientError>(())
    /// ```
    #[must_use]
    pub fn pending_calls(&self) -> Vec<ToolCallId> {
        let reducer = self.pipeline.reducer();
        match reducer.run().and_then(|run| run.end()) {
            Some(RunOutcome::Success { pending, .. }) => {
                pending.iter().filter(|id| !reducer.has_result(id)).cloned().collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns a tool's first pending call, with the arguments as the tool's type. For tools declared without a handler
    /// ([`declare_tool`](Self::declare_tool)): such a call ends the turn, and the caller gives the result.
    ///
    /// ```
    /// use agui_runtime::client::{LocalAgent, Session};
    /// use agui_runtime::prelude::*;
    ///
    /// /// Asks the user for the final order.
    /// #[tool(frontend)]
    /// async fn checkout(total: u32) -> bool;
    ///
    /// /// Sells things.
    /// #[agent(tools = [checkout])]
    /// async fn clerk(run: &mut Run<Clerk>, input: Input<Clerk>) -> Result<(), Stop> {
    ///     if let Some(bought) = input.frontend_result::<checkout>()? {
    ///         run.say(if bought { "Thank you!" } else { "What else?" }).await;
    ///         return Ok(());
    ///     }
    ///     let ask = run.call(checkout { total: 180 }).await?;
    ///     Err(Stop::await_frontend(ask))
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut shop: Session = Session::new(LocalAgent::new(Clerk::new())).declare_tool::<checkout>();
    /// shop.say("rice");
    /// shop.run().await?;
    /// let (call, asked) = shop.asked::<checkout>().expect("the agent calls the tool");
    /// let affordable = asked?.total < 1000;
    /// shop.settle::<checkout>(call, &affordable)?;
    /// assert_eq!(shop.run().await?.text(), "Thank you!");
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn asked<T: Tool<Side = FrontendSide>>(&self) -> Option<(ToolCallId, Result<T, ToolDataError>)> {
        self.pending_calls().into_iter().find_map(|id| {
            let call = self.tool_call(&id).filter(|call| call.function.name == T::NAME)?;
            let arguments = read_arguments(&call.function.arguments);
            Some((id, arguments))
        })
    }

    /// Settles a call with a value of the tool's return type. The next turn sends it.
    ///
    /// # Errors
    /// The error of serde_json if the value has no JSON form.
    ///
    /// ```
    /// # use agui_runtime::client::{Replay, Session};
    /// # let mut session: Session = Session::new(Replay::default());
    /// use agui_runtime::tool;
    ///
    /// /// Asks the user for the final order.
    /// #[tool(frontend)]
    /// async fn checkout(total: u32) -> bool;
    ///
    /// session.settle::<checkout>("call-1", &true)?;
    /// assert_eq!(session.messages().len(), 1);
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn settle<T: Tool<Side = FrontendSide>>(
        &mut self,
        call: impl Into<ToolCallId>,
        result: &T::Returns,
    ) -> Result<(), serde_json::Error>
    where
        T::Returns: Serialize,
    {
        let content = value_content(result)?;
        self.settle_call(call, content);
        Ok(())
    }

    /// Gives the result for any frontend tool call. The next turn sends the result.
    ///
    /// The result is placed after the call's message and the message's other results, even before later messages.
    pub fn settle_call(&mut self, call: impl Into<ToolCallId>, content: impl Into<Content>) {
        let call = call.into();
        let id = format!("{call}-answer");
        let mut stage = self.stage();
        add_result(&mut stage, ToolMessage::new(id, content, call));
        stage.changed.messages = true;
        stage.tell_changes();
    }
}

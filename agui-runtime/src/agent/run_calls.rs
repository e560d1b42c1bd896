//! The calls that a run makes: by the tool's type, and by the name that a model chose.

use futures::FutureExt;
use futures::future::BoxFuture;

use super::{Run, ToolSet};
use crate::agent::Agent;
use crate::agent::tool::{
    CallAtOnce, CallTool, Complete, Dispatched, OpenCall, OpenNamedCall, StartCall, StartNamedCall, ToolOf,
    dispatch,
};
use crate::emit::WriteFuture;

impl<A: Agent> Run<A> {
    /// Opens a call whose arguments arrive piece by piece, as a model writes them: TOOL_CALL_START when awaited
    /// (AG-UI 1.0, section "Tool calls").
    ///
    /// ```
    /// # use agui_runtime::prelude::*;
    /// # /// Looks up what something costs.
    /// # #[tool]
    /// # async fn price(name: String) -> u32 { 1 }
    /// # /// Cooks with you.
    /// # #[agent(tools = [price])]
    /// # async fn chef(run: &mut Run<Chef>, input: Input<Chef>) -> Result<u32, Stop> {
    /// let mut call = run.tool::<price>().await;
    /// call.push(r#"{"name":"#).await;
    /// call.push(r#""rice"}"#).await;
    /// let cents = call.end()?.run().await;
    /// # Ok(cents)
    /// # }
    /// ```
    pub fn tool<T: ToolOf<A>>(&self) -> OpenCall<'_, A, T> {
        WriteFuture::new(self, StartCall::new(self))
    }

    /// Calls a tool with complete arguments: TOOL_CALL_START, ARGS and END when awaited.
    ///
    /// A backend tool gives a [`Call`](super::Call) that needs its result; a frontend tool gives a
    /// [`PendingCall`](super::PendingCall), which the user interface answers in the next run.
    ///
    /// ```
    /// # use agui_runtime::prelude::*;
    /// /// Looks up what something costs.
    /// #[tool]
    /// async fn price(name: String) -> u32 {
    ///     name.len() as u32
    /// }
    ///
    /// /// Cooks with you.
    /// #[agent(tools = [price])]
    /// async fn chef(run: &mut Run<Chef>, input: Input<Chef>) -> Result<u32, Stop> {
    ///     Ok(run.call(price { name: "rice".to_owned() }).await?.run().await)
    /// }
    /// ```
    pub fn call<T: ToolOf<A>>(&self, tool: T) -> CallTool<'_, A, T> {
        WriteFuture::new(self, CallAtOnce::new(self, tool))
    }

    /// Opens a call of the tool named `name`, which a model chose: TOOL_CALL_START when awaited (AG-UI 1.0, section
    /// "Tool calls").
    ///
    /// The call knows its tool from then on: its text is parsed as that tool's arguments, and its end returns one of
    /// the variants of [`ToolSet::Ready`]. Any number may be open at once, so arguments that a model streams by index
    /// go into a map of open calls.
    ///
    /// # Errors
    /// [`UnknownTool`](super::UnknownTool), with the names of the agent's tools; nothing is sent then.
    ///
    /// ```
    /// # use agui_runtime::prelude::*;
    /// # /// Looks up what something costs.
    /// # #[tool]
    /// # async fn price(name: String) -> u32 { 180 }
    /// # /// Cooks with you.
    /// # #[agent(tools = [price])]
    /// # async fn chef(run: &mut Run<Chef>, input: Input<Chef>) -> Result<(), Stop> {
    /// let mut call = run.open_call("price").await?;
    /// call.push(r#"{"name":"#).await;
    /// call.push(r#""rice"}"#).await;
    /// let done = run.dispatch(vec![call.end()?]).await;
    /// assert_eq!(done.answered[0].content, "180");
    /// # Ok(())
    /// # }
    /// ```
    pub fn open_call(&self, tool: impl Into<String>) -> OpenNamedCall<'_, A>
    where
        A: ToolSet,
    {
        WriteFuture::new(self, StartNamedCall::new(self, tool.into()))
    }

    /// Settles calls whose arguments are complete: runs the functions of backend tools concurrently and answers each
    /// call as soon as its function returns; returns the frontend calls for
    /// [`Stop::await_frontend`](crate::Stop::await_frontend).
    ///
    /// Nothing is spawned: the functions run where this is awaited. Dropping it answers the remaining calls with
    /// `{"error":"abandoned"}`.
    ///
    /// ```
    /// # use agui_runtime::prelude::*;
    /// # /// Looks up what something costs.
    /// # #[tool]
    /// # async fn price(name: String) -> u32 { 180 }
    /// # /// Asks the person whether that is all.
    /// # #[tool(frontend)]
    /// # async fn checkout(total: u32) -> bool;
    /// # /// Cooks with you.
    /// # #[agent(tools = [price, checkout])]
    /// # async fn chef(run: &mut Run<Chef>, input: Input<Chef>) -> Result<(), Stop> {
    /// let mut calls = [run.open_call("price").await?, run.open_call("checkout").await?];
    /// # let [first, second] = &mut calls;
    /// # first.push(r#"{"name":"rice"}"#).await;
    /// # second.push(r#"{"total":180}"#).await;
    /// let ready = calls.into_iter().map(|call| call.end()).collect::<Result<Vec<_>, _>>()?;
    /// let done = run.dispatch(ready).await;
    /// for call in &done.answered {
    ///     println!("{} said {}", call.tool, call.content);
    /// }
    /// if !done.pending.is_empty() {
    ///     return Err(Stop::await_frontend(done.pending));
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn dispatch<'w, C: Complete + 'w>(&'w self, calls: Vec<C>) -> BoxFuture<'w, Dispatched>
    where
        A: ToolSet,
    {
        // Boxed, so that a call that is not complete is one compile error and not one for each use of the future.
        dispatch(calls).boxed()
    }
}

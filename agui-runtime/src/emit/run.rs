use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;
use std::sync::Arc;

use futures::FutureExt;
use futures::future::BoxFuture;

use super::custom::{EventOf, SendCustom};
use super::dispatch::{Complete, Dispatched, dispatch};
use super::named_call::{OpenNamedCall, StartNamedCall};
use super::open_call::{CallAtOnce, CallTool, OpenCall, StartCall};
use super::span::NOBODY;
use super::{Do, Emit, MessagesSnapshot, Shared, ToolSet};
use crate::agent::Agent;
use crate::protocol::{Message, RunAgentInput};
use crate::state::{Baseline, StateHandle, StateOptions};
use crate::tool::ToolOf;

/// One run of agent `A`: everything it may say until it returns.
///
/// The driver makes it and lends it to [`Agent::run`]; it cannot be constructed or cloned. Spans (messages, calls,
/// steps) borrow it by `&`, so any number may be open and interleaved; [`finish`](Self::finish) borrows it by `&mut`,
/// so it compiles only where nothing is open.
pub struct Run<A: Agent> {
    emit: Emit,
    agent: Arc<A>,
    state: StateHandle<A::State>,
    /// What the agent was asked with: of a subagent, its own conversation.
    input: Arc<RunAgentInput>,
    request: A::Request,
}

impl<A: Agent> Run<A> {
    pub(crate) fn new(
        shared: Arc<Shared>,
        agent: Arc<A>,
        input: Arc<RunAgentInput>,
        request: A::Request,
        state: StateOptions,
    ) -> Self {
        let emit = Emit::new(shared);
        Self { state: StateHandle::new(emit.share(), state), emit, agent, input, request }
    }

    /// The part of a run that is a subagent's. The state belongs to the whole run, so it has no way to write it.
    pub(super) fn of_subagent(
        emit: Emit,
        agent: Arc<A>,
        input: Arc<RunAgentInput>,
        request: A::Request,
    ) -> Self {
        let state = StateHandle::new(emit.for_author(NOBODY), StateOptions::default());
        Self { state, emit, agent, input, request }
    }

    /// The agent, with its dependencies. For helpers that take the run; the function under `#[agent]` has them as parameters.
    ///
    /// ```
    /// use agui_runtime::prelude::*;
    /// use agui_runtime::Agent;
    ///
    /// /// What the shelf has.
    /// pub struct Shelf {
    ///     pub dishes: Vec<String>,
    /// }
    ///
    /// /// Cooks with you.
    /// #[agent]
    /// async fn chef(run: &mut Run<Chef>, input: Input<Chef>, shelf: &Shelf) -> Result<(), Stop> {
    ///     run.say(format!("There are {} dishes.", shelf.dishes.len())).await;
    ///     Ok(())
    /// }
    ///
    /// /// For any agent that has a shelf.
    /// async fn offer<A: Agent + AsRef<Shelf>>(run: &Run<A>) {
    ///     for dish in &run.agent().as_ref().dishes {
    ///         run.say(dish).await;
    ///     }
    /// }
    /// ```
    pub fn agent(&self) -> &A {
        &self.agent
    }

    /// What came with the request of this run, as the agent's [`Request`](Agent::Request) says. For agents written by hand and for
    /// helpers that take the run; the function under `#[agent]` has it as parameters.
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use agui_runtime::{Agent, Run};
    ///
    /// #[derive(Clone)]
    /// struct Customer {
    ///     name: String,
    /// }
    ///
    /// /// For any agent that needs a customer and nothing else.
    /// async fn greet<A: Agent<Request = Arc<Customer>>>(run: &Run<A>) {
    ///     run.say(format!("Hello, {}!", run.request().name)).await;
    /// }
    /// ```
    pub fn request(&self) -> &A::Request {
        &self.request
    }

    pub(crate) fn input_of_agent(&self) -> &Arc<RunAgentInput> {
        &self.input
    }

    pub(crate) fn state_handle(&self) -> &StateHandle<A::State> {
        &self.state
    }

    /// The shared state, before it has a baseline: choose where the client's copy starts.
    ///
    /// ```
    /// # use agui_runtime::{Agent, Input, Run, StateError};
    /// # async fn example<A: Agent>(run: &mut Run<A>, input: Input<A>) -> Result<(), StateError>
    /// # where A::State: Default {
    /// let state = run.state().adopt_or_snapshot(&input).await?;
    /// # let _ = state; Ok(())
    /// # }
    /// ```
    pub fn state(&self) -> Baseline<'_, A::State> {
        Baseline::new(&self.state)
    }

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
        Do::new(self, StartCall::new(self))
    }

    /// Calls a tool with complete arguments: TOOL_CALL_START, ARGS and END when awaited.
    ///
    /// A backend tool gives a [`ToolCall`](super::ToolCall) that wants its result; a frontend tool gives a
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
        Do::new(self, CallAtOnce::new(self, tool))
    }

    /// Opens a call of the tool of that name, as a model chooses: TOOL_CALL_START when awaited (AG-UI 1.0, section
    /// "Tool calls").
    ///
    /// The call knows its tool from then on: what is written into it is read as that tool's arguments, and what it
    /// becomes is one of the variants of [`ToolSet::Ready`]. Any number may be open at once, so arguments that a model
    /// streams by index go into a map of open calls.
    ///
    /// # Errors
    /// [`UnknownTool`](super::UnknownTool), with the names there are; nothing is sent then.
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
        Do::new(self, StartNamedCall::new(self, tool.into()))
    }

    /// Settles calls whose arguments are complete: runs the backend tools' functions side by side and answers each call
    /// as soon as its function returns; hands back the frontend calls for
    /// [`Stop::await_frontend`](crate::Stop::await_frontend).
    ///
    /// Nothing is spawned: the functions run where this is awaited. Dropping it answers the calls that are not done yet
    /// with `{"error":"abandoned"}`.
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
        // Boxed, so that a call that is not complete is one error and not one for each use of the future.
        dispatch(calls).boxed()
    }

    /// Sends a custom event of this agent: CUSTOM (AG-UI 1.0, section "Passthrough").
    ///
    /// # Errors
    /// [`CustomEventError`](super::CustomEventError) when the value has no JSON form; nothing is sent then.
    ///
    /// ```
    /// use agui_runtime::prelude::*;
    /// use schemars::JsonSchema;
    /// use serde::Serialize;
    ///
    /// /// Something is in the pan.
    /// #[derive(CustomEvent, Serialize, JsonSchema)]
    /// struct Sizzle {
    ///     loud: bool,
    /// }
    ///
    /// /// Cooks with you.
    /// #[agent(events = [Sizzle])]
    /// async fn chef(run: &mut Run<Chef>, input: Input<Chef>) -> Result<(), Stop> {
    ///     run.custom(Sizzle { loud: true }).await?;
    ///     Ok(())
    /// }
    /// ```
    #[expect(clippy::needless_pass_by_value, reason = "an event is said once")]
    pub fn custom<E: EventOf<A>>(&self, event: E) -> Do<'_, SendCustom> {
        Do::new(&self.emit, SendCustom::new(&event))
    }

    /// Restates the conversation: MESSAGES_SNAPSHOT when awaited (AG-UI 1.0, section "State and conversation"). The client
    /// drops what it holds and the snapshot leaves out, so it is for agents that keep the conversation: after history was
    /// loaded, shortened or edited.
    ///
    /// It borrows the run mutably, because a client that is told of a conversation without the message that is open right
    /// now loses what comes of it:
    ///
    /// ```compile_fail,E0502
    /// # use agui_runtime::{Agent, Run, protocol::Message};
    /// # async fn example<A: Agent>(run: &mut Run<A>, history: Vec<Message>) {
    /// let text = run.message().await;
    /// run.messages_snapshot(history).await;
    /// text.end();
    /// # }
    /// ```
    ///
    /// An id stays that of one kind of message: one that was, say, a text's so far and is a tool message's here is replaced by
    /// another, and a warning is logged. A call of an earlier run that is answered here needs no answer any more.
    ///
    /// A state handle is a borrow too: ask [`state`](Self::state) for it again, it keeps its baseline. In an agent that
    /// another one delegated to, it waits until nobody in the run has a message, the arguments of a call or reasoning
    /// open: for ever, if whoever delegated holds one open while it awaits this agent.
    ///
    /// ```
    /// # use agui_runtime::{Agent, Run, protocol::Message};
    /// # async fn example<A: Agent>(run: &mut Run<A>, history: Vec<Message>) {
    /// run.messages_snapshot(history).await;
    /// run.say("Where were we?").await;
    /// # }
    /// ```
    pub fn messages_snapshot(&mut self, messages: impl Into<Vec<Message>>) -> MessagesSnapshot<'_> {
        MessagesSnapshot::new(&self.emit, messages.into())
    }

    /// Ends the run with a value: the only way to make the [`Finished`] that [`Agent::run`] returns.
    ///
    /// `#[agent]` writes it around a body that ends in `Ok(value)`. It borrows the run mutably, so a message, call or
    /// step that is still alive is a compile error:
    ///
    /// ```compile_fail,E0502
    /// # use agui_runtime::{Agent, Finished, Run};
    /// # async fn example<A: Agent>(run: &mut Run<A>) -> Finished<'_, u32> {
    /// let text = run.message().await;
    /// let done = run.finish(1);
    /// text.end();
    /// done
    /// # }
    /// ```
    pub fn finish<T>(&mut self, value: T) -> Finished<'_, T> {
        Finished { value, run: PhantomData }
    }
}

impl<A: Agent> Deref for Run<A> {
    type Target = Emit;

    fn deref(&self) -> &Emit {
        &self.emit
    }
}

impl<A: Agent> fmt::Debug for Run<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Run").field("agent", &std::any::type_name::<A>()).finish_non_exhaustive()
    }
}

/// The proof that a run ended with nothing open, and the value it ended with. Made by [`Run::finish`] alone.
#[must_use = "return it from `Agent::run`"]
#[derive(Debug)]
pub struct Finished<'r, T> {
    value: T,
    run: PhantomData<&'r mut ()>,
}

impl<T> Finished<'_, T> {
    pub(crate) fn into_value(self) -> T {
        self.value
    }
}

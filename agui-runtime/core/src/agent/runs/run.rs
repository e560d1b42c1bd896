//! One agent's run: the handle for all writes.
//!
//! All methods with bounds are here, because the compiler names a method in another module by that module: `agent::calls::<impl
//! Run<A>>::call` instead of `Run::<A>::call`.

use std::fmt;
use std::future::Future;
use std::ops::Deref;
use std::sync::Arc;

use futures_util::future::BoxFuture;

use crate::agent::tool::{
    CallAtOnce, CallTool, DispatchOutcome, DispatchableCall, OpenCall, OpenNamedCall, ShownToClients,
    StartCall, StartNamedCall, ToolOf, dispatch,
};
use crate::agent::{Agent, FinishedRun, StateBaseline, ToolSet};
use crate::emit::{
    ActivityOf, Emit, EventOf, MessagesSnapshot, OpenActivity, SendCustom, StartActivity, StateHandle,
    StateOptions, WriteFuture,
};
use crate::kernel::NOBODY;
use crate::protocol::{Message, RunAgentInput, UserMessage};

/// Agent `A`'s run: all writes that the agent may make until it returns.
///
/// The driver creates the run and passes it to [`Agent::run`]; a run cannot be constructed or cloned. Spans (messages, calls,
/// steps) borrow the run by `&`, so any number may be open and interleaved; [`finish`](Self::finish) borrows by `&mut`, so the
/// call compiles only where no span is open.
///
/// ```
/// use agui_runtime::prelude::*;
///
/// /// Says two things at once.
/// #[agent]
/// async fn host(run: &mut Run<Host>, _: Input<Host>) -> Result<(), Stop> {
///     let (mut starter, mut main) = (run.message().await, run.message().await);
///     starter.push("Soup, ").await;
///     main.push("Rice, ").await;
///     starter.push("then").await;
///     starter.end();
///     main.push("last.").await;
///     main.end();
///     Ok(())
/// }
/// # let events = futures::executor::block_on(agui_runtime::testing::run(Host::new(), agui_runtime::testing::input("Hi")));
/// # assert_eq!(agui_runtime::testing::texts(&events), ["Soup, then", "Rice, last."]);
/// ```
pub struct Run<A: Agent> {
    emit: Emit,
    agent: Arc<A>,
    state: StateHandle<A::State>,
    /// The run's input; a subagent has its own conversation.
    input: Arc<RunAgentInput>,
    request: A::Request,
}

impl<A: Agent> Run<A> {
    pub(crate) fn new(
        emit: Emit,
        agent: Arc<A>,
        input: Arc<RunAgentInput>,
        request: A::Request,
        state: StateOptions,
    ) -> Self {
        Self { state: StateHandle::new(emit.share(), state), emit, agent, input, request }
    }

    /// Creates a subagent's run. The state belongs to the whole run, so a subagent writes only the part that it was given, or
    /// nothing.
    pub(in crate::agent) fn of_subagent(
        emit: Emit,
        agent: Arc<A>,
        input: Arc<RunAgentInput>,
        request: A::Request,
        state: Option<StateHandle<A::State>>,
    ) -> Self {
        let none = || StateHandle::new(emit.for_author(NOBODY), StateOptions::default());
        let state = state.unwrap_or_else(none);
        Self { state, emit, agent, input, request }
    }

    /// Returns the agent, with its dependencies. For helpers that take the run; under `#[agent]` the function has dependencies as
    /// parameters.
    ///
    /// Helpers in the same crate read a dependency as a field, by parameter name. Helpers for several agents, and helpers in other
    /// crates, get a dependency by type: an agent that `#[agent]` makes from a function implements `AsRef` for each dependency
    /// type. [`request`](Self::request) returns the request values.
    ///
    /// ```
    /// use agui_runtime::prelude::*;
    ///
    /// /// The content of the shelf.
    /// pub struct Shelf {
    ///     pub dishes: Vec<String>,
    /// }
    ///
    /// /// Cooks with you.
    /// #[agent]
    /// async fn chef(run: &mut Run<Chef>, input: Input<Chef>, shelf: &Shelf) -> Result<(), Stop> {
    ///     helpers::count(run).await;
    ///     helpers::offer(run).await;
    ///     Ok(())
    /// }
    ///
    /// mod helpers {
    ///     use agui_runtime::{Agent, Run};
    ///
    ///     use super::{Chef, Shelf};
    ///
    ///     /// For this agent.
    ///     pub async fn count(run: &Run<Chef>) {
    ///         run.say(format!("There are {} dishes.", run.agent().shelf.dishes.len())).await;
    ///     }
    ///
    ///     /// For any agent that has a shelf.
    ///     pub async fn offer<A: Agent + AsRef<Shelf>>(run: &Run<A>) {
    ///         let shelf: &Shelf = run.agent().as_ref();
    ///         for dish in &shelf.dishes {
    ///             run.say(dish).await;
    ///         }
    ///     }
    /// }
    /// # fn main() {
    /// # let input = agui_runtime::protocol::RunAgentInput::new("thread", "run", vec![]);
    /// # let chef = Chef::new(Shelf { dishes: vec!["Risotto".to_owned()] });
    /// # let events = futures::executor::block_on(agui_runtime::testing::run(chef, input));
    /// # assert_eq!(agui_runtime::testing::texts(&events), ["There are 1 dishes.", "Risotto"]);
    /// # }
    /// ```
    pub fn agent(&self) -> &A {
        &self.agent
    }

    /// Returns the values that came with this run's request, as the agent's [`Request`](Agent::Request). For hand-written agents
    /// and for helpers that take the run; under `#[agent]` the function has the values as parameters.
    pub fn request(&self) -> &A::Request {
        &self.request
    }

    pub(crate) fn shared_agent(&self) -> &Arc<A> {
        &self.agent
    }

    pub(crate) fn input_of_agent(&self) -> &Arc<RunAgentInput> {
        &self.input
    }

    pub(crate) fn state_handle(&self) -> &StateHandle<A::State> {
        &self.state
    }

    /// Returns the shared state, before a baseline is set: choose where the client's copy starts.
    ///
    /// ```
    /// # use agui_runtime::state::StateError;
    /// # use agui_runtime::{Agent, Input, Run};
    /// # async fn example<A: Agent>(run: &mut Run<A>, input: Input<A>) -> Result<(), StateError>
    /// # where A::State: Default {
    /// let state = run.state().adopt_or_snapshot(&input).await?;
    /// # let _ = state; Ok(())
    /// # }
    /// ```
    pub fn state(&self) -> StateBaseline<'_, A::State> {
        StateBaseline::new(&self.state)
    }

    /// Opens a call whose arguments arrive piece by piece, as a model writes them: TOOL_CALL_START when awaited (AG-UI 1.0,
    /// section "Tool calls").
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
    pub fn tool<T: ToolOf<A>>(&self) -> OpenCall<'_, A, T>
    where
        T::Side: ShownToClients,
    {
        WriteFuture::new(self, StartCall::new(self))
    }

    /// Calls a tool with complete arguments: TOOL_CALL_START, ARGS and END when awaited.
    ///
    /// A backend tool gives a [`Call`](crate::Call) that needs its result; a frontend tool gives a
    /// [`PendingCall`](crate::PendingCall), whose result the user interface sends in the next run.
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
    pub fn call<T: ToolOf<A>>(&self, tool: T) -> CallTool<'_, A, T>
    where
        T::Side: ShownToClients,
    {
        WriteFuture::new(self, CallAtOnce::new(self, tool))
    }

    /// Opens a call to the tool `name`, which a model chose: TOOL_CALL_START when awaited (AG-UI 1.0, section "Tool calls").
    ///
    /// From then on the call knows its tool: the text is parsed as that tool's arguments, and the end returns a [`ToolSet::Ready`]
    /// variant. Any number may be open at once, so arguments that a model streams by index go into a map with open calls.
    ///
    /// # Errors
    /// [`UnknownTool`](crate::tools::UnknownTool), with the agent's tool names; nothing is sent then.
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
    /// assert_eq!(done.settled[0].content, "180");
    /// # Ok(())
    /// # }
    /// ```
    pub fn open_call(&self, tool: impl Into<String>) -> OpenNamedCall<'_, A>
    where
        A: ToolSet,
    {
        WriteFuture::new(self, StartNamedCall::new(self, tool.into()))
    }

    /// Settles ready calls: runs backend functions concurrently and sends each result as soon as its function returns; returns the
    /// frontend calls for [`Stop::await_frontend`](crate::Stop::await_frontend).
    ///
    /// Nothing is spawned: the functions run where this future is awaited. Dropping it sends the result `{"error":"abandoned"}`
    /// for the remaining calls.
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
    /// for call in &done.settled {
    ///     println!("{} said {}", call.tool, call.content);
    /// }
    /// if !done.pending.is_empty() {
    ///     return Err(Stop::await_frontend(done.pending));
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn dispatch<'w, C: DispatchableCall + 'w>(&'w self, calls: Vec<C>) -> BoxFuture<'w, DispatchOutcome>
    where
        A: ToolSet,
    {
        // The future is boxed, so that a call that is not complete is one compile error, and not one for each use of it.
        dispatch(calls)
    }

    /// Sends a custom event: CUSTOM (AG-UI 1.0, section "Passthrough").
    ///
    /// # Errors
    /// [`CustomEventError`](crate::events::CustomEventError) if the value has no JSON form; nothing is sent then.
    #[expect(clippy::needless_pass_by_value, reason = "an event is sent once")]
    pub fn custom<E: EventOf<A>>(&self, event: E) -> WriteFuture<'_, SendCustom> {
        WriteFuture::new(&self.emit, SendCustom::new(&event))
    }

    /// Opens an activity: ACTIVITY_SNAPSHOT when awaited (AG-UI 1.0, section "Activity"). The handle changes the activity.
    ///
    /// # Errors
    /// [`ActivityError`](crate::events::ActivityError) if the value has no JSON form or is not an object; nothing is sent then.
    pub fn activity<T: ActivityOf<A>>(&self, content: T) -> OpenActivity<'_, T> {
        WriteFuture::new(&self.emit, StartActivity::new(content))
    }

    /// Restates the conversation: MESSAGES_SNAPSHOT when awaited (AG-UI 1.0, section "State and conversation"). The client drops
    /// the messages that the snapshot leaves out, so this is for agents that store the conversation: after history was loaded,
    /// shortened or edited.
    ///
    /// Borrows the run mutably, because a client loses the rest when the snapshot leaves out an open message:
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
    /// An id always belongs to one message kind: if, for example, a text's id names a tool message here, the id is replaced, and a
    /// warning is logged. An earlier run's call that has a result here needs no result any more.
    ///
    /// A state handle is a borrow too: call [`state`](Self::state) again afterwards; the state keeps its baseline. In a subagent,
    /// this waits until no other agent in the run has an open message, reasoning or call arguments: for ever, if the delegating
    /// agent holds one open while awaiting the subagent.
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

    /// Takes the user's messages that came while this run works, and adds them to the conversation: TEXT_MESSAGE events with the
    /// role `user`, which every client sees. For agents with a loop of their own; [`Run::chat`](Self::chat) takes the messages
    /// before each model turn.
    ///
    /// Each message is returned once. A message that no call takes starts the next run. The list is empty on a server that does
    /// not [steer](crate::http::BusyThread::Steer), and in a subagent whose result a call waits for: the user talks to the agent
    /// outside.
    ///
    /// ```
    /// use agui_runtime::protocol::UserMessage;
    /// # use agui_runtime::{Agent, Run};
    ///
    /// # async fn example<A: Agent>(run: &mut Run<A>, pages: Vec<String>) {
    /// for page in pages {
    ///     let joined: Vec<UserMessage> = run.steering_messages().await;
    ///     if joined.iter().any(|message| message.content.text().contains("enough")) {
    ///         break;
    ///     }
    ///     run.say(page).await;
    /// }
    /// # }
    /// ```
    ///
    /// Borrows the run mutably: a user's message stands between the agent's messages, never within.
    ///
    /// ```compile_fail,E0502
    /// # use agui_runtime::{Agent, Run};
    /// # async fn example<A: Agent>(run: &mut Run<A>) {
    /// let text = run.message().await;
    /// run.steering_messages().await;
    /// text.end();
    /// # }
    /// ```
    #[must_use = "the messages are taken, and no other call returns them"]
    pub fn steering_messages(&mut self) -> impl Future<Output = Vec<UserMessage>> + Send {
        self.emit.join_messages()
    }

    /// Ends the run with a value: the only way to create the [`FinishedRun`] that [`Agent::run`] returns.
    ///
    /// `#[agent]` adds this call around a body that ends in `Ok(value)`. The run is borrowed mutably, so a message, call or step
    /// that is still alive is a compile error:
    ///
    /// ```compile_fail,E0502
    /// # use agui_runtime::{Agent, FinishedRun, Run};
    /// # async fn example<A: Agent>(run: &mut Run<A>) -> FinishedRun<'_, u32> {
    /// let text = run.message().await;
    /// let done = run.finish(1);
    /// text.end();
    /// done
    /// # }
    /// ```
    pub fn finish<T>(&mut self, value: T) -> FinishedRun<'_, T> {
        FinishedRun::new(value)
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

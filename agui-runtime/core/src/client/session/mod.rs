//! A conversation with an agent: messages, typed state, open interrupts, and subscribers.
//!
//! | file | holds |
//! |---|---|
//! | `setup` `tool_setup` `restore` | session settings; frontend tools; continuing a recorded conversation |
//! | `conversation` `calls` | the content between turns; calls that the caller handles |
//! | `request` | the next run's input |
//! | `thread` | following a thread that the server stores |
//! | `turn` `turn_update` | a turn: successive runs until the agent is done; the turn's updates |
//! | `ending` `handling` | a run's end; frontend tool handlers between runs |
//! | `stage` `hook` | processing one event; dispatch to the event's hook |
//! | `subscriber` `reaction` `view` `subscribers` | the hooks, their reactions, their view, and the subscriber list |
//! | `tools` | frontend tools and their handlers |
//! | `typed` | the state as the caller's type |
//! | `partial` | arguments that are still arriving |
//! | `finished_turn` | a turn's result |
//! | `ids` | the ids that the session creates |

mod calls;
mod conversation;
mod ending;
mod finished_turn;
mod handling;
mod hook;
mod ids;
mod partial;
mod reaction;
mod request;
mod restore;
mod setup;
mod stage;
mod subscriber;
mod subscribers;
mod thread;
mod tool_setup;
mod tools;
mod turn;
mod turn_update;
mod typed;
mod view;

use std::fmt;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use serde_json::Value;

pub use conversation::Snapshot;
pub use finished_turn::FinishedTurn;
pub use partial::PartialArguments;
pub use reaction::Reaction;
pub use subscriber::Subscriber;
pub use subscribers::SubscriberId;
pub use turn::Turn;
pub use turn_update::TurnUpdate;
pub use typed::StateUnreadable;
pub use view::View;

use ids::Ids;
use stage::{Changed, Stage};
use subscribers::Subscribers;
use tools::Tools;
use typed::Typed;

use super::{ClientError, Middleware, Upstream, Warnings};
use crate::order::OrderStrictness;
use crate::protocol::{
    AgentCapabilities, Context, JsonObject, NonNull, ResumeEntry, ThreadId, ToolCallId, ToolMessage,
};
use crate::receive::reduce::RunOutcome;
use crate::receive::{PeerCeiling, ReceivePipeline};

/// A conversation with an agent.
///
/// `S` is the shared state's type; leave `S` out ([`Value`]) for an agent without state, or to display the state as JSON.
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
/// #[agent(state = Vec<String>, tools = [checkout])]
/// async fn clerk(run: &mut Run<Clerk>, input: Input<Clerk>) -> Result<(), Stop> {
///     let basket = run.state().adopt_or_snapshot(&input).await?;
///     if let Some(bought) = input.frontend_result::<checkout>()? {
///         run.say(if bought { "Thank you!" } else { "What else?" }).await;
///         return Ok(());
///     }
///     basket.update(|basket| basket.push(input.user_text().unwrap_or_default())).await?;
///     let ask = run.call(checkout { total: 180 }).await?;
///     Err(Stop::await_frontend(ask))
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut shop: Session<Vec<String>> = Session::new(LocalAgent::new(Clerk::new()))
///     .frontend_tool(|asked: checkout| async move { asked.total < 1000 });
/// shop.say("rice");
/// let done = shop.run().await?;
/// assert_eq!((done.text().as_str(), done.runs), ("Thank you!", 2));
/// assert_eq!(shop.state()?.unwrap(), &["rice"]);
/// # Ok(())
/// # }
/// ```
pub struct Session<S = Value> {
    pipeline: ReceivePipeline,
    typed: Typed<S>,
    subscribers: Subscribers,
    tools: Tools,
    layers: Vec<Arc<dyn Middleware>>,
    upstream: Arc<dyn Upstream>,
    warnings: Warnings,
    thread_id: ThreadId,
    /// True if the caller chose the thread.
    thread_is_given: bool,
    ids: Ids,
    context: Vec<Context>,
    forwarded_props: Option<NonNull>,
    resume: Option<Vec<ResumeEntry>>,
    ceiling: PeerCeiling,
    strictness: OrderStrictness,
    max_runs: usize,
}

impl<S> Session<S> {
    /// Creates a conversation without messages, with an empty object as the state.
    ///
    /// ```
    /// use agui_runtime::client::{HttpAgent, Session};
    ///
    /// let session: Session = Session::new(HttpAgent::new("http://127.0.0.1:8000/")?);
    /// assert!(session.messages().is_empty());
    /// # Ok::<(), agui_runtime::client::ClientError>(())
    /// ```
    #[must_use]
    pub fn new(upstream: impl Upstream) -> Self {
        let ids = Ids::random();
        Self {
            pipeline: ReceivePipeline::new(),
            typed: Typed::default(),
            subscribers: Subscribers::default(),
            tools: Tools::default(),
            layers: Vec::new(),
            upstream: Arc::new(upstream),
            warnings: Warnings::default(),
            thread_id: ids.thread(),
            thread_is_given: false,
            ids,
            context: Vec::new(),
            forwarded_props: Some(JsonObject::new().into()),
            resume: None,
            ceiling: PeerCeiling::CURRENT,
            strictness: OrderStrictness::Client,
            max_runs: 32,
        }
    }

    /// Returns the agent's declared capabilities; `None` without a declaration.
    ///
    /// # Errors
    /// [`ClientError`] if the declaration cannot be read; the agent may run nevertheless.
    pub async fn capabilities(&self) -> Result<Option<AgentCapabilities>, ClientError> {
        self.upstream.capabilities().await
    }

    /// Starts a turn: runs the agent, and again as long as the agent calls frontend tools with a handler.
    ///
    /// Handlers for pending calls run first; see [`pending_calls`](Self::pending_calls).
    ///
    /// ```
    /// # use agui_runtime::client::{Replay, Session};
    /// # use futures::FutureExt;
    /// # let replay = Replay::from_lines(concat!(
    /// #     r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#, "\n",
    /// #     r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"m","delta":"Hi"}"#, "\n",
    /// #     r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#));
    /// # let mut session: Session = Session::new(replay);
    /// let mut turn = session.start();
    /// while let Some(update) = turn.next().now_or_never().unwrap()? {
    ///     println!("{update:?}");
    /// }
    /// assert_eq!(turn.finish().now_or_never().unwrap()?.text(), "Hi");
    /// # Ok::<(), agui_runtime::client::ClientError>(())
    /// ```
    pub fn start(&mut self) -> Turn<'_, S> {
        Turn::new(self, None)
    }

    /// Like [`start`](Self::start), with a subscriber for this turn only, which is called last.
    ///
    /// ```
    /// # use agui_runtime::client::{Replay, Session};
    /// # use futures::FutureExt;
    /// # let replay = Replay::from_lines(concat!(
    /// #     r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#, "\n",
    /// #     r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"m","delta":"Hi"}"#, "\n",
    /// #     r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#));
    /// # let mut session: Session = Session::new(replay);
    /// use agui_runtime::client::{View, Subscriber};
    /// use agui_runtime::protocol::Message;
    ///
    /// #[derive(Default)]
    /// struct Counted(usize);
    ///
    /// impl Subscriber for Counted {
    ///     fn on_new_message(&mut self, _: &Message, _: &View<'_>) {
    ///         self.0 += 1;
    ///     }
    /// }
    ///
    /// let mut counted = Counted::default();
    /// session.start_with(&mut counted).finish().now_or_never().unwrap()?;
    /// assert_eq!(counted.0, 1);
    /// # Ok::<(), agui_runtime::client::ClientError>(())
    /// ```
    pub fn start_with<'s>(&'s mut self, subscriber: &'s mut dyn Subscriber) -> Turn<'s, S> {
        Turn::new(self, Some(subscriber))
    }

    /// Takes a turn and waits for the end.
    ///
    /// # Errors
    /// [`ClientError`] if a run cannot be read to the end. `RUN_ERROR` is an end: [`RunOutcome::Failed`].
    pub async fn run(&mut self) -> Result<FinishedTurn, ClientError> {
        self.start().finish().await
    }

    fn stage(&mut self) -> Stage<'_> {
        Stage {
            subscribers: &mut self.subscribers,
            guest: None,
            reducer: self.pipeline.reducer_mut(),
            input: None,
            former: None,
            changed: Changed::default(),
        }
    }

    fn has_handler(&self, call: &ToolCallId) -> bool {
        self.tool_call(call).is_some_and(|call| self.tools.has_handler(&call.function.name))
    }

    fn is_left_to_the_caller(&self, call: &ToolCallId) -> bool {
        self.tool_call(call).is_some_and(|call| self.tools.leaves(&call.function.name))
    }

    fn handling(&mut self, call: &ToolCallId) -> Option<BoxFuture<'static, ToolMessage>> {
        let call = self.pipeline.reducer().tool_call(call.as_str())?;
        self.tools.handle(call)
    }
}

impl<S> fmt::Debug for Session<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session")
            .field("thread_id", &self.thread_id)
            .field("messages", &self.messages().len())
            .field("pending_interrupts", &self.pending_interrupts().len())
            .field("tools", &self.tools)
            .field("layers", &self.layers.len())
            .finish_non_exhaustive()
    }
}

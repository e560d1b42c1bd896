//! A conversation with an agent: messages, typed state, open questions, and who listens.
//!
//! | file | holds together |
//! |---|---|
//! | `turn` | a turn: runs, one after the other, until the agent is done |
//! | `stage` | what happens with one event |
//! | `subscriber` | the hooks |
//! | `tools` | frontend tools and their handlers |
//! | `typed` | the state as the caller's type |
//! | `answer` `date` | answers to open questions, and when it is too late for them |
//! | `partial` | arguments that are still being written |
//! | `finished` | what a turn comes to |
//! | `ids` | the ids this side gives out |

mod answer;
mod date;
mod finished;
mod ids;
mod partial;
mod setup;
mod stage;
mod subscriber;
mod tools;
mod turn;
mod typed;

use std::fmt;
use std::sync::Arc;

use futures::future::BoxFuture;
use serde::de::DeserializeOwned;
use serde_json::Value;

pub use answer::{Answer, ResumeError, build_resume, check_resume, is_expired};
pub use finished::{Finished, Outcome};
pub use partial::PartialArguments;
pub use stage::SubscriberId;
pub use subscriber::{Now, Reaction, Subscriber};
pub use turn::{Turn, Update};
pub use typed::StateUnreadable;

use ids::Ids;
use stage::{Changed, Stage, Subscribers};
use tools::Tools;
use typed::Typed;

use super::{ClientError, Middleware, Upstream};
use crate::State;
use crate::order::Strictness;
use crate::protocol::{
    AgentCapabilities, Content, Context, Interrupt, InterruptId, JsonObject, Message, MessageId, NonNull,
    ResumeEntry, RunAgentInput, ThreadId, ToolCall, ToolCallId, ToolMessage, UserMessage,
};
use crate::receive::{PeerCeiling, Pipeline, Warning};

/// A conversation with an agent.
///
/// `S` is the type of the shared state; leave it out ([`Value`]) if there is none, or if it is only shown.
///
/// ```
/// use agui_runtime::client::{LocalAgent, Session};
/// use agui_runtime::prelude::*;
///
/// /// Asks the person whether that is all.
/// #[tool(frontend)]
/// async fn checkout(total: u32) -> bool;
///
/// /// Sells things.
/// #[agent(state = Vec<String>, tools = [checkout])]
/// async fn clerk(run: &mut Run<Clerk>, input: Input<Clerk>) -> Result<(), Stop> {
///     let basket = run.state().adopt_or_snapshot(&input).await?;
///     if let Some(bought) = input.answer::<checkout>()? {
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
///     .live_state()
///     .frontend_tool(|asked: checkout| async move { asked.total < 1000 });
/// shop.say("rice");
/// let done = shop.run().await?;
/// assert_eq!((done.text().as_str(), done.runs), ("Thank you!", 2));
/// assert_eq!(shop.state()?.unwrap(), &["rice"]);
/// # Ok(())
/// # }
/// ```
pub struct Session<S = Value> {
    pipeline: Pipeline,
    typed: Typed<S>,
    subscribers: Subscribers,
    tools: Tools,
    layers: Vec<Arc<dyn Middleware>>,
    upstream: Arc<dyn Upstream>,
    warn: Box<dyn FnMut(Warning) + Send>,
    thread_id: ThreadId,
    ids: Ids,
    context: Vec<Context>,
    forwarded_props: Option<NonNull>,
    resume: Option<Vec<ResumeEntry>>,
    ceiling: PeerCeiling,
    strictness: Strictness,
    max_runs: usize,
}

/// The messages and the state at one moment, to keep or to send elsewhere.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Snapshot {
    /// The messages.
    pub messages: Vec<Message>,
    /// The state.
    pub state: Value,
}

impl<S> Session<S> {
    /// A new conversation, without messages and with an empty object as state.
    #[must_use]
    pub fn new(upstream: impl Upstream) -> Self {
        let ids = Ids::random();
        Self {
            pipeline: Pipeline::new(),
            typed: Typed::default(),
            subscribers: Subscribers::default(),
            tools: Tools::default(),
            layers: Vec::new(),
            upstream: Arc::new(upstream),
            warn: Box::new(log),
            thread_id: ids.thread(),
            ids,
            context: Vec::new(),
            forwarded_props: Some(JsonObject::new().into()),
            resume: None,
            ceiling: PeerCeiling::CURRENT,
            strictness: Strictness::Client,
            max_runs: 32,
        }
    }

    /// Adds somebody who listens to all turns.
    pub fn subscribe(&mut self, subscriber: impl Subscriber + 'static) -> SubscriberId {
        self.subscribers.add(Box::new(subscriber))
    }

    /// Lets a subscriber go, and gives it back.
    pub fn unsubscribe(&mut self, id: SubscriberId) -> Option<Box<dyn Subscriber>> {
        self.subscribers.remove(id)
    }

    /// The conversation.
    #[must_use]
    pub fn thread_id(&self) -> &ThreadId {
        &self.thread_id
    }

    /// The messages.
    #[must_use]
    pub fn messages(&self) -> &[Message] {
        self.pipeline.reducer().messages()
    }

    /// A call, by its id; found without searching.
    #[must_use]
    pub fn tool_call(&self, id: &ToolCallId) -> Option<&ToolCall> {
        self.pipeline.reducer().tool_call(id.as_str())
    }

    /// The state as JSON.
    #[must_use]
    pub fn state_value(&self) -> &Value {
        self.pipeline.reducer().state()
    }

    /// The state; `None` while there is none, which clients write as an empty object.
    ///
    /// It is read when it is asked for, and again only after it has changed; with [`live_state`](Self::live_state) it is read once.
    ///
    /// # Errors
    /// [`StateUnreadable`] if it is not of this type.
    pub fn state(&self) -> Result<Option<&S>, StateUnreadable>
    where
        S: DeserializeOwned,
    {
        self.typed.read(self.state_value())
    }

    /// Keeps the typed state by doing to it what deltas say, instead of reading it anew: for large states that are looked at after
    /// every event.
    #[must_use]
    pub fn live_state(mut self) -> Self
    where
        S: State,
    {
        self.typed.follow();
        self
    }

    /// Messages and state as they are now, copied.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        Snapshot { messages: self.messages().to_vec(), state: self.state_value().clone() }
    }

    /// The questions of the run that was interrupted last. [`resume`](Self::resume) answers them.
    #[must_use]
    pub fn pending_interrupts(&self) -> &[Interrupt] {
        self.pipeline.reducer().pending_interrupts()
    }

    /// What the agent declares about itself; `None` if it cannot be asked.
    ///
    /// # Errors
    /// [`ClientError`], which says nothing about whether it can be run.
    pub async fn capabilities(&self) -> Result<Option<AgentCapabilities>, ClientError> {
        self.upstream.capabilities().await
    }

    /// Says something, as the person. The next turn sends it.
    ///
    /// ```
    /// # use agui_runtime::client::{Replay, Session};
    /// let mut session: Session = Session::new(Replay::default());
    /// session.say("Hello");
    /// assert_eq!(session.messages().len(), 1);
    /// ```
    pub fn say(&mut self, content: impl Into<Content>) -> MessageId {
        let id = self.ids.message();
        self.add_message(UserMessage::new(&id, content).into());
        id
    }

    /// Answers a call of a frontend tool that has no handler. The next turn sends it.
    pub fn answer_call(&mut self, call: impl Into<ToolCallId>, content: impl Into<Content>) {
        let call = call.into();
        let id = format!("{call}-answer");
        self.add_message(ToolMessage::new(id, content, call).into());
    }

    /// Adds a message at the end.
    pub fn add_message(&mut self, message: Message) {
        let mut stage = self.stage();
        add(&mut stage, message);
        stage.changed.messages = true;
        stage.tell_changes();
    }

    /// Replaces all messages.
    pub fn set_messages(&mut self, messages: Vec<Message>) {
        let mut stage = self.stage();
        stage.reducer.set_messages(messages);
        stage.changed.messages = true;
        stage.tell_changes();
    }

    /// Replaces the state.
    pub fn set_state(&mut self, state: Value) {
        let mut stage = self.stage();
        stage.reducer.set_state(state);
        stage.changed.state = true;
        stage.tell_changes();
        self.typed.forget();
    }

    /// Answers the open questions. The next turn sends it.
    ///
    /// # Errors
    /// [`ResumeError`] if a question is left out, or an answer is to none.
    ///
    /// ```
    /// use agui_runtime::client::{Answer, Replay, Session};
    /// use agui_runtime::protocol::{Event, Interrupt, NonNull, RunFinishedEvent, RunFinishedInterruptOutcome, RunStartedEvent};
    ///
    /// let asked = RunFinishedInterruptOutcome::new(Interrupt::new("int-1", "confirmation"));
    /// let log: [Event; 2] =
    ///     [RunStartedEvent::new("t", "r").into(), RunFinishedEvent::new("t", "r").with_outcome(asked).into()];
    /// let mut session: Session = Session::new(Replay::default()).restore(log)?;
    /// session.resume([("int-1", Answer::resolved(NonNull::from(true)))])?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn resume<I: Into<InterruptId>>(
        &mut self,
        answers: impl IntoIterator<Item = (I, Answer)>,
    ) -> Result<(), ResumeError> {
        self.resume = Some(build_resume(self.pending_interrupts(), answers)?);
        Ok(())
    }

    /// Takes a turn: asks the agent to run, and again for as long as it calls frontend tools that are answered here.
    pub fn start(&mut self) -> Turn<'_, S> {
        Turn::new(self, None)
    }

    /// The same with a subscriber for this turn alone, who is asked last.
    pub fn start_with<'s>(&'s mut self, subscriber: &'s mut dyn Subscriber) -> Turn<'s, S> {
        Turn::new(self, Some(subscriber))
    }

    /// Takes a turn and waits for its end.
    ///
    /// # Errors
    /// [`ClientError`] if it cannot be told to its end. `RUN_ERROR` is an end: [`Outcome::Failed`].
    pub async fn run(&mut self) -> Result<Finished, ClientError> {
        self.start().finish().await
    }

    fn stage(&mut self) -> Stage<'_> {
        Stage {
            subscribers: &mut self.subscribers,
            guest: None,
            reducer: self.pipeline.reducer_mut(),
            input: None,
            changed: Changed::default(),
        }
    }

    /// What the next run is asked with (AG-UI 1.0, section "Agent object").
    fn input(&mut self, resume: Option<Vec<ResumeEntry>>) -> RunAgentInput {
        let mut input = RunAgentInput::new(&self.thread_id, self.ids.run(), self.messages());
        input.tools = Some(self.tools.declared());
        input.context = Some(self.context.clone());
        input.forwarded_props.clone_from(&self.forwarded_props);
        input.state = self.sent_state();
        input.resume = resume;
        input
    }

    fn sent_state(&self) -> Option<NonNull> {
        NonNull::new(self.state_value().clone())
    }

    fn can_answer(&self, call: &ToolCallId) -> bool {
        self.tool_call(call).is_some_and(|call| self.tools.has(&call.function.name))
    }

    fn answering(&mut self, call: &ToolCallId) -> Option<BoxFuture<'static, ToolMessage>> {
        let call = self.pipeline.reducer().tool_call(call.as_str())?;
        self.tools.answer(call)
    }
}

/// Adds a message and tells of it.
fn add(stage: &mut Stage<'_>, message: Message) {
    let at = stage.reducer.add_message(message);
    stage.tell(|subscriber, now| {
        let Some(message) = now.messages().get(at) else { return };
        subscriber.on_new_message(message, now);
        if let Message::Assistant(message) = message {
            for call in message.tool_calls() {
                subscriber.on_new_tool_call(call, now);
            }
        }
    });
}

#[allow(clippy::needless_pass_by_value, reason = "a function for warnings takes them")]
fn log(warning: Warning) {
    tracing::warn!(%warning, "what comes is not all AG-UI 1.0");
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

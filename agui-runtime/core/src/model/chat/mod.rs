//! An agent's conversation with its model, turn by turn.

mod ask;
mod handoff;
mod hooks;
mod offer;
mod output;
mod output_watch;
mod settings;
mod settle;
mod sources;
mod steering;
mod tool_turn;

use std::fmt;
use std::future::{Future, IntoFuture};
use std::pin::Pin;
use std::sync::Arc;

use crate::agent::{Run, SettledCall, Stop, ToolSet};
use crate::model::chat_model::Model;
use crate::model::contract::FrontendContract;
use crate::model::dynamic::{self, DynTool};
use crate::model::end::ChatEnd;
use crate::model::history::HistoryPolicy;
use crate::model::limits::{ChatLimits, ChatUsage, MissingTimer};
use crate::model::private::{self, PromptPrivacy};
use crate::model::prompt::{Prompt, PromptMessage};
use crate::model::shorten::{ShortenStrategy, StrategyModel};
use crate::model::tool_choice::ToolChoice;
use crate::model::tool_search::SearchedTools;
use crate::model::tools::ToolOffer;
use crate::protocol::UserMessage;

use handoff::resumed_handoff;
use sources::SourcedTools;
use tool_turn::ChooseTools;

pub(in crate::model) use hooks::ChatHooks;
pub use hooks::{ModelReply, ToolDecision};
pub use output::FinalOutput;
pub(super) use output::{OutputTool, arguments_of};
pub(in crate::model) use output_watch::OutputWatch;
pub use output_watch::PartialOutput;
pub(in crate::model) use sources::warn_taken;
pub use tool_turn::ToolTurn;

impl<A: ToolSet> Run<A> {
    /// Lets a model talk and call the agent's tools. Awaiting the chat performs turns until the model is done, the client must
    /// settle calls or resume interrupts, or a limit is reached.
    ///
    /// The model reads the conversation from the run input, the agent's tools, and the client's tools. Text, reasoning and calls
    /// stream to the client, through the same guards that an agent uses directly. Backend tools run side by side, and the model
    /// reads their results in its next turn. All calls in one turn belong to one assistant message.
    ///
    /// Frontend calls are sent whole, once their arguments are valid. A call to an unknown tool, or a frontend call with invalid
    /// arguments, is not sent, and goes back to the model with the reason. A backend call with invalid arguments is settled with
    /// the reason.
    ///
    /// A call to a [private tool](macro@crate::tool#private-tools) runs and is not sent. The model reads the result, also in later runs.
    ///
    /// A call to a tool with approval is sent but does not run. The turn's other backend calls run; its frontend calls are not
    /// sent, because an interrupted run cannot wait for them too; and the run ends with the interrupts. The resumed run first runs
    /// the approved calls; the model then reads the results.
    ///
    /// ```
    /// use agui_runtime::model::{Model, Reply, ScriptedModel};
    /// use agui_runtime::prelude::*;
    ///
    /// /// Looks up what an ingredient costs, in cents.
    /// #[tool]
    /// async fn price(name: String) -> u32 {
    ///     180
    /// }
    ///
    /// /// Tells prices.
    /// #[agent(tools = [price])]
    /// async fn clerk(run: &mut Run<Clerk>, input: Input<Clerk>, model: &Model) -> Result<(), Stop> {
    ///     run.chat(model).instructions("Be brief.").max_turns(8).await
    /// }
    /// # use agui_runtime::testing;
    /// # let script = [Reply::call("price", price { name: "rice".to_owned() }), Reply::text("It is 1.80.")];
    /// # let clerk = Clerk::new(ScriptedModel::new(script).into());
    /// # let events = futures::executor::block_on(testing::run(clerk, testing::input("Rice?")));
    /// # assert_eq!(testing::texts(&events), ["It is 1.80."]);
    /// ```
    pub fn chat<'w>(&'w self, model: &'w Model) -> Chat<'w, A> {
        Chat {
            run: self,
            model,
            prompt: Prompt { privacy: PromptPrivacy::from_agent::<A>(), ..Prompt::default() },
            history: HistoryPolicy::default(),
            contract: FrontendContract::default(),
            client_tools: true,
            limits: ChatLimits::default(),
            spent: ChatUsage::default(),
            hooks: ChatHooks::default(),
            dynamic: Vec::new(),
            sources: Vec::new(),
            choose_tools: None,
            search: None,
            shorten: None,
            output: None,
            takes_native: true,
            watch: None,
            said: Vec::new(),
            joined: Vec::new(),
            offer: None,
            ended: None,
        }
    }
}

/// A model conversation, made by [`Run::chat`]. Await the chat, or drive it with [`step`](Self::step).
///
/// ```
/// use agui_runtime::model::{Chat, Model};
/// use agui_runtime::{Run, Stop, ToolSet};
///
/// /// The settings that all agents of the shop share.
/// fn of_the_shop<A: ToolSet>(chat: Chat<'_, A>) -> Chat<'_, A> {
///     chat.instructions("You help customers of a shop. Be brief.").max_turns(8)
/// }
///
/// # async fn example<A: ToolSet>(run: &mut Run<A>, model: &Model) -> Result<(), Stop> {
/// of_the_shop(run.chat(model)).await
/// # }
/// ```
#[must_use = "no request is sent until it is awaited"]
pub struct Chat<'w, A: ToolSet> {
    run: &'w Run<A>,
    model: &'w Model,
    prompt: Prompt,
    history: HistoryPolicy,
    contract: FrontendContract,
    client_tools: bool,
    limits: ChatLimits,
    spent: ChatUsage,
    hooks: ChatHooks<'w>,
    /// Dynamic tools for this run.
    dynamic: Vec<DynTool<'w>>,
    /// Dynamic tools that may change between turns.
    sources: Vec<SourcedTools<'w>>,
    choose_tools: Option<ChooseTools<'w, A>>,
    search: Option<SearchedTools>,
    shorten: Option<Box<dyn ShortenStrategy + 'w>>,
    output: Option<Arc<OutputTool>>,
    /// False once the provider has refused or ignored its own form of the output.
    takes_native: bool,
    /// Shows the output while it is written.
    watch: Option<OutputWatch<'w>>,
    /// This run's turns, for an agent that takes over.
    said: Vec<PromptMessage>,
    /// Messages that joined the run in this turn.
    joined: Vec<UserMessage>,
    /// The tools, once the first turn has begun.
    offer: Option<Arc<ToolOffer<'w>>>,
    /// A final end: no turn can follow. `None` while the model runs, or after it is done.
    ended: Option<ChatEnd>,
}

/// One [`Chat`] turn, made by [`Chat::step`], whose example reads the fields.
#[derive(Clone, Debug)]
#[non_exhaustive]
#[must_use = "the end of the chat stands in `end`"]
pub struct ChatStep {
    /// The model's text.
    pub text: String,
    /// Settled backend calls with their results, without private ones. In the first step, calls that the user approved or refused come first.
    pub settled: Vec<SettledCall>,
    /// The user's messages that joined the run before the model's reply, which answers them: see
    /// [`BusyThread::Steer`](crate::http::BusyThread::Steer).
    pub joined: Vec<UserMessage>,
    /// The chat's end; `None` if the model reads the results, or a message of the user, in the next step.
    pub end: Option<ChatEnd>,
}

impl<'w, A: ToolSet> Chat<'w, A> {
    /// Performs one turn: the model's reply, and its backend calls. After an end other than [`ChatEnd::Done`], a further step
    /// sends no request and returns the same end.
    ///
    /// # Errors
    /// A [`Stop`] if the model failed: RUN_ERROR with the code `model_failed`, or `tool_not_offered`; the [fatal](Stop::fatal)
    /// error that a tool returned.
    ///
    /// ```
    /// # use agui_runtime::{ToolSet, Run, Stop, model::Model};
    /// use agui_runtime::model::ChatStep;
    ///
    /// # async fn example<A: ToolSet>(run: &mut Run<A>, model: &Model) -> Result<(), Stop> {
    /// let mut chat = run.chat(model);
    /// loop {
    ///     let ChatStep { settled, end, .. } = chat.step().await?;
    ///     for call in &settled {
    ///         println!("{} said {}", call.tool, call.content);
    ///     }
    ///     if let Some(end) = end {
    ///         return end.into_result();
    ///     }
    /// }
    /// # }
    /// ```
    pub async fn step(&mut self) -> Result<ChatStep, Stop> {
        if let Some(end) = &self.ended {
            return Ok(ChatStep::at(end.clone()));
        }
        let mut step = self.turn().await?;
        step.joined = std::mem::take(&mut self.joined);
        self.ended = step.end.clone().filter(|end| !matches!(end, ChatEnd::Done { .. }));
        Ok(step)
    }

    async fn turn(&mut self) -> Result<ChatStep, Stop> {
        self.spent.begin(&self.limits, self.run).map_err(|MissingTimer| {
            Stop::error("a limit of time needs a timer: set `RunOptions::timer`").with_code("no_timer")
        })?;
        if let Err(limit) = self.spent.begin_turn(&self.limits).await {
            return Ok(ChatStep::at(ChatEnd::Limit(limit)));
        }
        let mut resumed = Vec::new();
        let is_first = self.offer.is_none();
        if is_first {
            private::check_place(self.run)?;
        }
        // Before any call runs: a client that lacks a tool may end the run.
        let mut offer = match self.newest_offer().await? {
            Ok(offer) => offer,
            Err(limit) => return Ok(ChatStep::at(ChatEnd::Limit(limit))),
        };
        if is_first {
            let (run, dynamic) = (self.run, sources::all_tools(&self.dynamic, &self.sources));
            let resuming = run.resume_approvals_with(|call| dynamic::resume(call, &dynamic));
            let done = match self.spent.within(&self.limits, resuming).await {
                Ok(done) => done,
                Err(limit) => return Ok(ChatStep::at(ChatEnd::Limit(limit))),
            };
            self.hooks.settled(&done.settled);
            if let Some(stop) = done.stop {
                return ChatStep::stopped(String::new(), done.settled, stop);
            }
            resumed = done.settled;
            if let Some(call) = resumed_handoff(self.run) {
                let messages = self.run.input_of_agent().messages.clone();
                return self.hand_over(String::new(), resumed, call, messages).await;
            }
            self.read_conversation();
            if !resumed.is_empty() {
                // A call that the user has allowed may have changed a list.
                offer = match self.newest_offer().await? {
                    Ok(offer) => offer,
                    Err(limit) => return Ok(ChatStep::at(ChatEnd::Limit(limit))),
                };
            }
        }
        self.join_messages().await;
        let (mut offer, choice_after) = self.chosen_offer(offer)?;
        offer = self.searched_offer(offer);
        let Self { run, model, prompt, limits, spent, hooks, shorten, .. } = self;
        let privacy = prompt.privacy;
        hooks.before_model(prompt);
        // A hook may have put another prompt in the place.
        prompt.privacy = privacy;
        if let Some(strategy) = shorten {
            let asker = StrategyModel::new(model).with_privacy(privacy);
            let whole = (privacy == PromptPrivacy::PrivateTools).then(|| prompt.messages.clone());
            let shortening = strategy.shorten(std::mem::take(&mut prompt.messages), &asker);
            let shortened = spent.within(limits, shortening).await;
            let mut counted = Ok(());
            for usage in asker.into_spent() {
                counted = counted.and(spent.add_tokens(&usage));
                run.report_usage(usage);
            }
            match counted.and(shortened) {
                Ok(messages) => prompt.messages = messages.map_err(|error| error.into_model_stop(prompt))?,
                Err(limit) => return Ok(ChatStep::at(ChatEnd::Limit(limit))),
            }
            let is_new =
                |whole: &Vec<PromptMessage>| prompt.messages.iter().any(|message| !whole.contains(message));
            if whole.as_ref().is_some_and(is_new) {
                prompt.privacy = PromptPrivacy::Rewritten;
            }
        }
        let written = match self.ask(&mut offer).await? {
            Ok(written) => written,
            Err(limit) => return Ok(ChatStep::at(ChatEnd::Limit(limit))),
        };
        let Self { prompt, .. } = self;
        // A choice for this turn alone goes with the turn.
        prompt.tool_choice = choice_after.unwrap_or_else(|| std::mem::take(&mut prompt.tool_choice));
        if prompt.tool_choice.forces_call() {
            prompt.tool_choice = ToolChoice::Auto;
        }
        let mut step = self.settle(written, &offer).await?;
        step.settled.splice(..0, resumed);
        Ok(step)
    }

    /// Performs all turns and returns the chat's end.
    ///
    /// # Errors
    /// The errors that [`step`](Self::step) returns.
    pub async fn outcome(mut self) -> Result<ChatEnd, Stop> {
        loop {
            if let Some(end) = self.step().await?.end {
                return Ok(end);
            }
        }
    }

    /// Performs all turns and returns the last turn's text: the result from a subagent that returns text. The text is empty if
    /// another agent took over.
    ///
    /// # Errors
    /// The errors that [`step`](Self::step) returns; a [`Stop`] for an [end](ChatEnd::into_result) other than [`ChatEnd::Done`].
    pub async fn text(self) -> Result<String, Stop> {
        match self.outcome().await? {
            ChatEnd::Done { text } => Ok(text),
            end => end.into_result().map(|()| String::new()),
        }
    }

    /// Returns the next turn's prompt. Empty before the first turn.
    #[must_use]
    pub fn prompt(&self) -> &Prompt {
        &self.prompt
    }
}

impl ChatStep {
    fn at(end: ChatEnd) -> Self {
        Self::new(String::new(), Vec::new(), Some(end))
    }

    fn new(text: String, settled: Vec<SettledCall>, end: Option<ChatEnd>) -> Self {
        Self { text, settled, joined: Vec::new(), end }
    }

    /// Returns the step that a call's stop ended.
    fn stopped(text: String, settled: Vec<SettledCall>, stop: Stop) -> Result<Self, Stop> {
        let questions = stop.into_interrupts()?;
        Ok(Self::new(text, settled, Some(ChatEnd::Interrupted(questions))))
    }
}

impl<'w, A: ToolSet> IntoFuture for Chat<'w, A> {
    type Output = Result<(), Stop>;
    type IntoFuture = Pin<Box<dyn Future<Output = Result<(), Stop>> + Send + 'w>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move { self.outcome().await?.into_result() })
    }
}

impl<A: ToolSet> fmt::Debug for Chat<'_, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Chat").field("model", self.model).field("spent", &self.spent).finish_non_exhaustive()
    }
}

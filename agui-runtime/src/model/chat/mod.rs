//! The conversation of an agent with its model, turn by turn.

mod handoff;
mod hooks;
mod output;
mod settings;

use std::fmt;
use std::future::{Future, IntoFuture};
use std::pin::Pin;
use std::sync::Arc;

use crate::agent::tool::settle_all;
use crate::agent::{AnsweredCall, Dispatched, Run, Stop, ToolSet, handoff_to};
use crate::manifest::narrower::Narrower;
use crate::model::calls::Ended;
use crate::model::chat_model::Model;
use crate::model::contract::FrontendContract;
use crate::model::delta::EndReason;
use crate::model::dynamic::DynTool;
use crate::model::end::ChatEnd;
use crate::model::error::ModelError;
use crate::model::history::HistoryPolicy;
use crate::model::limits::{ChatLimit, Limits, NoTimer, Spent};
use crate::model::messages::messages_of;
use crate::model::prompt::{AssistantPart, ModelCall, Prompt, PromptMessage, ToolAnswer};
use crate::model::shorten::{Asker, Shorten};
use crate::model::tools::{Offer, Page, WrongOffer};
use crate::model::turn::{Failed, Written, write};
use crate::protocol::{Content, SubagentRunId};
use crate::quoted::quoted;

use handoff::{HandoffCall, resumed_handoff};

pub(in crate::model) use hooks::Hooks;
pub use hooks::{ModelAnswer, ToolDecision};
pub use output::FinalOutput;
pub(super) use output::{OutputTool, arguments_of};

impl<A: ToolSet> Run<A> {
    /// Lets a model talk and use the agent's tools: awaiting it performs turns until the model is done, the user
    /// interface must answer, or a limit is reached.
    ///
    /// The model reads the conversation of the run's input, the agent's tools and the tools that the client offers. Its
    /// text, reasoning and calls go out as they come, through the guards that an agent uses itself. Backend tools run
    /// side by side, and the model reads their results in its next turn. All calls of one turn belong to one message of
    /// the assistant.
    ///
    /// Calls of frontend tools are sent whole, when their arguments are known to be right. A call that cannot be made
    /// goes back to the model with the reason, and is not sent: one of an unknown tool, or one of a frontend tool whose
    /// arguments are wrong. A call of a backend tool whose arguments are wrong is answered with the reason.
    ///
    /// A call of a tool with approval is sent and does not run: the other backend calls of the turn run, its calls of
    /// frontend tools are not sent, because a run that asks cannot wait for them too, and the run ends with the
    /// questions. The run that brings the answers first runs the approved calls; the model then reads the results.
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
            prompt: Prompt::default(),
            history: HistoryPolicy::default(),
            contract: FrontendContract::default(),
            client_tools: true,
            limits: Limits::default(),
            spent: Spent::default(),
            hooks: Hooks::default(),
            dynamic: Vec::new(),
            shorten: None,
            output: None,
            said: Vec::new(),
            offer: None,
            ended: None,
        }
    }
}

/// A conversation with a model, made by [`Run::chat`]. Await it, or drive it with [`step`](Self::step).
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
    limits: Limits,
    spent: Spent,
    hooks: Hooks<'w>,
    /// The tools that exist only in this run.
    dynamic: Vec<DynTool<'w>>,
    shorten: Option<Box<dyn Shorten + 'w>>,
    output: Option<Arc<OutputTool>>,
    /// The turns of this run, for an agent that takes over.
    said: Vec<PromptMessage>,
    /// The tools, once the first turn has begun.
    offer: Option<Arc<Offer<'w>>>,
    /// The end, unless the model is done: no turn can follow it.
    ended: Option<ChatEnd>,
}

/// One turn of a [`Chat`], made by [`Chat::step`], whose example reads it.
#[derive(Clone, Debug)]
#[non_exhaustive]
#[must_use = "the end of the chat stands in `end`"]
pub struct ChatStep {
    /// The text that the model wrote.
    pub text: String,
    /// The calls of backend tools, with their results. In the first step, those that the user approved or refused come
    /// first.
    pub answered: Vec<AnsweredCall>,
    /// The end of the chat; `None` if the model reads the results in the next step.
    pub end: Option<ChatEnd>,
}

impl<'w, A: ToolSet> Chat<'w, A> {
    /// Performs one turn: the model's answer, and the backend tools that it calls. After an end other than
    /// [`ChatEnd::Done`] no request is sent, and each step returns that end again.
    ///
    /// # Errors
    /// The [`Stop`] of a model that failed: RUN_ERROR with the code `model_failed`, or `tool_not_offered`; that of a tool
    /// that returned a [fatal](Stop::fatal) error.
    ///
    /// ```
    /// # use agui_runtime::{ToolSet, Run, Stop, model::Model};
    /// use agui_runtime::model::ChatStep;
    ///
    /// # async fn example<A: ToolSet>(run: &mut Run<A>, model: &Model) -> Result<(), Stop> {
    /// let mut chat = run.chat(model);
    /// loop {
    ///     let ChatStep { answered, end, .. } = chat.step().await?;
    ///     for call in &answered {
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
        let step = self.turn().await?;
        self.ended = step.end.clone().filter(|end| !matches!(end, ChatEnd::Done { .. }));
        Ok(step)
    }

    async fn turn(&mut self) -> Result<ChatStep, Stop> {
        self.spent.begin(&self.limits, self.run).map_err(|NoTimer| {
            Stop::error("a limit of time needs a timer: set `RunOptions::timer`").with_code("no_timer")
        })?;
        if let Err(limit) = self.spent.begin_turn(&self.limits).await {
            return Ok(ChatStep::at(ChatEnd::Limit(limit)));
        }
        let mut resumed = Vec::new();
        if self.offer.is_none() {
            let done = match self.spent.within(&self.limits, self.run.resume_approvals()).await {
                Ok(done) => done,
                Err(limit) => return Ok(ChatStep::at(ChatEnd::Limit(limit))),
            };
            self.hooks.answered(&done.answered);
            if let Some(stop) = done.stop {
                return ChatStep::stopped(String::new(), done.answered, stop);
            }
            resumed = done.answered;
            if let Some(call) = resumed_handoff(self.run) {
                let messages = self.run.input_of_agent().messages.clone();
                return self.hand_over(String::new(), resumed, call, messages).await;
            }
        }
        let offer = self.offer()?;
        let Self { run, model, prompt, limits, spent, hooks, shorten, .. } = self;
        hooks.before_model(prompt);
        if let Some(strategy) = shorten {
            let asker = Asker::new(model);
            let shortening = strategy.shorten(std::mem::take(&mut prompt.messages), &asker);
            let shortened = spent.within(limits, shortening).await;
            let mut counted = Ok(());
            for usage in asker.into_spent() {
                counted = counted.and(spent.add_tokens(&usage));
                run.report_usage(usage);
            }
            match counted.and(shortened) {
                Ok(messages) => prompt.messages = messages.map_err(ModelError::into_model_stop)?,
                Err(limit) => return Ok(ChatStep::at(ChatEnd::Limit(limit))),
            }
        }
        let written = match write(run, model, prompt, &offer, (limits, spent)).await {
            Ok(written) => written,
            Err(Failed::Model(error)) => return Err(error.into_model_stop()),
            Err(Failed::Limit(limit)) => return Ok(ChatStep::at(ChatEnd::Limit(limit))),
        };
        let mut step = self.settle(written, &offer).await?;
        step.answered.splice(..0, resumed);
        Ok(step)
    }

    /// Performs all turns and returns the end of the chat.
    ///
    /// # Errors
    /// As [`step`](Self::step).
    ///
    /// ```
    /// # use agui_runtime::{ToolSet, Run, Stop, model::Model};
    /// use agui_runtime::model::ChatEnd;
    ///
    /// # async fn example<A: ToolSet>(run: &mut Run<A>, model: &Model) -> Result<usize, Stop> {
    /// match run.chat(model).outcome().await? {
    ///     ChatEnd::Done { text } => Ok(text.len()),
    ///     end => end.into_result().map(|()| 0),
    /// }
    /// # }
    /// ```
    pub async fn outcome(mut self) -> Result<ChatEnd, Stop> {
        loop {
            if let Some(end) = self.step().await?.end {
                return Ok(end);
            }
        }
    }

    /// Performs all turns and returns the text of the last one: the result of a subagent that answers with a text.
    ///
    /// # Errors
    /// As [`step`](Self::step); the [`Stop`] of an [end](ChatEnd::into_result) other than [`ChatEnd::Done`]. If another agent
    /// took over, the text is empty.
    ///
    /// ```
    /// use agui_runtime::model::Model;
    /// use agui_runtime::prelude::*;
    ///
    /// /// Researches a topic.
    /// #[agent]
    /// async fn researcher(run: &mut Run<Researcher>, _: Input<Researcher>, model: &Model) -> Result<String, Stop> {
    ///     run.chat(model).text().await
    /// }
    /// ```
    pub async fn text(self) -> Result<String, Stop> {
        match self.outcome().await? {
            ChatEnd::Done { text } => Ok(text),
            end => end.into_result().map(|()| String::new()),
        }
    }

    /// Returns the prompt of the next turn. Empty before the first.
    ///
    /// ```
    /// # use agui_runtime::{ToolSet, Run, Stop, model::Model};
    /// # async fn example<A: ToolSet>(run: &mut Run<A>, model: &Model) -> Result<(), Stop> {
    /// let mut chat = run.chat(model);
    /// let step = chat.step().await?;
    /// println!("{} messages", chat.prompt().messages.len());
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn prompt(&self) -> &Prompt {
        &self.prompt
    }

    /// Returns the tools of the run. The first turn reads them, and the conversation.
    fn offer(&mut self) -> Result<Arc<Offer<'w>>, Stop> {
        if let Some(offer) = &self.offer {
            return Ok(Arc::clone(offer));
        }
        let input = self.run.input_of_agent();
        let dialect = self.model.dialect();
        let (tag, is_in_call) =
            self.run.act(|kernel, author| (kernel.tag_of(author), kernel.is_in_call(author)));
        let page = match (is_in_call, self.client_tools) {
            (true, _) => Page::Absent,
            (false, true) => Page::Open,
            (false, false) => Page::Declared,
        };
        let offer = Offer::of::<A>(input, self.contract, page, dialect, self.output.clone(), &self.dynamic)
            .map_err(|wrong| match wrong {
            WrongOffer::Missing(tool) => {
                Stop::error(format!("the client does not offer the tool `{}`", quoted(&tool)))
                    .with_code("tool_not_offered")
            }
            WrongOffer::Narrower { tool, narrower: Narrower { path, reason } } => {
                let message = format!(
                    "the client's tool `{tool}` is narrower than the declared one at `{path}`: {reason}"
                );
                Stop::error(message).with_code("tool_narrower")
            }
            WrongOffer::Taken { tool, by } => {
                Stop::error(format!("the tool `{tool}` cannot be offered: {by} has its name"))
                    .with_code("tool_name_taken")
            }
            WrongOffer::Schema(unsupported) => ModelError::from(unsupported).into_model_stop(),
        })?;
        let results = self.run.act(|kernel, _| kernel.results.clone());
        self.prompt.messages =
            self.history.read_with(&input.messages, &results, tag.as_ref().map(SubagentRunId::as_str));
        self.prompt.context = input.context().to_vec();
        self.prompt.tools = offer.specs.clone();
        Ok(Arc::clone(self.offer.insert(Arc::new(offer))))
    }

    /// Runs the backend tools of a turn with the hooks around them, and adds the turn to the prompt.
    async fn settle(&mut self, written: Written<'w, A>, offer: &Offer<'w>) -> Result<ChatStep, Stop> {
        let Written { mut parts, text, calls, carrier, usage, end } = written;
        let reason = end.clone();
        let ended = match end {
            EndReason::Stop => None,
            EndReason::OutputLimit => Some(ChatEnd::OutputLimit),
            EndReason::ContentFilter => Some(ChatEnd::ContentFilter),
            EndReason::Other(reason) => Some(ChatEnd::Other(reason)),
        };
        let unsent = format!("unsent-{}", self.spent.turns());
        self.hooks.after_model(|| {
            let calls = calls.written(&unsent).into_iter().map(AssistantPart::Call);
            let parts = parts.iter().cloned().chain(calls).collect();
            ModelAnswer { parts, usage: usage.clone(), end: reason }
        });
        let lacks_output = self.output.is_some() && calls.is_empty();
        let counted = self.spent.add_tokens(&usage);
        let counted = counted.and_then(|()| self.spent.add_calls(&calls.texts(), &self.limits));
        let runs_agent = |(tool, _): &(&str, &str)| {
            A::NAMES.iter().zip(A::ENTRIES).any(|(name, entry)| name == tool && entry.agent.is_some())
        };
        let counted = counted.and_then(|()| {
            if calls.texts().iter().any(runs_agent) { self.spent.check_depth() } else { Ok(()) }
        });
        // Checked before any call is sent, because the client would act on the good ones of the same turn.
        let counted = counted.and_then(|()| {
            let is_bad = self.spent.is_last_bad_turn(&self.limits) && (calls.has_bad(offer) || lacks_output);
            if is_bad { Err(ChatLimit::BadCalls(self.limits.bad_calls)) } else { Ok(()) }
        });
        if let Some(end) = counted.err().map(ChatEnd::Limit).or(ended) {
            // The calls are dropped: those that were opened are answered as abandoned, and nothing runs.
            return Ok(ChatStep { text, answered: Vec::new(), end: Some(end) });
        }
        let calls = calls.end(offer, &unsent, carrier.receipt(), &mut self.hooks).await;
        self.spent.add_bad_turn(lacks_output || calls.is_bad);
        let Ended { calls, ready, refused, of_client, output, .. } = calls;
        if let Some(text) = output {
            return Ok(ChatStep {
                text: String::new(),
                answered: Vec::new(),
                end: Some(ChatEnd::Done { text }),
            });
        }
        let done = match self.spent.within(&self.limits, settle_all(self.hooks.around(ready))).await {
            Ok(done) => done,
            // The tools are dropped, and their calls are answered as abandoned.
            Err(limit) => {
                return Ok(ChatStep { text, answered: Vec::new(), end: Some(ChatEnd::Limit(limit)) });
            }
        };
        let Dispatched { answered, pending: frontend, stop, .. } = done;
        if let Some(stop) = stop {
            return ChatStep::stopped(text, answered, stop);
        }
        let pending: Vec<_> = of_client.into_iter().chain(frontend.into_iter().map(|call| call.id)).collect();
        let end = match (calls.is_empty(), pending.is_empty()) {
            (true, _) if lacks_output => None,
            (true, _) => Some(ChatEnd::Done { text: text.clone() }),
            (false, false) => Some(ChatEnd::AwaitsFrontend(pending)),
            (false, true) => None,
        };
        let answers = in_order(&calls, &answered, refused);
        parts.extend(calls.into_iter().map(AssistantPart::Call));
        let turn = [
            (!parts.is_empty()).then_some(PromptMessage::Assistant(parts)),
            (!answers.is_empty()).then_some(PromptMessage::Tools(answers)),
        ];
        if A::ENTRIES.iter().any(|entry| entry.handoff.is_some()) {
            self.said.extend(turn.iter().flatten().cloned());
        }
        self.prompt.messages.extend(turn.into_iter().flatten());
        let handoff = answered.iter().find(|call| !call.failed && handoff_to::<A>(&call.tool).is_some());
        if let Some(call) =
            handoff.map(|call| HandoffCall { id: call.id.clone(), tool: call.tool.to_string() })
        {
            let mut messages = self.run.input_of_agent().messages.clone();
            messages.extend(messages_of(&self.said));
            return self.hand_over(text, answered, call, messages).await;
        }
        if lacks_output {
            self.prompt.add_to_user(output::MISSING);
        }
        Ok(ChatStep { text, answered, end })
    }
}

/// Returns the results of the calls, in their order.
fn in_order(calls: &[ModelCall], answered: &[AnsweredCall], mut refused: Vec<ToolAnswer>) -> Vec<ToolAnswer> {
    let mut answers = Vec::with_capacity(calls.len());
    for call in calls {
        if let Some(at) = refused.iter().position(|answer| answer.id == call.id) {
            answers.push(refused.remove(at));
        } else if let Some(answer) = answered.iter().find(|answer| answer.id == call.id) {
            let content = match answer.parts.is_empty() {
                true => Content::Text(answer.content.clone()),
                false => Content::Parts(answer.parts.clone()),
            };
            let (id, tool) = (call.id.clone(), call.tool.clone());
            answers.push(ToolAnswer { id, tool, content, failed: answer.failed });
        }
    }
    answers
}

impl ChatStep {
    fn at(end: ChatEnd) -> Self {
        Self { text: String::new(), answered: Vec::new(), end: Some(end) }
    }

    /// Returns the step that ended with the stop of a call.
    fn stopped(text: String, answered: Vec<AnsweredCall>, stop: Stop) -> Result<Self, Stop> {
        let questions = stop.into_questions()?;
        Ok(Self { text, answered, end: Some(ChatEnd::AwaitsAnswers(questions)) })
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

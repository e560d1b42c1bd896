//! Functions of the agent's own, before and after the model and each tool.

use std::sync::{Arc, Mutex, PoisonError};

use futures_util::FutureExt;

use super::Chat;
use crate::agent::tool::{Settled, Settling};
use crate::agent::{AnsweredCall, ToolSet};
use crate::model::delta::EndReason;
use crate::model::prompt::{AssistantPart, ModelCall, Prompt};
use crate::protocol::TokenUsage;

/// The answer of a model in one turn, for [`Chat::after_model`].
///
/// ```
/// # use agui_runtime::{ToolSet, Run, Stop, model::Model};
/// use agui_runtime::model::ModelAnswer;
///
/// # async fn example<A: ToolSet>(run: &mut Run<A>, model: &Model) -> Result<(), Stop> {
/// let log = |ModelAnswer { parts, end, .. }: &ModelAnswer| println!("{} parts, {end:?}", parts.len());
/// run.chat(model).after_model(log).await
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ModelAnswer {
    /// Texts, reasoning and calls; the calls come last. A call that is not sent yet has the id of the provider, or a
    /// provisional one.
    pub parts: Vec<AssistantPart>,
    /// The tokens of the turn.
    pub usage: TokenUsage,
    /// The reason why the model ended its answer.
    pub end: EndReason,
}

/// The decision of [`Chat::before_tool`], whose example refuses a call.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[must_use = "return it from the hook"]
pub enum ToolDecision {
    /// The call is made.
    Run,
    /// The call is not made. The model reads the text as the error of the tool, and so does the page.
    Refuse(String),
}

type BeforeModel<'w> = dyn FnMut(&mut Prompt) + Send + 'w;
type AfterModel<'w> = dyn FnMut(&ModelAnswer) + Send + 'w;
type BeforeTool<'w> = dyn FnMut(&ModelCall) -> ToolDecision + Send + 'w;
type AfterTool<'w> = dyn FnMut(&AnsweredCall) + Send + 'w;

/// The hooks of a chat.
#[derive(Default)]
pub(in crate::model) struct Hooks<'w> {
    before_model: Option<Box<BeforeModel<'w>>>,
    after_model: Option<Box<AfterModel<'w>>>,
    before_tool: Option<Box<BeforeTool<'w>>>,
    after_tool: Option<Box<AfterTool<'w>>>,
}

impl Hooks<'_> {
    pub(super) fn before_model(&mut self, prompt: &mut Prompt) {
        if let Some(hook) = &mut self.before_model {
            hook(prompt);
        }
    }

    pub(super) fn after_model(&mut self, answer: impl FnOnce() -> ModelAnswer) {
        if let Some(hook) = &mut self.after_model {
            hook(&answer());
        }
    }

    /// Returns the function that gives the reason of a call's refusal, if there is a hook.
    pub(in crate::model) fn decide(&mut self) -> Option<impl FnMut(&ModelCall) -> Option<String>> {
        let hook = self.before_tool.as_mut()?;
        Some(|call: &ModelCall| match hook(call) {
            ToolDecision::Run => None,
            ToolDecision::Refuse(why) => Some(why),
        })
    }

    pub(super) fn answered(&mut self, calls: &[AnsweredCall]) {
        if let Some(hook) = &mut self.after_tool {
            calls.iter().for_each(hook);
        }
    }

    /// Lets the hook see each call as soon as it is answered.
    pub(super) fn around<'s, 'c: 's>(&'s mut self, calls: Vec<Settling<'c>>) -> Vec<Settling<'s>> {
        let Some(hook) = self.after_tool.as_mut() else { return calls };
        let hook = Arc::new(Mutex::new(hook));
        let around = |call: Settling<'c>| {
            let hook = Arc::clone(&hook);
            let shown = call.inspect(move |settled| {
                if let Settled::Answered(call) = settled {
                    hook.lock().unwrap_or_else(PoisonError::into_inner)(call);
                }
            });
            shown.boxed()
        };
        calls.into_iter().map(around).collect()
    }
}

impl<'w, A: ToolSet> Chat<'w, A> {
    /// Calls a function with the prompt before each turn, which may change it: to shorten the conversation, for example.
    /// Changes last for the turns after it.
    ///
    /// The hooks of a turn come in this order: `before_model`, [`shorten`](Self::shorten), the model's answer,
    /// [`after_model`](Self::after_model), the limits, [`before_tool`](Self::before_tool) for each call in the model's
    /// order, the tools side by side, and [`after_tool`](Self::after_tool) for each as it is answered.
    ///
    /// ```
    /// # use agui_runtime::{ToolSet, Run, Stop, model::Model};
    /// # async fn example<A: ToolSet>(run: &mut Run<A>, model: &Model) -> Result<(), Stop> {
    /// run.chat(model).before_model(|prompt| tracing::debug!(messages = prompt.messages.len(), "asking")).await
    /// # }
    /// ```
    pub fn before_model(mut self, change: impl FnMut(&mut Prompt) + Send + 'w) -> Self {
        self.hooks.before_model = Some(Box::new(change));
        self
    }

    /// Calls a function with each answer of the model that has come to its end, before limits are checked and calls are
    /// made. The client has read its texts. An answer that breaks off is the error of [`step`](Self::step).
    ///
    /// ```
    /// # use agui_runtime::{ToolSet, Run, Stop, model::Model};
    /// # async fn example<A: ToolSet>(run: &mut Run<A>, model: &Model) -> Result<(), Stop> {
    /// use agui_runtime::model::AssistantPart;
    ///
    /// let mut calls = 0;
    /// run.chat(model)
    ///     .after_model(|answer| {
    ///         calls += answer.parts.iter().filter(|part| matches!(part, AssistantPart::Call(_))).count();
    ///     })
    ///     .await?;
    /// println!("{calls} calls");
    /// # Ok(())
    /// # }
    /// ```
    pub fn after_model(mut self, read: impl FnMut(&ModelAnswer) + Send + 'w) -> Self {
        self.hooks.after_model = Some(Box::new(read));
        self
    }

    /// Asks a function about each call that can be made, before any of the turn runs: of backend, frontend and
    /// [dynamic](super::super::DynTool) tools, with arguments that are right. For tools with approval it comes before the
    /// user is asked.
    ///
    /// A refused call never runs, and the model reads the reason as the error of the tool. A refused call of a frontend
    /// tool is not sent. A refusal is no mistake of the model, and [`max_bad_calls`](Self::max_bad_calls) does not count
    /// it. A call that the user approved in an earlier run was decided there.
    ///
    /// The call has the id that it has on the wire; one of a frontend tool, which is not sent yet, has that of the provider
    /// or a provisional one.
    ///
    /// ```
    /// # use agui_runtime::{ToolSet, Run, Stop, model::Model};
    /// # async fn example<A: ToolSet>(run: &mut Run<A>, model: &Model) -> Result<(), Stop> {
    /// use agui_runtime::model::ToolDecision;
    ///
    /// run.chat(model)
    ///     .before_tool(|call| match call.tool.as_str() {
    ///         "refund" => ToolDecision::Refuse("no refunds on Sundays".to_owned()),
    ///         _ => ToolDecision::Run,
    ///     })
    ///     .await
    /// # }
    /// ```
    pub fn before_tool(mut self, decide: impl FnMut(&ModelCall) -> ToolDecision + Send + 'w) -> Self {
        self.hooks.before_tool = Some(Box::new(decide));
        self
    }

    /// Calls a function with each call of a tool that was answered in this run, as soon as its result is sent: also if it
    /// failed, if [`before_tool`](Self::before_tool) refused it, and if the user approved or refused it since the last run.
    /// It does not get calls
    /// with wrong arguments, and calls whose error ends the run.
    ///
    /// ```
    /// # use agui_runtime::{ToolSet, Run, Stop, model::Model};
    /// # async fn example<A: ToolSet>(run: &mut Run<A>, model: &Model) -> Result<(), Stop> {
    /// run.chat(model)
    ///     .after_tool(|call| tracing::info!(tool = %call.tool, id = %call.id, failed = call.failed, "answered"))
    ///     .await
    /// # }
    /// ```
    pub fn after_tool(mut self, read: impl FnMut(&AnsweredCall) + Send + 'w) -> Self {
        self.hooks.after_tool = Some(Box::new(read));
        self
    }
}

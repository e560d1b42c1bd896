//! Agent hooks before and after the model and each tool.

use std::sync::{Arc, Mutex, PoisonError};

use futures_util::FutureExt;

use super::Chat;
use crate::agent::tool::{SettleOutcome, SettlingCall};
use crate::agent::{SettledCall, ToolSet};
use crate::model::delta::EndReason;
use crate::model::prompt::{AssistantPart, ModelCall, Prompt};
use crate::protocol::TokenUsage;

/// A model's reply in one turn, for [`Chat::after_model`].
///
/// ```
/// # use agui_runtime::{ToolSet, Run, Stop, model::Model};
/// use agui_runtime::model::ModelReply;
///
/// # async fn example<A: ToolSet>(run: &mut Run<A>, model: &Model) -> Result<(), Stop> {
/// let log = |ModelReply { parts, end, .. }: &ModelReply| println!("{} parts, {end:?}", parts.len());
/// run.chat(model).after_model(log).await
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ModelReply {
    /// Texts, reasoning, then calls. A call that is not sent yet has the provider's id, or a provisional one.
    pub parts: Vec<AssistantPart>,
    /// The turn's token usage.
    pub usage: TokenUsage,
    /// The reason why the reply ended.
    pub end: EndReason,
}

/// The decision from [`Chat::before_tool`], whose example refuses a call.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[must_use = "return it from the hook"]
pub enum ToolDecision {
    /// Make the call.
    Run,
    /// Do not make the call. Model and page read the text as the tool's error; for a private tool the model alone.
    Refuse(String),
}

type BeforeModelHook<'w> = dyn FnMut(&mut Prompt) + Send + 'w;
type AfterModelHook<'w> = dyn FnMut(&ModelReply) + Send + 'w;
type BeforeToolHook<'w> = dyn FnMut(&ModelCall) -> ToolDecision + Send + 'w;
type AfterToolHook<'w> = dyn FnMut(&SettledCall) + Send + 'w;

/// A chat's hooks.
#[derive(Default)]
pub(in crate::model) struct ChatHooks<'w> {
    before_model: Option<Box<BeforeModelHook<'w>>>,
    after_model: Option<Box<AfterModelHook<'w>>>,
    before_tool: Option<Box<BeforeToolHook<'w>>>,
    after_tool: Option<Box<AfterToolHook<'w>>>,
}

impl ChatHooks<'_> {
    pub(super) fn before_model(&mut self, prompt: &mut Prompt) {
        if let Some(hook) = &mut self.before_model {
            hook(prompt);
        }
    }

    pub(super) fn after_model(&mut self, reply: impl FnOnce() -> ModelReply) {
        if let Some(hook) = &mut self.after_model {
            hook(&reply());
        }
    }

    /// Returns a function that gives the reason to refuse a call; `None` without a hook.
    pub(in crate::model) fn decide(&mut self) -> Option<impl FnMut(&ModelCall) -> Option<String>> {
        let hook = self.before_tool.as_mut()?;
        Some(|call: &ModelCall| match hook(call) {
            ToolDecision::Run => None,
            ToolDecision::Refuse(why) => Some(why),
        })
    }

    pub(super) fn settled(&mut self, calls: &[SettledCall]) {
        if let Some(hook) = &mut self.after_tool {
            calls.iter().for_each(hook);
        }
    }

    /// Wraps each call so that the hook sees the result as soon as it is sent.
    pub(super) fn around<'s, 'c: 's>(&'s mut self, calls: Vec<SettlingCall<'c>>) -> Vec<SettlingCall<'s>> {
        let Some(hook) = self.after_tool.as_mut() else { return calls };
        let hook = Arc::new(Mutex::new(hook));
        let around = |call: SettlingCall<'c>| {
            let hook = Arc::clone(&hook);
            let shown = call.inspect(move |settled| {
                if let SettleOutcome::Settled(call) = settled {
                    hook.lock().unwrap_or_else(PoisonError::into_inner)(call);
                }
            });
            shown.boxed()
        };
        calls.into_iter().map(around).collect()
    }
}

impl<'w, A: ToolSet> Chat<'w, A> {
    /// Calls a function before each turn with the prompt, which the function may change, for example to shorten the conversation.
    /// Changes stay in effect for later turns.
    ///
    /// A turn runs hooks in this order: `before_model`, [`shorten`](Self::shorten), the model's reply,
    /// [`after_model`](Self::after_model), the limits, [`before_tool`](Self::before_tool) for each call in the model's order, the
    /// tools side by side, and [`after_tool`](Self::after_tool) for each call once settled.
    pub fn before_model(mut self, change: impl FnMut(&mut Prompt) + Send + 'w) -> Self {
        self.hooks.before_model = Some(Box::new(change));
        self
    }

    /// Calls a function with each complete model reply, before limits are checked and calls are made. The client has already
    /// received the texts. A reply that breaks off is an error from [`step`](Self::step) instead.
    pub fn after_model(mut self, read: impl FnMut(&ModelReply) + Send + 'w) -> Self {
        self.hooks.after_model = Some(Box::new(read));
        self
    }

    /// Calls a function for each call that can be made, before any call in the turn runs: backend, frontend and
    /// [dynamic](super::super::DynTool) tools, with valid arguments. For tools with approval, the hook precedes the interrupt.
    ///
    /// A refused call never runs, and the model reads the reason as the tool's error. A refused frontend call is not sent. A
    /// refusal is not the model's mistake, so [`max_bad_calls`](Self::max_bad_calls) does not count it. Calls that the user
    /// approved skip the hook in the resumed run: the hook decided them before the interrupt.
    ///
    /// The call has its wire id; a frontend call, not sent yet, has the provider's id or a provisional one.
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

    /// Calls a function with each tool call settled in this run, as soon as the result is sent: also a failed call, a call that
    /// [`before_tool`](Self::before_tool) refused, and a call that the user approved or refused since the last run. Calls with
    /// invalid arguments, and calls whose error ends the run, skip the hook.
    ///
    /// ```
    /// # use agui_runtime::{ToolSet, Run, Stop, model::Model};
    /// # async fn example<A: ToolSet>(run: &mut Run<A>, model: &Model) -> Result<(), Stop> {
    /// run.chat(model)
    ///     .after_tool(|call| tracing::info!(tool = %call.tool, id = %call.id, failed = call.failed, "settled"))
    ///     .await
    /// # }
    /// ```
    pub fn after_tool(mut self, read: impl FnMut(&SettledCall) + Send + 'w) -> Self {
        self.hooks.after_tool = Some(Box::new(read));
        self
    }
}

//! The choice of tools for one turn.

use std::collections::BTreeSet;
use std::marker::PhantomData;
use std::sync::Arc;

use super::Chat;
use super::offer::{not_offered, refused};
use crate::agent::tool::ToolOf;
use crate::agent::{Stop, ToolSet};
use crate::model::prompt::Prompt;
use crate::model::tool_choice::ToolChoice;
use crate::model::tool_search::{SearchedTools, ToolSearch};
use crate::model::tools::ToolOffer;

/// The choice of tools for the next turn, in [`Chat::choose_tools`].
///
/// ```
/// use agui_runtime::model::{Model, Reply, ScriptedModel, ToolChoice};
/// use agui_runtime::prelude::*;
/// use agui_runtime::testing;
///
/// /// Finds a customer's orders.
/// #[tool]
/// async fn orders(name: String) -> Vec<u32> {
///     vec![7]
/// }
///
/// /// Pays an order back.
/// #[tool]
/// async fn refund(order: u32) -> bool {
///     true
/// }
///
/// /// Helps customers.
/// #[agent(tools = [orders, refund])]
/// async fn desk(run: &mut Run<Desk>, input: Input<Desk>, model: &Model) -> Result<(), Stop> {
///     run.chat(model)
///         .choose_tools(|turn| {
///             if turn.number() == 1 {
///                 turn.hide::<refund>(); // no refund before the orders are known
///                 turn.choose(ToolChoice::Required);
///             }
///         })
///         .await
/// }
///
/// # futures::executor::block_on(async {
/// let script = [Reply::call("orders", orders { name: "Ada".to_owned() }), Reply::text("Order 7.")];
/// let events = testing::run(Desk::new(ScriptedModel::new(script).into()), testing::input("Ada")).await;
/// assert_eq!(testing::texts(&events), ["Order 7."]);
/// # });
/// ```
#[derive(Debug)]
pub struct ToolTurn<'t, A> {
    number: u32,
    prompt: &'t Prompt,
    offered: Vec<&'t str>,
    hidden: BTreeSet<String>,
    choice: Option<ToolChoice>,
    agent: PhantomData<fn(A)>,
}

impl<A: ToolSet> ToolTurn<'_, A> {
    /// Returns the turn's number in the chat, from 1.
    #[must_use]
    pub fn number(&self) -> u32 {
        self.number
    }

    /// Returns the prompt so far: the conversation, with the results of the turn before.
    #[must_use]
    pub fn prompt(&self) -> &Prompt {
        self.prompt
    }

    /// Returns the names of the tools that the model will read.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.offered.iter().copied().filter(|name| !self.hidden.contains(*name))
    }

    /// Hides a tool of the agent in this turn. A call to the tool has a result for the model, as any call to an unknown tool.
    pub fn hide<T: ToolOf<A>>(&mut self) {
        self.hide_named(T::NAME);
    }

    /// Hides a tool by name: a dynamic one, or one that only the client declares. An unknown name changes nothing.
    pub fn hide_named(&mut self, name: &str) {
        self.hidden.insert(name.to_owned());
    }

    /// Hides all tools but those whose name the function accepts.
    pub fn keep(&mut self, mut is_kept: impl FnMut(&str) -> bool) {
        let hidden = self.offered.iter().filter(|name| !is_kept(name)).map(|name| (*name).to_owned());
        self.hidden.extend(hidden);
    }

    /// Sets the rule for calls in this turn, instead of [`Chat::tool_choice`].
    pub fn choose(&mut self, choice: ToolChoice) {
        self.choice = Some(choice);
    }
}

/// A hook that chooses the tools for each turn.
pub(super) type ChooseTools<'w, A> = Box<dyn FnMut(&mut ToolTurn<'_, A>) + Send + 'w>;

impl<'w, A: ToolSet> Chat<'w, A> {
    /// Chooses the tools for each turn: the function may hide tools, and set the rule for calls. Tools that the function hides are not
    /// in the prompt, and cannot be called; approvals that the user has given before still run.
    ///
    /// A provider's prompt cache begins with the tools: a turn with other tools reads nothing from the cache.
    ///
    /// If the function forces a call to a tool that the turn does not offer, the run ends in RUN_ERROR with the code
    /// `tool_not_offered`.
    pub fn choose_tools(mut self, choose: impl FnMut(&mut ToolTurn<'_, A>) + Send + 'w) -> Self {
        self.choose_tools = Some(Box::new(choose));
        self
    }

    /// Shows the model names in place of tools, and loads a tool when the model asks for it: for hundreds of tools, as in the
    /// [`ToolSearch`] example. Tools that the conversation has calls to are there without a search.
    ///
    /// The model asks by a call to `agui_find_tools`. The call counts in [`max_calls`](Self::max_calls); the client does not see the call, nor
    /// do [`before_tool`](Self::before_tool) and [`after_tool`](Self::after_tool). Found tools stand behind all others, in the order
    /// in which they were found, so that the beginning of the prompt stays the same within a run. At a provider that loads tools
    /// itself (Anthropic from Claude 4.5 on, OpenAI's Responses API from GPT-5.4 on) even the list of tools stays the same within a
    /// run, and the provider's prompt cache holds the whole list. A turn that forces a call to a tool which is not loaded changes the
    /// list.
    ///
    /// Searches end with the run. The next run begins with `agui_find_tools` and the tools that the conversation has calls to: after
    /// a run that called a tool for the first time, the list of tools is another one, and the first request reads less from the
    /// cache. Keep the tools that most conversations call ([`ToolSearch::keep`]).
    ///
    /// Without this method the model sees all tools.
    pub fn search_tools(mut self, search: ToolSearch<A>) -> Self {
        self.search = Some(SearchedTools::new(search.into_setting()));
        self
    }

    /// Returns the turn's tools as the model sees them.
    pub(super) fn searched_offer(&mut self, offer: Arc<ToolOffer<'w>>) -> Arc<ToolOffer<'w>> {
        let Some(search) = &mut self.search else { return offer };
        let offer = Arc::new(search.narrow(&offer, &self.prompt));
        self.prompt.tools = Arc::clone(&offer.specs);
        self.prompt.deferred_tools = Arc::clone(&offer.deferred);
        offer
    }

    /// Returns the turn's tools, and the rule for calls that holds after the turn.
    pub(super) fn chosen_offer(
        &mut self,
        offer: Arc<ToolOffer<'w>>,
    ) -> Result<(Arc<ToolOffer<'w>>, Option<ToolChoice>), Stop> {
        let Some(choose) = &mut self.choose_tools else { return Ok((offer, None)) };
        let mut turn = ToolTurn {
            number: self.spent.turns(),
            prompt: &self.prompt,
            offered: offer.names_for_turn().collect(),
            hidden: BTreeSet::new(),
            choice: None,
            agent: PhantomData,
        };
        choose(&mut turn);
        let ToolTurn { hidden, choice, .. } = turn;
        let mut offer = if hidden.is_empty() { offer } else { Arc::new(offer.without(&hidden)) };
        // A call to the output's tool needs the tool.
        if choice.as_ref().is_some_and(ToolChoice::forces_output) && offer.native_output().is_some() {
            offer = Arc::new(offer.with_output_tool(self.model).map_err(refused::<A>)?);
        }
        self.prompt.tools = Arc::clone(&offer.specs);
        let before = choice.map(|choice| std::mem::replace(&mut self.prompt.tool_choice, choice));
        self.prompt.output = offer.native_output().cloned();
        if let ToolChoice::Tool(tool) = &self.prompt.tool_choice
            && !offer.specs.iter().any(|spec| spec.name == *tool)
        {
            return Err(not_offered::<A>("turn", tool));
        }
        Ok((offer, before))
    }
}

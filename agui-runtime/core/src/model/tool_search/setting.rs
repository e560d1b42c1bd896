//! The settings of a tool search, and the tools that a chat has found.

use std::collections::BTreeSet;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use super::FIND_TOOLS;
use super::catalog::ToolCatalog;
use crate::agent::ToolSet;
use crate::agent::tool::ToolOf;
use crate::model::prompt::{AssistantPart, Prompt, PromptMessage, ToolSpec};
use crate::model::tool_choice::ToolChoice;
use crate::model::tools::{OfferedTool, ToolOffer};

/// A search in place of hundreds of tools, for [`Chat::search_tools`](super::super::Chat::search_tools).
///
/// The model sees the tools that are [kept](Self::keep), and one more, `agui_find_tools`, which lists the others by name with the
/// first line of each description. The result of a call to that tool has the descriptions and the schemas, and from the next turn
/// on the found tools can be called. A search by names loads up to 50 tools.
///
/// | | default |
/// |---|---|
/// | [`keep`](Self::keep), [`keep_named`](Self::keep_named): tools that need no search | none |
/// | [`list_up_to`](Self::list_up_to): the most tools that are listed; above, the model searches by words | 200 |
/// | [`most_results`](Self::most_results): the most tools that a search by words finds | 8 |
///
/// ```
/// use agui_runtime::model::{Model, Reply, ScriptedModel, ToolSearch};
/// use agui_runtime::prelude::*;
/// use agui_runtime::testing;
/// use serde_json::json;
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
///     run.chat(model).search_tools(ToolSearch::new().keep::<orders>()).await
/// }
///
/// # futures::executor::block_on(async {
/// let script = [
///     Reply::call("agui_find_tools", json!({ "names": ["refund"] })), // the page does not see this call
///     Reply::call("refund", refund { order: 7 }),
///     Reply::text("Done."),
/// ];
/// let events = testing::run(Desk::new(ScriptedModel::new(script).into()), testing::input("My money!")).await;
/// assert_eq!(testing::texts(&events), ["Done."]);
/// # });
/// ```
#[must_use = "give it to `Chat::search_tools`"]
pub struct ToolSearch<A> {
    setting: SearchSetting,
    agent: PhantomData<fn(A)>,
}

/// The settings, for any agent.
#[derive(Clone, Debug)]
pub(in crate::model) struct SearchSetting {
    kept: BTreeSet<String>,
    most_listed: usize,
    most_results: usize,
}

impl<A: ToolSet> ToolSearch<A> {
    /// Creates a search for all tools: the agent's, the dynamic ones, and the client's.
    ///
    /// ```
    /// # use agui_runtime::{Run, Stop, ToolSet, model::Model};
    /// use agui_runtime::model::ToolSearch;
    ///
    /// # async fn example<A: ToolSet>(run: &mut Run<A>, model: &Model) -> Result<(), Stop> {
    /// run.chat(model).search_tools(ToolSearch::new().list_up_to(50)).await
    /// # }
    /// ```
    pub fn new() -> Self {
        let setting = SearchSetting { kept: BTreeSet::new(), most_listed: 200, most_results: 8 };
        Self { setting, agent: PhantomData }
    }

    /// Shows a tool of the agent in each turn.
    pub fn keep<T: ToolOf<A>>(self) -> Self {
        self.keep_named(T::NAME)
    }

    /// Shows a tool by name in each turn: a dynamic one, or one that only the client declares. An unknown name changes nothing.
    pub fn keep_named(mut self, name: impl Into<String>) -> Self {
        self.setting.kept.insert(name.into());
        self
    }

    /// Sets the most tools that are listed by name. With more, the model searches names, descriptions and arguments by words.
    pub fn list_up_to(mut self, tools: usize) -> Self {
        self.setting.most_listed = tools;
        self
    }

    /// Sets the most tools that a search by words finds.
    pub fn most_results(mut self, tools: usize) -> Self {
        self.setting.most_results = tools;
        self
    }

    pub(in crate::model) fn into_setting(self) -> SearchSetting {
        self.setting
    }
}

impl<A: ToolSet> Default for ToolSearch<A> {
    fn default() -> Self {
        Self::new()
    }
}

impl<A> fmt::Debug for ToolSearch<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ToolSearch").field(&self.setting).finish()
    }
}

/// A chat's search, with what was found.
#[derive(Debug)]
pub(in crate::model) struct SearchedTools {
    setting: SearchSetting,
    /// The tools that need no search, because the conversation has calls to them: in the order of their first calls. `None` before
    /// the first turn.
    called: Option<Vec<String>>,
    /// The found tools, in the order in which they were found.
    found: Vec<String>,
}

impl SearchedTools {
    pub(in crate::model) fn new(setting: SearchSetting) -> Self {
        Self { setting, called: None, found: Vec::new() }
    }

    /// Remembers the tools that a search found.
    pub(in crate::model) fn add(&mut self, found: Vec<String>) {
        for name in found {
            if !self.found.contains(&name) {
                self.found.push(name);
            }
        }
    }

    /// Returns the offer as the model sees it. Tools that were there in an earlier turn keep their places.
    pub(in crate::model) fn narrow<'w>(&mut self, offer: &ToolOffer<'w>, prompt: &Prompt) -> ToolOffer<'w> {
        let Self { setting, called, found } = self;
        let called = called.get_or_insert_with(|| called_tools(prompt));
        if let ToolChoice::Tool(forced) = &prompt.tool_choice
            && !found.contains(forced)
            && !called.contains(forced)
        {
            called.push(forced.clone());
        }
        let is_hidden = |spec: &&ToolSpec| {
            !setting.kept.contains(&spec.name) && !matches!(offer.get(&spec.name), Some(OfferedTool::Output))
        };
        let hidden: Arc<[ToolSpec]> = offer.specs.iter().filter(is_hidden).cloned().collect();
        if hidden.is_empty() {
            return offer.clone();
        }
        let named = |name: &String| hidden.iter().find(|spec| spec.name == *name).cloned();
        let stable = offer.specs.iter().filter(|spec| !is_hidden(spec)).cloned();
        let catalog = ToolCatalog::new(Arc::clone(&hidden), setting.most_listed, setting.most_results);
        let mut specs: Vec<ToolSpec> = stable.collect();
        specs.push(catalog.spec());
        specs.extend(called.iter().filter_map(named));
        specs.extend(found.iter().filter(|name| !called.contains(name)).filter_map(named));
        let mut narrowed = offer.clone();
        narrowed.known.retain(|name, _| {
            !hidden.iter().any(|spec| spec.name == *name) || called.contains(name) || found.contains(name)
        });
        narrowed.known.insert(FIND_TOOLS.to_owned(), OfferedTool::Search);
        narrowed.specs = specs.into();
        narrowed.deferred = hidden.iter().filter(|spec| !called.contains(&spec.name)).cloned().collect();
        narrowed.catalog = Some(Arc::new(catalog));
        narrowed
    }
}

/// Returns the tools that the conversation has calls to.
fn called_tools(prompt: &Prompt) -> Vec<String> {
    let mut called: Vec<String> = Vec::new();
    for message in &prompt.messages {
        let PromptMessage::Assistant(parts) = message else { continue };
        for part in parts {
            if let AssistantPart::Call(call) = part
                && !called.contains(&call.tool)
            {
                called.push(call.tool.clone());
            }
        }
    }
    called
}

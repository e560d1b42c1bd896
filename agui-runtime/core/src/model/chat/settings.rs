//! Chat settings.

use std::time::Duration;

use super::Chat;
use super::sources::SourcedTools;
use crate::agent::ToolSet;
use crate::model::contract::FrontendContract;
use crate::model::dynamic::DynTool;
use crate::model::history::HistoryPolicy;
use crate::model::shorten::ShortenStrategy;
use crate::model::tool_choice::ToolChoice;
use crate::model::tool_source::ToolSource;

impl<'w, A: ToolSet> Chat<'w, A> {
    /// Sets the instructions: the only prompt text that directs the model.
    pub fn instructions(mut self, text: impl Into<String>) -> Self {
        self.prompt.instructions = Some(text.into());
        self
    }

    /// Limits the number of turns. The default is 16.
    pub fn max_turns(mut self, turns: u32) -> Self {
        self.limits.turns = turns;
        self
    }

    /// Limits the number of calls in all turns. The default is 128. Calls beyond the limit do not run.
    pub fn max_calls(mut self, calls: u32) -> Self {
        self.limits.calls = calls;
        self
    }

    /// Limits consecutive turns with calls that cannot be made. The default is 3: the third such turn is the last.
    pub fn max_bad_calls(mut self, turns: u32) -> Self {
        self.limits.bad_calls = turns;
        self
    }

    /// Limits consecutive turns with the same calls, arguments included. The default is 3: the calls in the third such turn do not
    /// run.
    pub fn max_repeats(mut self, turns: u32) -> Self {
        self.limits.repeats = turns;
        self
    }

    /// Limits the tokens, input and output in all turns together. There is no default limit. The check follows each turn.
    pub fn max_tokens(mut self, tokens: u64) -> Self {
        self.limits.tokens = Some(tokens);
        self
    }

    /// Limits the time from the first turn on. There is no default limit. At the deadline, a silent or streaming provider is
    /// cancelled, and so are running tools.
    ///
    /// The run needs a [timer](crate::RunOptions::timer), which this crate's servers provide; without a timer the run ends at its
    /// first turn in RUN_ERROR with the code `no_timer`.
    pub fn max_time(mut self, time: Duration) -> Self {
        self.limits.time = Some(time);
        self
    }

    /// Limits the levels of subagents below this agent. The default is 3: a subagent may call a second, and that one a third. A
    /// chat on the lowest level ends when its model calls another subagent.
    ///
    /// Turns, calls and tokens in all subagents count towards this chat's limits too.
    pub fn max_depth(mut self, levels: u32) -> Self {
        self.limits.depth = levels;
        self
    }

    /// Limits the bytes in one reply: text, reasoning and call arguments together. The default is 2 MiB, more than models write.
    /// At the limit the reply is abandoned, and its text is incomplete.
    pub fn max_reply(mut self, bytes: usize) -> Self {
        self.limits.reply = bytes;
        self
    }

    /// Sets the rules by which the client's conversation becomes the model's.
    pub fn history(mut self, policy: HistoryPolicy) -> Self {
        self.history = policy;
        self
    }

    /// Sets the treatment when a client does not offer a frontend tool as the agent declares it. By default a warning is logged.
    ///
    /// ```
    /// # use agui_runtime::{ToolSet, Run, Stop, model::Model};
    /// use agui_runtime::model::FrontendContract;
    ///
    /// # async fn example<A: ToolSet>(run: &mut Run<A>, model: &Model) -> Result<(), Stop> {
    /// run.chat(model).frontend_contract(FrontendContract::Refuse).await
    /// # }
    /// ```
    pub fn frontend_contract(mut self, contract: FrontendContract) -> Self {
        self.contract = contract;
        self
    }

    /// Hides client-only tools from the model. By default the model may call them.
    pub fn only_declared_tools(mut self) -> Self {
        self.client_tools = false;
        self
    }

    /// Offers dynamic tools to the model, beside the agent's own. Further calls to this method add more tools.
    ///
    /// Dynamic calls are sent, run and settled like calls to typed backend tools, within the same limits. [`DynTool::approval`]
    /// interrupts for the user's approval.
    ///
    /// A name that is used twice, or that an agent or client tool has, ends the run in RUN_ERROR with the code `tool_name_taken`
    /// before the first model request.
    pub fn tools(mut self, tools: impl IntoIterator<Item = DynTool<'w>>) -> Self {
        self.dynamic.extend(tools);
        self
    }

    /// Offers a list of dynamic tools that may change while the chat runs, such as an MCP server's: the chat asks the
    /// [source](ToolSource) before each turn, and the model reads the new list. A call to a tool that is gone has a result for the
    /// model, as any call to an unknown tool.
    ///
    /// The first list follows the rules for [`tools`](Self::tools). In a later list, a tool whose name is taken, or whose schema the
    /// provider cannot take, is left out with a logged warning. An error in a later turn keeps the earlier list.
    ///
    /// ```
    /// # use agui_runtime::{Run, Stop, ToolSet, model::Model};
    /// use agui_runtime::model::ToolSource;
    ///
    /// # async fn example<A: ToolSet>(run: &mut Run<A>, model: &Model, list: impl ToolSource) -> Result<(), Stop> {
    /// run.chat(model).tools_from(list).await
    /// # }
    /// ```
    pub fn tools_from(mut self, source: impl ToolSource + 'w) -> Self {
        self.sources.push(SourcedTools::new(source));
        self
    }

    /// Sets the rule for calls. A choice that forces a call holds for the first turn alone, because the model must be able to
    /// answer with the results; [`ToolChoice::Never`] holds for all turns. By default the model decides.
    ///
    /// If the run does not offer the forced tool, the run ends in RUN_ERROR with the code `tool_not_offered` before the first
    /// model request. Anthropic's models do not reason in a turn with a forced call.
    ///
    /// ```
    /// # use agui_runtime::{Run, Stop, ToolSet, model::Model};
    /// use agui_runtime::model::ToolChoice;
    ///
    /// # async fn example<A: ToolSet>(run: &mut Run<A>, model: &Model) -> Result<(), Stop> {
    /// run.chat(model).tool_choice(ToolChoice::Tool("look_up".to_owned())).await
    /// # }
    /// ```
    pub fn tool_choice(mut self, choice: ToolChoice) -> Self {
        self.prompt.tool_choice = choice;
        self
    }

    /// Shortens the conversation before each turn, after the [`before_model`](Self::before_model) hook. The client's conversation
    /// is not changed: the next run begins with the full conversation.
    ///
    /// Strategies are [`KeepLast`](crate::model::KeepLast), [`KeepTokens`](crate::model::KeepTokens) and
    /// [`Summarize`](crate::model::Summarize).
    pub fn shorten(mut self, strategy: impl ShortenStrategy + 'w) -> Self {
        self.shorten = Some(Box::new(strategy));
        self
    }
}

//! The settings of a chat.

use std::time::Duration;

use super::Chat;
use crate::agent::ToolSet;
use crate::model::contract::FrontendContract;
use crate::model::dynamic::DynTool;
use crate::model::history::HistoryPolicy;
use crate::model::shorten::Shorten;

impl<'w, A: ToolSet> Chat<'w, A> {
    /// Sets the instructions for the model: the only text of the prompt that directs it.
    ///
    /// ```
    /// # use agui_runtime::{ToolSet, Run, Stop, model::Model};
    /// # async fn example<A: ToolSet>(run: &mut Run<A>, model: &Model) -> Result<(), Stop> {
    /// run.chat(model).instructions("You help customers of a shop. Be brief.").await
    /// # }
    /// ```
    pub fn instructions(mut self, text: impl Into<String>) -> Self {
        self.prompt.instructions = Some(text.into());
        self
    }

    /// Sets the largest number of turns. The default is 16.
    ///
    /// ```
    /// # use agui_runtime::{ToolSet, Run, Stop, model::Model};
    /// # async fn example<A: ToolSet>(run: &mut Run<A>, model: &Model) -> Result<(), Stop> {
    /// run.chat(model).max_turns(4).await
    /// # }
    /// ```
    pub fn max_turns(mut self, turns: u32) -> Self {
        self.limits.turns = turns;
        self
    }

    /// Sets the largest number of calls in all turns. The default is 128. Calls beyond it do not run.
    ///
    /// ```
    /// # use agui_runtime::{ToolSet, Run, Stop, model::Model};
    /// # async fn example<A: ToolSet>(run: &mut Run<A>, model: &Model) -> Result<(), Stop> {
    /// run.chat(model).max_calls(10).await
    /// # }
    /// ```
    pub fn max_calls(mut self, calls: u32) -> Self {
        self.limits.calls = calls;
        self
    }

    /// Sets the number of turns in a row in which the model may make calls that cannot be made. The default is 3: the
    /// third such turn is the last.
    ///
    /// ```
    /// # use agui_runtime::{ToolSet, Run, Stop, model::Model};
    /// # async fn example<A: ToolSet>(run: &mut Run<A>, model: &Model) -> Result<(), Stop> {
    /// run.chat(model).max_bad_calls(1).await
    /// # }
    /// ```
    pub fn max_bad_calls(mut self, turns: u32) -> Self {
        self.limits.bad_calls = turns;
        self
    }

    /// Sets the number of turns in a row in which the model may make the same calls, arguments included. The default is
    /// 3: the calls of the third such turn do not run.
    ///
    /// ```
    /// # use agui_runtime::{ToolSet, Run, Stop, model::Model};
    /// # async fn example<A: ToolSet>(run: &mut Run<A>, model: &Model) -> Result<(), Stop> {
    /// run.chat(model).max_repeats(2).await
    /// # }
    /// ```
    pub fn max_repeats(mut self, turns: u32) -> Self {
        self.limits.repeats = turns;
        self
    }

    /// Sets the largest number of tokens, input and output of all turns together. By default there is no limit. It is
    /// checked after each turn.
    ///
    /// ```
    /// # use agui_runtime::{ToolSet, Run, Stop, model::Model};
    /// # async fn example<A: ToolSet>(run: &mut Run<A>, model: &Model) -> Result<(), Stop> {
    /// run.chat(model).max_tokens(50_000).await
    /// # }
    /// ```
    pub fn max_tokens(mut self, tokens: u64) -> Self {
        self.limits.tokens = Some(tokens);
        self
    }

    /// Sets the longest time from the first turn on. By default there is no limit. When it has passed, a provider that is
    /// silent or still writing is cancelled, and so are tools that run.
    ///
    /// The run needs a [timer](crate::RunOptions::timer), which a server of this crate gives it; without one it ends at its
    /// first turn in RUN_ERROR with the code `no_timer`.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use agui_runtime::{ToolSet, Run, Stop, model::Model};
    /// # async fn example<A: ToolSet>(run: &mut Run<A>, model: &Model) -> Result<(), Stop> {
    /// run.chat(model).max_time(Duration::from_secs(60)).await
    /// # }
    /// ```
    pub fn max_time(mut self, time: Duration) -> Self {
        self.limits.time = Some(time);
        self
    }

    /// Sets the levels of subagents below this agent. The default is 3: a subagent may call another one, and that one a
    /// third. A chat of an agent below them ends when its model calls one more.
    ///
    /// The turns, calls and tokens of all subagents count in the limits of this chat, too.
    ///
    /// ```
    /// # use agui_runtime::{ToolSet, Run, Stop, model::Model};
    /// # async fn example<A: ToolSet>(run: &mut Run<A>, model: &Model) -> Result<(), Stop> {
    /// run.chat(model).max_depth(1).await
    /// # }
    /// ```
    pub fn max_depth(mut self, levels: u32) -> Self {
        self.limits.depth = levels;
        self
    }

    /// Sets the largest number of bytes of one answer: its text, its reasoning and the arguments of its calls together. The
    /// default is 2 MiB, more than models write. At the limit the answer is left where it is, and its text is not whole.
    ///
    /// ```
    /// # use agui_runtime::{ToolSet, Run, Stop, model::Model};
    /// # async fn example<A: ToolSet>(run: &mut Run<A>, model: &Model) -> Result<(), Stop> {
    /// run.chat(model).max_answer(64 << 10).await
    /// # }
    /// ```
    pub fn max_answer(mut self, bytes: usize) -> Self {
        self.limits.answer = bytes;
        self
    }

    /// Sets the rules by which the client's conversation becomes the model's.
    ///
    /// ```
    /// # use agui_runtime::{ToolSet, Run, Stop, model::Model};
    /// use agui_runtime::model::HistoryPolicy;
    ///
    /// # async fn example<A: ToolSet>(run: &mut Run<A>, model: &Model) -> Result<(), Stop> {
    /// run.chat(model).history(HistoryPolicy::default().allow_system_messages()).await
    /// # }
    /// ```
    pub fn history(mut self, policy: HistoryPolicy) -> Self {
        self.history = policy;
        self
    }

    /// Sets the treatment of a client that does not offer a frontend tool as the agent declares it. By default the log has a
    /// warning.
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

    /// Hides from the model all tools that only the client declares. By default the model may call them.
    ///
    /// ```
    /// # use agui_runtime::{ToolSet, Run, Stop, model::Model};
    /// # async fn example<A: ToolSet>(run: &mut Run<A>, model: &Model) -> Result<(), Stop> {
    /// run.chat(model).only_declared_tools().await
    /// # }
    /// ```
    pub fn only_declared_tools(mut self) -> Self {
        self.client_tools = false;
        self
    }

    /// Offers tools to the model that exist only at run time, beside the agent's own. Called again, it adds to them.
    ///
    /// Their calls go out, run and are answered like those of typed tools that run in the agent, and obey the same limits.
    /// [`DynTool::approval`] lets the user decide about them.
    ///
    /// If a name is that of a tool of the agent or of the client, or comes twice, the run ends in RUN_ERROR with the code
    /// `tool_name_taken` before the model is asked.
    ///
    /// ```
    /// # use agui_runtime::{ToolSet, Run, Stop, model::Model};
    /// use agui_runtime::model::DynTool;
    /// use serde_json::json;
    ///
    /// # async fn example<A: ToolSet>(run: &mut Run<A>, model: &Model) -> Result<(), Stop> {
    /// let hour = DynTool::new("hour", "Tells the hour.", json!({ "type": "object" }), async |_| Ok::<_, Stop>(12))?;
    /// run.chat(model).tools([hour]).await
    /// # }
    /// ```
    pub fn tools(mut self, tools: impl IntoIterator<Item = DynTool<'w>>) -> Self {
        self.dynamic.extend(tools);
        self
    }

    /// Shortens the conversation before each turn, when the hook of [`before_model`](Self::before_model) has seen it. The
    /// client's conversation stays as it is: the next run begins with it.
    ///
    /// [`KeepLast`](crate::model::KeepLast), [`KeepTokens`](crate::model::KeepTokens) and [`Summarize`](crate::model::Summarize) are
    /// strategies.
    ///
    /// ```
    /// # use agui_runtime::{ToolSet, Run, Stop, model::Model};
    /// use agui_runtime::model::KeepTokens;
    ///
    /// # async fn example<A: ToolSet>(run: &mut Run<A>, model: &Model) -> Result<(), Stop> {
    /// run.chat(model).shorten(KeepTokens(50_000)).await
    /// # }
    /// ```
    pub fn shorten(mut self, strategy: impl Shorten + 'w) -> Self {
        self.shorten = Some(Box::new(strategy));
        self
    }
}

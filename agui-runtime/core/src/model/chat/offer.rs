//! A run's tools and conversation, read at the first turn.

use std::sync::Arc;

use super::Chat;
use super::sources::{all_tools, refresh};
use crate::agent::{Run, Stop, ToolSet};
use crate::manifest::narrower::Narrower;
use crate::model::contract::FrontendContract;
use crate::model::error::ModelError;
use crate::model::limits::ChatLimit;
use crate::model::private::{PrivateHistory, PromptPrivacy, public_name};
use crate::model::prompt::Prompt;
use crate::model::tool_choice::{RequestedTool, ToolChoice};
use crate::model::tools::{ClientToolAccess, ToolOffer, ToolOfferError};
use crate::protocol::SubagentRunId;
use crate::quoted::quoted;

impl<'w, A: ToolSet> Chat<'w, A> {
    /// Asks the sources for changes, and returns the run's tools; the inner error if the chat's time is up.
    pub(super) async fn newest_offer(&mut self) -> Result<Result<Arc<ToolOffer<'w>>, ChatLimit>, Stop> {
        let is_first = self.offer.is_none();
        let Self { sources, dynamic, limits, spent, .. } = self;
        match spent.within(limits, refresh(sources, dynamic, is_first)).await {
            Ok(refreshed) => {
                let is_changed = refreshed?;
                self.offer(is_changed).map(Ok)
            }
            Err(limit) => Ok(Err(limit)),
        }
    }

    /// Returns the run's tools, reading them at the first turn, and again after a list of dynamic tools has changed.
    fn offer(&mut self, is_changed: bool) -> Result<Arc<ToolOffer<'w>>, Stop> {
        let is_later = self.offer.is_some();
        let takes_native = self.takes_native && !self.prompt.tool_choice.forces_output();
        let is_refused = |offer: &ToolOffer<'_>| offer.native_output().is_some() && !takes_native;
        if let Some(offer) = self.offer.as_ref().filter(|offer| !is_changed && !is_refused(offer)) {
            return Ok(Arc::clone(offer));
        }
        let input = self.run.input_of_agent();
        let is_in_call = self.run.act(|kernel, author| kernel.is_in_call(author));
        let page = match (is_in_call, self.client_tools) {
            (true, _) => ClientToolAccess::Absent,
            (false, true) => ClientToolAccess::Open,
            (false, false) => ClientToolAccess::Declared,
        };
        let requested = self.run.requested_tool();
        // A request that forces a call brings the tool, and the model sees no other.
        let contract = if requested.is_some() { FrontendContract::Ignore } else { self.contract };
        let dynamic = all_tools(&self.dynamic, &self.sources);
        let mut offer = ToolOffer::from_input::<A>(
            input,
            contract,
            page,
            self.model,
            (self.output.clone(), takes_native),
            (&dynamic, is_later),
        )
        .map_err(refused::<A>)?;
        if let Some(tool) = requested {
            offer.keep_only(&tool);
            if !is_later {
                self.prompt.tool_choice = ToolChoice::Tool(tool);
            }
        }
        if let ToolChoice::Tool(tool) = &self.prompt.tool_choice
            && !offer.specs.iter().any(|spec| spec.name == *tool)
        {
            return Err(not_offered::<A>("run", tool));
        }
        self.prompt.tools = offer.specs.clone();
        self.prompt.output = offer.native_output().cloned();
        Ok(Arc::clone(self.offer.insert(Arc::new(offer))))
    }

    /// Reads the conversation, with results from calls that this run has resumed.
    pub(super) fn read_conversation(&mut self) {
        let input = self.run.input_of_agent();
        let (tag, results) = self.run.act(|kernel, author| (kernel.tag_of(author), kernel.results.clone()));
        let (own, private) = (tag.as_ref().map(SubagentRunId::as_str), PrivateHistory::from_run(self.run));
        self.prompt.messages = self.history.read_with(&input.messages, &results, own, &private);
        self.prompt.context = input.context().to_vec();
    }
}

impl<A: ToolSet> Run<A> {
    /// Returns the tool that the run's request forces the run's own agent to call.
    fn requested_tool(&self) -> Option<String> {
        let is_own = self.act(|kernel, author| kernel.tag_of(author).is_none());
        let requested = is_own.then(|| self.shared().request().get::<RequestedTool>()).flatten()?;
        Some(requested.0.clone())
    }
}

/// Returns the stop for a forced call to a tool that the run or the turn does not offer.
pub(super) fn not_offered<A: ToolSet>(place: &str, tool: &str) -> Stop {
    let tool =
        public_name::<A>(tool).map_or("a tool".to_owned(), |tool| format!("the tool `{}`", quoted(tool)));
    Stop::error(format!("the {place} does not offer {tool}, which must be called"))
        .with_code("tool_not_offered")
}

/// Returns the stop for a run that cannot begin with its tools.
pub(super) fn refused<A: ToolSet>(wrong: ToolOfferError) -> Stop {
    match wrong {
        ToolOfferError::Missing(tool) => {
            Stop::error(format!("the client does not offer the tool `{}`", quoted(&tool)))
                .with_code("tool_not_offered")
        }
        ToolOfferError::NoPage(tool) => {
            let why = "a call waits for the agent, and the client cannot answer meanwhile";
            Stop::error(format!("the frontend tool `{tool}` cannot be called: {why}"))
                .with_code("tool_not_offered")
        }
        ToolOfferError::Narrower { tool, narrower: Narrower { path, reason } } => {
            let message =
                format!("the client's tool `{tool}` is narrower than the declared one at `{path}`: {reason}");
            Stop::error(message).with_code("tool_narrower")
        }
        ToolOfferError::Taken { tool, by } => {
            let message = match public_name::<A>(&tool) {
                Some(tool) => format!("the tool `{tool}` cannot be offered: {by} has its name"),
                None => format!("a tool cannot be offered: {by} has its name"),
            };
            Stop::error(message).with_code("tool_name_taken")
        }
        ToolOfferError::Schema(unsupported) => {
            let prompt = Prompt { privacy: PromptPrivacy::from_agent::<A>(), ..Prompt::default() };
            ModelError::from(unsupported).into_model_stop(&prompt)
        }
    }
}

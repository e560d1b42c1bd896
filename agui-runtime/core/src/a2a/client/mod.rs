//! A2A client: a remote agent that can be used as a local one.

mod ask;
mod cancelling;
mod context;
mod endpoint;
mod exchange;
mod outgoing;
mod question;
mod refusal;
mod talk;
mod translate;

use std::fmt;
use std::time::Duration;

use reqwest::Url;
use serde::Serialize;
use serde_json::Value;

pub use endpoint::A2aEndpoint;

use self::ask::{A2aBinding, A2aOperation};
use self::cancelling::RemoteCancelGuard;
use self::context::RemoteConversation;
use self::exchange::RemoteAgent;
use self::question::{TaskInterrupt, TaskResumeEntry, task_interrupt, task_resume_entry};
use self::translate::TaskTranslation;
use super::A2aError;
use super::wire::{A2aMessage, A2aPart, A2aRole, AgentCard, AgentInterface, TaskState};
use crate::agent::{Agent, FinishedRun, Input, Run, Stop};
use crate::emit::Policy;
use crate::manifest::AgentSource;
use crate::quoted::quoted;
use crate::random;

/// The card's path below an agent (A2A, section "Agent Discovery").
const CARD: &str = ".well-known/agent-card.json";

/// A remote agent that speaks Agent2Agent; use it like a local agent.
///
/// The client is an [`Agent`]: [`delegate`](crate::Emit::delegate) to it, or serve it to pages. Connect once. Each run sends the
/// last user messages. The `contextId` stands for the thread, the running agent, the run's [subject](crate::RunOptions::subject)
/// and the delegation's place, so the remote agent remembers the conversation, and no other party, agent or delegation shares it.
///
/// ```no_run
/// use std::sync::Arc;
///
/// use agui_runtime::a2a::A2aClient;
/// use agui_runtime::prelude::*;
///
/// /// Plans journeys.
/// #[agent]
/// async fn planner(run: &mut Run<Planner>, input: Input<Planner>, fares: &Arc<A2aClient>) -> Result<String, Stop> {
///     let found = run.delegate("fares", fares, input.messages.clone()).await?; // SUBAGENT_STARTED … SUBAGENT_FINISHED
///     Ok(found.text)
/// }
///
/// # async fn example() -> Result<(), agui_runtime::a2a::A2aError> {
/// let fares = A2aClient::connect("https://fares.example/a2a").await?;
/// let planner = Planner::new(Arc::new(fares));
/// # drop(planner);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct A2aClient {
    remote: RemoteAgent,
    card: AgentCard,
}

/// A remote task's result, the output of an [`A2aClient`] run.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct A2aResult {
    /// The task id; empty if the agent responded with only a message.
    pub task_id: String,
    /// The conversation id.
    pub context_id: String,
    /// The text of all artifacts, or of the message.
    pub text: String,
    /// The artifacts in the protocol's JSON form, with files and data.
    pub artifacts: Vec<Value>,
    /// The message, if the agent responded without a task.
    pub message: Option<Value>,
}

impl A2aClient {
    /// Fetches the agent's card, from the address itself if the address ends with `.json`, otherwise from
    /// `/.well-known/agent-card.json` below. Requests then go to the first interface on the card that has the card's origin,
    /// version 1, and JSON-RPC or HTTP+JSON.
    ///
    /// # Errors
    /// [`A2aError::Connect`], [`A2aError::Lost`], [`A2aError::Refused`], [`A2aError::Malformed`] and [`A2aError::NoInterface`].
    pub async fn connect(endpoint: impl Into<A2aEndpoint> + Send) -> Result<Self, A2aError> {
        let A2aEndpoint { url, headers } = endpoint.into();
        let at = match url.ends_with(".json") {
            true => url,
            false => format!("{}/{CARD}", url.trim_end_matches('/')),
        };
        let found = RemoteAgent::new(&at, headers)?;
        let card: AgentCard = found.document().await?;
        // A token for this host must not go to another one.
        let is_spoken = |url: &Url| url.origin() == found.url().origin();
        let spoken = |interface: &AgentInterface| {
            let is_current = interface.protocol_version.split('.').next() == Some("1");
            let binding = A2aBinding::named(&interface.protocol_binding).filter(|_| is_current)?;
            Some((Url::parse(&interface.url).ok().filter(is_spoken)?, binding))
        };
        let chosen = card.supported_interfaces.iter().find_map(spoken);
        let (url, binding) = chosen.ok_or_else(|| A2aError::NoInterface { agent: found.name.clone() })?;
        Ok(Self { remote: found.at(url, binding), card })
    }

    /// Returns the agent's card, as the agent describes itself.
    #[must_use]
    pub fn card(&self) -> &AgentCard {
        &self.card
    }

    /// Sets the time for which the agent may stay silent before the connection counts as lost; 5 minutes by default. Stream
    /// comments count as signs of life. A running task is followed through an outage shorter than this time.
    #[must_use]
    pub fn patience(mut self, patience: Duration) -> Self {
        self.remote.patience = patience;
        self
    }

    fn message(
        &self,
        input: &Input<Self>,
        answer: Option<(TaskInterrupt, Vec<A2aPart>)>,
    ) -> Result<A2aMessage, A2aError> {
        let id = format!("agui-{:016x}{:016x}", random::number("message"), random::number(&self.card.name));
        let Some((asked, parts)) = answer else {
            let message = outgoing::message(&input.messages, id);
            let mut message =
                message.ok_or_else(|| A2aError::NoMessage { agent: self.remote.name.clone() })?;
            message.context_id = self.conversation(input);
            return Ok(message);
        };
        let mut message = A2aMessage::new(id, A2aRole::User, parts);
        (message.task_id, message.context_id) = (asked.task, asked.context);
        Ok(message)
    }

    /// Returns the name that this delegation's conversation has at the remote agent.
    fn conversation(&self, input: &Input<Self>) -> String {
        let (agent, subject) = input.untyped.consent().parties();
        let (remote, thread, path) =
            (self.remote.url().as_str(), input.thread_id.as_str(), input.untyped.path());
        RemoteConversation { subject, agent, remote, thread, path }.id()
    }

    fn result(&self, translation: &TaskTranslation) -> A2aResult {
        let texts = translation.artifacts().iter().map(|artifact| A2aPart::text_of(&artifact.parts));
        let message = translation.message.as_ref();
        let text = message.map_or_else(|| texts.collect(), |message| A2aPart::text_of(&message.parts));
        A2aResult {
            task_id: translation.task_id.clone(),
            context_id: translation.context_id.clone(),
            text,
            artifacts: translation.artifacts().iter().map(as_json).collect(),
            message: message.map(as_json),
        }
    }

    fn failed(&self, how: &'static str, translation: &TaskTranslation) -> A2aError {
        let message = translation.status.as_ref().and_then(|status| status.message.as_ref());
        let text = message.map(|message| A2aPart::text_of(&message.parts)).unwrap_or_default();
        let message =
            if text.is_empty() { "no reason was given".to_owned() } else { quoted(text).to_string() };
        A2aError::Task { agent: self.remote.name.clone(), how, message }
    }
}

/// Returns the run's error after a remote failure, with a text for people.
fn stopped(error: A2aError) -> Stop {
    Stop::error(error.to_string()).with_code("a2a_failed").with_source(error)
}

fn as_json<T: Serialize>(value: &T) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}

impl Agent for A2aClient {
    type State = ();
    type Request = ();
    type Output = A2aResult;

    async fn run<'r>(
        &self,
        run: &'r mut Run<Self>,
        input: Input<Self>,
    ) -> Result<FinishedRun<'r, A2aResult>, Stop> {
        let conversation = self.conversation(&input);
        let answer = match task_resume_entry(input.resume(), &conversation) {
            Some(TaskResumeEntry { asked, parts: Some(parts) }) => Some((asked, parts)),
            Some(TaskResumeEntry { asked, parts: None }) => {
                self.remote.call::<Value>(A2aOperation::Cancel(&asked.task)).await.map_err(stopped)?;
                return Err(Stop::cancelled());
            }
            None => None,
        };
        let message = self.message(&input, answer).map_err(stopped)?;
        let mut cancelling = RemoteCancelGuard {
            remote: self.remote.clone(),
            task: message.task_id.clone(),
            is_needless: false,
        };
        let mut show = run.dynamic(Policy::Repair);
        let talked = self.talk(message, &mut show, &mut cancelling).await;
        show.end();
        let translation = talked?;
        let state = translation.state();
        if state.is_interrupted() {
            let TaskTranslation { task_id, context_id, status, .. } = translation;
            let message = status.and_then(|status| status.message);
            let asked = TaskInterrupt { conversation, task: task_id, context: context_id };
            return Err(Stop::interrupt(task_interrupt(&asked, state, message.as_ref())));
        }
        match state {
            TaskState::Failed => Err(stopped(self.failed("failed", &translation))),
            TaskState::Rejected => Err(stopped(self.failed("rejected", &translation))),
            TaskState::Canceled => Err(stopped(self.failed("canceled", &translation))),
            _ => Ok(run.finish(self.result(&translation))),
        }
    }

    fn source() -> AgentSource {
        AgentSource {
            description: "An agent of another program, by A2A.",
            version: env!("CARGO_PKG_VERSION"),
            rust_path: std::any::type_name::<Self>(),
            ..AgentSource::new("a2a")
        }
    }
}

impl fmt::Debug for A2aClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("A2aClient").field("agent", &self.card.name).finish_non_exhaustive()
    }
}

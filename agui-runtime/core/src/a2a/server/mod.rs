//! Serves an agent over A2A: the card, and the translation between runs and tasks. The server stores the runs.

mod card;
mod incoming;
mod outcome;
mod task_id;
mod task_resume;
mod view;

pub(crate) use incoming::{MessageRefusal, user_message};
pub(crate) use task_id::{ForeignTaskId, TaskId};
pub(crate) use task_resume::task_resume_of;
pub(crate) use view::TaskView;

use std::fmt;
use std::sync::Arc;

use super::wire::AgentCard;
use crate::agent::{DynAgent, IntoDynAgent};

/// An agent for A2A clients, mounted by `Server::a2a`.
///
/// ```
/// use agui_runtime::Server;
/// use agui_runtime::a2a::A2aServer;
/// use agui_runtime::prelude::*;
///
/// /// Tells what a journey costs.
/// #[agent]
/// async fn fares(run: &mut Run<Fares>, input: Input<Fares>) -> Result<u32, Stop> {
///     Ok(180)
/// }
///
/// let fares = A2aServer::new(Fares::new()).url("https://fares.example/a2a");
/// let server = Server::new().a2a("/a2a", fares);
/// ```
#[must_use = "give it to `Server::a2a`"]
pub struct A2aServer {
    agent: Arc<dyn DynAgent>,
    card: AgentCard,
    url: Option<String>,
}

/// The parts that a server needs.
pub(crate) struct A2aMount {
    pub(crate) agent: Arc<dyn DynAgent>,
    pub(crate) card: AgentCard,
    /// The address on the card, if the program sets one.
    pub(crate) url: Option<String>,
}

impl A2aServer {
    /// Serves an agent, or an `Arc` of an agent that also serves AG-UI. The [`AgentCard`] has the manifest's name, description and
    /// version, and one skill with the same name.
    pub fn new(agent: impl IntoDynAgent) -> Self {
        let agent = agent.into_dyn_agent();
        let card = card::agent_card(&agent.describe());
        Self { agent, card, url: None }
    }

    /// Sets the address at which clients reach the agent, for the card. By default the card has `http`, the host named by the card
    /// request, and the mount path: set the address if the server is behind a proxy, uses TLS, or is nested in an application.
    pub fn url(self, url: impl Into<String>) -> Self {
        Self { url: Some(url.into()), ..self }
    }

    /// Changes the card: skills, organization, authentication schemes, accepted media types.
    ///
    /// By default an agent accepts text and JSON. A message with a file in another media type is refused, so name all media types
    /// that the agent can use; `image/*` covers all images.
    ///
    /// ```
    /// # use agui_runtime::prelude::*;
    /// # /// Tells what a journey costs.
    /// # #[agent]
    /// # async fn fares(run: &mut Run<Fares>, _: Input<Fares>) -> Result<(), Stop> { Ok(()) }
    /// use agui_runtime::a2a::{A2aServer, AgentSkill};
    ///
    /// let server = A2aServer::new(Fares::new()).card(|card| {
    ///     card.default_input_modes.push("image/*".to_owned());
    ///     card.skills.push(AgentSkill::new("seats", "Seats", "Finds free seats."));
    /// });
    /// ```
    pub fn card(mut self, change: impl FnOnce(&mut AgentCard)) -> Self {
        change(&mut self.card);
        self
    }

    pub(crate) fn agent(&self) -> &Arc<dyn DynAgent> {
        &self.agent
    }

    pub(crate) fn into_mount(self) -> A2aMount {
        let Self { agent, card, url } = self;
        A2aMount { agent, card, url }
    }
}

impl fmt::Debug for A2aServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("A2aServer")
            .field("agent", &self.card.name)
            .field("url", &self.url)
            .finish_non_exhaustive()
    }
}

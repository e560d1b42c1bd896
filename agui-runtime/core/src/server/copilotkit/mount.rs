//! Paths for CopilotKit's pages, and the ids by which the pages name agents.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::protocol::AgentCapabilities;
use crate::server::mount::{MountedAgent, RouteProtocol};
use crate::server::run::AgentEndpoint;
use crate::server::threads::AgentThreads;
use crate::server::{Error, Server};

/// The id that a page names if it names none.
const DEFAULT: &str = "default";

/// A path for CopilotKit's pages.
pub(in crate::server) struct MountedCopilotKit {
    pub(in crate::server) path: String,
}

impl Server {
    /// Serves all agents to CopilotKit's pages below a path, without CopilotKit's runtime: a page needs `runtimeUrl` alone, and no
    /// other process.
    ///
    /// A page names an agent by its path: the agent at `/desk` is `desk`, at `/kitchen/chef` `kitchen.chef`, and at `/` `default`,
    /// which is the agent of pages that name none. The [host](Self::allow_hosts) and [origin](Self::allow_origins) checks, the
    /// [`layer`](Self::layer)s, the [`Limits`](crate::Limits) and the [`identity`](Self::identity) apply as for other routes. With
    /// a [`threads`](Self::threads) store, conversations are kept there; without one, the server remembers 64 MiB of
    /// conversations, and forgets the longest unused first.
    ///
    /// Pages list threads only if the server has identities: without them, a list would show all callers' conversations. Routes
    /// that CopilotKit's paid platform alone serves are refused as CopilotKit's own local runtime refuses them.
    ///
    /// ```
    /// use agui_runtime::Server;
    /// use agui_runtime::thread::Memory;
    /// # use agui_runtime::Agent;
    ///
    /// # fn example(desk: impl Agent) -> Server {
    /// Server::new().threads(Memory::new()).agent("/desk", desk).copilotkit("/api/copilotkit")
    /// # }
    /// ```
    ///
    /// ```tsx
    /// <CopilotKit runtimeUrl="http://localhost:8000/api/copilotkit" agent="desk">…</CopilotKit>
    /// ```
    #[doc = include_str!("../../docs/copilotkit.md")]
    pub fn copilotkit(mut self, path: &str) -> Self {
        self.copilotkit.push(MountedCopilotKit { path: path.to_owned() });
        self
    }
}

/// An agent as CopilotKit's pages know it.
pub(super) struct CopilotAgent {
    pub(super) description: &'static str,
    pub(super) type_name: &'static str,
    pub(super) capabilities: Arc<AgentCapabilities>,
    /// True if the agent shows A2UI surfaces, which a page draws only if the server says so.
    pub(super) has_surfaces: bool,
    pub(super) threads: Arc<AgentThreads>,
}

impl CopilotAgent {
    pub(super) fn endpoint(&self) -> &Arc<AgentEndpoint> {
        self.threads.endpoint()
    }
}

/// The agents by their ids.
pub(super) type CopilotAgents = BTreeMap<String, CopilotAgent>;

/// Returns the id of the agent at a path.
pub(super) fn agent_id(path: &str) -> String {
    let segments: Vec<_> = path.split('/').filter(|segment| !segment.is_empty()).collect();
    if segments.is_empty() { DEFAULT.to_owned() } else { segments.join(".") }
}

/// The methods and paths below a path for pages; an empty one is the path itself.
const ROUTES: [(&str, &str); 17] = [
    ("POST", ""),
    ("GET", "/info"),
    ("POST", "/agent/{agent}/run"),
    ("POST", "/agent/{agent}/connect"),
    ("POST", "/agent/{agent}/suggest"),
    ("POST", "/agent/{agent}/stop/{thread}"),
    ("GET", "/threads"),
    ("GET", "/threads/{thread}/messages"),
    ("GET", "/threads/{thread}/events"),
    ("GET", "/threads/{thread}/state"),
    ("POST", "/threads/{thread}/archive"),
    ("PATCH", "/threads/{thread}"),
    ("DELETE", "/threads/{thread}"),
    ("POST", "/threads/subscribe"),
    ("POST", "/threads/clear"),
    ("POST", "/annotate"),
    ("POST", "/transcribe"),
];

/// Returns each route's method and path, where other routes may not be.
pub(in crate::server) fn paths(mounted: &[MountedCopilotKit]) -> Vec<(&'static str, String)> {
    let all = |mounted: &MountedCopilotKit| {
        let path = mounted.path.clone();
        ROUTES.map(|(method, below)| (method, format!("{path}{below}")))
    };
    mounted.iter().flat_map(all).collect()
}

/// Checks that each agent has an id of its own, and that no agent's path is below a path for pages.
pub(in crate::server) fn check(mounted: &[MountedCopilotKit], agents: &[MountedAgent]) -> Result<(), Error> {
    let duplicate = |path: String| Error::DuplicatePath { method: "POST", path };
    for MountedCopilotKit { path } in mounted {
        if path.ends_with('/') {
            return Err(Error::InvalidPath { path: path.clone() });
        }
        let below = format!("{path}/");
        if let Some(other) = mounted.iter().find(|other| other.path.starts_with(&below)) {
            return Err(duplicate(other.path.clone()));
        }
        let mut ids = BTreeMap::new();
        for agent in agents {
            if agent.path.starts_with(&below) {
                return Err(duplicate(agent.path.clone()));
            }
            let is_shown = agent.protocol == RouteProtocol::AgUi;
            if is_shown && ids.insert(agent_id(&agent.path), ()).is_some() {
                return Err(duplicate(format!("{below}agent/{}/run", agent_id(&agent.path))));
            }
        }
    }
    Ok(())
}

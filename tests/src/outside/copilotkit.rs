//! CopilotKit in front of our agents: its own runtime, its own page.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{ExampleServer, Generation, Missing, Node, finish, tests_dir};

/// Most of it is the bundling of the page.
const START_LIMIT: Duration = Duration::from_secs(120);
const TALK_LIMIT: Duration = Duration::from_secs(180);

/// The packages of `tests/node/copilotkit`: the newest 1.x of CopilotKit.
#[derive(Debug, Clone)]
pub struct CopilotKit {
    node: Node,
}

/// The report of conversations through CopilotKit's runtime.
#[derive(Debug, Deserialize)]
pub struct Talk {
    /// Every run, in the order in which they ended.
    pub turns: Vec<Spoken>,
    /// Every thread, loaded again after its last run.
    pub reloads: Vec<Reload>,
}

/// One run through CopilotKit's runtime.
#[derive(Debug, Deserialize)]
pub struct Spoken {
    /// The agent's name.
    pub agent: String,
    /// The message.
    pub said: String,
    /// The type of the last event.
    pub end: Option<String>,
    /// The code of RUN_ERROR.
    pub code: Option<String>,
    /// The error of the client.
    pub error: Option<String>,
}

/// A thread that a page loads again.
#[derive(Debug, Deserialize)]
pub struct Reload {
    /// The agent's name.
    pub agent: String,
    /// The error of the client.
    pub error: Option<String>,
    /// The state on the page.
    #[serde(default)]
    pub state: Value,
    /// The state before.
    #[serde(default)]
    pub held: Value,
}

impl CopilotKit {
    /// Finds Node, and installs the packages of `tests/node/copilotkit/package-lock.json` on first use.
    ///
    /// # Errors
    /// [`Missing`] if Node or npm is not on the machine, or too old; see [`need!`](crate::need).
    pub fn ready() -> Result<Self, Missing> {
        // Optional peers, which npm would install, are for other kinds of agents.
        let here = tests_dir().join("node/copilotkit");
        Ok(Self { node: Node::with_packages("copilotkit", &here, &["--legacy-peer-deps"])? })
    }

    /// Does the same with the packages of `tests/node/copilotkit-{version}`: CopilotKit's page in an older version, without the
    /// runtime.
    ///
    /// # Errors
    /// See [`ready`](Self::ready).
    pub fn older(version: &str) -> Result<Self, Missing> {
        let name = format!("copilotkit-{version}");
        let here = tests_dir().join("node").join(&name);
        Ok(Self { node: Node::with_packages(&name, &here, &["--legacy-peer-deps"])? })
    }

    /// The folder of the installed packages.
    #[must_use]
    pub fn node_modules(&self) -> PathBuf {
        self.node.node_modules()
    }

    /// Starts CopilotKit's runtime with agents by name, each as `{"url", "headers"?}`.
    #[must_use]
    pub fn serve(&self, agents: impl IntoIterator<Item = (String, Value)>) -> ExampleServer {
        self.start(agents, json!({}))
    }

    /// Does the same with a page for the agents: a script of `tests/node/copilotkit`.
    #[must_use]
    pub fn serve_page(&self, agents: impl IntoIterator<Item = (String, Value)>, page: &str) -> ExampleServer {
        self.start(agents, json!({ "page": page }))
    }

    /// Does the same with generated code, which the page imports by the name `agui`. It uses the official client of this
    /// generation; CopilotKit has its own.
    #[must_use]
    pub fn serve_page_with(
        &self,
        agents: impl IntoIterator<Item = (String, Value)>,
        page: &str,
        generated: &Path,
        client: Generation,
    ) -> ExampleServer {
        let client = match client {
            Generation::Legacy => None,
            Generation::V1 => Some("ag-ui-client-1"),
        };
        self.start(agents, json!({ "page": page, "generated": generated, "client": client }))
    }

    /// Does the same with the other members of a job of `tests/node/copilotkit/serve.mjs`.
    #[must_use]
    pub fn serve_with(&self, agents: impl IntoIterator<Item = (String, Value)>, job: Value) -> ExampleServer {
        self.start(agents, job)
    }

    /// Writes the files of a page into a folder, as `index.html` and what that loads: afterwards no process of Node runs.
    pub fn write_page(&self, page: &str, folder: &Path) {
        let mut command = self.node.command("copilotkit/serve.mjs");
        command.arg(json!({ "agents": {}, "page": page, "into": folder }).to_string());
        let _ = finish(command, "", START_LIMIT).assert_success();
    }

    fn start(&self, agents: impl IntoIterator<Item = (String, Value)>, mut job: Value) -> ExampleServer {
        job["agents"] = agents.into_iter().collect::<Map<_, _>>().into();
        let mut command = self.node.command("copilotkit/serve.mjs");
        command.arg(job.to_string());
        ExampleServer::spawn("copilotkit", command, START_LIMIT).unwrap_or_else(|cause| panic!("{cause}"))
    }

    /// Asks the official packages of A2UI, which come with CopilotKit; `a2ui.mjs` describes `job` and the answer.
    #[must_use]
    pub fn a2ui(&self, job: &Value) -> Value {
        finish(self.node.command("copilotkit/a2ui.mjs"), &job.to_string(), TALK_LIMIT).json()
    }

    /// Starts an MCP server of the official packages whose tool has an app.
    ///
    /// # Panics
    /// If it does not start in time.
    #[must_use]
    pub fn mcp_apps_server(&self) -> ExampleServer {
        let mut command = self.node.command("copilotkit/mcp-apps.mjs");
        command.arg("serve");
        ExampleServer::spawn("mcp-apps", command, START_LIMIT).unwrap_or_else(|cause| panic!("{cause}"))
    }

    /// Lets the official packages of MCP Apps judge an agent; `mcp-apps.mjs` describes `job` and the answer.
    #[must_use]
    pub fn mcp_apps(&self, job: &Value) -> Value {
        let mut command = self.node.command("copilotkit/mcp-apps.mjs");
        command.arg("judge");
        finish(command, &job.to_string(), TALK_LIMIT).json()
    }

    /// Talks to agents through the runtime; `turns.mjs` describes `job`.
    #[must_use]
    pub fn talk(&self, job: &Value) -> Talk {
        finish(self.node.command("copilotkit/turns.mjs"), &job.to_string(), TALK_LIMIT).json()
    }
}

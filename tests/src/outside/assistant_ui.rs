//! assistant-ui in front of our agents: its adapter for AG-UI, its primitives, on a page.

use std::time::Duration;

use serde_json::json;

use super::{ExampleServer, Generation, Missing, Node, tests_dir};

/// Most of it is the bundling of the page.
const START_LIMIT: Duration = Duration::from_secs(120);

/// The packages of `tests/node/assistant-ui`.
#[derive(Debug, Clone)]
pub struct AssistantUi {
    node: Node,
}

impl AssistantUi {
    /// Finds Node, and installs the packages of `tests/node/assistant-ui/package-lock.json` on first use.
    ///
    /// # Errors
    /// [`Missing`] if Node or npm is not on the machine, or too old; see [`need!`](crate::need).
    pub fn ready() -> Result<Self, Missing> {
        let here = tests_dir().join("node/assistant-ui");
        Ok(Self { node: Node::with_packages("assistant-ui", &here, &["--legacy-peer-deps"])? })
    }

    /// Serves the page `page.jsx`, which talks with the agent that its address names.
    ///
    /// The adapter depends on the last legacy client; with the current one, everything gets that, as with `overrides`
    /// of npm.
    #[must_use]
    pub fn serve_page(&self, client: Generation) -> ExampleServer {
        let client = match client {
            Generation::Legacy => None,
            Generation::V1 => Some("ag-ui-client-1"),
        };
        let mut command = self.node.command("assistant-ui/serve.mjs");
        command.arg(json!({ "client": client }).to_string());
        ExampleServer::spawn("assistant-ui", command, START_LIMIT).unwrap_or_else(|cause| panic!("{cause}"))
    }
}

//! assistant-ui in front of our agents: its adapter for AG-UI, its primitives, on a page.

use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};

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
        self.serve("page.jsx", client, &json!({}))
    }

    /// Serves the page `threads.jsx`, with generated code, which the page imports by the name `agui`, and an adapter for its list
    /// of threads.
    #[must_use]
    pub fn serve_threads(&self, client: Generation, generated: &Path, adapter: &Path) -> ExampleServer {
        self.serve("threads.jsx", client, &json!({ "agui": generated, "thread-list-adapter": adapter }))
    }

    fn serve(&self, page: &str, client: Generation, alias: &Value) -> ExampleServer {
        let client = match client {
            Generation::Legacy => None,
            Generation::V1 => Some("ag-ui-client-1"),
        };
        let mut command = self.node.command("assistant-ui/serve.mjs");
        command.arg(json!({ "page": page, "client": client, "alias": alias }).to_string());
        ExampleServer::spawn("assistant-ui", command, START_LIMIT).unwrap_or_else(|cause| panic!("{cause}"))
    }
}

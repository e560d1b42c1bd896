//! A2UI's own renderer for React, on a page with generated types.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::json;

use super::{ExampleServer, Missing, Node, tests_dir};

/// Most of it is the bundling of the page.
const START_LIMIT: Duration = Duration::from_secs(120);

/// The packages of `tests/node/a2ui`.
#[derive(Debug, Clone)]
pub struct A2uiReact {
    node: Node,
}

impl A2uiReact {
    /// Finds Node, and installs the packages of `tests/node/a2ui/package-lock.json` on first use.
    ///
    /// # Errors
    /// [`Missing`] if Node or npm is not on the machine, or too old; see [`need!`](crate::need).
    pub fn ready() -> Result<Self, Missing> {
        Ok(Self { node: Node::with_packages("a2ui", &tests_dir().join("node/a2ui"), &[])? })
    }

    /// The folder of the installed packages, for a compiler's `paths`.
    #[must_use]
    pub fn node_modules(&self) -> PathBuf {
        self.node.node_modules()
    }

    /// Serves the page `page.tsx`, which imports the folder `generated` as `agui`, and talks with the agent that its address names.
    #[must_use]
    pub fn serve_page(&self, generated: &Path) -> ExampleServer {
        let mut command = self.node.command("a2ui/serve.mjs");
        command.arg(json!({ "generated": generated }).to_string());
        ExampleServer::spawn("a2ui", command, START_LIMIT).unwrap_or_else(|cause| panic!("{cause}"))
    }
}

//! The official SDKs of the Agent2Agent protocol, in TypeScript and in Python.

use std::process::Command;
use std::time::Duration;

use serde::Deserialize;
use serde_json::Value;

use super::{ExampleServer, Missing, Node, Python, finish};
use agui_programs::tests_dir;

const LIMIT: Duration = Duration::from_secs(60);

/// One of the official SDKs.
#[derive(Debug, Clone)]
pub enum A2aSdk {
    /// `@a2a-js/sdk`.
    TypeScript(Node),
    /// `a2a-sdk`.
    Python(Python),
}

/// The report of a client about an agent.
#[derive(Debug, Deserialize)]
pub struct A2aReport {
    /// The card, as the client read it.
    pub card: Value,
    /// The answers to the requests, in their order.
    pub steps: Vec<A2aStep>,
}

/// The answer to a request: its items, or the error that the client threw.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub enum A2aStep {
    /// The items of the stream; one for other requests.
    Items {
        /// In the JSON form of the protocol.
        items: Vec<Value>,
    },
    /// The class of an error and its text.
    Thrown {
        /// The class.
        thrown: String,
        /// The text.
        message: String,
    },
}

impl A2aStep {
    /// Returns the items.
    #[must_use]
    pub fn items(&self) -> &[Value] {
        match self {
            Self::Items { items } => items,
            Self::Thrown { thrown, message } => panic!("{thrown}: {message}"),
        }
    }

    /// Returns the task of an answer that is one.
    #[must_use]
    pub fn task(&self) -> &Value {
        &self.items()[0]["task"]
    }
}

impl A2aSdk {
    /// Finds Node, and installs the packages of `tests/node/a2a` on first use.
    ///
    /// # Errors
    /// [`Missing`] if Node or npm is not on the machine, or too old; see [`need!`](crate::need).
    pub fn typescript() -> Result<Self, Missing> {
        Node::with_packages("a2a", &tests_dir().join("node/a2a"), &[]).map(Self::TypeScript)
    }

    /// Finds Python, and installs the packages of `tests/python/a2a/requirements.txt` on first use.
    ///
    /// # Errors
    /// [`Missing`] if Python or its `venv` is not on the machine, or too old; see [`need!`](crate::need).
    pub fn python() -> Result<Self, Missing> {
        Python::with_requirements("python-a2a", "a2a/requirements.txt").map(Self::Python)
    }

    /// Does what a job says with the client; its form is at the head of `tests/node/a2a/client.mjs`.
    #[must_use]
    pub fn client(&self, job: &Value) -> A2aReport {
        finish(self.command("client"), &job.to_string(), LIMIT).json()
    }

    /// Starts the server: an agent that does what its user says.
    ///
    /// # Panics
    /// If it does not start.
    #[must_use]
    pub fn server(&self) -> ExampleServer {
        ExampleServer::spawn("a2a server", self.command("server"), LIMIT)
            .unwrap_or_else(|cause| panic!("{cause}"))
    }

    fn command(&self, name: &str) -> Command {
        match self {
            Self::TypeScript(node) => node.command(format!("a2a/{name}.mjs")),
            Self::Python(python) => python.command(format!("clients/a2a_{name}.py")),
        }
    }
}

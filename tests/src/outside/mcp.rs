//! The official clients of the Model Context Protocol, and a published server.

use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::{Value, json};

use super::{ExampleServer, Missing, Node, Python, built, finish};
use agui_programs::tests_dir;

const LIMIT: Duration = Duration::from_secs(60);

/// The packages of `tests/node/mcp`.
#[derive(Debug, Clone)]
pub struct McpPackages(Node);

/// A generation of the official client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum McpGeneration {
    /// `@modelcontextprotocol/sdk`, which speaks 2025-11-25.
    Sdk,
    /// `@modelcontextprotocol/client`, which speaks 2026-07-28.
    Client,
}

impl McpGeneration {
    /// Both, the older first.
    pub const ALL: [Self; 2] = [Self::Sdk, Self::Client];
}

/// A server of MCP in another language, or on another generation of an SDK.
#[derive(Debug, Clone)]
pub struct McpPeer {
    /// Its name in messages of tests.
    pub name: &'static str,
    program: Program,
}

#[derive(Debug, Clone)]
enum Program {
    /// `tests/python/clients/mcp_server.py`, with the packages of an environment.
    Python(Python, &'static str),
    /// The package `agui-mcp-older`.
    Rust,
}

impl McpPeer {
    /// `mcp` 1.8.1, which ends at a question of the newer generation.
    ///
    /// # Errors
    /// [`Missing`] if Python or its `venv` is not on the machine, or too old; see [`need!`](crate::need).
    pub fn older_python() -> Result<Self, Missing> {
        let python = Python::with_requirements("python-mcp-older", "mcp-older/requirements.txt")?;
        Ok(Self { name: "mcp 1.8.1", program: Program::Python(python, "sdk") })
    }

    /// The newest `mcp`, and FastMCP.
    ///
    /// # Errors
    /// As [`older_python`](Self::older_python).
    pub fn newer_python() -> Result<[Self; 2], Missing> {
        let python = Python::with_requirements("python-mcp-newer", "mcp-newer/requirements.txt")?;
        let peer = |name, kind| Self { name, program: Program::Python(python.clone(), kind) };
        Ok([peer("mcp", "sdk"), peer("FastMCP", "fastmcp")])
    }

    /// The command of a server on the newest `mcp`, over standard input and output, whose tool `book` asks.
    ///
    /// # Errors
    /// As [`older_python`](Self::older_python).
    pub fn asking_python() -> Result<Command, Missing> {
        let python = Python::with_requirements("python-mcp-newer", "mcp-newer/requirements.txt")?;
        Ok(python.command("clients/mcp_asking.py"))
    }

    /// The command of a server on the newest `mcp`, over standard input and output, whose tool list changes.
    ///
    /// # Errors
    /// As [`older_python`](Self::older_python).
    pub fn changing_python() -> Result<Command, Missing> {
        let python = Python::with_requirements("python-mcp-newer", "mcp-newer/requirements.txt")?;
        Ok(python.command("clients/mcp_changing.py"))
    }

    /// rmcp 1, which ends at a question of the newer generation. It has the tool `count` alone.
    #[must_use]
    pub fn older_rust() -> Self {
        Self { name: "rmcp 1", program: Program::Rust }
    }

    /// The command of the server: `stdio`, `http` or `sse`, and a port.
    #[must_use]
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = match &self.program {
            Program::Python(python, kind) => {
                let mut command = python.command("clients/mcp_server.py");
                command.arg(kind);
                command
            }
            Program::Rust => Command::new(built("agui-mcp-older")),
        };
        command.args(arguments);
        command
    }

    /// Starts the server over HTTP, at a free port or at this one.
    ///
    /// # Panics
    /// If it does not start.
    #[must_use]
    pub fn over_http(&self, transport: &str, port: Option<&str>) -> ExampleServer {
        let arguments: Vec<&str> = [transport].into_iter().chain(port).collect();
        ExampleServer::spawn(self.name, self.command(&arguments), LIMIT)
            .unwrap_or_else(|cause| panic!("{cause}"))
    }
}

/// The report of an official client about a server.
#[derive(Debug, Deserialize)]
pub struct McpReport {
    /// The version of the protocol; clients of earlier versions do not tell it over standard input and output.
    pub version: Option<String>,
    /// The server's name and version.
    pub server: Value,
    /// The server's text for the model.
    pub instructions: Option<String>,
    /// The descriptions of the tools.
    pub tools: Vec<Value>,
    /// The results of the calls, or `thrown` for an error.
    pub results: Vec<Value>,
}

impl McpPackages {
    /// Finds Node, and installs the packages on first use.
    ///
    /// # Errors
    /// [`Missing`] if Node or npm is not on the machine, or too old; see [`need!`](crate::need).
    pub fn ready() -> Result<Self, Missing> {
        Node::with_packages("mcp", &tests_dir().join("node/mcp"), &[]).map(Self)
    }

    /// Connects an official client to a server, `{ "command", "args" }` or `{ "url" }`, lists the tools and makes calls.
    #[must_use]
    pub fn client(&self, generation: McpGeneration, connect: &Value, calls: &Value) -> McpReport {
        let generation = if generation == McpGeneration::Sdk { "sdk" } else { "client" };
        let job = json!({ "generation": generation, "connect": connect, "calls": calls });
        finish(self.0.command("mcp/client.mjs"), &job.to_string(), LIMIT).json()
    }

    /// The command of `@modelcontextprotocol/server-everything`, over standard input and output.
    #[must_use]
    pub fn everything(&self) -> Command {
        let mut command = self.0.bin("mcp-server-everything");
        command.arg("stdio");
        command
    }

    /// The command of a server on `@modelcontextprotocol/server`, over standard input and output, whose tool `book` asks.
    #[must_use]
    pub fn asking(&self) -> Command {
        self.0.command("mcp/asking-server.mjs")
    }

    /// The command of a server on `@modelcontextprotocol/server`, over standard input and output, whose tool list changes.
    #[must_use]
    pub fn changing(&self) -> Command {
        self.0.command("mcp/changing-server.mjs")
    }

    /// Starts `server-everything` over streamable HTTP.
    ///
    /// # Panics
    /// If it does not answer in time.
    #[must_use]
    pub fn everything_over_http(&self) -> EverythingOverHttp {
        // The server prints the port that it was given, so it cannot choose one.
        let port = TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).unwrap().port();
        let mut command = self.0.bin("mcp-server-everything");
        command.arg("streamableHttp").env("PORT", port.to_string());
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let server = EverythingOverHttp { child, port };
        let end = Instant::now() + LIMIT;
        while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(Instant::now() < end, "the server does not listen");
            std::thread::sleep(Duration::from_millis(20));
        }
        server
    }
}

/// A server on a port of its own; dropping it ends it.
#[derive(Debug)]
pub struct EverythingOverHttp {
    child: Child,
    port: u16,
}

impl EverythingOverHttp {
    /// The address of the server.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}/mcp", self.port)
    }
}

impl Drop for EverythingOverHttp {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

//! An agent's tools as an MCP server.

mod asks;
mod describe;
mod handler;
mod hosted;
#[cfg(feature = "server")]
mod http;
mod reply;
mod reports;

use std::fmt;
use std::sync::Arc;

use rmcp::ServiceExt;
use rmcp::service::ServerInitializeError;
use rmcp::transport::stdio_pipes;

use self::describe::McpApproval;
use self::handler::McpHandler;
use self::hosted::{AgentToolHost, McpToolHost};
use super::{McpError, McpTransport};
use agui_runtime_core::__leaf::{
    TokioTimer, approve_calls, complete_options, hand_over_if_asked, is_handoff_tool,
};
use agui_runtime_core::manifest::AgentSource;
use agui_runtime_core::runs::SharedAgent;
use agui_runtime_core::{RunOptions, ToolSet};

/// An agent's backend tools as an MCP server, described as in the agent's manifest.
///
/// Each call runs the tool with the agent's dependencies in a separate run: the agent function does not run, and the state starts
/// at its default. Time limits, result sizes, argument bounds, panics and error texts work as in the agent's runs. Frontend tools
/// are not exported, because they run on a page. Tools with `approval` are exported only after
/// [`client_asks_user`](Self::client_asks_user) or [`client_approves`](Self::client_approves).
///
/// ```no_run
/// use agui_runtime::mcp::{McpError, McpServer};
/// use agui_runtime::prelude::*;
///
/// /// Looks up what an ingredient costs, in cents.
/// #[tool(read_only)]
/// async fn price(name: String) -> u32 {
///     180
/// }
///
/// /// Sells things.
/// #[agent(tools = [price])]
/// async fn shop(run: &mut Run<Shop>, _: Input<Shop>) -> Result<(), Stop> {
///     Ok(())
/// }
///
/// #[tokio::main]
/// async fn main() -> Result<(), McpError> {
///     McpServer::new(Shop::new()).instructions("Prices are in cents.").serve_stdio().await
/// }
/// ```
#[must_use = "a server does nothing until it serves"]
pub struct McpServer {
    host: Arc<dyn McpToolHost>,
    source: AgentSource,
    options: RunOptions,
    approval: McpApproval,
    instructions: Option<String>,
}

impl McpServer {
    /// Exports the tools of an agent that only serves MCP.
    pub fn new<A: ToolSet>(agent: A) -> Self
    where
        A::State: Default,
    {
        Self::shared(Arc::new(agent))
    }

    /// Exports the tools of an agent that also serves AG-UI.
    pub fn shared<A: ToolSet>(agent: impl SharedAgent<A>) -> Self
    where
        A::State: Default,
    {
        let mut source = A::source();
        // A conversation is handed over by a chat, and there is none.
        source.tools.retain(|tool| !is_handoff_tool::<A>(tool.name));
        Self {
            host: Arc::new(AgentToolHost(agent.shared())),
            source,
            options: RunOptions::default(),
            approval: McpApproval::Hidden,
            instructions: None,
        }
    }

    /// Also exports tools with `approval`, and **runs their calls without approval**: MCP demands that the client asks its user.
    /// Use this only for clients that you know, because a client that does not ask runs whatever its model wants.
    ///
    /// ```
    /// use agui_runtime::mcp::McpServer;
    /// use agui_runtime::prelude::*;
    ///
    /// /// Pays an order back.
    /// #[tool(approval)]
    /// async fn refund(number: u32) -> bool {
    ///     true
    /// }
    ///
    /// /// Sells things.
    /// #[agent(tools = [refund])]
    /// async fn shop(run: &mut Run<Shop>, _: Input<Shop>) -> Result<(), Stop> {
    ///     Ok(())
    /// }
    ///
    /// let closed = McpServer::new(Shop::new());
    /// let open = McpServer::new(Shop::new()).client_approves();
    /// assert_eq!((closed.tools(), open.tools()), (vec![], vec!["refund"]));
    /// ```
    pub fn client_approves(self) -> Self {
        Self { approval: McpApproval::Client, ..self }
    }

    /// Also exports tools with `approval` to clients of 2026-07-28 that show forms: a call answers `input_required` with the approval, and
    /// runs when the client makes the call again with its user's consent (MCP, section "Multi Round-Trip Requests"). Other clients do not
    /// see such tools. The questions of agents among the tools go the same way.
    ///
    /// Each question is signed with the call, and for the caller's identity over HTTP. Several processes need the same
    /// [key](RunOptions::interrupt_key). A question counts once with a thread store (`Server::threads`, for as long as the store keeps
    /// old threads), and otherwise once in each process until the question [expires](RunOptions::interrupt_lifetime): without a store, tools
    /// behind several processes must be idempotent.
    /// Nothing here can check that the client asks a person.
    ///
    /// ```
    /// use agui_runtime::mcp::McpServer;
    /// use agui_runtime::prelude::*;
    ///
    /// /// Pays an order back.
    /// #[tool(approval)]
    /// async fn refund(number: u32) -> bool {
    ///     true
    /// }
    ///
    /// /// Sells things.
    /// #[agent(tools = [refund])]
    /// async fn shop(run: &mut Run<Shop>, _: Input<Shop>) -> Result<(), Stop> {
    ///     Ok(())
    /// }
    ///
    /// let server = McpServer::new(Shop::new()).client_asks_user();
    /// assert_eq!(server.tools(), ["refund"]);
    /// ```
    pub fn client_asks_user(self) -> Self {
        Self { approval: McpApproval::User, ..self }
    }

    /// Sets a text about the server for the client's model.
    pub fn instructions(self, text: impl Into<String>) -> Self {
        Self { instructions: Some(text.into()), ..self }
    }

    /// Sets options for the runs behind calls, such as the [request value](RunOptions::request) that stands for the user when the
    /// server speaks over stdio.
    ///
    /// ```
    /// use agui_runtime::RunOptions;
    /// use agui_runtime::mcp::McpServer;
    /// use agui_runtime::prelude::*;
    ///
    /// #[derive(Clone)]
    /// struct Customer {
    ///     name: String,
    /// }
    ///
    /// /// Sells things.
    /// #[agent]
    /// async fn shop(run: &mut Run<Shop>, _: Input<Shop>, #[request] customer: &Customer) -> Result<(), Stop> {
    ///     Ok(())
    /// }
    ///
    /// let customer = Customer { name: "Ada".to_owned() };
    /// let server = McpServer::new(Shop::new()).options(RunOptions::default().request(customer));
    /// ```
    pub fn options(self, options: RunOptions) -> Self {
        Self { options, ..self }
    }

    /// Returns the tool names that clients see.
    #[must_use]
    pub fn tools(&self) -> Vec<&'static str> {
        describe::exported(&self.source, self.approval).map(|tool| tool.name).collect()
    }

    /// Serves the client that started this program, over standard input and output, until the client leaves (MCP, section
    /// "stdio"). Nothing else may write to standard output: log to standard error.
    ///
    /// If `agui-codegen` runs the program to get a manifest, the program writes the manifest and exits here.
    ///
    /// # Errors
    /// [`McpError::Serve`] if the client does not begin the protocol, and [`McpError::ToolArguments`] for a tool whose arguments
    /// are no object.
    pub async fn serve_stdio(self) -> Result<(), McpError> {
        hand_over_if_asked([self.source.clone()]);
        self.serve(stdio_pipes()).await
    }

    /// Serves one client over a [transport](McpTransport) such as a socket, until the client leaves.
    ///
    /// # Errors
    /// As [`serve_stdio`](Self::serve_stdio).
    pub async fn serve<Kind>(self, transport: impl McpTransport<Kind>) -> Result<(), McpError> {
        if let Some(tool) = describe::without_object(&self.source, self.approval) {
            return Err(McpError::ToolArguments { tool });
        }
        let running = match self.handler(Some(hosted::new_thread())).serve(transport.into_halves()).await {
            Ok(running) => running,
            Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
            Err(error) => return Err(McpError::Serve { source: Box::new(error) }),
        };
        match running.waiting().await {
            Ok(_) => Ok(()),
            Err(error) => Err(McpError::Serve { source: Box::new(error) }),
        }
    }

    fn handler(self, thread: Option<Arc<str>>) -> McpHandler {
        let options = complete_options(self.options, &RunOptions::default().timer(TokioTimer));
        let options = approve_calls(options, self.approval == McpApproval::Client);
        McpHandler::new(self.host, &self.source, self.approval, options, self.instructions, thread)
    }
}

impl fmt::Debug for McpServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("McpServer").field("tools", &self.tools()).finish_non_exhaustive()
    }
}

/// Serves an agent's tools over standard input and output: [`McpServer`] with default settings.
///
/// # Errors
/// As [`McpServer::serve_stdio`].
pub async fn serve_stdio<A: ToolSet>(agent: A) -> Result<(), McpError>
where
    A::State: Default,
{
    McpServer::new(agent).serve_stdio().await
}

//! Requests from MCP clients.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::{Either, select};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ErrorData, Implementation, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler};
use serde_json::Value;

use super::describe::{describe, exported};
use super::hosted::{McpClientCall, McpToolHost};
use super::reply::{self, failed};
use super::reports::ProgressReporter;
use agui_runtime_core::__leaf::NoTool;
use agui_runtime_core::__leaf::quoted;
use agui_runtime_core::RunOptions;
use agui_runtime_core::manifest::AgentSource;

/// Completes a call's run options from the HTTP request.
type CallOptionsFn = Arc<dyn Fn(RunOptions, &RequestContext<RoleServer>) -> RunOptions + Send + Sync>;

/// Handles client requests. Clones share everything.
#[derive(Clone)]
pub(crate) struct McpHandler {
    host: Arc<dyn McpToolHost>,
    info: Arc<ServerConfig>,
    tools: Arc<[Tool]>,
    options: RunOptions,
    /// The thread for all calls, if the server has one client.
    thread: Option<Arc<str>>,
    limits: McpCallLimits,
}

/// Limits for a server that many clients reach.
#[derive(Clone, Default)]
pub(super) struct McpCallLimits {
    pub(super) time: Option<Duration>,
    pub(super) options: Option<CallOptionsFn>,
}

impl McpHandler {
    pub(super) fn new(
        host: Arc<dyn McpToolHost>,
        source: &AgentSource,
        approves: bool,
        options: RunOptions,
        instructions: Option<String>,
        thread: Option<Arc<str>>,
    ) -> Self {
        let this = Implementation::new(source.name, source.version).with_description(source.description);
        let capabilities = ServerCapabilities::builder().enable_tools().build();
        let mut info = ServerConfig::new(capabilities).with_server_info(this);
        info.instructions = instructions;
        let tools = exported(source, approves).map(describe).collect();
        Self { host, info: Arc::new(info), tools, options, thread, limits: McpCallLimits::default() }
    }

    #[cfg(feature = "server")]
    pub(super) fn limited(self, limits: McpCallLimits) -> Self {
        Self { limits, ..self }
    }

    fn tool(&self, name: &str) -> Option<&Tool> {
        self.tools.iter().find(|tool| tool.name == name)
    }

    /// Makes a call within the call time limit.
    async fn make(
        &self,
        call: McpClientCall,
        options: RunOptions,
        reports: Option<ProgressReporter>,
        has_schema: bool,
    ) -> CallToolResult {
        let making = self.host.call(call, options, reports);
        let made = match self.limits.time {
            None => making.await,
            Some(time) => match tokio::time::timeout(time, making).await {
                Ok(made) => made,
                Err(_) => return failed(format!("the call took longer than {time:?}, and was stopped")),
            },
        };
        reply::tool_result(made, has_schema)
    }

    fn unknown(&self, name: &str) -> ErrorData {
        let offered = self.tools.iter().map(|tool| &*tool.name);
        ErrorData::invalid_params(NoTool::new(quoted(name), offered).to_string(), None)
    }
}

impl ServerHandler for McpHandler {
    fn get_info(&self) -> ServerConfig {
        (*self.info).clone()
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.tool(name).cloned()
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.tools.to_vec()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let tool = self.tool(&request.name).ok_or_else(|| self.unknown(&request.name))?;
        let has_schema = tool.output_schema.is_some();
        let options = match &self.limits.options {
            Some(complete) => complete(self.options.clone(), &context),
            None => self.options.clone(),
        };
        if let Err(missing) = self.host.check(&options) {
            tracing::warn!(tool = %tool.name, value = missing.type_name(), "a request lacks a value");
            return Err(ErrorData::invalid_request(missing.to_string(), None));
        }
        let call = McpClientCall {
            tool: tool.name.to_string(),
            arguments: Value::Object(request.arguments.unwrap_or_default()).to_string(),
            thread: self.thread.clone(),
        };
        let reports =
            context.meta.get_progress_token().map(|token| ProgressReporter::new(context.peer.clone(), token));
        let calling = pin!(self.make(call, options, reports, has_schema));
        match select(calling, pin!(context.ct.cancelled())).await {
            Either::Left((result, _)) => Ok(result.into()),
            // The client does not read it.
            Either::Right(_) => Err(ErrorData::internal_error("the call was cancelled", None)),
        }
    }
}

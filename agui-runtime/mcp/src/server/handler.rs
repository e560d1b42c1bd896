//! Requests from MCP clients.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::{Either, select};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, ElicitationCapability, ErrorData, Implementation,
    ListToolsResult, PaginatedRequestParams, ProtocolVersion, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler};
use serde_json::Value;

use super::asks;
use super::describe::{McpApproval, describe, exported};
use super::hosted::{McpClientCall, McpToolHost, new_thread};
use super::reply::{self, failed};
use super::reports::ProgressReporter;
use agui_runtime_core::__leaf::LoneCallError;
use agui_runtime_core::__leaf::NoTool;
use agui_runtime_core::__leaf::ResumeClaim;
use agui_runtime_core::__leaf::quoted;
use agui_runtime_core::RunOptions;
use agui_runtime_core::manifest::AgentSource;

/// Completes a call's run options from the HTTP request.
type CallOptionsFn = Arc<dyn Fn(RunOptions, &RequestContext<RoleServer>) -> RunOptions + Send + Sync>;

/// Returns the claim on a call's interrupts, from the HTTP request.
pub(super) type CallClaimFn = Arc<dyn Fn(&RequestContext<RoleServer>) -> Option<ResumeClaim> + Send + Sync>;

/// Handles client requests. Clones share everything.
#[derive(Clone)]
pub(crate) struct McpHandler {
    host: Arc<dyn McpToolHost>,
    info: Arc<ServerConfig>,
    tools: Arc<[ServedTool]>,
    /// True if calls may ask the client's user.
    asks_user: bool,
    options: RunOptions,
    /// The thread for all calls, if the server has one client.
    thread: Option<Arc<str>>,
    limits: McpCallLimits,
}

/// A tool as clients see it.
struct ServedTool {
    tool: Tool,
    /// True if the user must approve calls.
    asks: bool,
}

/// Limits for a server that many clients reach.
#[derive(Clone, Default)]
pub(super) struct McpCallLimits {
    pub(super) time: Option<Duration>,
    pub(super) options: Option<CallOptionsFn>,
    pub(super) claim: Option<CallClaimFn>,
}

impl McpHandler {
    pub(super) fn new(
        host: Arc<dyn McpToolHost>,
        source: &AgentSource,
        approval: McpApproval,
        options: RunOptions,
        instructions: Option<String>,
        thread: Option<Arc<str>>,
    ) -> Self {
        let this = Implementation::new(source.name, source.version).with_description(source.description);
        let capabilities = ServerCapabilities::builder().enable_tools().build();
        let mut info = ServerConfig::new(capabilities).with_server_info(this);
        info.instructions = instructions;
        let served = |tool| ServedTool { tool: describe(tool), asks: approval.asks(tool) };
        let tools = exported(source, approval).map(served).collect();
        let (info, asks_user) = (Arc::new(info), approval == McpApproval::User);
        Self { host, info, tools, asks_user, options, thread, limits: McpCallLimits::default() }
    }

    #[cfg(feature = "server")]
    pub(super) fn limited(self, limits: McpCallLimits) -> Self {
        Self { limits, ..self }
    }

    /// True if the client can ask its user when a call needs the user.
    fn can_ask(&self, context: &RequestContext<RoleServer>) -> bool {
        let version = context.protocol_version();
        let is_newer = version.is_some_and(|version| version >= ProtocolVersion::V_2026_07_28);
        // A client that names no kind of question shows forms.
        let shows_forms = |asks: ElicitationCapability| asks.form.is_some() || asks.url.is_none();
        let own = context.client_capabilities().and_then(|own| own.elicitation);
        self.asks_user && is_newer && own.is_some_and(shows_forms)
    }

    fn served(&self, name: &str) -> Option<&ServedTool> {
        self.tools.iter().find(|served| served.tool.name == name)
    }

    /// Returns the tools for a client. A client whose user cannot be asked sees no tool that asks.
    fn tools_for(&self, can_ask: bool) -> impl Iterator<Item = &Tool> {
        self.tools.iter().filter(move |served| can_ask || !served.asks).map(|served| &served.tool)
    }

    /// Makes a call within the call time limit.
    async fn make(
        &self,
        call: McpClientCall,
        options: RunOptions,
        reports: Option<ProgressReporter>,
        has_schema: bool,
    ) -> CallToolResponse {
        let thread = Arc::clone(&call.thread);
        let making = self.host.call(call, options, reports);
        let made = match self.limits.time {
            None => making.await,
            Some(time) => match tokio::time::timeout(time, making).await {
                Ok(made) => made,
                Err(_) => {
                    return failed(format!("the call took longer than {time:?}, and was stopped")).into();
                }
            },
        };
        match made {
            Err(LoneCallError::Interrupted { call, interrupts, conversation }) => {
                match asks::requests(&thread, call, &interrupts, conversation) {
                    Ok(required) => required.into(),
                    Err(text) => failed(text).into(),
                }
            }
            made => reply::tool_result(made, has_schema).into(),
        }
    }

    fn unknown(&self, name: &str, can_ask: bool) -> ErrorData {
        let offered = self.tools_for(can_ask).map(|tool| &*tool.name);
        ErrorData::invalid_params(NoTool::new(quoted(name), offered).to_string(), None)
    }
}

impl ServerHandler for McpHandler {
    fn get_info(&self) -> ServerConfig {
        (*self.info).clone()
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.served(name).map(|served| served.tool.clone())
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.tools_for(self.can_ask(&context)).cloned().collect()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let can_ask = self.can_ask(&context);
        let served = self.served(&request.name).filter(|served| can_ask || !served.asks);
        let tool = &served.ok_or_else(|| self.unknown(&request.name, can_ask))?.tool;
        let has_schema = tool.output_schema.is_some();
        let options = match &self.limits.options {
            Some(complete) => complete(self.options.clone(), &context),
            None => self.options.clone(),
        };
        if let Err(missing) = self.host.check(&options) {
            tracing::warn!(tool = %tool.name, value = missing.type_name(), "a request lacks a value");
            return Err(ErrorData::invalid_request(missing.to_string(), None));
        }
        let (thread, resumed) = match request.request_state.filter(|_| can_ask) {
            None => (self.thread.clone().unwrap_or_else(new_thread), None),
            Some(state) => {
                let resumed = asks::resumed(&state, request.input_responses);
                let (thread, mut resumed) = resumed.map_err(|why| ErrorData::invalid_params(why, None))?;
                resumed.call.claim = self.limits.claim.as_ref().and_then(|claim| claim(&context));
                (thread, Some(resumed))
            }
        };
        let call = McpClientCall {
            tool: tool.name.to_string(),
            arguments: Value::Object(request.arguments.unwrap_or_default()).to_string(),
            thread,
            resumed,
            can_ask,
        };
        let reports =
            context.meta.get_progress_token().map(|token| ProgressReporter::new(context.peer.clone(), token));
        let calling = pin!(self.make(call, options, reports, has_schema));
        match select(calling, pin!(context.ct.cancelled())).await {
            Either::Left((response, _)) => Ok(response),
            // The client does not read it.
            Either::Right(_) => Err(ErrorData::internal_error("the call was cancelled", None)),
        }
    }
}

//! A server of MCP on rmcp 1: over standard input and output, or over streamable HTTP with sessions: `http [port]`.
#![allow(clippy::print_stdout, reason = "tests read the address there")]

use std::error::Error;
use std::future::{Ready, ready};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use rmcp::model::{
    CallToolRequestParams, CallToolResult, Content, ListToolsResult, PaginatedRequestParams,
    ServerCapabilities, ServerInfo, Tool,
};
use rmcp::service::RequestContext;
use rmcp::transport::StreamableHttpService;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt};
use serde_json::json;
use tokio::net::TcpListener;

/// Counts the calls of its tool.
#[derive(Clone, Default)]
struct Counter(Arc<AtomicU32>);

impl ServerHandler for Counter {
    fn get_info(&self) -> ServerInfo {
        ServerInfo::new(ServerCapabilities::builder().enable_tools().build())
    }

    fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> impl Future<Output = Result<ListToolsResult, ErrorData>> + Send + '_ {
        let schema = json!({ "type": "object", "properties": {} });
        let tool = Tool::new(
            "count",
            "Counts the calls of this tool.",
            schema.as_object().cloned().unwrap_or_default(),
        );
        ready(Ok(ListToolsResult::with_all_items(vec![tool])))
    }

    fn call_tool(
        &self,
        _: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> impl Future<Output = Result<CallToolResult, ErrorData>> + Send + '_ {
        let calls = self.0.fetch_add(1, Ordering::SeqCst) + 1;
        let counted: Ready<_> = ready(Ok(CallToolResult::success(vec![Content::text(calls.to_string())])));
        counted
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let counter = Counter::default();
    let mut arguments = std::env::args().skip(1);
    if arguments.next().as_deref() != Some("http") {
        counter.serve(rmcp::transport::stdio()).await?.waiting().await?;
        return Ok(());
    }
    let port = arguments.next().map_or(Ok(0), |port| port.parse())?;
    let listener = TcpListener::bind(("127.0.0.1", port)).await?;
    println!("http://{}", listener.local_addr()?);
    let sessions = Arc::new(LocalSessionManager::default());
    let service = StreamableHttpService::new(move || Ok(counter.clone()), sessions, Default::default());
    axum::serve(listener, axum::Router::new().nest_service("/mcp", service)).await?;
    Ok(())
}

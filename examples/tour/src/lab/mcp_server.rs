//! The MCP server of `/lab/mcp`, written with rmcp. The server remembers no question: a client brings the state and the answer.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData, InputRequests,
    InputRequiredResult, ListToolsResult, PaginatedRequestParams, ProgressNotificationParam,
    ServerCapabilities, ServerConfig, SubscriptionFilter, Tool,
};
use rmcp::service::{RequestContext, SubscriptionContext};
use rmcp::{RoleServer, ServerHandler};
use serde_json::json;
use tokio::sync::Notify;

/// A door, with the tool `open` once the door is unlocked.
#[derive(Clone, Default)]
pub struct Door {
    is_unlocked: Arc<AtomicBool>,
    unlocked: Arc<Notify>,
}

fn text(text: &str) -> Result<CallToolResponse, ErrorData> {
    Ok(CallToolResult::success(vec![ContentBlock::text(text)]).into())
}

/// Asks for the user's consent.
fn ask() -> Result<CallToolResponse, ErrorData> {
    let schema = json!({ "type": "object", "properties": { "approved": { "type": "boolean" } }, "required": ["approved"] });
    let question = json!({ "mode": "form", "message": "May I use the key?", "requestedSchema": schema });
    let requests = json!({ "key": { "method": "elicitation/create", "params": question } });
    let requests: InputRequests = serde_json::from_value(requests)
        .map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
    Ok(InputRequiredResult::new(Some(requests), Some("at the door".to_owned())).into())
}

impl Door {
    /// Tells the client how far the call is.
    async fn report(&self, context: &RequestContext<RoleServer>, progress: f64, message: &str) {
        if let Some(token) = context.meta.get_progress_token() {
            let report =
                ProgressNotificationParam::new(token, progress).with_total(2.0).with_message(message);
            context.peer.notify_progress(report).await.ok();
        }
    }
}

impl ServerHandler for Door {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().enable_tool_list_changed().build())
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        Some(requested.clone())
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        tokio::select! {
            () = context.cancelled() => {}
            () = self.unlocked.notified() => {
                context.sink().notify_tool_list_changed().await.ok();
                context.cancelled().await;
            }
        }
        Ok(())
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tool = |name: &'static str, description: &'static str| {
            Tool::new(name, description, Arc::new(rmcp::model::object(json!({ "type": "object" }))))
        };
        let mut tools = vec![tool("unlock", "Unlocks the door.")];
        if self.is_unlocked.load(Ordering::Acquire) {
            tools.push(tool("open", "Opens the door."));
        }
        Ok(ListToolsResult::with_all_items(tools))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        match (&*request.name, request.input_responses) {
            ("open", _) => text("The door is open."),
            ("unlock", None) => {
                self.report(&context, 1.0, "I have found the key.").await;
                ask()
            }
            ("unlock", Some(given)) => {
                let approved = given.get("key").and_then(|key| key.pointer("/content/approved"));
                if approved != Some(&serde_json::Value::Bool(true)) {
                    return text("The door stays locked.");
                }
                self.report(&context, 2.0, "The key turns.").await;
                self.is_unlocked.store(true, Ordering::Release);
                self.unlocked.notify_one();
                // The client hears of the other tools first: the next turn then offers them.
                tokio::time::sleep(std::time::Duration::from_millis(250)).await;
                text("The door is unlocked.")
            }
            (other, _) => Err(ErrorData::invalid_params(format!("there is no tool `{other}`"), None)),
        }
    }
}

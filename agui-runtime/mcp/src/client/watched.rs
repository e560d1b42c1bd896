//! A transport that takes a server's notifications out of the message stream, in the order in which they come.
//!
//! rmcp handles each notification in a task, so that progress could come out of order, or after the call's result.

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rmcp::RoleClient;
use rmcp::model::{
    ClientJsonRpcMessage, ClientRequest, GetMeta, JsonRpcMessage, ServerJsonRpcMessage, ServerNotification,
};
use rmcp::transport::Transport;
use serde_json::Value;

use super::running::McpCalls;
use agui_runtime_core::__leaf::RemoveMember as _;

/// The metadata key under which a call's number comes to the transport. No server sees the key.
pub(super) const CALL: &str = "agui-rust/call";

/// The notifications of one connection.
#[derive(Default)]
pub(super) struct McpNotifications {
    pub(super) server: String,
    pub(super) calls: Arc<McpCalls>,
    /// The number of times that the server's tool list has changed.
    tool_lists: AtomicU64,
}

impl McpNotifications {
    pub(super) fn new(server: &str) -> Self {
        Self { server: server.to_owned(), ..Self::default() }
    }

    /// Returns a number that grows whenever the server's tool list changes.
    pub(super) fn tool_list_version(&self) -> u64 {
        self.tool_lists.load(Ordering::Acquire)
    }

    /// Notes that the server's tool list has changed, or may have changed.
    pub(super) fn change_tool_list(&self) {
        self.tool_lists.fetch_add(1, Ordering::AcqRel);
    }

    /// Takes the call's number out of a request, before the server can report on the call.
    fn send(&self, message: &mut ClientJsonRpcMessage) {
        let JsonRpcMessage::Request(request) = message else { return };
        let token = request.request.get_meta().get_progress_token();
        let ClientRequest::CallToolRequest(call) = &mut request.request else { return };
        let Some(meta) = &mut call.params.meta else { return };
        let number = meta.0.0.remove_member(CALL);
        if meta.0.0.is_empty() {
            call.params.meta = None;
        }
        if let (Some(number), Some(token)) = (number.as_ref().and_then(Value::as_u64), token) {
            self.calls.sent(number, &token);
        }
    }

    /// Returns a message, unless it is a notification for this client.
    fn receive(&self, message: ServerJsonRpcMessage) -> Option<ServerJsonRpcMessage> {
        let JsonRpcMessage::Notification(notification) = message else { return Some(message) };
        match notification.notification {
            ServerNotification::ProgressNotification(progress) => {
                self.calls.report(&self.server, &progress.params);
            }
            ServerNotification::LoggingMessageNotification(message) => {
                self.log(&message.params);
            }
            ServerNotification::ToolListChangedNotification(_) => self.change_tool_list(),
            _ => return Some(JsonRpcMessage::Notification(notification)),
        }
        None
    }
}

impl McpNotifications {
    #[expect(deprecated, reason = "rmcp deprecates log messages, which servers send")]
    fn log(&self, message: &rmcp::model::LoggingMessageNotificationParam) {
        let level = serde_json::to_value(message.level).unwrap_or_default();
        let text = log_text(message.logger.as_deref(), &message.data);
        self.calls.log(&self.server, level.as_str().unwrap_or("info"), &text);
    }
}

/// Returns a log message's text. The data may be any JSON.
fn log_text(logger: Option<&str>, data: &Value) -> String {
    let text = match data {
        Value::String(text) => Cow::Borrowed(text.as_str()),
        data => Cow::Owned(data.to_string()),
    };
    logger.map_or_else(|| text.clone().into_owned(), |logger| format!("{logger}: {text}"))
}

/// A transport whose notifications reach [`McpNotifications`].
pub(super) struct WatchedTransport<T> {
    transport: T,
    notifications: Arc<McpNotifications>,
}

impl<T> WatchedTransport<T> {
    pub(super) fn new(transport: T, notifications: &Arc<McpNotifications>) -> Self {
        Self { transport, notifications: Arc::clone(notifications) }
    }
}

impl<T: Transport<RoleClient>> Transport<RoleClient> for WatchedTransport<T> {
    type Error = T::Error;

    fn name() -> Cow<'static, str> {
        T::name()
    }

    fn send(
        &mut self,
        mut message: ClientJsonRpcMessage,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        self.notifications.send(&mut message);
        self.transport.send(message)
    }

    async fn receive(&mut self) -> Option<ServerJsonRpcMessage> {
        loop {
            let message = self.transport.receive().await?;
            if let Some(message) = self.notifications.receive(message) {
                return Some(message);
            }
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.transport.close().await
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_log_message_of_any_form_is_a_text() {
        assert_eq!(log_text(None, &json!("hot")), "hot");
        assert_eq!(log_text(Some("oven"), &json!({ "degrees": 200 })), r#"oven: {"degrees":200}"#);
    }

    #[test]
    fn changes_of_the_list_are_counted_and_other_messages_pass() {
        let notifications = McpNotifications::new("shop");
        let receive =
            |message: Value| notifications.receive(serde_json::from_value(message).unwrap()).is_some();
        let changed = json!({ "jsonrpc": "2.0", "method": "notifications/tools/list_changed" });
        let other = json!({ "jsonrpc": "2.0", "method": "notifications/prompts/list_changed" });
        let result = json!({ "jsonrpc": "2.0", "id": 1, "result": {} });
        let passed = [changed.clone(), changed, other, result].map(receive);
        assert_eq!((passed, notifications.tool_list_version()), ([false, false, true, true], 2));
    }
}

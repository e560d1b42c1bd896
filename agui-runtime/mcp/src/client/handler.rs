//! Messages that a server sends by itself.

use std::sync::Arc;

use rmcp::model::{ClientConfig, ElicitRequestParams, ElicitResult, ErrorData};
use rmcp::service::RequestContext;
use rmcp::{ClientHandler, RoleClient};

use super::input::held::declined;
use super::watched::McpNotifications;

/// Handles a server's own messages.
pub(super) struct McpServerMessages {
    config: ClientConfig,
    pub(super) notifications: Arc<McpNotifications>,
}

impl McpServerMessages {
    pub(super) fn new(config: ClientConfig, notifications: Arc<McpNotifications>) -> Self {
        Self { config, notifications }
    }
}

impl ClientHandler for McpServerMessages {
    fn get_info(&self) -> ClientConfig {
        self.config.clone()
    }

    async fn create_elicitation(
        &self,
        params: ElicitRequestParams,
        context: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let McpNotifications { server, calls, .. } = &*self.notifications;
        let response = match calls.give(server, params.clone()) {
            Ok(response) => response,
            Err(declined) => return Ok(*declined),
        };
        tokio::select! {
            given = response => Ok(given.unwrap_or_else(|_| declined(server, params, "the call has ended").0)),
            () = context.ct.cancelled() => Ok(declined(server, params, "the server no longer waits").0),
        }
    }
}

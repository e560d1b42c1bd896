//! Messages that a server sends by itself.

use std::sync::Arc;

use rmcp::model::{ClientConfig, ElicitRequestParams, ElicitResult, ErrorData};
use rmcp::service::RequestContext;
use rmcp::{ClientHandler, RoleClient};

use super::input::held::{McpCalls, declined};

/// Handles a server's own messages.
pub(super) struct McpServerMessages {
    config: ClientConfig,
    server: String,
    pub(super) calls: Arc<McpCalls>,
}

impl McpServerMessages {
    pub(super) fn new(config: ClientConfig, server: &str) -> Self {
        Self { config, server: server.to_owned(), calls: Arc::default() }
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
        let response = match self.calls.give(&self.server, params.clone()) {
            Ok(response) => response,
            Err(declined) => return Ok(*declined),
        };
        tokio::select! {
            given = response => Ok(given.unwrap_or_else(|_| declined(&self.server, params, "the call has ended").0)),
            () = context.ct.cancelled() => Ok(declined(&self.server, params, "the server no longer waits").0),
        }
    }
}

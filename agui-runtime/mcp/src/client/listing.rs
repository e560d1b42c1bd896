//! Requests for a server's tool list.

use std::time::Duration;

use rmcp::model::{PaginatedRequestParams, Tool};

use super::{McpClient, meant};
use crate::McpError;

/// List limits, because a faulty server may never end a list. The size is in bytes.
const MOST_TOOLS: usize = 1000;
const MOST_PAGES: usize = 100;
const LARGEST_LIST: usize = 16 * 1024 * 1024;

/// A server's tools.
pub(super) struct ListedTools {
    pub(super) tools: Vec<Tool>,
    /// The time in which the server expects no other list (MCP 2026-07-28, `ttlMs`), unless that is zero.
    pub(super) fresh: Option<Duration>,
}

impl McpClient {
    /// Requests the server's tools.
    pub(crate) async fn listed(&self) -> Result<Vec<Tool>, McpError> {
        Ok(self.listed_with_time().await?.tools)
    }

    /// Requests the server's tools, with the time in which the list is fresh.
    pub(super) async fn listed_with_time(&self) -> Result<ListedTools, McpError> {
        self.within(self.list()).await
    }

    async fn list(&self) -> Result<ListedTools, McpError> {
        let peer = &self.connection.peer;
        let mut listed = ListedTools { tools: Vec::new(), fresh: None };
        if peer.peer_info().is_some_and(|info| info.capabilities.tools.is_none()) {
            return Ok(listed);
        }
        let (mut cursor, mut size) = (None, 0_usize);
        for _ in 0..MOST_PAGES {
            let params =
                cursor.take().map(|cursor| PaginatedRequestParams::default().with_cursor(Some(cursor)));
            let mut page = peer.list_tools(params).await.map_err(|error| self.error(error))?;
            for remark in meant::remarks(page.meta.as_mut()) {
                remark.log(&self.connection.server);
            }
            size = size.saturating_add(serde_json::to_vec(&page.tools).map_or(0, |json| json.len()));
            let fresh = page.ttl_ms.filter(|time| *time > 0).map(Duration::from_millis);
            listed.fresh = [listed.fresh, fresh].into_iter().flatten().min();
            listed.tools.extend(page.tools);
            if listed.tools.len() > MOST_TOOLS {
                return Err(self.malformed(format!("a list of more than {MOST_TOOLS} tools")));
            }
            if size > LARGEST_LIST {
                return Err(self.malformed(format!("a list of more than {LARGEST_LIST} bytes")));
            }
            match page.next_cursor {
                None => return Ok(listed),
                next => cursor = next,
            }
        }
        Err(self.malformed(format!("a list of more than {MOST_PAGES} pages")))
    }
}

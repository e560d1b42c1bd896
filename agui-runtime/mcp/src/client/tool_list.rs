//! A server's tool list that follows the server's changes while a chat runs.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use rmcp::model::{SubscriptionFilter, Tool};
use rmcp::service::{ServiceError, Subscription};

use super::McpClient;
use super::ended::ChatNumber;
use super::listing::ListedTools;
use agui_runtime_core::__leaf::quoted;
use agui_runtime_core::Stop;
use agui_runtime_core::model::{DynTool, ToolSource};

/// Time limit for the response to `subscriptions/listen`: a chat does not wait longer for news about its tools.
const LISTEN: Duration = Duration::from_secs(10);

/// Time limit for a list after the first one: the chat has an earlier list, and its next turn waits.
const LATER_LIST: Duration = Duration::from_secs(10);

/// Time without another request after a list could not be read, for a server that sends no notifications.
const PAUSE: Duration = Duration::from_secs(60);

/// Converts listed tools for a model.
type ToolImport = Arc<dyn Fn(&McpClient, Vec<Tool>) -> Vec<DynTool<'static>> + Send + Sync>;

/// Changes a tool, or leaves the tool out.
type ToolSelection = Arc<dyn Fn(DynTool<'static>) -> Option<DynTool<'static>> + Send + Sync>;

/// A server's tools for one chat, made by [`McpClient::tool_list`]: if the server's list changes while the chat runs, the model
/// has the new list in its next turn.
///
/// A change is noticed by `notifications/tools/list_changed`, which a server of 2026-07-28 sends to a subscription
/// (`subscriptions/listen`): the connection has one for all its chats. Without a subscription, the list of such a server is asked for
/// again after its `ttlMs`. However often a server changes its list, a chat asks once in a turn.
///
/// ```
/// use agui_runtime::mcp::McpClient;
/// use agui_runtime::model::Model;
/// use agui_runtime::prelude::*;
///
/// /// Answers questions about files, and asks before files change.
/// #[agent]
/// async fn archivist(
///     run: &mut Run<Archivist>,
///     _: Input<Archivist>,
///     model: &Model,
///     files: &McpClient,
/// ) -> Result<(), Stop> {
///     let tools = files.tool_list().select(|tool| match tool.name() {
///         "delete_file" => None,
///         "read_file" => Some(tool),
///         _ => Some(tool.approval()),
///     });
///     run.chat(model).tools_from(tools).await
/// }
/// ```
#[must_use = "a list does nothing until a chat has it"]
pub struct McpToolList {
    client: McpClient,
    import: ToolImport,
    selection: Option<ToolSelection>,
    seen: Option<SeenList>,
}

/// The list that the chat has, or has asked for without success.
#[derive(Clone, Copy)]
struct SeenList {
    version: u64,
    /// The time until which the list is fresh, for a server that sends no notifications.
    until: Option<Instant>,
}

/// A connection's subscription to changes of the tool list (MCP 2026-07-28, section "Subscriptions").
#[derive(Default)]
pub(super) enum ListSubscription {
    #[default]
    Closed,
    Open(Box<Subscription>),
    /// The server has no such subscription, and is not asked again.
    Refused,
}

impl McpClient {
    /// Returns the server's tools for [`Chat::tools_from`](agui_runtime_core::model::Chat::tools_from): the tools of
    /// [`tools`](Self::tools), and the new ones after each change of the server's list.
    ///
    /// An error at the first turn ends the run, as [`tools`](Self::tools) does; a later error, or no answer within 10 s, keeps the
    /// earlier list until the server tells of a further change.
    ///
    /// ```
    /// # use agui_runtime::{ToolSet, Run, Stop, mcp::McpClient, model::Model};
    /// # async fn example<A: ToolSet>(run: &mut Run<A>, model: &Model, files: &McpClient) -> Result<(), Stop> {
    /// run.chat(model).tools_from(files.tool_list()).await
    /// # }
    /// ```
    pub fn tool_list(&self) -> McpToolList {
        self.tool_list_by(|client, tools| client.imported(tools, |_| None))
    }

    /// Returns the list whose tools are converted by the function.
    pub(crate) fn tool_list_by(
        &self,
        import: impl Fn(&Self, Vec<Tool>) -> Vec<DynTool<'static>> + Send + Sync + 'static,
    ) -> McpToolList {
        let client = Self { chat: Some(ChatNumber::new()), ..self.clone() };
        McpToolList { client, import: Arc::new(import), selection: None, seen: None }
    }

    /// Subscribes to changes of the tool list, unless the connection has a subscription. True if the server sends notifications.
    async fn listens(&self) -> bool {
        let info = self.connection.peer.peer_info();
        let notifies = info
            .and_then(|info| info.capabilities.tools.clone())
            .is_some_and(|tools| tools.list_changed == Some(true));
        if !notifies || !self.is_newer() {
            return notifies;
        }
        let mut subscription = self.connection.subscription.lock().await;
        match &mut *subscription {
            ListSubscription::Refused => return false,
            // The notifications themselves are counted at the transport.
            ListSubscription::Open(open) => match open.next().now_or_never() {
                None => return true,
                Some(_) => {
                    *subscription = ListSubscription::Closed;
                    self.connection.notifications.change_tool_list();
                }
            },
            ListSubscription::Closed => {}
        }
        let filter = SubscriptionFilter::builder().tools_list_changed().build();
        let opened =
            tokio::time::timeout(LISTEN.min(self.timeout), self.connection.peer.listen(filter)).await;
        *subscription = match opened {
            Ok(Ok(open)) if open.acknowledged().tools_list_changed == Some(true) => {
                ListSubscription::Open(Box::new(open))
            }
            Ok(Ok(_)) | Ok(Err(ServiceError::McpError(_))) => ListSubscription::Refused,
            Ok(Err(error)) => {
                let (server, error) = (&self.connection.server, quoted(&error));
                tracing::debug!(server, %error, "an MCP server gives no notice of changes of its tool list");
                ListSubscription::Closed
            }
            Err(_) => {
                let server = &self.connection.server;
                tracing::debug!(
                    server,
                    "an MCP server does not answer a subscription, and is not asked again"
                );
                ListSubscription::Refused
            }
        };
        matches!(*subscription, ListSubscription::Open(_))
    }
}

impl McpToolList {
    /// Changes each tool, or leaves the tool out with `None`, in the first list and in each new one.
    pub fn select(
        self,
        selection: impl Fn(DynTool<'static>) -> Option<DynTool<'static>> + Send + Sync + 'static,
    ) -> Self {
        Self { selection: Some(Arc::new(selection)), ..self }
    }
}

impl ToolSource for McpToolList {
    fn changed_tools(&mut self) -> BoxFuture<'_, Result<Option<Vec<DynTool<'static>>>, Stop>> {
        async move {
            // Subscribed before the list is asked for: no change comes in between.
            let listens = self.client.listens().await;
            let version = self.client.connection.notifications.tool_list_version();
            let is_current = self.seen.is_some_and(|seen| {
                seen.version == version && (listens || seen.until.is_none_or(|until| Instant::now() < until))
            });
            if is_current {
                return Ok(None);
            }
            let mut client = self.client.clone();
            if self.seen.is_some() {
                client.timeout = client.timeout.min(LATER_LIST);
                // Noted before the answer: a list that cannot be read would delay each turn.
                self.seen = Some(SeenList { version, until: Instant::now().checked_add(PAUSE) });
            }
            let ListedTools { tools, fresh } = client.listed_with_time().await?;
            let until = fresh.and_then(|fresh| Instant::now().checked_add(fresh));
            self.seen = Some(SeenList { version, until });
            let tools = (self.import)(&self.client, tools);
            Ok(Some(match &self.selection {
                Some(selection) => tools.into_iter().filter_map(|tool| selection(tool)).collect(),
                None => tools,
            }))
        }
        .boxed()
    }
}

impl fmt::Debug for McpToolList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("McpToolList").field("client", &self.client).finish_non_exhaustive()
    }
}

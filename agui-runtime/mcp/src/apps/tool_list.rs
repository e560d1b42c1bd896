//! The tools of servers with apps, which follow the servers' changes while a chat runs.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt;
use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;

use super::{McpApps, imported};
use crate::McpToolList;
use agui_runtime_core::__leaf::{quoted, share_emit};
use agui_runtime_core::model::{DynTool, ToolSource};
use agui_runtime_core::{Emit, Stop};

/// The tools of all servers with apps for one chat, made by [`McpApps::tool_list`]: if a server's list changes while the chat runs,
/// the model has the new list in its next turn, as with [`McpToolList`].
///
/// ```
/// use agui_runtime::mcp::{McpApp, McpApps};
/// use agui_runtime::model::Model;
/// use agui_runtime::prelude::*;
///
/// /// Talks about the weather, and asks before the weather changes.
/// #[agent(activities = [McpApp])]
/// async fn forecaster(
///     run: &mut Run<Forecaster>,
///     _: Input<Forecaster>,
///     model: &Model,
///     apps: &McpApps,
/// ) -> Result<(), Stop> {
///     let tools = apps.tool_list(run).select(|tool| match tool.name() {
///         "make_rain" => Some(tool.approval()),
///         _ => Some(tool),
///     });
///     run.chat(model).tools_from(tools).await
/// }
/// ```
#[must_use = "a list does nothing until a chat has it"]
pub struct McpAppToolList {
    servers: Vec<ListedServer>,
    /// The place of the server whose tool the chat has, by name.
    owners: HashMap<String, usize>,
    has_first: bool,
}

/// A server's list, and the tools in the list, also if another server has such a name.
struct ListedServer {
    id: String,
    list: McpToolList,
    tools: Vec<DynTool<'static>>,
}

impl McpApps {
    /// Returns the servers' tools for [`Chat::tools_from`](agui_runtime_core::model::Chat::tools_from): the tools of
    /// [`tools`](Self::tools), and the new ones after each change of a server's list.
    ///
    /// An error at the first turn ends the run. A later error, or no answer within 10 s, keeps that server's earlier list. In a
    /// later list, a tool with another server's name is left out with a logged warning, until the other server has no such tool.
    ///
    /// ```
    /// # use agui_runtime::{ToolSet, Run, Stop, mcp::McpApps, model::Model};
    /// # async fn example<A: ToolSet>(run: &mut Run<A>, model: &Model, apps: &McpApps) -> Result<(), Stop> {
    /// let tools = apps.tool_list(run);
    /// run.chat(model).tools_from(tools).await
    /// # }
    /// ```
    pub fn tool_list(&self, emit: &Emit) -> McpAppToolList {
        let emit = Arc::new(share_emit(emit));
        let servers = self.servers.iter().map(|server| {
            let (shown, emit) = (Arc::clone(server), Arc::clone(&emit));
            let list =
                server.client.tool_list_by(move |client, listed| imported(&shown, client, listed, &emit));
            ListedServer { id: server.id.clone(), list, tools: Vec::new() }
        });
        McpAppToolList { servers: servers.collect(), owners: HashMap::new(), has_first: false }
    }
}

impl McpAppToolList {
    /// Changes each tool, or leaves the tool out with `None`, in the first lists and in each new one.
    pub fn select(
        mut self,
        selection: impl Fn(DynTool<'static>) -> Option<DynTool<'static>> + Send + Sync + 'static,
    ) -> Self {
        let selection = Arc::new(selection);
        let selected = self.servers.into_iter().map(|server| {
            let selection = Arc::clone(&selection);
            ListedServer { list: server.list.select(move |tool| selection(tool)), ..server }
        });
        self.servers = selected.collect();
        self
    }

    /// Asks one server. True if the server has another list than the chat.
    async fn refresh(&mut self, at: usize) -> Result<bool, Stop> {
        let Some(server) = self.servers.get_mut(at) else { return Ok(false) };
        let changed = server.list.changed_tools().await;
        server.tools = match changed {
            Ok(None) => return Ok(false),
            Ok(Some(tools)) => tools,
            Err(error) if !self.has_first => return Err(error),
            Err(error) => {
                let (server, error) = (&server.id, quoted(&error));
                tracing::warn!(server, %error, "a changed list of an MCP server is not read: the earlier list stays");
                return Ok(false);
            }
        };
        Ok(true)
    }

    /// Returns the tools of all servers. In later lists, a name of two servers stays with the server whose tool the chat has:
    /// otherwise a server could put a tool in the place of another server's tool.
    fn joined(&mut self) -> Vec<DynTool<'static>> {
        let mut owners: HashMap<String, usize> = HashMap::new();
        for (at, server) in self.servers.iter().enumerate() {
            for tool in &server.tools {
                let was_owner = self.owners.get(tool.name()) == Some(&at);
                match owners.entry(tool.name().to_owned()) {
                    Entry::Occupied(mut owner) if was_owner => drop(owner.insert(at)),
                    Entry::Occupied(_) => {}
                    Entry::Vacant(new) => drop(new.insert(at)),
                }
            }
        }
        let mut joined = Vec::new();
        for (at, server) in self.servers.iter().enumerate() {
            for tool in &server.tools {
                let owner = owners.get(tool.name()).copied().unwrap_or(at);
                // The chat refuses names of two servers in the first lists.
                if owner == at || !self.has_first {
                    joined.push(tool.clone());
                } else {
                    let (tool, by) = (quoted(tool.name()), self.servers.get(owner).map(|owner| &*owner.id));
                    tracing::warn!(%tool, by, "a new tool of an MCP server has the name of another server's, and is left out");
                }
            }
        }
        self.owners = owners;
        joined
    }
}

impl ToolSource for McpAppToolList {
    fn changed_tools(&mut self) -> BoxFuture<'_, Result<Option<Vec<DynTool<'static>>>, Stop>> {
        async move {
            let mut is_changed = !self.has_first;
            for at in 0..self.servers.len() {
                is_changed |= self.refresh(at).await?;
            }
            let tools = is_changed.then(|| self.joined());
            self.has_first = true;
            Ok(tools)
        }
        .boxed()
    }
}

impl fmt::Debug for McpAppToolList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lists = self.servers.iter().map(|server| (&server.id, &server.list));
        f.debug_map().entries(lists).finish()
    }
}
